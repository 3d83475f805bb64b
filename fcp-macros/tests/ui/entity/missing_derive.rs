#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mark.
#[derive(FcpEntity, Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    name: Name,
}

fn main() {}
