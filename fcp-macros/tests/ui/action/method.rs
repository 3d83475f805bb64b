#![allow(unused)]

use fcp::prelude::*;

pub struct Canvas;

impl Canvas {
    /// Draw a circle.
    #[fcp_action]
    pub fn circle(&self) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

fn main() {}
