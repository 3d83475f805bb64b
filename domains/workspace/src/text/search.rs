//! Searches contents for a pattern, line by line.

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher as Lines, SearcherBuilder, Sink, SinkMatch};
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::reply;

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
}

impl Searcher {
    /// Compiles a pattern.
    pub fn new(pattern: &str, regex: bool, case_sensitive: bool) -> Answer<Self> {
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
            .crlf(true);
        builder
            .size_limit(PROGRAM)
            .dfa_size_limit(PROGRAM)
            .fixed_strings(!regex);
        let matcher = builder
            .build(pattern)
            .map_err(|problem| wrong(problem.to_string()))?;
        Ok(Self { matcher })
    }

    /// The matches in a content, in order: at most `most`, plus one more if there are others.
    pub fn find(&self, path: &str, content: &[u8], most: usize) -> Answer<Vec<Match>> {
        let mut found = Found {
            path,
            matcher: &self.matcher,
            matches: Vec::new(),
            most,
        };
        let mut lines: Lines = SearcherBuilder::new()
            .line_number(true)
            .line_terminator(LineTerminator::crlf())
            .build();
        let searched = lines.search_slice(&self.matcher, content, &mut found);
        searched
            .map_err(|problem| Failure::internal(format!("searching {path} failed: {problem}")))?;
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
    type Error = std::io::Error;

    fn matched(&mut self, _: &Lines, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        let line = found.bytes();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut spans = Vec::new();
        self.matcher
            .find_iter(line, |span| {
                spans.push((span.start(), span.end()));
                true
            })
            .map_err(std::io::Error::other)?;
        // An empty match counts only if there is no other, and only once.
        let whole = spans.iter().any(|(start, end)| start < end);
        spans.retain(|(start, end)| start < end || !whole);
        spans.truncate(if whole { usize::MAX } else { 1 });
        for (start, end) in spans {
            if self.matches.len() > self.most {
                return Ok(false);
            }
            self.matches.push(Match {
                path: self.path.to_owned(),
                line: found.line_number().unwrap_or_default(),
                col: start as u64 + 1,
                len: (end - start) as u64,
                text: excerpt(line, start, end),
            });
        }
        Ok(self.matches.len() <= self.most)
    }
}

/// A line, or the part of it around a match.
fn excerpt(line: &[u8], start: usize, end: usize) -> String {
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
    if std::str::from_utf8(line).is_ok() {
        while inside(from) {
            from += 1;
        }
        while to > from && inside(to) {
            to -= 1;
        }
    }
    reply::content(&line[from..to], true).0
}
