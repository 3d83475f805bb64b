#![allow(unused)]

use fcp::prelude::*;

#[derive(Default)]
pub struct Canvas;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch {
    pub canvas: Canvas,
}

fn main() {}
