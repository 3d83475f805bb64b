#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

pub struct Canvas;

impl Canvas {
    /// Draw a circle.
    ///
    /// ```fcp
    /// circle
    /// > …
    /// ```
    #[fcp_verb(category = "Shapes")]
    pub fn circle(&mut self) -> Result<Reply> {
        Ok(created!("circle"))
    }
}

fn main() {}
