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

fn add(_: &mut Drawing, _: &[NewRow<'_>]) -> Result<Vec<String>> {
    Ok(Vec::new())
}

/// Shapes.
#[fcp_table(insert_all = add)]
pub fn shapes(drawing: &Drawing) -> Vec<ShapeRow> {
    Vec::new()
}

fn main() {}
