//! Searches many files in parallel and combines the results in order.

use fcp::format::patch::is_binary;
use fcp::threads::side_by_side;
use fcp::work;
use schemars::JsonSchema;
use serde::Serialize;

use crate::capture::Skipped;
use crate::files::{Dirs, Stat, load};
use crate::identity::Blob;
use crate::reply::{Answer, Code, Failure};
use crate::session::Guard;
use crate::text::{Match, Searcher};

/// Matches.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Grep {
    /// In order of path, line and column.
    pub matches: Vec<Match>,
    /// Files that were searched.
    pub files_searched: u64,
    /// Files with a match that is shown.
    pub files_matched: u64,
    /// A limit cut candidates or matches, or left out a file.
    pub truncated: bool,
    /// The files left out.
    pub skipped: Skipped,
}

/// The result for a candidate.
pub struct Looked {
    pub guard: Option<Guard>,
    /// The reason for leaving it out.
    pub left_out: Option<Failure>,
    pub matches: Vec<Match>,
}

impl Looked {
    /// A searched file.
    pub const fn at(guard: Option<Guard>, matches: Vec<Match>) -> Self {
        Self {
            guard,
            left_out: None,
            matches,
        }
    }

    /// A file that is left out.
    pub const fn without(guard: Option<Guard>, why: Failure) -> Self {
        Self {
            guard,
            left_out: Some(why),
            matches: Vec::new(),
        }
    }
}

/// Searches a file of the work tree; `None` if it is binary.
pub fn live(
    dirs: &mut Dirs<'_>,
    searcher: &Searcher,
    (path, stat): &(String, Stat),
    search: bool,
    most: usize,
) -> Answer<Option<Looked>> {
    if let Err(over) = searcher.largest.check(path, stat.size) {
        let guard = Guard::listed(*stat);
        return Ok(Some(Looked::without(Some(guard), over.into())));
    }
    let loaded = match load(dirs, path, searcher.largest) {
        Err(failure) if matches!(failure.code, Code::NotFound | Code::TooLarge) => {
            return Err(Failure::changed(format!(
                "{path} moved while it was searched; ask again"
            )));
        }
        Err(failure) if failure.code == Code::PermissionDenied => {
            return Ok(Some(Looked::without(Some(Guard::listed(*stat)), failure)));
        }
        loaded => loaded?,
    };
    if is_binary(&loaded.bytes) {
        return Ok(None);
    }
    if !search {
        let guard = Guard::listed(loaded.stat);
        return Ok(Some(Looked::at(Some(guard), Vec::new())));
    }
    let matches = searcher.find(path, &loaded.bytes, most)?;
    let guard = Guard::read(&loaded, Blob::of(&loaded.bytes));
    Ok(Some(Looked::at(Some(guard), matches)))
}

pub type Guards = Vec<(usize, Option<Guard>)>;

/// The limits of a search.
#[derive(Clone, Copy)]
pub struct Most {
    /// Text files.
    pub files: usize,
    /// Matches.
    pub matches: usize,
    /// Bytes of matches.
    pub bytes: usize,
}

/// The bytes of a match besides its path and text.
const AROUND: usize = 64;

/// The steps of files that are searched between two counts.
const STEPS_OF_A_BATCH: usize = 200_000;

/// Searches candidates in parallel, a batch at a time, and combines the results in order. `steps`
/// gives those of a candidate, and `own` makes what a thread keeps from one to the next.
pub fn gather<S>(
    total: usize,
    Most {
        files: most_files,
        matches: mut most,
        bytes: most_bytes,
    }: Most,
    steps: impl Fn(usize) -> Answer<usize>,
    own: impl Fn() -> S + Sync,
    look: impl Fn(&mut S, usize, bool) -> Answer<Option<Looked>> + Sync,
) -> Answer<(Grep, Guards)> {
    let (mut grep, mut guards) = (Grep::default(), Guards::new());
    let (mut texts, mut start, mut bytes) = (0, 0, 0);
    while start < total && texts < most_files {
        // Small batches near the limit, so that few files beyond it are searched.
        let most_end = total.min(start + 1024.min((most_files - texts) * 2).max(16));
        let full = grep.matches.len() > most;
        let (mut end, mut taken) = (start, 0);
        while end < most_end && taken < STEPS_OF_A_BATCH {
            taken += steps(end)?;
            end += 1;
        }
        work::spend(taken)?;
        let all = side_by_side(end - start, 8, &own, |own, at| look(own, start + at, !full))?;
        for (at, looked) in (start..end).zip(all) {
            let Some(looked) = looked else { continue };
            if texts == most_files {
                grep.truncated = true;
                break;
            }
            texts += 1;
            guards.push((at, looked.guard));
            if let Some(failure) = looked.left_out {
                grep.skipped.leave_out(failure)?;
                continue;
            }
            if grep.matches.len() > most {
                continue;
            }
            grep.files_searched += 1;
            grep.files_matched +=
                u64::from(!looked.matches.is_empty() && grep.matches.len() < most);
            for found in looked.matches {
                bytes += found.path.len() + found.text.len() + AROUND;
                if bytes > most_bytes && grep.matches.len() <= most {
                    most = grep.matches.len();
                }
                grep.matches.push(found);
            }
        }
        start = end;
    }
    // A remaining text file means that candidates were cut; a binary one does not.
    while start < total && !grep.truncated {
        grep.truncated = look(&mut own(), start, false)?.is_some();
        start += 1;
    }
    if grep.matches.len() > most {
        grep.matches.truncate(most);
        grep.truncated = true;
    }
    grep.truncated |= grep.skipped.is_partial();
    Ok((grep, guards))
}
