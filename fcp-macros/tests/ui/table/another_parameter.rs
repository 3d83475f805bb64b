#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A mark, with its place.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct Mark {
    pub row: Id<Shape>,
    /// Its place.
    pub nth: i64,
}

/// Marks.
#[fcp_table]
pub fn marks(drawing: &Drawing, limit: usize) -> Vec<Mark> {
    Vec::new()
}

fn main() {}
