#![allow(unused)]

use fcp::prelude::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch {
    pub canvas: Slot<f64>,
}

fn main() {}
