#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::model::Row;
use fcp::prelude::*;
use toy::*;

/// Shapes that are red.
#[fcp_selector]
pub fn red(drawing: &Drawing) -> Vec<Row> {
    Vec::new()
}

fn main() {}
