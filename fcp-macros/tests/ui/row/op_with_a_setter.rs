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
    #[fcp(set, by = "rename {rows} {value}")]
    pub name: String,
}

fn main() {}
