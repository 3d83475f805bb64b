//! `snapshot.info`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::identity::Fingerprint;
use crate::reply::{Failure, Immutable, ManifestStats};
use crate::session::Workspace;

/// Facts about a snapshot.
#[derive(Serialize, JsonSchema)]
pub struct Info {
    /// The state of the repository that it was captured in.
    fingerprint: Fingerprint,
    /// The numbers of its contents.
    manifest_stats: ManifestStats,
}

/// Show the fingerprint and the size of a snapshot.
///
/// ```json
/// {"snapshot_id": "sha256:00"}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// {"snapshot_id": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.info", alias = "snapshot_info", read_only, idempotent)]
pub fn snapshot_info(
    workspace: &Workspace,
    /// The repository, as an absolute path; the first one served if left out.
    repo_root: Option<String>,
    /// The snapshot.
    snapshot_id: String,
) -> Result<Immutable<Info>, Failure> {
    let at = workspace.served(repo_root.as_deref())?;
    let (snapshot, meta) = workspace.snapshot(&snapshot_id, at)?;
    Ok(Immutable::of(
        &snapshot.id,
        Info {
            fingerprint: snapshot.fingerprint.clone(),
            manifest_stats: meta.stats(),
        },
    ))
}
