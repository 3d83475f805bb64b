#![allow(unused)]

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mark.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(label = called)]
pub struct Mark {
    name: Name,
}

impl Mark {
    fn called(&self) -> &Name {
        &self.name
    }
}

fn main() {}
