#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// Draw a circle.
#[fcp_query]
pub fn circle(drawing: &Drawing) -> Result<String> {
    Ok(String::new())
}

fn main() {}
