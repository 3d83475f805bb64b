//! Searches contents for a pattern, line by line.

use std::io;

use fcp::tool::Most;
use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher as Lines, SearcherBuilder, Sink, SinkMatch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::reply::{self, Answer, Failure};

/// The maximum size of a compiled pattern, in bytes.
const PROGRAM: usize = 10 << 20;
/// The maximum length of a line in a match, in bytes.
const SHOWN: usize = 500;

/// A match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Match {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u64,
    /// The byte of the line, from 1.
    pub col: u64,
    /// Bytes of the match.
    pub len: u64,
    /// The line, or 500 bytes of it around the match; base64: if it is not UTF-8.
    pub text: String,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Searcher {
    matcher: RegexMatcher,
    /// The time per byte, in that of a small pattern.
    weight: usize,
    /// The largest file that is searched.
    pub largest: Most,
}

/// The sizes that a compiled pattern may have, in bytes, and the time per byte of each, in that of
/// the first. A longer pattern has larger states, and fewer of them are kept.
const SIZES: [(usize, usize); 4] = [
    (16 << 10, 1),
    (64 << 10, 20),
    (256 << 10, 2_000),
    (1 << 20, 10_000),
];

/// The time per byte of a larger pattern.
const LARGEST: usize = 100_000;

/// Characters with a meaning in regular expressions, except for the one between words.
const SPECIAL: [char; 13] = [
    '.', '*', '+', '?', '^', '$', '(', ')', '[', ']', '{', '}', '\\',
];

/// The bytes that a small pattern searches in the time of a step.
const BYTES_A_STEP: u64 = 64;

impl Searcher {
    /// Compiles a pattern, for files up to the largest size.
    pub fn new(pattern: &str, regex: bool, case_sensitive: bool, largest: Most) -> Answer<Self> {
        let wrong = |problem: String| {
            Failure::invalid("/pattern", format!("the pattern is not valid: {problem}"))
        };
        if pattern.contains('\n') {
            return Err(wrong(
                "it holds a line break, and lines are searched one by one".to_owned(),
            ));
        }
        let mut builder = RegexMatcherBuilder::new();
        builder
            .case_insensitive(!case_sensitive)
            .multi_line(true)
            .line_terminator(Some(b'\n'));
        builder
            .size_limit(PROGRAM)
            .dfa_size_limit(PROGRAM)
            .fixed_strings(!regex);
        let matcher = builder
            .build(pattern)
            .map_err(|problem| wrong(problem.to_string()))?;
        // Of words alone, an automaton is made that takes the same time for any number of them.
        let is_words = !regex || case_sensitive && !pattern.contains(SPECIAL);
        // Bytes make a program whose size follows the length of the pattern, and not its classes.
        builder.unicode(false);
        let fits = |size: usize| builder.clone().size_limit(size).build(pattern).is_ok();
        let weight = match SIZES.iter().find(|(size, _)| is_words || fits(*size)) {
            Some((_, weight)) => *weight,
            // A pattern for characters alone, or the largest.
            None if builder.size_limit(PROGRAM).build(pattern).is_err() => 1,
            None => LARGEST,
        };
        Ok(Self {
            matcher,
            weight,
            largest,
        })
    }

    /// The steps of searching a content, by its size. One that is too large is not searched.
    pub fn steps(&self, size: u64) -> usize {
        let size = if size > self.largest.most { 0 } else { size };
        let steps = (size / BYTES_A_STEP).saturating_mul(self.weight as u64);
        1 + usize::try_from(steps).unwrap_or(usize::MAX)
    }

    /// The matches in a content, in order: at most `most`, plus one more if there are others.
    pub fn find(&self, path: &str, content: &[u8], most: usize) -> Answer<Vec<Match>> {
        let mut found = Found {
            path,
            matcher: &self.matcher,
            matches: Vec::new(),
            most,
        };
        let failed = |problem| Failure::internal(format!("searching {path} failed: {problem}"));
        // Before an LF, a CR is a part of the line end, which the matcher knows nothing of.
        if memchr::memmem::find(content, b"\r\n").is_some() {
            for (number, line) in (1..).zip(content.split_inclusive(|byte| *byte == b'\n')) {
                if !found.line(number, line).map_err(failed)? {
                    break;
                }
            }
            return Ok(found.matches);
        }
        let mut lines: Lines = SearcherBuilder::new()
            .line_number(true)
            .bom_sniffing(false)
            .build();
        lines
            .search_slice(&self.matcher, content, &mut found)
            .map_err(failed)?;
        Ok(found.matches)
    }
}

struct Found<'s> {
    path: &'s str,
    matcher: &'s RegexMatcher,
    matches: Vec<Match>,
    most: usize,
}

impl Sink for Found<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Lines, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.line(found.line_number().unwrap_or_default(), found.bytes())
    }
}

impl Found<'_> {
    /// Adds the matches in a line. Returns whether more are wanted.
    fn line(&mut self, number: u64, line: &[u8]) -> io::Result<bool> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let wanted = (self.most + 1).saturating_sub(self.matches.len());
        let (mut spans, mut empty) = (Vec::new(), None);
        self.matcher
            .find_iter(line, |span| {
                match span.is_empty() {
                    true => drop(empty.get_or_insert(span)),
                    false => spans.push(span),
                }
                spans.len() < wanted
            })
            .map_err(io::Error::other)?;
        if spans.is_empty() {
            // An empty match counts only if there is no other, and only once.
            spans.extend(empty.filter(|_| wanted > 0));
        }
        let is_utf8 = !spans.is_empty() && std::str::from_utf8(line).is_ok();
        self.matches.extend(spans.into_iter().map(|span| Match {
            path: self.path.to_owned(),
            line: number,
            col: span.start() as u64 + 1,
            len: span.len() as u64,
            text: excerpt(line, is_utf8, span.start(), span.end()),
        }));
        Ok(self.matches.len() <= self.most)
    }
}

/// A line, or the part of it around a match.
fn excerpt(line: &[u8], is_utf8: bool, start: usize, end: usize) -> String {
    let room = SHOWN.saturating_sub(end - start) / 2;
    let (mut from, mut to) = (
        start.saturating_sub(room),
        end.saturating_add(room).min(line.len()),
    );
    if line.len() <= SHOWN {
        (from, to) = (0, line.len());
    }
    to = to.min(from + SHOWN);
    let inside = |at: usize| line.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    if is_utf8 {
        while inside(from) {
            from += 1;
        }
        while to > from && inside(to) {
            to -= 1;
        }
    }
    reply::content(&line[from..to], true).0
}
