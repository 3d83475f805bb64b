#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A shape.
#[derive(FcpRow)]
pub struct ShapeRow {
    pub row: Id<Shape>,
    /// Its name.
    pub name: String,
}

fn main() {}
