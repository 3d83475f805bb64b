//! Lines from a byte stream, none longer than a limit and none lost.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::mem;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<S> {
    /// Its bytes, without the line end.
    Whole(Vec<u8>),
    /// It was longer than the limit; an outline is kept.
    TooLong(S),
}

/// The outline of an overlong line, built as it is read, in memory that does not grow with it.
pub trait Skim: Default {
    /// The next bytes of the line.
    fn feed(&mut self, bytes: &[u8]);
}

/// Keeps nothing.
impl Skim for () {
    fn feed(&mut self, _: &[u8]) {}
}

/// Hands on every line that is not blank, until the input ends or `take` returns false. Text after
/// the last line end is a line too.
///
/// A line is at most `limit` bytes long. It ends with a line feed, or a carriage return and a line
/// feed; neither counts.
pub fn read<S: Skim>(input: impl Read, limit: usize, mut take: impl FnMut(Line<S>) -> bool) {
    let mut input = BufReader::with_capacity(64 << 10, input);
    let mut line = Vec::new();
    let mut skim: Option<S> = None;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let ended = chunk.is_empty();
        let end = memchr::memchr(b'\n', chunk);
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        let used = part.len() + usize::from(end.is_some());
        match &mut skim {
            Some(skim) => skim.feed(part),
            // One extra byte may be the carriage return, which does not count.
            None if line.len() + part.len() > limit.saturating_add(1) => {
                let skim = skim.insert(begun(&line));
                skim.feed(part);
                line = Vec::new();
            }
            None => keep(&mut line, part, limit),
        }
        input.consume(used);
        if end.is_none() && !ended {
            continue;
        }
        let mut whole = mem::take(&mut line);
        if whole.last() == Some(&b'\r') {
            whole.pop();
        }
        let line = match skim.take() {
            Some(skim) => Line::TooLong(skim),
            None if whole.len() > limit => Line::TooLong(begun(&whole)),
            None => Line::Whole(whole),
        };
        let blank = matches!(&line, Line::Whole(bytes) if bytes.trim_ascii().is_empty());
        if (!blank && !take(line)) || ended {
            return;
        }
    }
}

/// The outline of a line's beginning.
fn begun<S: Skim>(line: &[u8]) -> S {
    let mut skim = S::default();
    skim.feed(line);
    skim
}

/// Appends, but never reserves more memory than the longest line needs.
fn keep(line: &mut Vec<u8>, part: &[u8], limit: usize) {
    let needed = line.len() + part.len();
    if needed > line.capacity() {
        let wanted = needed.saturating_mul(2).min(limit.saturating_add(1));
        line.reserve_exact(wanted.max(needed) - line.len());
    }
    line.extend_from_slice(part);
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Gives its bytes in pieces of the given size.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let size = self.1.min(into.len()).min(self.0.len());
            into[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }

    /// Keeps all bytes.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct All(Vec<u8>);

    impl Skim for All {
        fn feed(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }
    }

    fn lines(bytes: &[u8], limit: usize, step: usize) -> Vec<Line<All>> {
        let mut lines = Vec::new();
        read(Drip(bytes, step), limit, |line| {
            lines.push(line);
            true
        });
        lines
    }

    fn whole(text: &str) -> Line<All> {
        Line::Whole(text.as_bytes().to_vec())
    }

    fn too_long(text: &str) -> Line<All> {
        Line::TooLong(All(text.as_bytes().to_vec()))
    }

    #[test]
    fn lines_end_at_a_line_feed_or_with_the_input_wherever_the_pieces_fall() {
        for step in 1..9 {
            assert_eq!(
                lines(b"a\r\n\n \t\r\nb\rc\r\r\n\xff\nlast", 10, step),
                [
                    whole("a"),
                    whole("b\rc\r"),
                    Line::Whole(vec![0xff]),
                    whole("last")
                ]
            );
            assert_eq!(lines(b"last\r", 10, step), [whole("last")]);
            assert_eq!(lines(b"", 10, step), []);
            assert_eq!(lines(b"\n", 10, step), []);
        }
    }

    #[test]
    fn a_line_of_the_limit_passes_without_its_line_end() {
        for step in 1..9 {
            for end in ["", "\n", "\r\n", "\r"] {
                for (text, fits) in [
                    ("1234", true),
                    ("12345", true),
                    ("123456", false),
                    ("1234567", false),
                    ("123456789012345", false),
                ] {
                    let found = lines(format!("{text}{end}").as_bytes(), 5, step);
                    match found.as_slice() {
                        [line] if fits => assert_eq!(*line, whole(text)),
                        [Line::TooLong(All(kept))] if !fits => {
                            assert!(kept.starts_with(text.as_bytes()), "{text:?} {end:?}");
                        }
                        other => panic!("{text:?} {end:?}: {other:?}"),
                    }
                }
            }
        }
        assert_eq!(
            lines("éééé\nnext\n".as_bytes(), 5, 3),
            [too_long("éééé"), whole("next")]
        );
    }

    #[test]
    fn no_more_memory_is_asked_for_than_the_longest_line_needs() {
        let limit = 1 << 20;
        let mut sizes = Vec::new();
        read(&vec![b'x'; limit][..], limit, |line: Line<()>| {
            sizes.extend(match line {
                Line::Whole(bytes) => Some(bytes.capacity()),
                Line::TooLong(()) => None,
            });
            true
        });
        assert!(
            matches!(sizes[..], [size] if size <= limit + 1),
            "{sizes:?}"
        );
    }

    #[test]
    fn reading_stops_when_there_is_enough() {
        let mut count = 0;
        read(&b"a\nb\nc\n"[..], 10, |_: Line<()>| {
            count += 1;
            count < 2
        });
        assert_eq!(count, 2);
    }
}
