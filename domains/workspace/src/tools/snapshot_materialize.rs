//! `snapshot.materialize`

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use fcp::confined::program_files::new_dir;
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::reply::Failure;
use crate::session::Workspace;

/// A copy of a snapshot.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Materialized {
    /// The snapshot.
    snapshot_id: String,
    /// The directory that holds its files.
    path: String,
}

/// Write the files of a snapshot into a new directory outside the repository, to run tests there.
///
/// ```json
/// {"snapshot_id": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.materialize", alias = "snapshot_materialize")]
pub fn snapshot_materialize(
    workspace: &Workspace,
    /// The repository, as an absolute path; the first one served if left out.
    repo_root: Option<String>,
    /// The snapshot.
    snapshot_id: String,
) -> Result<Materialized, Failure> {
    let at = workspace.served(repo_root.as_deref())?;
    let (snapshot, meta) = workspace.snapshot(&snapshot_id, at)?;
    let failed =
        |problem: std::io::Error| Failure::internal(format!("writing the copy failed: {problem}"));
    let scratch = workspace.store.dir().join("scratch");
    // An earlier copy may still be in use by tests.
    let dir = new_dir(&scratch, &snapshot.id.hex()).map_err(failed)?;
    for entry in &snapshot.entries {
        // Paths of a manifest are relative and contain no `..`.
        let path = dir.join(&*entry.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&path, workspace.store.content(&entry.blob)?).map_err(failed)?;
        if meta.is_executable(&entry.path) {
            fs::set_permissions(&path, Permissions::from_mode(0o755)).map_err(failed)?;
        }
    }
    Ok(Materialized {
        snapshot_id,
        path: dir.display().to_string(),
    })
}
