#![allow(unused)]

#[path = "../shelf.rs"]
mod shelf;

use fcp::prelude::*;
use shelf::*;

#[fcp_tool]
pub fn find(
    shelf: &Shelf,
    /// Its title.
    title: String,
) -> Result<Book> {
    Ok(Book { pages: 1 })
}

fn main() {}
