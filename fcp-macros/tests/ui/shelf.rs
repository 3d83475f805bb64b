//! The toolset that the faulty tools work on.

use fcp::endpoint::Config;
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Books.
pub struct Shelf;

impl Toolset for Shelf {
    const DOMAIN: &'static str = "shelf";
    const TITLE: &'static str = "Shelves";
    const INSTRUCTIONS: &'static str = "Find books.";

    fn open(_: &Config) -> Result<Self> {
        Ok(Self)
    }
}

/// A book.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Book {
    /// Its pages.
    pub pages: u32,
}
