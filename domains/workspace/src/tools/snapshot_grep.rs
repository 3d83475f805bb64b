//! `snapshot.grep`

use fcp::format::patch::is_binary;
use fcp::prelude::*;

use crate::capture::{Skipped, files};
use crate::files::{Dirs, parse};
use crate::reading::search::{Grep, Looked, Most, gather, live};
use crate::reply::{Answer, Failure, Hybrid};
use crate::session::{At, Ready, Touched, Workspace};
use crate::text::Searcher;

/// Search text files for a regular expression, line by line.
///
/// `col` and `len` count bytes. Binary files are left out, and do not count for max_files.
///
/// ```json
/// {"pattern": "a = \\d", "paths": ["src"]}
/// > {
/// >   "cache_hint": "until_dirty", "mode": "worktree", "lease_id": "…", "fingerprint": "…",
/// >   "matches": [{"path": "src/a.ts", "line": 1, "col": 14, "len": 5, "text": "export const a = 1;"}],
/// >   "files_searched": 2, "files_matched": 1, "truncated": false, "skipped": {}
/// > }
/// {"pattern": "("}
/// ! {"error": {"code": "INVALID_ARGUMENT", "message": "…", "details": "…"}}
/// ```
#[fcp_tool(name = "snapshot.grep", alias = "snapshot_grep", read_only, idempotent)]
pub fn snapshot_grep(
    workspace: &Workspace,
    #[fcp(flatten)] at: At,
    /// The pattern, in the syntax of Rust's regex.
    pattern: Option<String>,
    /// The same as pattern.
    query: Option<String>,
    /// Files and directories.
    #[fcp(default = vec![".".to_owned()])]
    paths: Vec<String>,
    /// The pattern is a regular expression, not a text.
    #[fcp(default = true)]
    regex: bool,
    /// Upper and lower case differ.
    #[fcp(default = true)]
    case_sensitive: bool,
    /// Text files that are looked at.
    #[fcp(default = Int::clamped(10_000))]
    max_files: Int<1, 200000>,
    /// Matches that are shown.
    #[fcp(default = Int::clamped(1000))]
    max_matches: Int<1, 10000>,
) -> Result<Hybrid<Grep>, Failure> {
    let pattern = match (pattern, query) {
        (Some(pattern), None) | (None, Some(pattern)) => pattern,
        (None, None) => return Err(Failure::invalid("/pattern", "\"pattern\" is missing")),
        _ => {
            return Err(Failure::invalid(
                "/query",
                "query is another name of pattern; leave it out",
            ));
        }
    };
    let searcher = Searcher::new(&pattern, regex, case_sensitive, workspace.limits.searched)?;
    let limits = Most {
        files: max_files.size(),
        matches: max_matches.size(),
        bytes: workspace.reply / 4 * 3,
    };
    let most = limits.matches;
    match at.ready(workspace)? {
        Ready::Snapshot(snapshot, _, _) => {
            let mut tops = Vec::new();
            for (at, path) in paths.iter().enumerate() {
                tops.push(parse(path, &format!("/paths/{at}"))?);
            }
            let entries = snapshot.below_any(&tops);
            let look = |(): &mut (), at: usize, search: bool| -> Answer<Option<Looked>> {
                let entry = entries[at];
                let size = workspace.store.size(&entry.blob)?;
                if let Err(over) = searcher.largest.check(&entry.path, size) {
                    return Ok(Some(Looked::without(None, over.into())));
                }
                let content = workspace.store.content(&entry.blob)?;
                if is_binary(&content) {
                    return Ok(None);
                }
                let matches = match search {
                    true => searcher.find(&entry.path, &content, most)?,
                    false => Vec::new(),
                };
                Ok(Some(Looked::at(None, matches)))
            };
            let steps = |at: usize| {
                let size = workspace.store.size(&entries[at].blob)?;
                Ok(searcher.steps(size))
            };
            let (grep, _) = gather(entries.len(), limits, steps, || (), look)?;
            Ok(Hybrid::captured(&snapshot.id, grep))
        }
        Ready::Worktree(session) => {
            let (candidates, skipped) =
                files(&session, &paths, &session.listing, Skipped::leave_out)?;
            let dirs = || Dirs::of(&session.root);
            let look = |dirs: &mut Dirs<'_>, at: usize, search: bool| {
                live(dirs, &searcher, &candidates[at], search, most)
            };
            let steps = |at: usize| Ok(searcher.steps(candidates[at].1.size));
            let (mut grep, looked) = gather(candidates.len(), limits, steps, dirs, look)?;
            grep.truncated |= skipped.is_partial();
            let both = [skipped.unreadable, grep.skipped.unreadable];
            grep.skipped = Skipped {
                too_large: grep.skipped.too_large,
                unreadable: both.into_iter().flatten().reduce(|a, b| a + b),
                ..skipped
            };
            let guards = looked
                .into_iter()
                .filter_map(|(at, guard)| Some((candidates[at].0.clone(), guard?)));
            let touched: Touched = guards.collect();
            session.end(touched, grep)
        }
    }
}
