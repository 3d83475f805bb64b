//! Lines from a byte stream, none longer than a limit and none lost.

use std::{
    io::{BufRead, BufReader, ErrorKind, Read},
    mem,
};

use serde_json::Value;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Its bytes, without the line's end.
    Line(Vec<u8>),
    /// It was longer than the limit. This is what is known of it.
    TooLong(Outline),
}

/// What can be told of a message without keeping it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// Its `id`, if it has a readable one.
    pub(super) id: Option<Value>,
    /// It has a `method`.
    pub(super) method: bool,
}

/// Hands every line on, until the input ends or `take` has had enough. What follows the last line's end is a line too.
pub(super) fn read(input: impl Read, limit: usize, mut take: impl FnMut(Frame) -> bool) {
    let mut input = BufReader::with_capacity(64 << 10, input);
    let mut line = Vec::new();
    let mut skim: Option<Skim> = None;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let ended = chunk.is_empty();
        let newline = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..newline.unwrap_or(chunk.len())];
        let used = part.len() + usize::from(newline.is_some());
        match &mut skim {
            Some(skim) => skim.feed(part),
            None if line.len() + part.len() > limit => {
                let mut started = Skim::default();
                started.feed(&line);
                started.feed(part);
                line = Vec::new();
                skim = Some(started);
            }
            None => line.extend_from_slice(part),
        }
        input.consume(used);
        if newline.is_some() || ended {
            let frame = match skim.take() {
                Some(skim) => Frame::TooLong(skim.outline),
                None => Frame::Line(mem::take(&mut line)),
            };
            let blank = matches!(&frame, Frame::Line(line) if line.trim_ascii().is_empty());
            if (!blank && !take(frame)) || ended {
                return;
            }
        }
    }
}

/// Follows the outermost object of a JSON text that goes by, in constant memory.
#[derive(Debug, Default)]
struct Skim {
    outline: Outline,
    depth: usize,
    quoted: bool,
    escaped: bool,
    key: Vec<u8>,
    word: Vec<u8>,
}

impl Skim {
    /// Longer keys and values are of no interest.
    const WORD: usize = 1024;

    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) {
        if self.quoted {
            match (self.escaped, byte) {
                (true, _) => self.escaped = false,
                (false, b'\\') => self.escaped = true,
                (false, b'"') => self.quoted = false,
                _ => {}
            }
            self.keep(byte);
            return;
        }
        match byte {
            b'"' => {
                self.quoted = true;
                self.keep(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.entry();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.key = mem::take(&mut self.word),
            b',' if self.depth == 1 => self.entry(),
            other if !other.is_ascii_whitespace() => self.keep(other),
            _ => {}
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.word.len() < Self::WORD {
            self.word.push(byte);
        }
    }

    fn entry(&mut self) {
        let value = mem::take(&mut self.word);
        match mem::take(&mut self.key).as_slice() {
            b"\"id\"" => {
                let id = serde_json::from_slice(&value).ok();
                self.outline.id = id.filter(|id: &Value| id.is_string() || id.is_i64());
            }
            b"\"method\"" => self.outline.method = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use serde_json::json;

    use super::*;

    /// Gives its bytes in pieces of this size.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let size = self.1.min(into.len()).min(self.0.len());
            into[..size].copy_from_slice(&self.0[..size]);
            self.0 = &self.0[size..];
            Ok(size)
        }
    }

    fn frames(bytes: &[u8], limit: usize, step: usize) -> Vec<Frame> {
        let mut frames = Vec::new();
        read(Drip(bytes, step), limit, |frame| {
            frames.push(frame);
            true
        });
        frames
    }

    fn line(text: &str) -> Frame {
        Frame::Line(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_cut_wherever_the_pieces_fall() {
        for step in 1..9 {
            assert_eq!(
                frames(b"a\nbc\r\n\n  \nlast", 10, step),
                [line("a"), line("bc\r"), line("last")]
            );
            assert_eq!(frames(b"", 10, step), []);
            assert_eq!(frames(b"\n", 10, step), []);
        }
    }

    #[test]
    fn long_lines_are_told_by_their_outline_and_reading_goes_on() {
        let long =
            r#"{"params":{"id":7,"x":["a,:}\"",{"id":8}]},"method":"tools/call","id":"n\"1"}"#;
        let text = format!("{{\"id\":1}}\n{long}\n{{\"id\":2}}");
        let outline = Outline {
            id: Some(json!("n\"1")),
            method: true,
        };
        for step in [1, 2, 3, 7, 100, 1000] {
            let found = frames(text.as_bytes(), 20, step);
            assert_eq!(
                found[..],
                [
                    line("{\"id\":1}"),
                    Frame::TooLong(outline_of(&outline)),
                    line("{\"id\":2}")
                ]
            );
        }
    }

    fn outline_of(outline: &Outline) -> Outline {
        Outline {
            id: outline.id.clone(),
            method: outline.method,
        }
    }

    #[test]
    fn the_limit_is_what_still_passes() {
        assert_eq!(frames(b"12345\n", 5, 2), [line("12345")]);
        assert_eq!(
            frames(b"123456\n1", 5, 2),
            [Frame::TooLong(Outline::default()), line("1")]
        );
        assert_eq!(
            frames(b"123456", 5, 9),
            [Frame::TooLong(Outline::default())]
        );
    }

    #[test]
    fn an_outline_of_nonsense_is_empty() {
        for text in [
            "]]]]]]}}}}",
            "[[[[[[[[[[",
            "{\"id\":{\"id\":1}}",
            "{\"id\":null,,,}",
            "\"\\\"\\\"\\\"\\\"\\\"",
        ] {
            assert_eq!(
                frames(text.as_bytes(), 3, 4),
                [Frame::TooLong(Outline::default())],
                "{text}"
            );
        }
    }
}
