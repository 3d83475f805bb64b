#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A shape.
#[derive(FcpRow)]
#[fcp(model = Drawing, table = "shapes")]
pub struct ShapeRow {
    pub row: Id<Shape>,
    /// Its name.
    #[fcp(setter = "name")]
    pub name: String,
}

fn main() {}
