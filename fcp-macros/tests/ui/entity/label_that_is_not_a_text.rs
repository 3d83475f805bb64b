#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mark.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    #[fcp(label)]
    size: u8,
}

fn main() {}
