//! The domain that the faulty items belong to.

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A drawing.
#[derive(FcpModel)]
#[fcp(domain = "toy", title = "Toy drawings")]
pub struct Drawing {
    pub shapes: Table<Shape>,
}

/// A mark on the canvas.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shape {
    #[fcp(label)]
    pub name: Name,
}

/// A kind of row that no drawing has.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Song {
    #[fcp(label)]
    pub name: Name,
}

impl Domain for Drawing {
    const FORMATS: &'static [Format] = &[];
    const WORKFLOW: &'static str = "";

    fn read(_: &[u8], _: &str) -> Result<Self> {
        Ok(Self::default())
    }

    fn write(&self, _: &str, _: &mut Pieces) -> Result<()> {
        Ok(())
    }
}
