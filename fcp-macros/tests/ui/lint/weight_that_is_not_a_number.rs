#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A shape without a name.
#[fcp_lint(weight = "heavy")]
pub fn nameless(drawing: &Drawing, id: Id<Shape>, shape: &Shape) -> Option<String> {
    None
}

fn main() {}
