#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Shapes that are red.
#[fcp_selector]
pub fn red(drawing: &mut Drawing) -> Pick<'_> {
    Pick::Rows(Vec::new())
}

fn main() {}
