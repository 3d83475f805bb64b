#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use toy::*;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch")]
pub struct Sketch {
    pub shapes: Table<Shape>,
}

impl Domain for Sketch {
    const FORMATS: &'static [Format] = &[];
    const WORKFLOW: &'static str = "";

    fn read(_: &[u8], _: &str) -> Result<Self> {
        Ok(Self::default())
    }

    fn write(&self, _: &str, _: &mut Pieces) -> Result<()> {
        Ok(())
    }
}

/// Draw a circle.
///
/// ```fcp
/// circle
/// > …
/// ```
#[fcp_verb(category = "Shapes")]
pub fn circle(sketch: &mut Sketch, shape: Ref<Shape>) -> Result<Reply> {
    Ok(created!("circle"))
}

fn main() {}
