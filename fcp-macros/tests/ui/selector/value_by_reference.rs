#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Shapes that are red.
#[fcp_selector]
pub fn red<'a>(drawing: &'a Drawing, a: &str) -> Pick<'a> {
    Pick::Rows(Vec::new())
}

fn main() {}
