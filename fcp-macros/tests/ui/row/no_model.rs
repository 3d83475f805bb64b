#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A mark, with its place.
#[derive(FcpRow)]
pub struct Mark {
    pub row: Id<Shape>,
    /// Its place.
    pub nth: i64,
}

fn main() {}
