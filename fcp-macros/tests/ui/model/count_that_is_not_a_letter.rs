#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch {
    #[fcp(count = "shapes")]
    pub shapes: Table<Shape>,
}

fn main() {}
