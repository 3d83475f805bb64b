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

/// The raw value of an attribute with placeholders for its references, byte for byte: the quotes
/// that some stand for, and letters.
pub(super) struct Masked {
    pub text: String,
    references: Vec<Range<usize>>,
}

impl Masked {
    pub fn of(raw: &str) -> Self {
        let mut masked = Self {
            text: raw.to_owned(),
            references: Vec::new(),
        };
        let mut at = 0;
        while let Some(found) = raw.get(at..).and_then(|rest| rest.find('&')) {
            let start = at + found;
            let rest = raw.get(start..).unwrap_or_default();
            let len = rest.find(';').map_or(1, |end| end + 1);
            let name = rest.get(1..len.saturating_sub(1)).unwrap_or_default();
            let first = match character(name) {
                Some(c) if c.is_ascii() && !c.is_ascii_control() && c != '&' => c,
                _ => 'x',
            };
            let stand_in = format!("{first}{}", "x".repeat(len - 1));
            masked.text.replace_range(start..start + len, &stand_in);
            masked.references.push(start..start + len);
            at = start + len;
        }
        masked
    }

    /// The byte range to replace so that the raw value reads as `new`, and its new text. References
    /// are never cut.
    pub fn splice<'n>(&self, new: &'n str) -> (Range<usize>, &'n str) {
        let (mut range, _) = difference(&self.text, new);
        for reference in &self.references {
            if reference.start < range.start && range.start < reference.end {
                range.start = reference.start;
            }
            if reference.start < range.end && range.end < reference.end {
                range.end = reference.end;
            }
        }
        let behind = self.text.len() - range.end;
        let text = new.get(range.start..new.len().saturating_sub(behind));
        (range, text.unwrap_or_default())
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
        let masked = Masked::of("font-family:&quot;A;B&quot;;fill:red");
        assert_eq!(masked.text, "font-family:\"xxxxxA;B\"xxxxx;fill:red");
        let new = masked.text.replace("red", "blue");
        assert_eq!(masked.splice(&new), (33..36, "blue"));
        let new = "font-family:\"C\";fill:red";
        assert_eq!(masked.splice(new), (12..27, "\"C\""));
    }
}
