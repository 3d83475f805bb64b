#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// a mark
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    name: Name,
}

fn main() {}
