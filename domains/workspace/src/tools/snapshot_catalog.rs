//! `snapshot.catalog`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::reply::Failure;
use crate::session::Workspace;

/// A snapshot.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Catalogued {
    /// Its id.
    snapshot_id: String,
    /// Its files.
    files: u64,
    /// Their bytes.
    bytes: u64,
    /// When it was made, in seconds since 1970.
    created_at: u64,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// It is never collected.
    pinned: bool,
    /// The snapshot that it was made from by an edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    derived_from: Option<String>,
}

/// Snapshots of a root.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Catalog {
    /// The youngest first.
    snapshots: Vec<Catalogued>,
    /// Their number.
    total: u64,
    /// There are more than are shown.
    truncated: bool,
}

/// List the snapshots of a repository, the youngest first; give one a label, or pin it.
///
/// ```json
/// {}
/// > {"snapshots": "…", "total": "…", "truncated": "…"}
/// {"set_label": "before"}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.catalog", alias = "snapshot_catalog", idempotent)]
pub fn snapshot_catalog(
    workspace: &Workspace,
    /// The repository, as an absolute path; the first one served if left out.
    repo_root: Option<String>,
    /// Snapshots that are shown.
    #[fcp(default = Int::clamped(100))]
    limit: Int<1, 10000>,
    /// Only those of this label.
    label: Option<String>,
    /// The snapshot that set_label and pin are for; only it is shown.
    snapshot_id: Option<String>,
    /// A label for it; an empty one takes its label away.
    set_label: Option<String>,
    /// Whether it is never collected.
    pin: Option<bool>,
) -> Result<Catalog, Failure> {
    let at = workspace.served(repo_root.as_deref())?;
    let root = &workspace.roots[at].path;
    let store = &workspace.store;
    if let Some(id) = &snapshot_id {
        // Nothing is removed between the check and the change.
        let _adding = store.adding()?;
        let (snapshot, _) = store.snapshot(id, root)?;
        store.change_meta(&snapshot.id.hex(), |known| {
            let mut meta = known?;
            if let Some(label) = &set_label {
                meta.label = Some(label.clone()).filter(|label| !label.is_empty());
            }
            meta.pinned = pin.unwrap_or(meta.pinned);
            Some(meta)
        })?;
    } else if set_label.is_some() || pin.is_some() {
        return Err(Failure::invalid(
            "/snapshot_id",
            "set_label and pin need the snapshot_id that they are for",
        ));
    }
    let mut found = store.youngest()?;
    found.retain_mut(|(meta, id)| {
        id.insert_str(0, "sha256:");
        meta.is_of(root)
            && (label.is_none() || meta.label == label)
            && snapshot_id.as_ref().is_none_or(|own| own == id)
    });
    let total = found.len();
    found.truncate(limit.size());
    let truncated = found.len() < total;
    let snapshots = found.into_iter().map(|(meta, snapshot_id)| Catalogued {
        snapshot_id,
        files: meta.files,
        bytes: meta.total_bytes,
        created_at: meta.created_at,
        label: meta.label,
        pinned: meta.pinned,
        derived_from: meta.derived_from,
    });
    Ok(Catalog {
        snapshots: snapshots.collect(),
        total: total as u64,
        truncated,
    })
}
