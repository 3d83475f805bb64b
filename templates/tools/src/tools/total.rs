//! `total`

use fcp::prelude::*;
use fcp::value::nearest_word;
use schemars::JsonSchema;
use serde::Serialize;

use crate::state::{Counter, Tally};

/// Its count.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum Total {
    /// Of one counter.
    One(Counter),
    /// Of all together.
    All {
        /// The counters.
        counters: usize,
        /// Their sum.
        count: u64,
    },
}

/// Show the count of one name, or of all.
///
/// ```json
/// count {"name": "bolts", "by": 12}
/// count {"name": "nuts", "by": 10}
/// {"name": "nuts"}
/// > {"of": "one", "name": "nuts", "count": 10}
/// {}
/// > {"of": "all", "counters": 2, "count": 22}
/// {"name": "bolt"}
/// ! {"error": {"message": "there is no counter bolt", "try": {"name": "bolts"}}}
/// ```
#[fcp_tool(read_only, idempotent)]
pub fn total(
    tally: &Tally,
    /// One counter; all if left out.
    name: Option<String>,
) -> Result<Total> {
    let counters = &tally.counters;
    let Some(name) = name else {
        let count = counters
            .values()
            .fold(0, |sum: u64, n| sum.saturating_add(*n));
        let counters = counters.len();
        return Ok(Total::All { counters, count });
    };
    if let Some(&count) = counters.get(&name) {
        return Ok(Total::One(Counter { name, count }));
    }
    let near = nearest_word(&name, counters.keys().map(String::as_str));
    match near {
        Some(near) => bail!("there is no counter {name}"; try: "{{\"name\": {near:?}}}"),
        None => bail!("there is no counter {name}"),
    }
}
