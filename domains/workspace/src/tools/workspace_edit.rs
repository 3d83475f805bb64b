//! `workspace.edit`

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::changing::edit::{EditArgument, Working};
use crate::changing::plan::{Changed, ChangedSnapshot, Found, Op, Plan, ground};
use crate::files::parse;
use crate::reply::{Failure, Hybrid};
use crate::session::{At, Workspace};

/// Replace exact texts in files, on the work tree or on a snapshot: all of them, or none.
///
/// ```json
/// {"edits": [{"path": "src/a.ts", "old": "a = 1", "new": "a = 10"}], "dry_run": true}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "dry_run": true,
/// >   "status": "applied", "rejects": [],
/// >   "applied": [{
/// >     "path": "src/a.ts", "op": "modify", "hunks": 1, "size": 21,
/// >     "blob": "sha256:96648318c8f6611de01b3af503a63139c67ad599aefb22c3816c06e42a17983d"
/// >   }]
/// > }
/// {"edits": []}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "workspace.edit", alias = "workspace_edit", destructive)]
pub fn workspace_edit(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// The replacements, in order; at most 1000.
    edits: Vec<EditArgument>,
    /// Only report what would be done.
    #[fcp(default = false)]
    dry_run: bool,
) -> Result<Hybrid<ChangedSnapshot, Changed>, Failure> {
    if edits.is_empty() || edits.len() > 1000 {
        return Err(Failure::invalid(
            "/edits",
            format!("there are {} edits, not 1 to 1000", edits.len()),
        ));
    }
    let bytes: u64 = edits
        .iter()
        .map(|edit| (edit.old.len() + edit.new.len()) as u64)
        .sum();
    workspace.limits.write.check("the edits", bytes)?;
    let ready = at.writable(workspace)?;
    let (mut plan, mut files) = (Plan::default(), BTreeMap::<String, Working>::new());
    for (index, edit) in edits.iter().enumerate() {
        let pointer = format!("/edits/{index}/path");
        let ground = ground(&ready, workspace);
        let place = plan
            .place(&ground, &parse(&edit.path, &pointer)?)
            .map_err(|failure| failure.about(&pointer))?;
        let file = match files.entry(place) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => {
                let found = ground.read(new.key())?;
                let blocked = match found {
                    Found::Missing => plan.blocked(&ground, new.key(), None)?,
                    _ => None,
                };
                new.insert(Working::of(found, blocked))
            }
        };
        file.edit(index, edit, workspace.limits.file)?;
    }
    for (place, file) in files {
        if !file.rejects.is_empty() {
            plan.reject(&place, file.rejects);
        } else if let Some(now) = file.now {
            let op = match file.before {
                Some(_) => Op::Modify,
                None => Op::Create,
            };
            plan.write(&place, file.before.as_deref(), now, None);
            plan.note(&place, op, None, file.edits);
        }
    }
    let texts = edits.iter().map(|edit| [&edit.path, &edit.old, &edit.new]);
    let source = serde_json::json!(texts.collect::<Vec<_>>()).to_string();
    let done = plan.carry_out(ready, workspace, true, dry_run, source.as_bytes());
    done.map_err(|failure| failure.about("/edits"))
}
