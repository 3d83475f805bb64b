#![allow(unused)]

#[path = "../shelf.rs"]
mod shelf;

use fcp::prelude::*;
use shelf::*;

/// Find a book.
#[fcp_tool]
pub fn find(
    shelf: &Shelf,
    /// Its title.
    title: String,
    /// The number of times.
    #[fcp(default = 1)]
    times: u32,
) -> Result<Book> {
    Ok(Book { pages: 1 })
}

fn main() {}
