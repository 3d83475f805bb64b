#![allow(unused)]

#[path = "../shelf.rs"]
mod shelf;

use fcp::prelude::*;
use shelf::*;

/// Find a book.
///
/// ```json
/// {"title": "Emma"}
/// > {"pages": 1}
/// ```
#[fcp_tool]
pub struct Find {
    title: String,
}

fn main() {}
