#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A shape.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct ShapeRow {
    pub row: Id<Shape>,
    /// Its corners.
    pub corners: Vec<f64>,
}

fn main() {}
