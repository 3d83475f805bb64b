//! `snapshot.file`

use fcp::prelude::*;

use crate::files::{Kind, not_nested, parse};
use crate::reading::part::{File, Part, Scan, live, uncaptured};
use crate::reply::{Failure, Hybrid};
use crate::session::{At, Ready, Touched, Workspace};

/// Read a file, or a part of it by lines or bytes.
///
/// Bytes that are not UTF-8 text come as `base64:`. `blob` is the hash of the whole file, which workspace.write_file takes
/// as expected_blob.
///
/// ```json
/// {"path": "src/a.ts"}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…", "path": "src/a.ts",
/// >   "content": "export const a = 1;\n", "encoding": "utf-8", "kind": "text", "eol": "lf", "size": 20,
/// >   "blob": "sha256:037ecd1db38c230c248787e60fd7bfc0cb0101b187b59535b6e7483be762d350", "total_lines": 1,
/// >   "truncated": false
/// > }
/// {"path": "src/c.ts"}
/// ! {"error": {"code": "NOT_FOUND", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.file", alias = "snapshot_file", read_only, idempotent)]
pub fn snapshot_file(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// The file.
    path: String,
    #[fcp(flatten)] part: Part,
) -> Result<Hybrid<File>, Failure> {
    let asked = parse(&path, "/path")?;
    part.check(workspace.limits.inline)?;
    match at.ready(workspace)? {
        Ready::Snapshot(snapshot, _, _) => {
            let Some(entry) = snapshot.find(&asked) else {
                return Err(uncaptured(&snapshot, &asked));
            };
            part.fits(
                &asked,
                workspace.store.size(&entry.blob)?,
                &workspace.limits,
            )?;
            let content = workspace.store.content(&entry.blob)?;
            let mut scan = Scan::new(&part);
            scan.feed(&content);
            let (file, _) = scan.end(asked, None);
            Ok(Hybrid::captured(&snapshot.id, file))
        }
        Ready::Worktree(session) => {
            let place = session.root.resolve(&asked, true)?;
            not_nested(&session.root, &place.path)?;
            let resolved = (place.path != asked).then(|| place.path.clone());
            match place.stat.map(|stat| stat.kind) {
                None => return Err(Failure::not_found(format!("there is no {asked}"))),
                Some(Kind::Dir) => {
                    return Err(Failure::invalid(
                        "/path",
                        format!("{asked} is a directory; list it with snapshot.list"),
                    ));
                }
                Some(_) => {}
            }
            let (file, guard) = live(&session, &part, &place.path, asked, resolved)?;
            let mut touched = Touched::new();
            session.through(&mut touched, &place.links);
            touched.insert(place.path, guard);
            session.end(touched, file)
        }
    }
}
