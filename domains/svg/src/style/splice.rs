//! Edits declarations in place.

use std::ops::Range;

use super::sheet::character;

/// The byte range of `old` that differs in `new`, and its new text.
pub(super) fn difference<'n>(old: &str, new: &'n str) -> (Range<usize>, &'n str) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = old
        .chars()
        .zip(new.chars())
        .take_while(same)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let (old_rest, new_rest) = (
        old.get(start..).unwrap_or(""),
        new.get(start..).unwrap_or(""),
    );
    let back = old_rest.chars().rev().zip(new_rest.chars().rev());
    let end: usize = back.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let text = new_rest.get(..new_rest.len() - end).unwrap_or("");
    (start..old.len() - end, text)
}

/// The raw value of an attribute with the characters that its references stand for; whitespace
/// stays as it is written.
pub(super) struct Decoded {
    pub text: String,
    /// The places of the characters, each with that of its reference in the raw value.
    references: Vec<(Range<usize>, Range<usize>)>,
}

impl Decoded {
    pub fn of(raw: &str) -> Self {
        let (mut text, mut references) = (String::with_capacity(raw.len()), Vec::new());
        let mut at = 0;
        while let Some(found) = raw.get(at..).and_then(|rest| rest.find('&')) {
            let start = at + found;
            text.push_str(raw.get(at..start).unwrap_or_default());
            let rest = raw.get(start..).unwrap_or_default();
            let len = rest.find(';').map_or(1, |end| end + 1);
            let name = rest.get(1..len.saturating_sub(1)).unwrap_or_default();
            let from = text.len();
            match character(name) {
                Some(c) => text.push(c),
                None => text.push_str(rest.get(..len).unwrap_or_default()),
            }
            at = start + len;
            references.push((from..text.len(), start..at));
        }
        text.push_str(raw.get(at..).unwrap_or_default());
        Self { text, references }
    }

    /// The byte range of the raw value to replace so that it reads as `new`, and its new text.
    /// References are never cut.
    pub fn splice<'n>(&self, new: &'n str) -> (Range<usize>, &'n str) {
        let (range, text) = difference(&self.text, new);
        (self.raw(range.start)..self.raw(range.end), text)
    }

    /// The offset in the raw value for one in the text, which is not inside a character.
    fn raw(&self, at: usize) -> usize {
        let before = self.references.partition_point(|(own, _)| own.end <= at);
        match before
            .checked_sub(1)
            .and_then(|last| self.references.get(last))
        {
            Some((own, raw)) => raw.end + (at - own.end),
            None => at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differences_are_replaced() {
        for (old, new, range, text) in [
            ("fill:red", "fill:blue", 5..8, "blue"),
            ("a:b", "a:b; c:d", 3..3, "; c:d"),
            ("a:b; c:d", "a:b", 3..8, ""),
            ("aa", "a", 1..2, ""),
            ("ä", "ö", 0..2, "ö"),
            ("", "", 0..0, ""),
        ] {
            assert_eq!(difference(old, new), (range, text), "{old} {new}");
        }
    }

    #[test]
    fn references_are_replaced_whole_or_not_at_all() {
        let raw = "font-family:&quot;A;B&quot;;&#10;fill:red";
        let decoded = Decoded::of(raw);
        assert_eq!(decoded.text, "font-family:\"A;B\";\nfill:red");
        let new = decoded.text.replace("red", "blue");
        assert_eq!(decoded.splice(&new), (38..41, "blue"));
        let new = "font-family:\"C\";\nfill:red";
        assert_eq!(decoded.splice(new), (18..21, "C"));
        let new = "font-family:C;\nfill:red";
        assert_eq!(decoded.splice(new), (12..27, "C"));
    }
}
