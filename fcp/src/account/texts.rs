//! Long texts that differ in little, as their differing parts.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;

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
    /// Lines that others replace.
    fn of_lines(line: usize, gone: &[&str], come: &[&str]) -> Self {
        let shown = |lines: &[&str]| {
            let mut shown: Vec<String> =
                lines.iter().take(MOST).map(|line| visible(line)).collect();
            if lines.len() > MOST {
                shown.push(format!("… {} more lines", lines.len() - MOST));
            }
            shown.join("\n")
        };
        Self {
            line: Some(line),
            at: None,
            then: shown(gone),
            now: shown(come),
        }
    }

    /// Words that others replace.
    fn of_words(words: [String; 2]) -> Self {
        let [then, now] = words.map(|text| match text.as_str() {
            "" => text,
            _ => visible(&text),
        });
        Self {
            line: None,
            at: None,
            then,
            now,
        }
    }

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
    if more > 0
        && let Some(folded) = folded(then, now)
    {
        return Some(folded);
    }
    let mut shown: Vec<String> = parts.iter().map(Part::text).collect();
    if more > 0 {
        shown.push(format!(
            "… {} more places (each is in the table changes)",
            thousands(more)
        ));
    }
    Some(shown.join("; "))
}

/// Equal parts with their counts and lines: `200 times red -> blue, lines 2 to 201`. `None` if too many differ.
fn folded(then: &str, now: &str) -> Option<String> {
    let mut order: Vec<(Part, Range<usize>, usize)> = Vec::new();
    let mut seen: FxHashMap<[String; 2], usize> = FxHashMap::default();
    each_hunk(then, now, |line, gone, come| {
        if gone.len() != come.len() {
            order.push((Part::of_lines(line, gone, come), line..line, 1));
        } else {
            for (line, (gone, come)) in (line..).zip(gone.iter().zip(come)) {
                if order.len() > MOST {
                    break;
                }
                let found = stretches(gone.as_bytes(), come.as_bytes());
                for ix in 0..found.len() {
                    let parts = whole_words([gone, come], &found, ix);
                    let at = *seen.entry(parts.clone()).or_insert(order.len());
                    match order.get_mut(at) {
                        Some((_, lines, count)) => (lines.end, *count) = (line, *count + 1),
                        None => order.push((Part::of_words(parts), line..line, 1)),
                    }
                }
            }
        }
        order.len() <= MOST
    });
    let shown = order.iter().map(|(part, lines, count)| {
        let text = part.text();
        let text = match count {
            1 => text,
            _ => format!("{} times {text}", thousands(*count)),
        };
        match (part.line, lines.start == lines.end) {
            (Some(_), _) => text,
            (None, true) => format!("{text}, line {}", lines.start),
            (None, false) => format!("{text}, lines {} to {}", lines.start, lines.end),
        }
    });
    (order.len() <= MOST).then(|| shown.collect::<Vec<_>>().join("; "))
}

/// The parts of two lines that differ in a stretch, up to the ends of their words or to the stretches beside it.
fn whole_words(lines: [&str; 2], found: &[Stretch], ix: usize) -> [String; 2] {
    let joins = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.#".contains(byte);
    let then = lines[0].as_bytes();
    let Some(one) = found.get(ix) else {
        return Default::default();
    };
    let changes = !(one.before.is_empty() || one.after.is_empty());
    let joins = |byte: &&u8| changes && joins(byte);
    let last = ix.checked_sub(1).and_then(|last| found.get(last));
    let from = last.map_or(0, |last| last.before.end);
    let to = found
        .get(ix + 1)
        .map_or(then.len(), |next| next.before.start);
    let before = then.get(from..one.before.start).unwrap_or_default();
    let after = then.get(one.before.end..to).unwrap_or_default();
    let before = before.iter().rev().take_while(joins).count();
    let after = after.iter().take_while(joins).count();
    let part = |line: &str, part: &Range<usize>| {
        let from = line.floor_char_boundary(part.start - before);
        let to = line.ceil_char_boundary(part.end + after);
        line.get(from..to).unwrap_or_default().to_owned()
    };
    [part(lines[0], &one.before), part(lines[1], &one.after)]
}

/// Calls a function with each hunk of lines in which two texts differ, until it returns false: with the first line's
/// number in the earlier text, from 1, and the lines of both.
fn each_hunk(then: &str, now: &str, mut visit: impl FnMut(usize, &[&str], &[&str]) -> bool) {
    // With their ends, which may differ alone.
    let [old, new] = [then, now].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let part = |lines: &Range<u32>| lines.start as usize..lines.end as usize;
    for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
        let gone = old.get(part(&hunk.before)).unwrap_or_default();
        let come = new.get(part(&hunk.after)).unwrap_or_default();
        if !visit(hunk.before.start as usize + 1, gone, come) {
            return;
        }
    }
}

/// The parts in which two texts differ, at most so many, and the number of all others.
pub(crate) fn parts(then: &str, now: &str, most: usize) -> (Vec<Part>, usize) {
    let lines = |text: &str| text.split_inclusive('\n').count();
    if lines(then).max(lines(now)) < 2 {
        return few(of_line(None, then, now).into_iter(), most);
    }
    let mut all = Vec::new();
    each_hunk(then, now, |line, gone, come| {
        if gone.len() == come.len() {
            let pairs = (line..).zip(gone.iter().zip(come));
            all.extend(pairs.flat_map(|(line, (gone, come))| of_line(Some(line), gone, come)));
        } else {
            all.push(Part::of_lines(line, gone, come));
        }
        true
    });
    few(all.into_iter(), most)
}

/// The first parts, and the number of all others.
fn few(mut all: impl Iterator<Item = Part>, most: usize) -> (Vec<Part>, usize) {
    let first = all.by_ref().take(most).collect();
    (first, all.count())
}

/// The differing parts of two lines; the lines themselves if they are short.
fn of_line(line: Option<usize>, then: &str, now: &str) -> Vec<Part> {
    // An end that both have is not shown.
    let end = match [then, now].map(|line| line.ends_with("\r\n")) {
        [true, true] => "\r\n",
        [false, false] => "\n",
        _ => "",
    };
    let (then, now) = match (then.strip_suffix(end), now.strip_suffix(end)) {
        (Some(then), Some(now)) => (then, now),
        _ => (then, now),
    };
    if then.len().max(now.len()) <= VALUE {
        let [then, now] = match then.trim() == now.trim() {
            // Only white space differs.
            true => [then, now].map(|text| format!("{text:?}")),
            false => [then, now].map(visible),
        };
        return vec![Part {
            line,
            at: None,
            then,
            now,
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
    let middle = middle.replace('\r', "\\r").replace('\n', "\\n");
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

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::differing;

    #[test]
    fn equal_parts_of_a_long_text_are_counted() {
        let (mut then, mut now) = (String::new(), String::new());
        for ix in 0..40 {
            let _ = writeln!(then, ".a{ix} {{ fill: red; r: 1 }}");
            let fill = if ix == 7 { "#0af" } else { "blue" };
            let _ = writeln!(now, ".a{ix} {{ fill: {fill}; r: 1 }}");
        }
        assert_eq!(
            differing(&then, &now, 80).as_deref(),
            Some("39 times red -> blue, lines 1 to 40; red -> #0af, line 8")
        );
        let now = then.replace("fill: red; ", "");
        assert_eq!(
            differing(&then, &now, 80).as_deref(),
            Some("40 times - fill: red;, lines 1 to 40")
        );
        let now = then.replace('\n', "\r\n");
        assert_eq!(
            differing(&then, &now, 80).as_deref(),
            Some("40 times + \"\\r\", lines 1 to 40")
        );
        let now: String = (0..40)
            .map(|ix| format!(".b{ix} {{ fill: red; r: 1 }}\n"))
            .collect();
        let shown = differing(&then, &now, 80).unwrap_or_default();
        assert!(
            shown.ends_with("; … 28 more places (each is in the table changes)"),
            "{shown}"
        );
    }
}
