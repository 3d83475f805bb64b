//! Applies hunks to a content, at their own lines, byte for byte.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Hunk, split};
use crate::work;

/// The most bytes of a line that a reject shows.
const SHOWN: usize = 200;
/// The most lines that a reject lists for a hunk.
const PLACES: usize = 5;
/// The lines that are compared in the time of a step.
const LINES_A_STEP: usize = 8;

/// Whether a hunk may apply elsewhere than its header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Offset {
    /// Nowhere else.
    #[default]
    No,
    /// At the one place in the file that has its lines.
    Unique,
}

/// Why a hunk does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Other lines are there.
    ContextMismatch,
    /// The file is not there.
    NotFound,
    /// The file is there already.
    AlreadyExists,
    /// The file is binary.
    NotText,
    /// The file ends before.
    OutOfRange,
    /// It changes lines of the hunk before it.
    Overlap,
    /// It is above the hunk before it.
    OutOfOrder,
    /// The file has more than the patch deletes.
    NotEmptyAfterDelete,
    /// Links and submodules are not patched.
    UnsupportedMode,
    /// The path is closed.
    PermissionDenied,
    /// The text to replace occurs more often than it should.
    Ambiguous,
}

/// A hunk that does not apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reject {
    /// Which hunk of the file, from 0.
    pub index: usize,
    /// Why.
    pub reason: Reason,
    /// The line of the file that differs, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The line in the patch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The line in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// Lines where the old lines of the hunk are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_at_lines: Option<Vec<usize>>,
}

impl Reject {
    /// A reject of a whole file, or of a hunk that needs no more than a reason.
    pub const fn of(index: usize, reason: Reason) -> Self {
        Self {
            index,
            reason,
            line: None,
            expected: None,
            actual: None,
            found_at_lines: None,
        }
    }
}

/// Applies hunks to a content, or reports each that does not apply.
///
/// # Errors
/// The hunks that do not apply.
pub fn apply(content: &[u8], hunks: &[Hunk<'_>], offset: Offset) -> Result<Vec<u8>, Vec<Reject>> {
    let lines = split(content);
    let mut places = None;
    let mut rejects = Vec::new();
    let mut placed: Vec<(usize, &Hunk<'_>)> = Vec::new();
    let mut before: Option<(usize, usize)> = None;
    for (index, hunk) in hunks.iter().enumerate() {
        // A hunk without old lines goes after its line.
        let own = if hunk.old.is_empty() {
            hunk.start
        } else {
            hunk.start.saturating_sub(1)
        };
        let at = match place(&lines, hunk, own) {
            Ok(()) => own,
            Err(mut reject) => {
                let places = places.get_or_insert_with(|| Index::of(&lines));
                let found = places.found(&lines, hunk);
                if let (Offset::Unique, [only]) = (offset, found.as_slice()) {
                    *only
                } else {
                    reject.index = index;
                    let found = found
                        .into_iter()
                        .take(PLACES)
                        .map(|at| at + 1)
                        .collect::<Vec<_>>();
                    reject.found_at_lines = (!found.is_empty()).then_some(found);
                    rejects.push(reject);
                    before = Some((own, own + hunk.old.len()));
                    continue;
                }
            }
        };
        if let Some((start, end)) = before
            && at < end.max(start)
        {
            let reason = if at < start {
                Reason::OutOfOrder
            } else {
                Reason::Overlap
            };
            rejects.push(Reject::of(index, reason));
            continue;
        }
        before = Some((at, at + hunk.old.len()));
        placed.push((at, hunk));
    }
    if !rejects.is_empty() {
        return Err(rejects);
    }
    let mut out = Vec::with_capacity(content.len());
    let mut from = 0;
    for (at, hunk) in placed {
        out.extend(lines[from..at].iter().flat_map(|line| *line));
        out.extend(hunk.new.iter().flat_map(|line| *line));
        from = at + hunk.old.len();
    }
    out.extend(lines[from..].iter().flat_map(|line| *line));
    Ok(out)
}

/// Compares a hunk with the lines at a place.
fn place(lines: &[&[u8]], hunk: &Hunk<'_>, at: usize) -> Result<(), Reject> {
    if at.saturating_add(hunk.old.len()) > lines.len() {
        // A differing line is more helpful than the end of the file.
        let there = lines.get(at..).unwrap_or_default();
        if let Some(reject) = differing(there, hunk, at) {
            return Err(reject);
        }
        return Err(Reject {
            line: Some(lines.len()),
            ..Reject::of(0, Reason::OutOfRange)
        });
    }
    if let Some(reject) = differing(&lines[at..at + hunk.old.len()], hunk, at) {
        return Err(reject);
    }
    // A line without its line end is the last one, in the old file and the new.
    let end = at + hunk.old.len();
    let open = |line: Option<&&[u8]>| line.is_some_and(|line| !line.ends_with(b"\n"));
    let followed = end < lines.len();
    let first_new = hunk
        .new
        .split_last()
        .is_some_and(|(_, rest)| rest.iter().any(|line| !line.ends_with(b"\n")));
    if first_new
        || (followed && open(hunk.new.last()))
        || (hunk.old.is_empty() && at > 0 && open(lines.get(at - 1)) && !hunk.new.is_empty())
    {
        return Err(Reject {
            line: Some(end),
            ..Reject::of(0, Reason::ContextMismatch)
        });
    }
    Ok(())
}

fn differing(there: &[&[u8]], hunk: &Hunk<'_>, at: usize) -> Option<Reject> {
    let differs = there
        .iter()
        .zip(&hunk.old)
        .position(|(line, old)| line != old)?;
    Some(Reject {
        line: Some(at + differs + 1),
        expected: Some(shown(hunk.old[differs])),
        actual: Some(shown(there[differs])),
        ..Reject::of(0, Reason::ContextMismatch)
    })
}

/// The places of each line.
struct Index<'l>(HashMap<&'l [u8], Vec<usize>>);

impl<'l> Index<'l> {
    fn of(lines: &[&'l [u8]]) -> Self {
        let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            places.entry(line).or_default().push(at);
        }
        Self(places)
    }

    /// The first places where a hunk applies. Only those of its rarest line can have
    /// them. If comparing them takes the call's last step, there are none.
    fn found(&self, lines: &[&[u8]], hunk: &Hunk<'_>) -> Vec<usize> {
        let places = |line| self.0.get(line).map_or(&[][..], Vec::as_slice);
        let rarest = hunk.old.iter().map(|line| places(*line)).enumerate();
        let Some((offset, places)) = rarest.min_by_key(|(_, places)| places.len()) else {
            return Vec::new();
        };
        let steps = hunk.old.len().div_ceil(LINES_A_STEP);
        let starts = places.iter().filter_map(|at| at.checked_sub(offset));
        starts
            .take_while(|_| work::spend(steps).is_ok())
            .filter(|at| {
                let there = lines.get(*at..*at + hunk.old.len());
                there.is_some_and(|there| there == hunk.old) && place(lines, hunk, *at).is_ok()
            })
            .take(PLACES + 1)
            .collect()
    }
}

/// The start of a line, without its line end.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line)).into_owned();
    let end = (0..=SHOWN.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default();
    text[..end].to_owned()
}
