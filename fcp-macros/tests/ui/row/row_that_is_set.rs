#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A mark, with its place.
#[derive(FcpRow)]
#[fcp(model = Drawing)]
pub struct Mark {
    #[fcp(set)]
    pub row: Id<Shape>,
    /// Its place.
    pub nth: i64,
}

fn main() {}
