#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Shapes that are red.
#[fcp_selector(alias = "all", alias = "recent")]
pub fn recent(drawing: &Drawing) -> Pick<'_> {
    Pick::Rows(Vec::new())
}

fn main() {}
