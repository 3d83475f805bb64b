//! `snapshot.list`

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::files::{Stat, parse};
use crate::reading::list::{List, Listed, captured, live, shown};
use crate::reply::{Failure, Hybrid};
use crate::session::{At, Ready, Session, Touched, Workspace};

/// The bytes of an entry besides its path.
const AROUND: usize = 160;

/// List files and directories, of the work tree or of a snapshot.
///
/// Ignored files are left out. Directories are those that have files.
///
/// ```json
/// {"path": "src"}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "path": "src",
/// >   "entries": [
/// >     {"path": "src/a.ts", "size": 20, "type": "file"}, {"path": "src/b.ts", "size": 20, "type": "file"}
/// >   ],
/// >   "total": 2, "truncated": false
/// > }
/// {"path": "../x"}
/// ! {"error": {"code": "PERMISSION_DENIED", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.list", alias = "snapshot_list", read_only, idempotent)]
pub fn snapshot_list(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// A directory, or a file.
    #[fcp(default = ".".to_owned())]
    path: String,
    /// Levels down; 0 is the path itself.
    #[fcp(default = Int::clamped(1))]
    depth: Int<0, 64>,
    /// Entries of a page.
    #[fcp(default = Int::clamped(1000))]
    limit: Int<1, 10000>,
    /// Entries before the page.
    #[fcp(default = Int::clamped(0))]
    offset: Int<0, 1000000000>,
) -> Result<Hybrid<List>, Failure> {
    let top = parse(&path, "/path")?;
    let (depth, limit, offset) = (depth.size(), limit.size(), offset.size());
    let page = |top: &str, all: Vec<Listed>| {
        let total = all.len();
        let mut room = workspace.reply / 4 * 3;
        let fits = |entry: &Listed| {
            let left = room.checked_sub(entry.path.len() + AROUND);
            room = left.unwrap_or_default();
            left.is_some()
        };
        let page = all.into_iter().skip(offset).take(limit);
        let entries: Vec<Listed> = page.take_while(fits).collect();
        let end = offset.min(total) + entries.len();
        List {
            path: shown(top),
            entries,
            total: total as u64,
            truncated: end < total,
            next_offset: (end < total).then_some(end as u64),
        }
    };
    match at.ready(workspace)? {
        Ready::Snapshot(snapshot, meta, _) => {
            let mut list = page(&top, captured(&snapshot, &meta, &top, depth));
            for entry in &mut list.entries {
                if let Some(found) = snapshot.find(&entry.path) {
                    entry.size = Some(workspace.store.size(&found.blob)?);
                }
            }
            Ok(Hybrid::captured(&snapshot.id, list))
        }
        Ready::Worktree(session) => {
            let (place, all) = live(&session, &top, depth)?;
            let stats: BTreeMap<String, Stat> = all
                .iter()
                .map(|(entry, stat)| (entry.path.clone(), *stat))
                .collect();
            let list = page(
                &place.path,
                all.into_iter().map(|(entry, _)| entry).collect(),
            );
            let mut touched = Touched::new();
            session.through(&mut touched, &place.links);
            for entry in &list.entries {
                if let Some(stat) = stats.get(&entry.path) {
                    Session::list(&mut touched, &entry.path, *stat);
                }
            }
            session.end(touched, list)
        }
    }
}
