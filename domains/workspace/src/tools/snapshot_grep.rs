//! `snapshot.grep`

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fcp::format::patch::is_binary;
use fcp::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::Workspace;
use crate::candidates::{Skipped, count, files};
use crate::failure::{Answer, Code, Failure};
use crate::files::{Stat, load, parse};
use crate::hash::Blob;
use crate::lease::{Guard, Touched};
use crate::reply::Hybrid;
use crate::request::{At, Ready, Session};
use crate::store::lock;
use crate::text::{Match, Searcher};

/// Bytes of a file that is searched.
const SEARCHED: u64 = 16 << 20;

/// Matches.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Grep {
    /// In order of path, line and column.
    matches: Vec<Match>,
    /// Files that were searched.
    files_searched: u64,
    /// Files with a match that is shown.
    files_matched: u64,
    /// A limit cut candidates or matches.
    truncated: bool,
    /// What was left out.
    skipped: Skipped,
}

/// A candidate, looked at.
struct Looked {
    guard: Option<Guard>,
    large: bool,
    matches: Vec<Match>,
}

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
    /// What to search for, in the syntax of Rust's regex.
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
    let searcher = Searcher::new(&pattern, regex, case_sensitive)?;
    let size = |n: i64| usize::try_from(n).unwrap_or_default();
    let (most_files, most) = (size(max_files.get()), size(max_matches.get()));
    match at.ready(workspace)? {
        Ready::Snapshot(snapshot, _, _) => {
            let mut tops = Vec::new();
            for (at, path) in paths.iter().enumerate() {
                tops.push(parse(path, &format!("/paths/{at}"))?);
            }
            let entries = snapshot.below_any(&tops);
            let look = |at: usize, search: bool| -> Answer<Option<Looked>> {
                let entry = entries[at];
                if workspace.store.size(&entry.blob)? > SEARCHED {
                    return Ok(Some(Looked {
                        guard: None,
                        large: true,
                        matches: Vec::new(),
                    }));
                }
                let content = workspace.store.content(&entry.blob)?;
                if is_binary(&content) {
                    return Ok(None);
                }
                let matches = if search {
                    searcher.find(&entry.path, &content, most)?
                } else {
                    Vec::new()
                };
                Ok(Some(Looked {
                    guard: None,
                    large: false,
                    matches,
                }))
            };
            let (grep, _) = gather(entries.len(), most_files, most, look)?;
            Ok(Hybrid::captured(&snapshot.id, grep))
        }
        Ready::Worktree(session) => {
            let (candidates, skipped) = files(&session, &paths)?;
            let look =
                |at: usize, search: bool| live(&session, &searcher, &candidates[at], search, most);
            let (mut grep, looked) = gather(candidates.len(), most_files, most, look)?;
            let large = grep.skipped.too_large;
            grep.skipped = Skipped {
                too_large: large,
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

/// Looks at a file of the work tree; `None` if it is binary.
fn live(
    session: &Session<'_>,
    searcher: &Searcher,
    (path, stat): &(String, Stat),
    search: bool,
    most: usize,
) -> Answer<Option<Looked>> {
    if stat.size > SEARCHED {
        let large = Looked {
            guard: Some(Guard::listed(*stat)),
            large: true,
            matches: Vec::new(),
        };
        return Ok(Some(large));
    }
    let loaded = match load(&session.root, path, SEARCHED) {
        Err(failure) if matches!(failure.code, Code::NotFound | Code::TooLarge) => {
            return Err(Failure::changed(format!(
                "{path} moved while it was searched; ask again"
            )));
        }
        loaded => loaded?,
    };
    if is_binary(&loaded.bytes) {
        return Ok(None);
    }
    if !search {
        return Ok(Some(Looked {
            guard: Some(Guard::listed(loaded.stat)),
            large: false,
            matches: Vec::new(),
        }));
    }
    let matches = searcher.find(path, &loaded.bytes, most)?;
    let guard = Guard::read(&loaded, Blob::of(&loaded.bytes));
    Ok(Some(Looked {
        guard: Some(guard),
        large: false,
        matches,
    }))
}

type Guards = Vec<(usize, Option<Guard>)>;

/// Looks at candidates side by side, a batch at a time, and puts together what they have in order.
fn gather(
    total: usize,
    most_files: usize,
    most: usize,
    look: impl Fn(usize, bool) -> Answer<Option<Looked>> + Sync,
) -> Answer<(Grep, Guards)> {
    let mut grep = Grep {
        matches: Vec::new(),
        files_searched: 0,
        files_matched: 0,
        truncated: false,
        skipped: Skipped::default(),
    };
    let (mut guards, mut texts, mut start) = (Guards::new(), 0, 0);
    while start < total && texts < most_files {
        // No more than may still be wanted, so that nothing beyond the limit is looked at for long.
        let end = total.min(start + 1024.min((most_files - texts) * 2).max(16));
        let full = grep.matches.len() > most;
        for (at, looked) in (start..end).zip(side_by_side(start, end, !full, &look)?) {
            let Some(looked) = looked else { continue };
            if texts == most_files {
                grep.truncated = true;
                break;
            }
            texts += 1;
            guards.push((at, looked.guard));
            if looked.large {
                count(&mut grep.skipped.too_large);
                continue;
            }
            if grep.matches.len() > most {
                continue;
            }
            grep.files_searched += 1;
            grep.files_matched +=
                u64::from(!looked.matches.is_empty() && grep.matches.len() < most);
            grep.matches.extend(looked.matches);
        }
        start = end;
    }
    // A text file beyond the limit was cut; a binary one was not.
    while start < total && !grep.truncated {
        grep.truncated = look(start, false)?.is_some();
        start += 1;
    }
    if grep.matches.len() > most {
        grep.matches.truncate(most);
        grep.truncated = true;
    }
    Ok((grep, guards))
}

fn side_by_side(
    start: usize,
    end: usize,
    search: bool,
    look: &(impl Fn(usize, bool) -> Answer<Option<Looked>> + Sync),
) -> Answer<Vec<Option<Looked>>> {
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(8);
    let next = AtomicUsize::new(start);
    let done: Mutex<Vec<(usize, Answer<Option<Looked>>)>> = Mutex::default();
    let work = || {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(8, Ordering::Relaxed);
            if at >= end {
                break;
            }
            for at in at..end.min(at + 8) {
                own.push((at, look(at, search)));
            }
        }
        lock(&done).extend(own);
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, looked)| looked).collect()
}
