//! Pages of a listing, cut to the size of an answer.

use std::ops::Range;

use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::op::{OpWord, ParsedOp, repeated};
use crate::reply::{Listing, one_line};
use crate::session::batch::shown;
use crate::session::budget::Budget;
use crate::value::thousands;

/// The most lines of a page, unless `limit:` says otherwise.
const LINES: usize = 100;

/// The most lines after a page that are counted if the total is unknown.
const COUNTED: usize = 10_000;

/// The bytes of a line above the rows that a small answer has room for.
const HEAD: usize = 512;

/// The most bytes of an answer.
pub(super) const ANSWER_BYTES: usize = 16 * 1024;

/// The range of a listing's lines to show.
#[derive(Clone, Copy)]
pub(super) struct Page {
    from: usize,
    limit: usize,
    /// The most bytes of the answer.
    most: usize,
}

impl Page {
    /// The first page of a domain's query, with its default length.
    pub fn first<M: Domain>(query: &str) -> Self {
        let mut own = M::PAGES.iter().filter(|(phrase, _)| *phrase == query);
        Self {
            from: 1,
            limit: own.next().map_or(LINES, |(_, lines)| *lines),
            most: M::ANSWER_BYTES.min(ANSWER_BYTES),
        }
    }

    /// Limits the page to what fits one half of a call's answer, as among ops.
    pub fn within(mut self, budget: Budget) -> Self {
        self.most = self.most.min(budget.bytes() / 8 * 3);
        self
    }

    /// Limits the page to this number of lines.
    pub fn shorten(&mut self, lines: usize) {
        self.limit = self.limit.min(lines);
    }

    /// The page requested by `from:` and `limit:`.
    pub fn asked<M: Domain>(op: &ParsedOp<'_>) -> Result<Self> {
        let usual = Self::first::<M>(&op.verb.text);
        let number = |key: &str, otherwise: usize| {
            let mut params = op.params().filter(|param| param.key == key);
            let (first, second) = (params.next(), params.next());
            if let (Some(first), Some(second)) = (first, second) {
                let again = repeated(op.raw, first.span, second.span);
                return Err(Diagnostic::new(format!("{key}: is given twice"))
                    .maybe_try(again.map(|word| word.replace(op.raw, ""))));
            }
            let Some(param) = first else {
                return Ok(otherwise);
            };
            let n = param.value.parse::<usize>().ok().filter(|n| *n > 0);
            n.ok_or_else(|| {
                let fixed = param.value_span.replace(op.raw, &otherwise.to_string());
                let message = format!("{key}:{} is not a number from 1", shown(&param.value));
                Diagnostic::new(message).or_try(fixed)
            })
        };
        Ok(Self {
            from: number("from", usual.from)?,
            limit: number("limit", usual.limit)?,
            most: usual.most,
        })
    }

    /// The page of a listing. If more lines follow, the last line is the query for the next page.
    pub fn of(self, listing: Listing<'_>, op: &ParsedOp<'_>) -> Answer {
        let mut query = op.verb.text.to_string();
        for word in &op.words {
            if !matches!(word, OpWord::Param(p) if &*p.key == "from") {
                query.push(' ');
                query.push_str(&one_line(word.span().of(op.raw)));
            }
        }
        self.of_query(listing, query)
    }

    /// The page requested by `limit:N` and `from:N` after an SQL statement, and the statement
    /// without them.
    pub fn behind<M: Domain>(statement: &str) -> (Self, &str) {
        let mut page = Self::first::<M>("SELECT");
        let mut rest = statement.trim_end();
        while let Some((before, word)) = rest.rsplit_once(char::is_whitespace) {
            let number = |key: &str| {
                word.strip_prefix(key)?
                    .parse::<usize>()
                    .ok()
                    .filter(|n| *n > 0)
            };
            match (number("from:"), number("limit:")) {
                (Some(from), _) => page.from = from,
                (None, Some(limit)) => page.limit = limit,
                (None, None) => break,
            }
            rest = before.trim_end();
        }
        (page, rest)
    }

    /// Its lines, counted from 0.
    pub const fn lines(&self) -> Range<usize> {
        let first = self.from.saturating_sub(1);
        first..first.saturating_add(self.limit)
    }

    /// The number of its first line, from 1.
    pub const fn first_line(&self) -> usize {
        self.from
    }

    /// The `limit:` key for the query of the next page, if the length is not the default.
    pub fn key<M: Domain>(&self) -> String {
        match self.limit == Self::first::<M>("SELECT").limit {
            true => String::new(),
            false => format!(" limit:{}", self.limit),
        }
    }

    /// The page of a listing that answers `query`, which is repeated for the next page.
    pub fn of_query(self, listing: Listing<'_>, mut query: String) -> Answer {
        // The tail must fit as well. A query too long to be sent again is not repeated.
        if query.len() > self.most / 4 {
            query = "the same with".to_owned();
        }
        let foot = listing.foot.iter();
        let foot: Vec<String> = foot.map(|text| cut(&one_line(text), HEAD)).collect();
        let foot = foot.join("\n");
        let most = self.most.saturating_sub(query.len() + foot.len() + 101);
        // The names of columns, whole if possible.
        let line = (self.most / 8).max(HEAD.min(self.most / 2));
        let head = listing.head.iter().map(|text| cut(&one_line(text), line));
        let mut text = cut(&head.collect::<Vec<_>>().join("\n"), self.most / 2);
        let mut lines = listing.lines;
        let passed = lines.pass(self.from - 1);
        let (mut shown, mut unshown) = (0_usize, 0);
        while shown < self.limit {
            let Some(line) = lines.next() else { break };
            let line = match listing.tall {
                true => line,
                false => one_line(&line).into_owned(),
            };
            let room = most.saturating_sub(text.len() + 1);
            let fits = line.len() <= room;
            if !fits && shown > 0 {
                unshown = 1;
                break;
            }
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&cut_line(&line, room));
            shown += 1;
            if !fits {
                break;
            }
        }
        let next = passed + shown;
        let left = match listing.total {
            Some(total) => total.saturating_sub(next),
            None => unshown + lines.pass(COUNTED + 1),
        };
        let tail = if left > 0 && shown > 0 {
            let more = match listing.total {
                None if left > COUNTED => format!("over {COUNTED}"),
                _ => left.to_string(),
            };
            format!("… {more} more ({query} from:{})", next + 1)
        } else if shown == 0 && next + left > 0 {
            let total = next + left;
            format!("nothing from {}; there are {total}", self.from)
        } else if next == 0 && listing.head.is_empty() && foot.is_empty() {
            "nothing matches".to_owned()
        } else {
            String::new()
        };
        for below in [foot, tail] {
            if !text.is_empty() && !below.is_empty() {
                text.push('\n');
            }
            text.push_str(&below);
        }
        Answer {
            text,
            blocks: listing.blocks,
            ..Answer::default()
        }
    }
}

/// A text of at most `most` bytes.
pub(in crate::session) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most.saturating_sub('…'.len_utf8()));
    format!("{}…", text.get(..end).unwrap_or(""))
}

/// A line of at most `most` bytes, with the number of those left out.
fn cut_line(line: &str, most: usize) -> String {
    /// Room for the note at the end.
    const NOTE: usize = 30;
    if line.len() <= most || most < NOTE {
        return cut(line, most);
    }
    let end = line.floor_char_boundary(most - NOTE);
    let left = thousands(line.len() - end);
    format!("{}… ({left} bytes more)", line.get(..end).unwrap_or(""))
}

/// The lines of an answer, cut to its size; the last one is always kept.
pub(in crate::session) fn fitting(lines: &[String]) -> String {
    let Some((last, lines)) = lines.split_last() else {
        return String::new();
    };
    let last = cut(last, ANSWER_BYTES / 4);
    let most = ANSWER_BYTES - last.len() - 50;
    let mut text = String::new();
    for (ix, line) in lines.iter().enumerate() {
        let room = most.saturating_sub(text.len() + 1);
        if line.len() > room && ix > 0 {
            text.push_str(&format!("… {} more\n", lines.len() - ix));
            break;
        }
        text.push_str(&cut(line, room));
        text.push('\n');
    }
    text + &last
}
