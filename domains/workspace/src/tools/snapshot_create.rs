//! `snapshot.create`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::capture::{Skipped, What, capture};
use crate::identity::Fingerprint;
use crate::reply::{Failure, Immutable, ManifestStats};
use crate::session::{Session, StaleScope, Workspace};

/// Captured state.
#[derive(Serialize, JsonSchema)]
pub struct Created {
    /// The state of the repository.
    fingerprint: Fingerprint,
    /// The numbers of its contents.
    manifest_stats: ManifestStats,
    /// The files left out.
    skipped: Skipped,
}

/// Capture files as an immutable snapshot.
///
/// A directory stands for its files that git does not ignore. Without paths, the files that the lease touched are captured.
/// The snapshot_id is a hash of the state and the contents: equal states have equal ids.
///
/// ```json
/// {"paths": ["src"]}
/// > {
/// >   "cache_hint": "immutable", "snapshot_id": "…", "fingerprint": "…",
/// >   "manifest_stats": {"files": 2, "total_bytes": 40}, "skipped": {}
/// > }
/// {}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.create", alias = "snapshot_create", idempotent)]
pub fn snapshot_create(
    workspace: &Workspace,
    /// The repository, as an absolute path; the first one served if left out.
    repo_root: Option<String>,
    /// A lease that must still hold.
    lease_id: Option<String>,
    /// Files and directories; what the lease touched if left out.
    paths: Option<Vec<String>>,
    /// A name for people. A snapshot with one is never collected.
    label: Option<String>,
) -> Result<Immutable<Created>, Failure> {
    if paths.is_none() && lease_id.is_none() {
        let message =
            "give paths, such as [\".\"], or the lease_id of reads whose files are captured";
        return Err(Failure::invalid("/paths", message));
    }
    if let Some(paths) = paths.as_ref().filter(|paths| paths.len() > 10_000) {
        let message = format!(
            "there are {} paths, over 10000; name directories",
            paths.len()
        );
        return Err(Failure::invalid("/paths", message));
    }
    let at = workspace.served(repo_root.as_deref())?;
    let session = Session::begin(workspace, at, lease_id.as_deref(), StaleScope::Repo, false)?;
    let what = paths.map_or(What::Touched, What::Paths);
    let made = capture(&session, &what, label)?;
    let snapshot = made.snapshot;
    Ok(Immutable::of(
        &snapshot.id,
        Created {
            fingerprint: snapshot.fingerprint.clone(),
            manifest_stats: made.meta.stats(),
            skipped: made.read.skipped,
        },
    ))
}
