#![allow(unused)]

#[path = "../shelf.rs"]
mod shelf;

use fcp::prelude::*;
use shelf::*;

pub struct Bare;

/// Find a book.
///
/// ```json
/// {"title": "Emma"}
/// > {"pages": 1}
/// ```
#[fcp_tool]
pub fn find(
    shelf: &Shelf,
    /// Its title.
    title: String,
) -> Result<Bare> {
    Ok(Bare)
}

fn main() {}
