//! Long texts that differ in little, as their differing parts.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::fold::VALUE;
use super::stretches::{Stretch, stretches};
use crate::value::thousands;

/// The largest number of lines or parts that are shown one by one of a text that differs.
const MOST: usize = 12;

/// The bytes shown before and after a part. Those before say more: a selector, the name of a value.
const AROUND: [usize; 2] = [24, 8];

/// Parts of a line with fewer equal bytes between them are shown as one.
const GAP: usize = 16;

/// A part in which two texts differ, as it is shown.
pub(crate) struct Part {
    /// The line of the earlier text, if one of them has several.
    pub line: Option<usize>,
    /// The first character of the part in this line, from 1, if it is not the whole line.
    pub at: Option<usize>,
    pub then: String,
    pub now: String,
}

impl Part {
    /// `line 3`, `at 1,204`, `line 3 at 90`
    pub fn place(&self) -> Option<String> {
        let line = self.line.map(|line| format!("line {line}"));
        let at = self.at.map(|at| format!("at {}", thousands(at)));
        let place: Vec<String> = line.into_iter().chain(at).collect();
        (!place.is_empty()).then(|| place.join(" "))
    }

    /// `line 3: .a { r: 1 } -> .a { r: 2 }`
    fn text(&self) -> String {
        let [then, now] = [&self.then, &self.now].map(|text| text.split('\n').collect::<Vec<_>>());
        let text = match (then.as_slice(), now.as_slice()) {
            ([then], [now]) if !(then.is_empty() || now.is_empty()) => format!("{then} -> {now}"),
            (then, now) => {
                let signed = |sign, lines: &[&str]| -> Vec<String> {
                    let lines = lines.iter().filter(|line| !line.is_empty());
                    lines.map(|line| format!("{sign} {line}")).collect()
                };
                [signed('-', then), signed('+', now)].concat().join("; ")
            }
        };
        match self.place() {
            Some(place) => format!("{place}: {text}"),
            None => text,
        }
    }
}

/// The differing parts of two texts, if one of them has more than `most` bytes, or they have several lines and differ in
/// less than half.
pub(super) fn differing(then: &str, now: &str, most: usize) -> Option<String> {
    let longest = then.len().max(now.len());
    let is_one_line = ![then, now].iter().any(|text| text.contains('\n'));
    if longest <= VALUE || longest <= most && is_one_line {
        return None;
    }
    let found = stretches(then.as_bytes(), now.as_bytes());
    let differ = |one: &Stretch| one.before.len().max(one.after.len());
    let differ: usize = found.iter().map(differ).sum();
    if longest <= most && 2 * differ > then.len().min(now.len()) {
        return None;
    }
    let (parts, more) = parts(then, now, MOST);
    let mut shown: Vec<String> = parts.iter().map(Part::text).collect();
    if more > 0 {
        shown.push(format!("… {more} more places"));
    }
    Some(shown.join("; "))
}

/// The parts in which two texts differ, at most so many, and the number of all others.
pub(crate) fn parts(then: &str, now: &str, most: usize) -> (Vec<Part>, usize) {
    let [old, new] = [then, now].map(|text| text.lines().collect::<Vec<_>>());
    if old.len().max(new.len()) < 2 {
        return few(of_line(None, then, now).into_iter(), most);
    }
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let hunks = Diff::compute(Algorithm::Myers, &input);
    let part = |lines: Range<u32>| lines.start as usize..lines.end as usize;
    let all = hunks.hunks().flat_map(|hunk| {
        let line = hunk.before.start as usize + 1;
        let gone = old.get(part(hunk.before)).unwrap_or_default();
        let come = new.get(part(hunk.after)).unwrap_or_default();
        if gone.len() == come.len() {
            let pairs = gone.iter().zip(come).enumerate();
            let pairs = pairs.flat_map(|(ix, (gone, come))| of_line(Some(line + ix), gone, come));
            return pairs.collect();
        }
        let shown = |lines: &[&str]| {
            let mut shown: Vec<String> =
                lines.iter().take(MOST).map(|line| visible(line)).collect();
            if lines.len() > MOST {
                shown.push(format!("… {} more lines", lines.len() - MOST));
            }
            shown.join("\n")
        };
        vec![Part {
            line: Some(line),
            at: None,
            then: shown(gone),
            now: shown(come),
        }]
    });
    few(all, most)
}

/// The first parts, and the number of all others.
fn few(mut all: impl Iterator<Item = Part>, most: usize) -> (Vec<Part>, usize) {
    let first = all.by_ref().take(most).collect();
    (first, all.count())
}

/// The differing parts of two lines; the lines themselves if they are short.
fn of_line(line: Option<usize>, then: &str, now: &str) -> Vec<Part> {
    if then.len().max(now.len()) <= VALUE {
        return vec![Part {
            line,
            at: None,
            then: visible(then),
            now: visible(now),
        }];
    }
    let mut joined: Vec<Stretch> = Vec::new();
    for one in stretches(then.as_bytes(), now.as_bytes()) {
        match joined.last_mut() {
            Some(last) if one.before.start - last.before.end < GAP => {
                (last.before.end, last.after.end) = (one.before.end, one.after.end);
            }
            _ => joined.push(one),
        }
    }
    let (mut from, mut at) = (0, 1);
    let parts = joined.into_iter().map(|one| {
        let start = then.floor_char_boundary(one.before.start);
        at += then.get(from..start).map_or(0, |text| text.chars().count());
        from = start;
        Part {
            line,
            at: Some(at),
            then: cut(then, &one.before),
            now: cut(now, &one.after),
        }
    });
    parts.collect()
}

/// A part of a line, with a little around it.
fn cut(text: &str, part: &Range<usize>) -> String {
    let from = text.floor_char_boundary(part.start.saturating_sub(AROUND[0]));
    let to = text.ceil_char_boundary((part.end + AROUND[1]).min(text.len()));
    let middle = short(text.get(from..to).unwrap_or_default(), VALUE);
    let before = if from > 0 { "…" } else { "" };
    let after = if to < text.len() { "…" } else { "" };
    format!("{before}{middle}{after}")
}

/// A line of a text, without its indentation if something else is on it.
fn visible(line: &str) -> String {
    match line.trim() {
        "" => format!("{line:?}"),
        text => short(text, VALUE),
    }
}

/// A value, shortened for a line.
pub(super) fn short(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most);
    let left = text.len() - end;
    format!("{}… ({left} bytes more)", text.get(..end).unwrap_or(""))
}
