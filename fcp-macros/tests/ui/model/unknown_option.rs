#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches", version = 1)]
pub struct Sketch {
    #[fcp(counted)]
    pub shapes: Table<Shape>,
}

fn main() {}
