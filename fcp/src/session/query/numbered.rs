//! The numbers of lines, for changed rows without a place of their own.

use crate::account::RowChange;

/// The offsets of a row in the old file and in the new one.
pub(super) type Offsets = [Option<usize>; 2];

/// Gives rows without a place the number of their line, if the files are text: by `is_text` in any
/// encoding, or in UTF-8. A row with two offsets has its line in the new file, and the old one if it differs.
pub(super) fn number_lines<'c>(
    rows: impl Iterator<Item = (&'c mut RowChange, Offsets)>,
    contents: [&[u8]; 2],
    is_text: bool,
) {
    let is_text = |bytes: &&[u8]| {
        is_text || memchr::memchr(0, bytes).is_none() && std::str::from_utf8(bytes).is_ok()
    };
    let rows: Vec<_> = rows.filter(|(row, _)| row.row().place.is_none()).collect();
    if rows.is_empty() || !contents.iter().all(is_text) {
        return;
    }
    let [old, new] = contents;
    let then = lines(old, rows.iter().map(|(_, [at, _])| *at));
    let now = lines(new, rows.iter().map(|(_, [_, at])| *at));
    for (((row, _), was), is) in rows.into_iter().zip(then).zip(now) {
        let place = match (was, is) {
            (Some(was), Some(is)) if was != is => Some(format!("line {is} (was {was})")),
            (was, is) => is.or(was).map(|line| format!("line {line}")),
        };
        row.row_mut().place = place;
    }
}

/// The line of each offset in a text.
fn lines(content: &[u8], offsets: impl Iterator<Item = Option<usize>>) -> Vec<Option<usize>> {
    let offsets: Vec<Option<usize>> = offsets.collect();
    // Counted from one to the next.
    let places = offsets.iter().zip(0..);
    let places = places.filter_map(|(at, ix)| Some((at.filter(|at| *at < content.len())?, ix)));
    let mut places: Vec<(usize, usize)> = places.collect();
    places.sort_unstable();
    let mut lines = Lines::of(content);
    let mut found = vec![None; offsets.len()];
    for (at, ix) in places {
        if let Some(line) = found.get_mut(ix) {
            *line = Some(lines.line_at(at));
        }
    }
    found
}

/// Counts the lines of a text from one place to the next.
struct Lines<'a> {
    content: &'a [u8],
    /// The bytes of a code unit, 1 or 2, and the index of the lower one.
    unit: (usize, usize),
    at: usize,
    breaks: usize,
}

impl<'a> Lines<'a> {
    const fn of(content: &'a [u8]) -> Self {
        let unit = match content {
            // UTF-16, by its byte order mark or by a first character below U+0100.
            [0xfe, 0xff, ..] | [0, _, ..] => (2, 1),
            [0xff, 0xfe, ..] | [_, 0, ..] => (2, 0),
            _ => (1, 0),
        };
        Self {
            content,
            unit,
            at: 0,
            breaks: 0,
        }
    }

    /// Whether a byte is part of white space.
    fn is_space(&self, byte: u8) -> bool {
        byte.is_ascii_whitespace() || self.unit.0 == 2 && byte == 0
    }

    /// The number of line breaks between two places.
    fn breaks(&self, from: usize, to: usize) -> usize {
        let passed = self.content.get(from..to).unwrap_or_default();
        let found = memchr::memchr_iter(b'\n', passed).map(|at| from + at);
        let (width, low) = self.unit;
        let is_break = |at: &usize| {
            let high = (at - at % width + 1 - low).min(self.content.len() - 1);
            width == 1 || at % width == low && self.content.get(high) == Some(&0)
        };
        found.filter(is_break).count()
    }

    /// The number of the line, from 1, of the first character at or after a place that is not
    /// whitespace: the whitespace before a row is part of it.
    fn line_at(&mut self, at: usize) -> usize {
        let space = self.content.get(at..).unwrap_or_default().iter();
        let start = at + space.take_while(|byte| self.is_space(**byte)).count();
        if start < self.at {
            (self.at, self.breaks) = (0, 0);
        }
        self.breaks += self.breaks(self.at, start);
        self.at = start;
        self.breaks + 1
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_are_counted_in_any_encoding() {
        let text = "a\nഊਊ\n  b\u{a0a}\nc";
        let wide = |unit: fn(u16) -> [u8; 2], mark: &[u8]| -> Vec<u8> {
            let units = text.encode_utf16().flat_map(unit);
            mark.iter().copied().chain(units).collect()
        };
        for content in [
            text.as_bytes().to_vec(),
            wide(u16::to_le_bytes, &[0xff, 0xfe]),
            wide(u16::to_be_bytes, &[0xfe, 0xff]),
            wide(u16::to_be_bytes, &[]),
            b"a\n\xe4\xe4\n  b\xe4\nc".to_vec(),
        ] {
            let places = ["b", "c"].map(|letter| {
                let letter = letter.as_bytes();
                let mut found = content.windows(1).enumerate().rev();
                found
                    .find_map(|(at, byte)| (byte == letter).then_some(at))
                    .unwrap()
            });
            let mut lines = Lines::of(&content);
            let numbers = places.map(|place| lines.line_at(place));
            assert_eq!(numbers, [3, 4], "{content:x?}");
            assert_eq!(lines.line_at(0), 1);
        }
    }
}
