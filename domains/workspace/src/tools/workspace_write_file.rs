//! `workspace.write_file`

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::changing::derive::derive;
use crate::changing::expected::{check, expected};
use crate::changing::plan::{Found, Plan, Status, ground};
use crate::changing::target::{Written, target};
use crate::files::{Place, parse};
use crate::identity::Blob;
use crate::reply::{self, Failure, Hybrid};
use crate::session::{At, Ready, Touched, Workspace};

/// Write a whole file, on the work tree or on a snapshot.
///
/// expected_blob guards against overwriting what was not read: send the `blob` that snapshot.file answered.
///
/// ```json
/// {"path": "src/c.ts", "content": "export {};\n", "expected_blob": "absent", "dry_run": true}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "status": "applied",
/// >   "dry_run": true, "path": "src/c.ts", "blob": "…", "size": 11, "created": true
/// > }
/// {"path": "new/c.ts", "content": ""}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// {"path": ".git/config", "content": ""}
/// ! {"error": {"code": "PERMISSION_DENIED", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(
    name = "workspace.write_file",
    alias = "workspace_write_file",
    destructive,
    idempotent
)]
pub fn workspace_write_file(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// The file.
    path: String,
    /// Its content: text, or base64: and its bytes.
    content: String,
    /// Make directories that are not there.
    #[fcp(default = false)]
    create_dirs: bool,
    /// The content that it must have now: sha256:… or absent.
    expected_blob: Option<String>,
    /// Whether it may be executed; as before if left out.
    executable: Option<bool>,
    /// Only report what would be done.
    #[fcp(default = false)]
    dry_run: bool,
) -> Result<Hybrid<Written>, Failure> {
    let bytes = reply::bytes(&content, "/content")?;
    let size = bytes.len() as u64;
    workspace.limits.write.check("the content", size)?;
    let asked = parse(&path, "/path")?;
    if asked.is_empty() {
        return Err(Failure::denied(
            "the root is a directory; name a file in it",
        ));
    }
    let expected = expected(expected_blob.as_deref())?;
    let ready = at.writable(workspace)?;
    let Place {
        path: place, links, ..
    } = target(&ready, &asked, create_dirs)?;
    let before = match ground(&ready, workspace).read(&place)? {
        Found::File(before) => Some(before),
        Found::Missing => None,
        Found::Link | Found::Closed => {
            return Err(Failure::denied(format!("{place} may not be written")));
        }
    };
    check(&place, expected, before.as_deref().map(Blob::of))?;
    let written = Written {
        status: Status::Applied,
        dry_run,
        path: place.clone(),
        blob: Blob::of(&bytes).to_string(),
        size,
        created: before.is_none(),
    };
    match ready {
        Ready::Snapshot(snapshot, meta, root) => {
            let edits = BTreeMap::from([(place, (Some(bytes), executable))]);
            let id = derive(workspace, root, &snapshot, &meta, edits, None, dry_run)?;
            Ok(Hybrid::captured(&id, written))
        }
        Ready::Worktree(session) => {
            let mut plan = Plan::default();
            plan.links.extend(links);
            plan.write(&place, before.as_deref(), bytes, executable);
            if dry_run {
                plan.check(&session.root)?;
                return session.end(Touched::new(), written);
            }
            let touched = plan.commit(&session, create_dirs)?;
            session.written(touched, written).map(Hybrid::Worktree)
        }
    }
}
