//! Ops of exact text, generated from the document's present source.

use std::ops::Range;

use crate::account::{Owner, Pieces};
use crate::domain::Domain;
use crate::op::quote;
use crate::testing::Walk;

/// The longest text that an op replaces or inserts, in bytes.
const LONGEST: usize = 400;
/// The most bytes added on each side of a text to make it unique.
const CONTEXT: usize = 60;

/// A `replace` or an `insert` with text from the document; `None` if it has none, or none that is
/// unique.
pub(in crate::testing) fn exact<M: Domain>(
    random: &mut Walk,
    model: &M,
    phrase: &str,
) -> Option<String> {
    if !M::TEXT {
        return None;
    }
    let mut pieces = Pieces::of::<M>();
    model.source(&mut pieces).ok()?;
    let source = str::from_utf8(pieces.content()).ok()?;
    let start = source.floor_char_boundary(random.below(source.len().max(1)));
    match phrase {
        "replace" => replaced(random, source, start),
        "insert" => {
            let rows = pieces.iter().filter_map(|(owner, _)| match owner {
                Owner::Row(id) => Some(id),
                _ => None,
            });
            let rows: Vec<u32> = rows.collect();
            let row = rows.get(random.below(rows.len().max(1)))?;
            let text = source.get(line(source, start))?;
            let site = random.pick(&["first", "last", "before", "after"])?;
            (text.len() <= LONGEST).then(|| format!("insert {} {site}:#{row}", quote(text)))
        }
        _ => None,
    }
}

/// A piece of the source, and a replacement.
fn replaced(random: &mut Walk, source: &str, start: usize) -> Option<String> {
    let own = line(source, start);
    let next = line(source, own.end.min(source.len().saturating_sub(1)));
    let word = run(source, start, char::is_alphanumeric);
    let (range, new) = match random.below(6) {
        0 => (own.clone(), String::new()),
        1 => (own.clone(), source.get(own)?.repeat(2)),
        2 if own.end == next.start => {
            let swapped = format!("{}{}", source.get(next.clone())?, source.get(own.clone())?);
            (own.start..next.end, swapped)
        }
        3 => {
            let digits = run(source, start, |letter| letter.is_ascii_digit());
            let number: u64 = source.get(digits.clone())?.parse().ok()?;
            (digits, number.saturating_add(1).to_string())
        }
        _ => (word.clone(), format!("{}2", source.get(word)?)),
    };
    let (wider, old) = unique(source, &range)?;
    let head = source.get(wider.start..range.start)?;
    let tail = source.get(range.end..wider.end)?;
    let new = format!("{head}{new}{tail}");
    (old.len() <= LONGEST && new.len() <= 2 * LONGEST)
        .then(|| format!("replace {} {}", quote(old), quote(&new)))
}

/// A range, extended until its text is unique.
fn unique<'s>(source: &'s str, range: &Range<usize>) -> Option<(Range<usize>, &'s str)> {
    (0..=CONTEXT).step_by(6).find_map(|context| {
        let start = source.floor_char_boundary(range.start.saturating_sub(context));
        let end = source.ceil_char_boundary((range.end + context).min(source.len()));
        let text = source.get(start..end).filter(|text| !text.is_empty())?;
        let is_once = source.find(text) == source.rfind(text);
        is_once.then_some((start..end, text))
    })
}

/// The line around a position, with its line break.
fn line(source: &str, at: usize) -> Range<usize> {
    let start = source.get(..at).and_then(|head| head.rfind('\n'));
    let end = source.get(at..).and_then(|tail| tail.find('\n'));
    start.map_or(0, |at| at + 1)..end.map_or(source.len(), |end| at + end + 1)
}

/// The run of letters around a position that pass a test, or the first such run after it.
fn run(source: &str, at: usize, test: fn(char) -> bool) -> Range<usize> {
    let tail = source.get(at..).unwrap_or_default();
    let start = at + tail.find(test).unwrap_or(0);
    let head = source.get(..start).unwrap_or_default();
    let from = head.trim_end_matches(test).len();
    let tail = source.get(start..).unwrap_or_default();
    from..start + (tail.len() - tail.trim_start_matches(test).len())
}
