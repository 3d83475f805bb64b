#![allow(unused)]

#[path = "../toy.rs"]
mod toy;

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toy::*;

/// A mark.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    #[fcp(position)]
    name: Name,
}

fn main() {}
