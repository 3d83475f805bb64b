//! `snapshot.gc`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::reply::Failure;
use crate::session::Workspace;
use crate::store::{Collected, Keep};

/// Result of a collection.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Gone {
    /// Nothing was removed, because that was asked for.
    dry_run: bool,
    /// Its numbers.
    #[serde(flatten)]
    collected: Collected,
}

/// Remove old snapshots of the whole state directory. It is never done by itself; labelled and pinned ones stay.
///
/// ```json
/// {"dry_run": true}
/// > {"dry_run": true, "removed": "…", "kept": "…", "freed_bytes": "…", "packs": "…"}
/// {"keep_days": -1}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.gc", alias = "snapshot_gc", destructive, idempotent)]
pub fn snapshot_gc(
    workspace: &Workspace,
    /// Snapshots that are younger stay.
    #[fcp(default = Int::clamped(14))]
    keep_days: Int<0, 100000>,
    /// The youngest stay, up to this many bytes.
    #[fcp(default = Int::clamped(5 << 30))]
    keep_bytes: Int<0, 9007199254740991>,
    /// Only report what would go.
    #[fcp(default = false)]
    dry_run: bool,
) -> Result<Gone, Failure> {
    let number = |n: i64| u64::try_from(n).unwrap_or_default();
    let keep = Keep {
        days: number(keep_days.get()),
        bytes: number(keep_bytes.get()),
    };
    let collected = workspace.store.collect(keep, dry_run)?;
    Ok(Gone { dry_run, collected })
}
