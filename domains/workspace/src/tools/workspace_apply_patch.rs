//! `workspace.apply_patch`

use std::collections::HashSet;

use fcp::format::patch::{Action, Offset, parse};
use fcp::prelude::*;
use fcp::tool::Most;

use crate::changing::fit::fit;
use crate::changing::plan::{Changed, ChangedSnapshot, Plan, ground};
use crate::files;
use crate::reply::{self, Failure, Hybrid};
use crate::session::{At, Workspace};

/// Apply a unified diff, on the work tree or on a snapshot.
///
/// Each hunk must match the file at its own line, byte for byte. One that does not is a reject, and then nothing is
/// written. Rejects are an answer and not an error: look at `status`.
///
/// ```json
/// {"patch": "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+export const a = 10;\n", "dry_run": true}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "dry_run": true,
/// >   "status": "applied", "rejects": [],
/// >   "applied": [{
/// >     "path": "src/a.ts", "op": "modify", "hunks": 1, "size": 21,
/// >     "blob": "sha256:96648318c8f6611de01b3af503a63139c67ad599aefb22c3816c06e42a17983d"
/// >   }]
/// > }
/// {"patch": "nothing"}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(
    name = "workspace.apply_patch",
    alias = "workspace_apply_patch",
    destructive
)]
pub fn workspace_apply_patch(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// The diff: text, or base64: and its bytes.
    patch: String,
    /// Leading names that paths in the diff lose; by their form if left out.
    strip: Option<Int<0, 64>>,
    /// Write nothing if a hunk does not fit; false writes the files that fit whole.
    #[fcp(default = true)]
    reject_on_conflict: bool,
    /// Only report what would be done.
    #[fcp(default = false)]
    dry_run: bool,
    /// Let a hunk apply at another line, if its lines are there and nowhere else.
    #[fcp(default = Offset::No)]
    allow_offset: Offset,
) -> Result<Hybrid<ChangedSnapshot, Changed>, Failure> {
    let limit = workspace.limits.patch;
    // A patch in base64 is longer than its bytes.
    let twice = Most {
        most: limit.most.saturating_mul(2),
        ..limit
    };
    twice.check("the patch", patch.len() as u64)?;
    let mut bytes = reply::bytes(&patch, "/patch")?;
    limit.check("the patch", bytes.len() as u64)?;
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    let strip = strip.and_then(|strip| u32::try_from(strip.get()).ok());
    let sections = parse(&bytes, strip)?;
    let ready = at.writable(workspace)?;
    let mut plan = Plan::default();
    let ground = ground(&ready, workspace);
    let (mut fits, mut seen) = (Vec::new(), HashSet::new());
    for section in &sections {
        let mut place = |path: &str| {
            let place = plan.place(&ground, &files::parse(path, "/patch")?);
            place.map_err(|failure| failure.about("/patch"))
        };
        let (old, new) = (place(&section.old)?, place(&section.new)?);
        if old.is_empty() || new.is_empty() {
            return Err(Failure::invalid(
                "/patch",
                "a file of the patch has no name",
            ));
        }
        let is_copy = section.action == Action::Copy;
        let own = (!is_copy).then_some(&old);
        let other = (is_copy || new != old).then_some(&new);
        let mut named = own.into_iter().chain(other);
        if let Some(path) = named.find(|path| !seen.insert((*path).clone())) {
            return Err(Failure::invalid(
                "/patch",
                format!("{path} is in two sections of the patch; put its hunks together"),
            )
            .with("line", section.line));
        }
        fits.push((section, old, new));
    }
    // No file is read before all are known to be named once. Removals make room for other files.
    fits.sort_by_key(|(section, ..)| match section.action {
        Action::Delete => 0,
        Action::Rename => 1,
        _ => 2,
    });
    for (section, old, new) in fits {
        fit(&mut plan, &ground, section, &old, &new, allow_offset)?;
    }
    let done = plan.carry_out(ready, workspace, reject_on_conflict, dry_run, &bytes);
    done.map_err(|failure| failure.about("/patch"))
}
