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
    /// Its name.
    pub name: String,
}

/// Shapes.
#[fcp_table(insert = add_shape)]
pub fn shapes(drawing: &Drawing) -> Vec<ShapeRow> {
    Vec::new()
}

fn main() {}
