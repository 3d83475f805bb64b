//! `count`

use fcp::prelude::*;

use crate::state::{Counter, Tally};

/// Count things under a name.
///
/// ```json
/// {"name": "bolts", "by": 12}
/// > {"name": "bolts", "count": 12}
/// {"name": "bolts"}
/// > {"name": "bolts", "count": 13}
/// {"name": "bolts", "bye": 2}
/// ! {"error": {
/// !   "message": "count takes no \"bye\", nearest is \"by\"",
/// !   "try": {"name": "bolts", "by": 2}
/// ! }}
/// ```
#[fcp_tool]
pub fn count(
    tally: &mut Tally,
    /// The thing counted.
    name: String,
    /// The number to add.
    #[fcp(default = Int::clamped(1))]
    by: Int<1, 1000>,
) -> Result<Counter> {
    if name.trim().is_empty() {
        bail!("things are counted under a name");
    }
    let count = tally.counters.entry(name.clone()).or_default();
    *count = count.saturating_add(by.get().unsigned_abs());
    let count = *count;
    Ok(Counter { name, count })
}
