#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A shape without a name.
#[fcp_lint]
pub fn nameless(drawing: &Drawing, id: Id<Song>, song: &Song) -> Option<String> {
    None
}

fn main() {}
