//! `reset`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::state::Tally;

/// The cleared counters.
#[derive(Serialize, JsonSchema)]
pub struct Forgotten {
    /// Number of counters there were.
    counters: usize,
}

/// Forget all counters.
///
/// ```json
/// count {"name": "bolts"}
/// {}
/// > {"counters": 1}
/// {}
/// > {"counters": 0}
/// ```
#[fcp_tool(destructive, idempotent)]
pub fn reset(tally: &mut Tally) -> Result<Forgotten> {
    let counters = std::mem::take(&mut tally.counters).len();
    Ok(Forgotten { counters })
}
