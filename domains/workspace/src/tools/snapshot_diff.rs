//! `snapshot.diff`

use std::collections::BTreeSet;

use fcp::prelude::*;

use crate::files::parse;
use crate::reading::diff::{Base, DiffReply, captured, captured_size, differ, is_anywhere, live};
use crate::reply::{Failure, Hybrid};
use crate::session::{At, Ready, Workspace};

/// Show what differs from HEAD, or from a snapshot, as a unified diff.
///
/// Contents are compared byte for byte. A snapshot is compared with HEAD where it has captured a file.
///
/// ```json
/// {"path": "src/a.ts"}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "base": "",
/// >   "diff": "diff --git a/src/a.ts b/src/a.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/a.ts\n@@ -0,0 +1 @@\n+export const a = 1;\n",
/// >   "stats": {"files": 1, "added": 1, "removed": 0, "binary": 0}, "truncated": false
/// > }
/// {"path": "src/c.ts"}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.diff", alias = "snapshot_diff", read_only, idempotent)]
pub fn snapshot_diff(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// A file or directory.
    path: String,
    /// A snapshot to compare with; the HEAD commit if left out.
    base_snapshot_id: Option<String>,
    /// Equal lines around changes.
    #[fcp(default = Int::clamped(3))]
    context: Int<0, 20>,
    /// The file to begin with, in byte order of paths: next_path of the reply before.
    from: Option<String>,
) -> Result<Hybrid<DiffReply>, Failure> {
    let top = parse(&path, "/path")?;
    let context = u32::try_from(context.get()).unwrap_or_default();
    let from = parse(from.as_deref().unwrap_or_default(), "/from")?;
    match at.ready(workspace)? {
        Ready::Snapshot(snapshot, _, at) => {
            let base = Base::of(
                workspace,
                at,
                base_snapshot_id.as_deref(),
                &snapshot.fingerprint.head_oid,
                &top,
            )?;
            let captured_paths = snapshot.below(&top).map(|entry| entry.path.to_string());
            let mut paths: BTreeSet<String> = captured_paths.collect();
            if base.is_snapshot() {
                paths.extend(base.paths(&top));
            }
            is_anywhere(&top, &paths)?;
            let (reply, _) = differ(
                workspace,
                &top,
                &base,
                &paths,
                (&from, context),
                false,
                (
                    |path: &String| captured_size(workspace, &snapshot, path),
                    |paths: &[String]| captured(workspace, &snapshot, paths),
                ),
            )?;
            Ok(Hybrid::captured(&snapshot.id, reply))
        }
        Ready::Worktree(session) => live(
            session,
            workspace,
            &top,
            base_snapshot_id.as_deref(),
            (&from, context),
        ),
    }
}
