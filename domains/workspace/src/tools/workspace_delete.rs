//! `workspace.delete`

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::changing::derive::{Edit, derive};
use crate::changing::expected::{check, check_other, expected};
use crate::changing::plan::{Found, Ground, Status};
use crate::changing::removal::{Deleted, check_link, directory, remove, whole};
use crate::files::{Expect, Kind, not_in_git_dir, parse};
use crate::identity::Blob;
use crate::reply::{Failure, Hybrid};
use crate::session::{At, Guard, Ready, Touched, Workspace};

/// Remove a file, a link, or with recursive a directory, from the work tree or from a snapshot.
///
/// ```json
/// {"path": "src/b.ts", "dry_run": true}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "status": "applied",
/// >   "dry_run": true, "path": "src/b.ts", "deleted": ["src/b.ts"]
/// > }
/// {"path": "."}
/// ! {"error": {"code": "PERMISSION_DENIED", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "workspace.delete", alias = "workspace_delete", destructive)]
pub fn workspace_delete(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// The path to remove.
    path: String,
    /// Remove a directory with all that is in it, ignored files too.
    #[fcp(default = false)]
    recursive: bool,
    /// The content that the file must have: sha256:…
    expected_blob: Option<String>,
    /// Only report what would be done.
    #[fcp(default = false)]
    dry_run: bool,
) -> Result<Hybrid<Deleted>, Failure> {
    let asked = parse(&path, "/path")?;
    if asked.is_empty() {
        return Err(Failure::denied(
            "the root is not deleted; name something in it",
        ));
    }
    let expected = expected(expected_blob.as_deref())?;
    let reply = |path, deleted| Deleted {
        status: Status::Applied,
        dry_run,
        path,
        deleted,
    };
    match at.writable(workspace)? {
        Ready::Snapshot(snapshot, meta, root) => {
            let own = snapshot.find(&asked);
            let deleted: Vec<String> = snapshot
                .below(&asked)
                .map(|entry| entry.path.to_string())
                .collect();
            if deleted.is_empty() {
                return Err(Failure::not_found(format!(
                    "{asked} is not in the snapshot"
                )));
            }
            if own.is_none() && !recursive {
                return Err(whole(&asked));
            }
            match own {
                Some(entry) => check(&asked, expected, Some(entry.blob))?,
                None => check_other(&asked, expected, "a directory")?,
            }
            let edits: BTreeMap<String, Edit> = deleted
                .iter()
                .map(|path| (path.clone(), (None, None)))
                .collect();
            let id = derive(workspace, root, &snapshot, &meta, edits, None, dry_run)?;
            Ok(Hybrid::captured(&id, reply(asked, deleted)))
        }
        Ready::Worktree(session) => {
            let place = session.root.resolve(&asked, false)?;
            let (path, stat) = (place.path.clone(), place.stat);
            not_in_git_dir(&session.root, [&*path], |_| false)?;
            let (expect, inner) = match stat.map(|stat| stat.kind) {
                None => return Err(Failure::not_found(format!("there is no {asked}"))),
                Some(Kind::Special) => {
                    return Err(Failure::denied(format!("{path} is not a regular file")));
                }
                Some(Kind::Link) => {
                    check_link(&session, &asked, &path, expected)?;
                    (Expect::Link, Vec::new())
                }
                Some(Kind::Dir) if !recursive => return Err(whole(&path)),
                Some(Kind::Dir) => {
                    check_other(&path, expected, "a directory")?;
                    directory(&session, &path)?
                }
                Some(Kind::File)
                    if stat.is_some_and(|stat| stat.size > workspace.limits.file.most)
                        && expected.is_none() =>
                {
                    (Expect::Any, Vec::new())
                }
                Some(Kind::File) => {
                    let ground = Ground::Worktree(&session.root, workspace.limits.file);
                    let Found::File(content) = ground.read(&path)? else {
                        return Err(Failure::denied(format!("{path} may not be read")));
                    };
                    let blob = Blob::of(&content);
                    check(&path, expected, Some(blob))?;
                    (Expect::Content(blob.0), Vec::new())
                }
            };
            let mut deleted: Vec<String> = inner
                .iter()
                .map(|inner| format!("{path}/{inner}"))
                .collect();
            deleted.push(path.clone());
            deleted.sort();
            let reply = reply(path.clone(), deleted);
            workspace.answers(&reply)?;
            if dry_run {
                return session.end(Touched::new(), reply);
            }
            remove(&session, &path, expect)?;
            let mut touched = Touched::new();
            session.through(&mut touched, &place.links);
            let gone = reply.deleted.iter();
            touched.extend(gone.map(|path| (path.clone(), Guard::Absent)));
            session.written(touched, reply).map(Hybrid::Worktree)
        }
    }
}
