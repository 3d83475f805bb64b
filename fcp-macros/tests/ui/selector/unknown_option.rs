#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Shapes that are red.
#[fcp_selector(category = "Colors")]
pub fn red(drawing: &Drawing) -> Pick<'_> {
    Pick::Rows(Vec::new())
}

fn main() {}
