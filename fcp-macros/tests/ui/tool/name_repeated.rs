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
#[fcp_tool(name = "find")]
pub fn find(
    shelf: &Shelf,
    /// Its title.
    #[fcp(key = "title")]
    title: String,
) -> Result<Book> {
    Ok(Book { pages: 1 })
}

fn main() {}
