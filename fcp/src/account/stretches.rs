//! The stretches in which two texts differ.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// Texts that differ in fewer bytes than this between their common beginning and end differ in one
/// stretch.
const FINE: usize = 3;

/// Longer texts are compared by line, which bounds the cost.
const BY_WORD: usize = 1 << 18;

/// Longer texts are not compared further than their common beginning and end.
const BY_LINE: usize = 1 << 24;

/// A stretch in which two texts differ, as ranges of their bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub before: Range<usize>,
    pub after: Range<usize>,
}

impl Stretch {
    /// Without what its beginnings and ends have in common.
    fn trimmed(self, then: &[u8], now: &[u8]) -> Self {
        let old = then.get(self.before.clone()).unwrap_or_default();
        let new = now.get(self.after.clone()).unwrap_or_default();
        let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - head;
        let tails = old.iter().rev().zip(new.iter().rev()).take(most);
        let tail = tails.take_while(|(a, b)| a == b).count();
        Self {
            before: self.before.start + head..self.before.end - tail,
            after: self.after.start + head..self.after.end - tail,
        }
    }
}

/// The stretches in which two texts differ, in order. What is between them is equal.
pub(crate) fn stretches(then: &[u8], now: &[u8]) -> Vec<Stretch> {
    let whole = Stretch {
        before: 0..then.len(),
        after: 0..now.len(),
    };
    let outer = whole.trimmed(then, now);
    let old = then.get(outer.before.clone()).unwrap_or_default();
    let new = now.get(outer.after.clone()).unwrap_or_default();
    let size = old.len().max(new.len());
    if old.is_empty() || new.is_empty() || !(FINE..=BY_LINE).contains(&size) {
        let differs = !(old.is_empty() && new.is_empty());
        return differs.then_some(outer).into_iter().collect();
    }
    let split = if size > BY_WORD { lines } else { words };
    let (old, new) = (split(old), split(new));
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let mut found = Vec::new();
    let (mut from, mut to) = (
        Place::at(&old, outer.before.start),
        Place::at(&new, outer.after.start),
    );
    for hunk in Diff::compute(Algorithm::Myers, &input).hunks() {
        let before = from.pass(hunk.before.start)..from.pass(hunk.before.end);
        let after = to.pass(hunk.after.start)..to.pass(hunk.after.end);
        found.push(Stretch { before, after }.trimmed(then, now));
    }
    found
}

/// A place in a list of tokens: their number before it, and its offset.
struct Place<'t> {
    tokens: &'t [&'t [u8]],
    passed: usize,
    offset: usize,
}

impl<'t> Place<'t> {
    const fn at(tokens: &'t [&'t [u8]], offset: usize) -> Self {
        Self {
            tokens,
            passed: 0,
            offset,
        }
    }

    /// The offset of a token that is not before this place.
    fn pass(&mut self, token: u32) -> usize {
        let next = token as usize;
        let passed = self.tokens.get(self.passed..next).unwrap_or_default();
        self.offset += passed.iter().map(|token| token.len()).sum::<usize>();
        self.passed = next;
        self.offset
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// A text as words and single other characters.
fn words(text: &[u8]) -> Vec<&[u8]> {
    let joins = |a: &u8, b: &u8| {
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        word(a) && word(b)
    };
    text.chunk_by(joins).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(then: &str, now: &str) -> Vec<(String, String)> {
        let all = stretches(then.as_bytes(), now.as_bytes()).into_iter();
        all.map(|one| (then[one.before].to_owned(), now[one.after].to_owned()))
            .collect()
    }

    #[test]
    fn each_differing_stretch_is_found() {
        let sheet: String = (0..600)
            .map(|at| format!(".c{at}{{fill:#123456}}"))
            .collect();
        let new = sheet
            .replace(".c300{fill:#123456}", ".c300{fill:red}")
            .replace(".c450{fill:#123456}", ".c450{fill:#123457}");
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            shown(&sheet, &new),
            [pair("#123456", "red"), pair("6", "7")]
        );
        assert_eq!(shown(&sheet, &sheet), []);
        assert_eq!(shown("", "ab"), [pair("", "ab")]);
        assert_eq!(shown("aXbYc", "aZbWc"), [pair("XbY", "ZbW")]);
        let sky = pair("sky", "moon");
        let selectors = "#sky , rect#sky:hover";
        assert_eq!(
            shown(selectors, &selectors.replace("sky", "moon")),
            [sky.clone(), sky]
        );
    }

    #[test]
    fn texts_are_equal_between_stretches() {
        let long = |seed: usize| -> String {
            (0..40_000_usize)
                .map(|at| {
                    if (at * seed).is_multiple_of(7) {
                        "\nab"
                    } else {
                        "x;"
                    }
                })
                .collect()
        };
        for size in [500, 40_000] {
            let (then, now) = (long(3), long(5));
            let (then, now) = (&then[..size], &now[..size]);
            let (mut from, mut to) = (0, 0);
            for one in stretches(then.as_bytes(), now.as_bytes()) {
                assert_eq!(then[from..one.before.start], now[to..one.after.start]);
                (from, to) = (one.before.end, one.after.end);
            }
            assert_eq!(then[from..], now[to..]);
        }
    }
}
