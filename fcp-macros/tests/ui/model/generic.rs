#![allow(unused)]

use fcp::prelude::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch<T> {
    pub shapes: Table<T>,
}

fn main() {}
