#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mark.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(kind = "mark", plural = "marks")]
pub struct Mark {
    radius: u8,
}

fn main() {}
