//! `snapshot.restore`

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::capture::{What, capture};
use crate::changing::plan::{Found, Ground, Plan};
use crate::files::parse;
use crate::identity::Blob;
use crate::reply::{Failure, Worktree};
use crate::session::{Session, StaleScope, Workspace, read_only};

/// The files written back.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Restored {
    /// Nothing was written, because that was asked for.
    dry_run: bool,
    /// The snapshot.
    snapshot_id: String,
    /// Files that had another content.
    restored: Vec<String>,
    /// Files that were not there.
    created: Vec<String>,
    /// Files that had the captured content.
    unchanged: u64,
    /// A snapshot of what was overwritten, if anything was.
    #[serde(skip_serializing_if = "Option::is_none")]
    undo_snapshot_id: Option<String>,
}

/// Write captured contents back to the work tree: all of them, or none. Nothing is deleted.
///
/// The overwritten files are captured first, as undo_snapshot_id.
///
/// ```json
/// {"snapshot_id": "sha256:0000000000000000000000000000000000000000000000000000000000000000"}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(
    name = "snapshot.restore",
    alias = "snapshot_restore",
    destructive,
    idempotent
)]
pub fn snapshot_restore(
    workspace: &Workspace,
    /// The repository, as an absolute path; the first one served if left out.
    repo_root: Option<String>,
    /// The snapshot.
    snapshot_id: String,
    /// Captured files and directories; all if left out.
    paths: Option<Vec<String>>,
    /// A lease that must still hold.
    lease_id: Option<String>,
    /// Whether changes elsewhere in the repository make the lease stale.
    stale_scope: Option<StaleScope>,
    /// Only report what would be written.
    #[fcp(default = false)]
    dry_run: bool,
) -> Result<Worktree<Restored>, Failure> {
    if workspace.read_only {
        return Err(read_only());
    }
    let at = workspace.served(repo_root.as_deref())?;
    let (snapshot, meta) = workspace.snapshot(&snapshot_id, at)?;
    let mut tops = vec![String::new()];
    if let Some(paths) = &paths {
        tops.clear();
        for (at, path) in paths.iter().enumerate() {
            let top = parse(path, &format!("/paths/{at}"))?;
            if snapshot.below(&top).next().is_none() {
                return Err(Failure::not_found(format!("{path} is not in the snapshot")));
            }
            tops.push(top);
        }
    }
    let scope = stale_scope.unwrap_or_default();
    let session = Session::begin(workspace, at, lease_id.as_deref(), scope, true)?;
    let mut plan = Plan::default();
    let mut done = Restored {
        dry_run,
        snapshot_id,
        restored: Vec::new(),
        created: Vec::new(),
        unchanged: 0,
        undo_snapshot_id: None,
    };
    let ground = Ground::Worktree(&session.root, workspace.limits.file);
    // Contents are read one by one as they are written; a trial run checks them.
    let check = |blob: &Blob| match dry_run {
        true => workspace.store.content(blob).map(drop),
        false => Ok(()),
    };
    for entry in snapshot.below_any(&tops) {
        let place = plan
            .place(&ground, &entry.path)
            .map_err(|failure| failure.about("/snapshot_id"))?;
        if *place != *entry.path {
            // It would overwrite another file.
            return Err(Failure::denied(format!(
                "{} is reached through a link now, as {place}; nothing was restored",
                entry.path
            )));
        }
        match ground.read(&place)? {
            Found::File(now) if Blob::of(&now) == entry.blob => done.unchanged += 1,
            Found::File(now) => {
                check(&entry.blob)?;
                plan.write(&place, Some(&now), entry.blob, None);
                done.restored.push(place);
            }
            Found::Missing => {
                let executable = meta.is_executable(&entry.path);
                check(&entry.blob)?;
                plan.write(&place, None, entry.blob, executable.then_some(true));
                done.created.push(place);
            }
            Found::Link | Found::Closed => {
                return Err(Failure::denied(format!(
                    "{place} is not a regular file now; nothing was restored"
                )));
            }
        }
    }
    workspace.answers(&done)?;
    if dry_run || (done.restored.is_empty() && done.created.is_empty()) {
        plan.check(&session.root)?;
        return session.answer(crate::session::Touched::new(), done);
    }
    if !done.restored.is_empty() {
        let made = capture(&session, &What::Paths(done.restored.clone()), None)?;
        done.undo_snapshot_id = Some(made.snapshot.id.to_string());
    }
    let touched = plan.commit(&session, true)?;
    session.written(touched, done)
}
