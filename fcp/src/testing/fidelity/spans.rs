//! Sets of byte ranges.

use std::ops::Range;

/// Byte ranges in order, without overlaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spans(Vec<Range<usize>>);

impl Spans {
    /// The union of these ranges.
    pub fn of(ranges: impl IntoIterator<Item = Range<usize>>) -> Self {
        let mut ranges: Vec<_> = ranges
            .into_iter()
            .filter(|range| !range.is_empty())
            .collect();
        ranges.sort_by_key(|range| range.start);
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        Self(merged)
    }

    /// Returns whether a range shares a byte with these.
    pub fn touches(&self, range: &Range<usize>) -> bool {
        let next = self.0.partition_point(|own| own.end <= range.start);
        self.0.get(next).is_some_and(|own| own.start < range.end)
    }

    /// The bytes of a file outside these ranges.
    pub fn rest(&self, bytes: &[u8]) -> Vec<u8> {
        let mut rest = Vec::with_capacity(bytes.len());
        let mut at = 0;
        for range in &self.0 {
            rest.extend_from_slice(bytes.get(at..range.start).unwrap_or_default());
            at = range.end;
        }
        rest.extend_from_slice(bytes.get(at..).unwrap_or_default());
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_merged_and_looked_up() {
        let spans = Spans::of([6..8, 1..3, 2..4, 9..9]);
        assert_eq!(spans.0, [1..4, 6..8]);
        assert!(spans.touches(&(3..6)) && spans.touches(&(0..9)) && spans.touches(&(7..9)));
        assert!(!spans.touches(&(4..6)) && !spans.touches(&(8..9)) && !spans.touches(&(0..1)));
        assert_eq!(spans.rest(b"0123456789"), b"04589");
    }
}
