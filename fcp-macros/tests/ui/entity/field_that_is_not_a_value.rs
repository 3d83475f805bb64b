#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Point;

/// A mark.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    at: Point,
}

fn main() {}
