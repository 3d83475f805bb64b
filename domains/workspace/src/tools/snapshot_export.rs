//! `snapshot.export`

use data_encoding::{BASE64, HEXLOWER};
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::capture::{What, capture};
use crate::reply::{Answer, Failure, Hybrid};
use crate::serving::resources;
use crate::session::{At, Ready, Workspace};
use crate::store::Snapshot;
use crate::text;

/// Formats of bundles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// An archive of the files.
    Tar,
    /// The files and the fingerprint as canonical JSON.
    Json,
}

/// A bundle.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Bundle {
    /// Its format.
    format: Format,
    /// Files in it.
    files: u64,
    /// Its bytes.
    bytes: u64,
    /// The SHA-256 of its bytes.
    #[schemars(regex(pattern = "^sha256:[0-9a-f]{64}$"))]
    sha256: String,
    /// The resource that serves it.
    uri: String,
    /// base64: and its bytes, unless it is too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<String>,
}

/// A bundle of the work tree, which was captured for it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CapturedBundle {
    /// The snapshot.
    #[schemars(regex(pattern = "^sha256:[0-9a-f]{64}$"))]
    snapshot_id: String,
    /// The bundle.
    #[serde(flatten)]
    bundle: Bundle,
}

/// Bundle a snapshot, or the work tree, into one file whose bytes depend on the snapshot alone.
///
/// ```json
/// {"paths": ["src"], "format": "json"}
/// > {"cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "format": "json", "files": 2,
/// >  "bytes": "…", "sha256": "…", "uri": "…", "bundle": "…", "snapshot_id": "…"}
/// {"format": "zip"}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(
    name = "snapshot.export",
    alias = "snapshot_export",
    read_only,
    idempotent
)]
pub fn snapshot_export(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// The form of the bundle.
    #[fcp(default = Format::Tar)]
    format: Format,
    /// Of the work tree: files and directories; what the lease touched, or all, if left out.
    paths: Option<Vec<String>>,
) -> Result<Hybrid<Bundle, CapturedBundle>, Failure> {
    match at.ready(workspace)? {
        Ready::Snapshot(snapshot, _, _) => {
            if paths.is_some() {
                return Err(Failure::invalid(
                    "/paths",
                    "a snapshot is exported whole; leave out paths",
                ));
            }
            let bundle = bundle(workspace, &snapshot, format)?;
            Ok(Hybrid::captured(&snapshot.id, bundle))
        }
        Ready::Worktree(mut session) => {
            let what = match (paths, session.touched()) {
                (Some(paths), _) => What::Paths(paths),
                (None, Some(_)) => What::Touched,
                (None, None) => What::Paths(vec![".".to_owned()]),
            };
            let made = capture(&session, &what, None)?;
            session.captured(&made.snapshot.fingerprint)?;
            let bundle = bundle(workspace, &made.snapshot, format)?;
            let body = CapturedBundle {
                snapshot_id: made.snapshot.id.to_string(),
                bundle,
            };
            session.end(made.touched(), body)
        }
    }
}

fn bundle(workspace: &Workspace, snapshot: &Snapshot, format: Format) -> Answer<Bundle> {
    let limit = workspace.limits.inline.size();
    let (mut hash, mut bytes, mut kept) = (Sha256::new(), 0_u64, Some(Vec::new()));
    let mut out = |piece: &[u8]| {
        hash.update(piece);
        bytes += piece.len() as u64;
        if let Some(all) = &mut kept {
            all.extend_from_slice(piece);
        }
        if kept.as_ref().is_some_and(|all| all.len() > limit) {
            kept = None;
        }
    };
    let store = &workspace.store;
    let name = match format {
        Format::Tar => text::tar(store, snapshot, &mut out).map(|()| "tar"),
        Format::Json => text::json(store, snapshot, &mut out).map(|()| "json"),
    }?;
    Ok(Bundle {
        format,
        files: snapshot.entries.len() as u64,
        bytes,
        sha256: format!("sha256:{}", HEXLOWER.encode(&hash.finalize())),
        uri: format!("{}?format={name}", resources::manifest_uri(&snapshot.id)),
        bundle: kept.map(|all| format!("base64:{}", BASE64.encode(&all))),
    })
}
