//! The lines of a voice in ABC: a few measures each, with their lyrics.

use super::lengths::{Written, together};
use super::words::{self, Word};

/// Number of measures on a line.
const MEASURES: usize = 4;

/// A note, a chord or a rest.
pub struct Token {
    /// The fields before it. A tuplet does not continue across them.
    pub fields: String,
    /// Whether it is not grouped with the token before it.
    pub apart: bool,
    /// Its text, with its annotations and dynamics.
    pub text: String,
    /// Its length.
    pub length: Written,
    /// Whether it is tied to the next one.
    pub tied: bool,
}

/// The lines of a voice.
pub struct Lines<'a> {
    out: &'a mut String,
    seen: bool,
    sings: bool,
    /// The content of the last line, and its number of measures.
    text: String,
    measures: usize,
    sung: Vec<Word>,
    /// Silent measures that are not written yet.
    silent: u64,
}

impl<'a> Lines<'a> {
    /// Lines appended to `out`. `seen` shows silence, and `sings` adds lyrics.
    pub const fn new(out: &'a mut String, seen: bool, sings: bool) -> Self {
        Self {
            out,
            seen,
            sings,
            text: String::new(),
            measures: 0,
            sung: Vec::new(),
            silent: 0,
        }
    }

    /// Adds a silent measure.
    pub fn silence(&mut self, fields: &str) {
        if self.silent == 0 || !fields.is_empty() {
            self.begin(fields);
        }
        self.silent += 1;
    }

    /// Adds a measure of notes.
    pub fn measure(&mut self, fields: &str, tokens: &[Token], sung: Vec<Word>) {
        self.begin(fields);
        lay(tokens, &mut self.text);
        self.text.push_str(" |");
        self.measures += 1;
        self.sung.extend(sung);
    }

    /// Ends the voice.
    pub fn end(mut self) {
        self.rest();
        self.text.push(']');
        self.write();
    }

    /// Begins a measure, on a new line if the last one is full.
    fn begin(&mut self, fields: &str) {
        self.rest();
        if self.measures >= MEASURES {
            self.write();
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(fields);
    }

    /// Writes the silent measures, as one rest.
    fn rest(&mut self) {
        let silent = std::mem::take(&mut self.silent);
        if silent == 0 {
            return;
        }
        self.text.push(if self.seen { 'Z' } else { 'X' });
        if silent > 1 {
            self.text.push_str(&silent.to_string());
        }
        self.text.push_str(" |");
        self.measures += 1;
    }

    /// Writes the last line.
    fn write(&mut self) {
        self.out.push_str(&self.text);
        self.out.push('\n');
        if self.sings {
            self.out.push_str(&words::line(&self.sung));
        }
        self.text.clear();
        self.sung.clear();
        self.measures = 0;
    }
}

/// Writes consecutive notes.
fn lay(tokens: &[Token], out: &mut String) {
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        let others = rest.iter().skip(1);
        let others = others.take_while(|token| token.fields.is_empty());
        let lengths = std::iter::once(first).chain(others);
        let count = match first.length.is_alone() {
            true => 1,
            false => together(lengths.map(|token| &token.length)).max(1),
        };
        if first.apart {
            out.push(' ');
        }
        out.push_str(&first.fields);
        match first.length.tuplet {
            _ if first.length.is_alone() => {}
            (3, 2) if count == 3 => out.push_str("(3"),
            (many, time) => out.push_str(&format!("({many}:{time}:{count}")),
        }
        for token in rest.iter().take(count) {
            out.push_str(&format!("{}{}", token.text, token.length));
            if token.tied {
                out.push('-');
            }
        }
        rest = rest.get(count..).unwrap_or_default();
    }
}
