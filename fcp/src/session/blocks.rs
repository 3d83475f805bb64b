//! Several ops in one string: agents send blocks of lines.
//!
//! A line break is whitespace in an op. It ends the op only outside quotes, and only if the next
//! line begins as an op, a query or an action does.

use std::borrow::Cow;

use super::Session;
use crate::domain::Domain;
use crate::op::parse;

/// First words of lines that continue an SQL statement.
const GOES_ON: &[&str] = &[
    "and",
    "as",
    "between",
    "case",
    "cross",
    "else",
    "end",
    "except",
    "from",
    "group",
    "having",
    "in",
    "inner",
    "intersect",
    "is",
    "join",
    "left",
    "like",
    "limit",
    "not",
    "offset",
    "on",
    "or",
    "order",
    "set",
    "then",
    "union",
    "using",
    "values",
    "when",
    "where",
    "window",
];

/// First words of SQL statements.
const SQL: &[&str] = &["delete", "insert", "select", "update", "with"];

impl<M: Domain> Session<M> {
    /// The lines of a call; a string of several lines is split.
    pub(super) fn lines<'l>(&self, strings: &'l [String]) -> Cow<'l, [String]> {
        if !strings.iter().any(|text| text.trim().contains('\n')) {
            return Cow::Borrowed(strings);
        }
        let mut lines = Vec::new();
        for text in strings {
            self.cut(text, &mut lines);
        }
        Cow::Owned(lines)
    }

    /// The first action of a text whose next line begins another one, or a query.
    pub(super) fn first_of_actions<'t>(&self, text: &'t str) -> Option<&'t str> {
        if !text.trim().contains('\n') {
            return None;
        }
        let mut at = 0;
        let mut reader = Reader::new(false);
        for line in text.split_inclusive('\n') {
            let sent = text.get(..at)?.trim();
            if reader.may_end() && !sent.is_empty() && self.is_action(line) {
                return Some(sent);
            }
            reader.read(line);
            at += line.len();
        }
        None
    }

    /// Returns whether a line begins as an action does, or as a query with its sign.
    fn is_action(&self, line: &str) -> bool {
        let line = line.trim();
        let bare = line.strip_prefix('!').unwrap_or(line);
        let (first, _) = two_words(bare);
        let builtin = super::actions::BUILTIN.iter();
        let mut builtin = builtin.filter_map(|(syntax, _)| syntax.split([' ', '[']).next());
        line.starts_with(['?', '!'])
            || builtin.any(|word| word == first)
            || parse(bare).is_ok_and(|op| self.registry.action(&op).is_some())
    }

    /// Splits one string.
    fn cut(&self, text: &str, lines: &mut Vec<String>) {
        // The end of an unknown op is unknown.
        if !self.is_first_word(text) {
            lines.push(text.to_owned());
            return;
        }
        let (mut start, mut at) = (0, 0);
        let mut reader = Reader::new(self.is_sql(text));
        for line in text.split_inclusive('\n') {
            let sent = text.get(start..at).unwrap_or_default();
            if reader.may_end() && self.begins(line, sent, &reader) {
                lines.push(sent.trim_end().to_owned());
                start = at;
                reader = Reader::new(self.is_sql(line));
            }
            reader.read(line);
            at += line.len();
        }
        lines.push(text.get(start..).unwrap_or_default().to_owned());
    }

    /// Returns whether a line begins a new op, query or action after the text in `sent`.
    fn begins(&self, line: &str, sent: &str, reader: &Reader) -> bool {
        let (first, _) = two_words(line);
        if first.is_empty() || sent.trim().is_empty() {
            return false;
        }
        if first.starts_with(['?', '!']) {
            return true;
        }
        if reader.is_sql {
            // The main part of the statement may be on the next line.
            let (verb, _) = two_words(sent.trim_start().trim_start_matches('?'));
            let has_main = !matches!(&*verb, "insert" | "with");
            let joins = ["union", "all", "intersect", "except", "as"];
            let last = sent.split_whitespace().next_back().unwrap_or_default();
            if GOES_ON.contains(&&*first)
                || !has_main && SQL.contains(&&*first)
                || joins.contains(&&*last.to_lowercase())
            {
                return false;
            }
        }
        let mut words = sent.split_whitespace();
        if let (Some(head), None) = (words.next(), words.next())
            && self
                .registry
                .owns_verb(&format!("{} {first}", head.to_lowercase()))
        {
            return false;
        }
        self.is_first_word(line)
    }

    /// Returns whether a text begins as an op, a query or an action does.
    fn is_first_word(&self, text: &str) -> bool {
        let (first, second) = two_words(text);
        let steers = crate::session::STEERING.iter();
        let mut steers = steers.filter_map(|(syntax, _)| syntax.split(' ').next());
        first.starts_with(['?', '!'])
            || self.is_sql(text)
            || first == "each" && !second.is_empty()
            || first == "save" && text.lines().next().is_some_and(|line| line.contains("as:"))
            || steers.any(|word| word == first)
            || self.registry.owns_verb(&first)
            || self.registry.owns_verb(&format!("{first} {second}"))
    }

    /// Returns whether a text begins an SQL statement rather than an op of the domain.
    fn is_sql(&self, text: &str) -> bool {
        let (first, second) = two_words(text.trim_start().trim_start_matches('?'));
        match &*first {
            "insert" | "replace" => second == "into",
            "delete" => second == "from",
            "select" | "update" | "with" => !self.registry.owns_verb(&first),
            _ => false,
        }
    }
}

/// Joins the lines of an op or a query into one.
pub(super) fn joined(text: &str) -> Cow<'_, str> {
    match text.trim() {
        text if text.contains('\n') => {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            lines.join(" ").into()
        }
        text => text.into(),
    }
}

/// The first two words of a text, in lower case.
fn two_words(text: &str) -> (String, String) {
    let mut words = text.split_whitespace().map(str::to_lowercase);
    (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    )
}

/// Reads an op and tracks whether a quote or a bracket is open.
struct Reader {
    is_sql: bool,
    quote: Option<char>,
    is_escaped: bool,
    depth: usize,
    previous: char,
    /// The last character that is not whitespace.
    last: char,
}

impl Reader {
    const fn new(is_sql: bool) -> Self {
        Self {
            is_sql,
            quote: None,
            is_escaped: false,
            depth: 0,
            previous: ' ',
            last: ' ',
        }
    }

    fn read(&mut self, text: &str) {
        for c in text.chars() {
            match self.quote {
                Some(_) if self.is_escaped => self.is_escaped = false,
                Some(_) if c == '\\' && !self.is_sql => self.is_escaped = true,
                Some(mark) if c == mark => self.quote = None,
                Some(_) => {}
                // In an op, a quote opens at the start of a word or of a value; in SQL, anywhere.
                None if matches!(c, '"' | '\'')
                    && (self.is_sql
                        || self.previous.is_whitespace()
                        || matches!(self.previous, ':' | '=')) =>
                {
                    self.quote = Some(c);
                }
                None if self.is_sql && c == '(' => self.depth += 1,
                None if self.is_sql && c == ')' => self.depth = self.depth.saturating_sub(1),
                None => {}
            }
            self.previous = c;
            if !c.is_whitespace() {
                self.last = c;
            }
        }
    }

    /// Returns whether the text so far may be complete.
    const fn may_end(&self) -> bool {
        self.quote.is_none() && self.depth == 0 && !(self.is_sql && self.last == ',')
    }
}
