#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

fn rename(drawing: &Drawing, name: String) -> Result<()> {
    Ok(())
}

/// A shape.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct ShapeRow {
    pub row: Id<Shape>,
    /// Its name.
    #[fcp(set = rename)]
    pub name: String,
}

fn main() {}
