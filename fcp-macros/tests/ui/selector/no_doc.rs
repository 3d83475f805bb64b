#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

#[fcp_selector]
pub fn red(drawing: &Drawing) -> Pick<'_> {
    Pick::Rows(Vec::new())
}

fn main() {}
