//! The account in the reply of `save`: all differences from the opened file.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashSet;

use rustc_hash::FxHashSet;

use super::document::Document;
use super::first_save::FIRST_SAVE;
use super::query::diff::{STEPS_A_ROW, events};
use super::query::listed::Listed;
use crate::account::{Account, Change, Owner, Pieces, RowChange, Shown, counted_lines};
use crate::domain::Domain;
use crate::model::ModelExt;
use crate::reply::{count, one_line};
use crate::value::thousands;
use crate::work;

/// The most lines about changes. With `Saved`, the heading, the bytes and the two lines that may
/// follow, an answer has at most 20 lines and the digest.
const LINES: usize = 15;
/// The most bytes of a line.
const LINE: usize = 4000;
/// Why rows are only counted.
const DROPPED: &str = "what they were is not in the log any more (log-limit)";

/// The most changes that are each looked up in the call's earlier reports.
const LOOKED_FOR: usize = 300;

impl<M: Domain> Document<M> {
    /// The lines below `Saved PATH`: the changes since the file was opened, except those already in
    /// `reported`, and the bytes. A new document is compared with its first save. `audited` is the account of the save,
    /// if it was audited.
    pub(super) fn proof(
        &mut self,
        path: &str,
        pieces: &Pieces,
        audited: Option<Account>,
        reported: &[String],
    ) -> Vec<String> {
        self.proof_of((path, pieces), None, audited, reported)
    }

    /// [`Self::proof`] of a file that leaves out parts of the document, which are named.
    pub(super) fn proof_of_part(
        &mut self,
        path: &str,
        (pieces, format): (&Pieces, &str),
        left_out: &str,
        reported: &[String],
    ) -> Vec<String> {
        match self.pieces(format) {
            Ok(whole) => self.proof_of((path, pieces), Some((&whole, left_out)), None, reported),
            // The file is written already.
            Err(_) => vec![format!("  {} bytes", thousands(pieces.file().len()))],
        }
    }

    /// `part` holds the whole document as written, and names what the file leaves out of it.
    fn proof_of(
        &mut self,
        (path, pieces): (&str, &Pieces),
        part: Option<(&Pieces, &str)>,
        mut audited: Option<Account>,
        reported: &[String],
    ) -> Vec<String> {
        let whole = part.map_or(pieces, |(whole, _)| whole);
        let len = pieces.file().len();
        let Some(opened) = self.opened.as_ref() else {
            return vec![format!("  {} bytes", thousands(len))];
        };
        let (from, had) = opened.file();
        let (from, path) = (one_line(from).into_owned(), one_line(path));
        let format = opened.format();
        let name = opened.name();
        let (was, now) = (opened.content(), pieces.content());
        let packed = (was.len() != had || now.len() != len).then(|| {
            let (was, now) = (thousands(was.len()), thousands(now.len()));
            format!(", unpacked {was} and {now}")
        });
        let packed = packed.unwrap_or_default();
        let (had, has) = (thousands(had), thousands(len));
        let sizes = format!("{from} had {had} bytes, {path} has {has}{packed}");
        if was == now {
            let same = thousands(now.len());
            return vec![format!(
                "  nothing changed: all {same} bytes are the same ({sizes})"
            )];
        }
        // If some of the file was lost on opening, the file differs from the document as written
        // then.
        let outer = opened.is_lossy(whole).then(|| Account::outer(was, now));
        let (mut lines, mut account) = match self.since_open(whole, &mut audited) {
            Ok(mut listed) => {
                let account = std::mem::take(&mut listed.account);
                if part.is_some() {
                    let left_out = whole.rows_without(pieces);
                    listed.drop_rows(|id| left_out.contains(&id));
                }
                (diff_lines(listed, name, reported), account)
            }
            Err(why) => {
                let account = audited.or_else(|| self.account(whole, format));
                let account = account.unwrap_or_default();
                (self.owners(&account, &why), account)
            }
        };
        if let Some((whole, left_out)) = part {
            lines.push(format!("  - left out: {left_out}"));
            account = self.account_of_part(whole, pieces).unwrap_or(account);
        }
        let account = outer.unwrap_or(account);
        let since = match name {
            FIRST_SAVE => "the first save".to_owned(),
            _ => format!("{from} was opened"),
        };
        lines.insert(0, format!("  changed since {since}:"));
        lines.push(nothing_else(&account, &sizes));
        lines
    }

    /// The differences from the opened state.
    ///
    /// # Errors
    /// Why not: the log no longer reaches it, or the rows are too many to compare in this call.
    fn since_open(
        &mut self,
        pieces: &Pieces,
        audited: &mut Option<Account>,
    ) -> Result<Listed, Cow<'static, str>> {
        let dropped = || Cow::Borrowed(DROPPED);
        let opened = self.opened.as_ref().ok_or_else(dropped)?;
        let (name, state) = (opened.name(), opened.state()?);
        let since = self.log.since_state(state).ok_or_else(dropped)?;
        let (events, done) = events::<M>(since);
        let rows: FxHashSet<u32> = events
            .iter()
            .filter_map(M::row_of)
            .map(|(row, _)| row.id())
            .collect();
        if (STEPS_A_ROW * rows.len()) as u64 > work::left() {
            return Err(Cow::Owned(format!(
                "too many to list in this call (set work-limit:MILLIONS, then ? diff {name})"
            )));
        }
        match self.diff_opened(&events, done, pieces, audited.take()) {
            Ok(Some(listed)) => Ok(listed),
            Ok(None) | Err(_) => Err(dropped()),
        }
    }

    /// The number of rows of each kind whose bytes differ, and why they are not listed.
    fn owners(&self, account: &Account, why: &str) -> Vec<String> {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        let changes = account.changes.iter();
        let kind = |change: &Change| {
            let Owner::Row(id) = change.owner else {
                return None;
            };
            match self.model.by_id(id) {
                Some(row) => Shown::kind_of(&self.model, row).map(|[_, kind]| kind),
                // A part of the file that is not a row, or a row that is gone.
                None => self.model.show(id).is_none().then_some("removed rows"),
            }
        };
        for kind in changes.filter_map(kind) {
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((kind, 1)),
            }
        }
        let kinds = kinds.into_iter().take(LINES - 1);
        let lines = kinds.map(|(kind, count)| format!("  ~ {} {kind}", thousands(count)));
        let mut lines: Vec<String> = lines.collect();
        lines.push(format!("  {why}"));
        lines
    }
}

/// `nothing else changed: 211 bytes are the same; in 1 place 2 bytes became 3 (…)`
fn nothing_else(account: &Account, sizes: &str) -> String {
    let bytes = |count: usize| match count {
        1 => "1 byte".to_owned(),
        count => format!("{} bytes", thousands(count)),
    };
    let places = match account.places {
        1 => "1 place".to_owned(),
        places => format!("{} places", thousands(places)),
    };
    format!(
        "  nothing else changed: {} are the same; in {places} {} became {} ({sizes})",
        bytes(account.same_bytes),
        bytes(account.gone_bytes),
        thousands(account.new_bytes),
    )
}

/// The lines of the differences since a named state, with equal changes folded.
fn diff_lines(mut listed: Listed, since: &str, reported: &[String]) -> Vec<String> {
    let all = listed.rows.len();
    if all <= LOOKED_FOR {
        let lines = reported.iter().flat_map(|text| text.lines());
        // The example of a fold is one of its rows, whose count includes it.
        let lines = lines.filter(|line| !line.contains("; e.g. "));
        let mut known: Vec<HashSet<String>> = lines.map(words).collect();
        listed.rows.retain(|row| !is_reported(row, &mut known));
    }
    let left_out = all - listed.rows.len();
    let rows = counted_lines(&listed.rows, Some(LINES));
    let is_folded = rows.len() < listed.rows.len();
    let mut lines = listed.notes;
    let total = lines.len() + rows.len();
    let is_cut = total > LINES;
    let mut unlisted = 0;
    if is_cut {
        // The lines for the most rows are kept, in their order.
        lines.truncate(LINES - 1);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|ix| Reverse(rows.get(*ix).map(|(_, rows)| *rows)));
        let kept: HashSet<usize> = order.into_iter().take(LINES - 1 - lines.len()).collect();
        for (ix, (line, rows)) in rows.into_iter().enumerate() {
            match kept.contains(&ix) {
                true => lines.push(line),
                false => unlisted += rows,
            }
        }
    } else {
        lines.extend(rows.into_iter().map(|(line, _)| line));
    }
    let mut lines: Vec<String> = lines
        .iter()
        .map(|line| format!("  {}", one_line(&super::query::cut(line, LINE))))
        .collect();
    match (is_folded, is_cut) {
        (_, true) => {
            let more = total - (LINES - 1);
            let rows = match unlisted > more {
                true => format!(" ({})", count(unlisted, "row")),
                false => String::new(),
            };
            lines.push(format!(
                "  … {more} more lines{rows}: ? diff {since} rows:on"
            ));
        }
        (true, false) => lines.push(format!("  each row on its line: ? diff {since} rows:on")),
        (false, false) => {}
    }
    match left_out {
        0 => {}
        1 => lines.push("  1 more row changed, as reported above".to_owned()),
        n => lines.push(format!(
            "  {} more rows changed, as reported above",
            thousands(n)
        )),
    }
    lines
}

/// Returns whether a line of a report has all words of an added or removed row. Each line counts
/// for one row.
fn is_reported(row: &RowChange, reported: &mut Vec<HashSet<String>>) -> bool {
    if !matches!(row, RowChange::Added(..) | RowChange::Removed(..)) {
        return false;
    }
    let own = words(&row.line());
    let says_all = |known: &HashSet<String>| {
        let mut own = own.iter();
        own.all(|word| word.starts_with('#') || known.contains(word))
    };
    let at = reported.iter().position(says_all);
    at.map(|at| reported.swap_remove(at)).is_some()
}

/// The words of a line, in lower case.
fn words(line: &str) -> HashSet<String> {
    line.split_whitespace().map(str::to_lowercase).collect()
}
