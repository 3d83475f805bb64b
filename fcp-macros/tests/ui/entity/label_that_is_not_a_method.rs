#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mark.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(label = "name")]
pub struct Mark {
    name: Name,
}

fn main() {}
