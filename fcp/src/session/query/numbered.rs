//! The numbers of lines, for changed rows without a place of their own.

use crate::account::RowChange;

/// Gives rows without a place the number of their line, if the file is text. The changes are in
/// the order of the file.
pub(super) fn number_lines(found: &mut [((usize, u32), RowChange)], contents: (&[u8], &[u8])) {
    let is_text =
        |bytes: &[u8]| memchr::memchr(0, bytes).is_none() && std::str::from_utf8(bytes).is_ok();
    let has_all_places = found.iter().all(|(_, change)| change.row().place.is_some());
    if has_all_places || !is_text(contents.0) || !is_text(contents.1) {
        return;
    }
    let (mut old, mut new) = (Lines::of(contents.0), Lines::of(contents.1));
    for ((at, _), change) in found {
        let lines = match change {
            RowChange::Removed(..) => &mut old,
            _ => &mut new,
        };
        if *at < lines.content.len() && change.row().place.is_none() {
            change.row_mut().place = Some(format!("line {}", lines.line_at(*at)));
        }
    }
}

/// Counts the lines of a text from one place to the next.
struct Lines<'a> {
    content: &'a [u8],
    at: usize,
    breaks: usize,
}

impl<'a> Lines<'a> {
    const fn of(content: &'a [u8]) -> Self {
        Self {
            content,
            at: 0,
            breaks: 0,
        }
    }

    /// The number of the line, from 1, of the first character at or after a place that is not
    /// whitespace: the whitespace before a row is part of it.
    fn line_at(&mut self, at: usize) -> usize {
        let space = self.content.get(at..).unwrap_or_default().iter();
        let start = at + space.take_while(|byte| byte.is_ascii_whitespace()).count();
        if start < self.at {
            (self.at, self.breaks) = (0, 0);
        }
        let passed = self.content.get(self.at..start).unwrap_or_default();
        self.breaks += memchr::memchr_iter(b'\n', passed).count();
        self.at = start;
        self.breaks + 1
    }
}
