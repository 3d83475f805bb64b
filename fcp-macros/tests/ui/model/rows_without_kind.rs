#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Canvas;

/// A sketch.
#[derive(FcpModel)]
#[fcp(domain = "sketch", title = "Sketches")]
pub struct Sketch {
    pub canvases: Table<Canvas>,
}

fn main() {}
