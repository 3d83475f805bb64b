#![allow(unused)]

use fcp::prelude::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch {
    #[fcp(count = "z", hidden, universe, line = zoom)]
    pub zoom: Slot<u8>,
}

fn main() {}
