#![allow(unused)]

use fcp::prelude::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub enum Sketch {
    One,
}

fn main() {}
