//! The state that the tools share: counters, by name.

use std::collections::BTreeMap;

use fcp::endpoint::Config;
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// Counters that live as long as the server.
#[derive(Debug, Default)]
pub struct Tally {
    /// The count of each name.
    pub counters: BTreeMap<String, u64>,
}

impl Toolset for Tally {
    const DOMAIN: &'static str = "tally";
    const TITLE: &'static str = "Tally counters";
    const INSTRUCTIONS: &'static str =
        "Count things with count; total shows the counts, reset forgets them.";

    const LARGE: &'static [LargeTools] = &[LargeTools {
        name: "many counters",
        make: |rows| LargeFolder {
            files: Vec::new(),
            calls: vec![
                (0..rows)
                    .map(|at| ("count", format!(r#"{{"name": "c{at}"}}"#)))
                    .collect(),
            ],
        },
    }];

    fn open(_: &Config) -> Result<Self> {
        Ok(Self::default())
    }
}

/// A counter.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Counter {
    /// The thing counted.
    pub name: String,
    /// Its count.
    pub count: u64,
}
