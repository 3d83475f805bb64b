#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch {
    pub shapes: Vec<Shape>,
    pub names: std::collections::HashMap<u8, Shape>,
    pub active: Option<Id<Shape>>,
    pub name: &'static str,
}

fn main() {}
