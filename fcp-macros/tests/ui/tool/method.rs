#![allow(unused)]

#[path = "../shelf.rs"]
mod shelf;

use fcp::prelude::*;
use shelf::*;

impl Book {
    /// Find a book.
    ///
    /// ```json
    /// {"title": "Emma"}
    /// > {"pages": 1}
    /// ```
    #[fcp_tool]
    pub fn find(&self) -> Result<Book> {
        Ok(Book { pages: 1 })
    }
}

fn main() {}
