#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A shape.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct ShapeRow {
    #[fcp(set)]
    pub row: Id<Shape>,
    /// Its name.
    pub name: String,
}

fn main() {}
