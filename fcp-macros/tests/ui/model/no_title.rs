#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch")]
pub struct Sketch {
    pub shapes: Table<Shape>,
}

fn main() {}
