//! Lines from a byte stream.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::mem;

/// The longest line that is read, in bytes, without what ends it.
pub const LINE_BYTES: usize = 1 << 20;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Its bytes, without what ends it.
    Whole(Vec<u8>),
    /// It was longer than [`LINE_BYTES`].
    TooLong,
}

/// Hands on every line that is not blank, until the input ends or `take` has had enough. Bytes behind the last line's
/// end are a line too. Of a line that is too long nothing is kept.
pub(super) fn read(input: impl Read, mut take: impl FnMut(Line) -> bool) {
    let mut input = BufReader::with_capacity(64 << 10, input);
    let mut line = Vec::new();
    let mut over = false;
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
        // One byte more may be the carriage return, which does not count.
        if over || line.len() + part.len() > LINE_BYTES + 1 {
            over = true;
            line = Vec::new();
        } else {
            keep(&mut line, part);
        }
        input.consume(used);
        if end.is_none() && !ended {
            continue;
        }
        let mut whole = mem::take(&mut line);
        if whole.last() == Some(&b'\r') {
            whole.pop();
        }
        let line = if mem::take(&mut over) || whole.len() > LINE_BYTES {
            Line::TooLong
        } else {
            Line::Whole(whole)
        };
        let blank = matches!(&line, Line::Whole(bytes) if bytes.trim_ascii().is_empty());
        if (!blank && !take(line)) || ended {
            return;
        }
    }
}

/// Appends, and asks for no more memory than the longest line needs.
fn keep(line: &mut Vec<u8>, part: &[u8]) {
    let needed = line.len() + part.len();
    if needed > line.capacity() {
        let wanted = (2 * needed).min(LINE_BYTES + 1);
        line.reserve_exact(wanted.max(needed) - line.len());
    }
    line.extend_from_slice(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        read(input, |line| {
            lines.push(line);
            true
        });
        lines
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_at_a_line_feed_or_with_the_input() {
        assert_eq!(
            lines(b"a\r\n\n \t\r\nb\rc\r\r\n\xff\nlast"),
            [
                whole("a"),
                whole("b\rc\r"),
                Line::Whole(vec![0xff]),
                whole("last")
            ]
        );
        assert_eq!(lines(b"last\r"), [whole("last")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn a_line_may_be_so_long_and_no_longer() {
        for end in ["", "\n", "\r\n", "\r"] {
            for (len, fits) in [
                (LINE_BYTES - 1, true),
                (LINE_BYTES, true),
                (LINE_BYTES + 1, false),
                (LINE_BYTES + 2, false),
                (3 * LINE_BYTES, false),
            ] {
                let text = format!("{}{end}", "x".repeat(len));
                let read = lines(text.as_bytes());
                let found = match read.as_slice() {
                    [Line::Whole(bytes)] => bytes.len() == len,
                    [Line::TooLong] => false,
                    other => panic!("{} lines", other.len()),
                };
                assert_eq!(found, fits, "{len} {end:?}");
            }
        }
        let behind = format!("{}\nnext\n", "é".repeat(LINE_BYTES));
        assert_eq!(lines(behind.as_bytes()), [Line::TooLong, whole("next")]);
    }

    #[test]
    fn reading_stops_when_there_is_enough() {
        let mut count = 0;
        read(&b"a\nb\nc\n"[..], |_| {
            count += 1;
            count < 2
        });
        assert_eq!(count, 2);
    }
}
