//! Splits SQL into tokens, as far as needed here: words, texts, brackets, and the characters
//! between.

use std::collections::HashMap;

use memchr::memmem;

use crate::diag::{Span, breaks, one_line};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword or a bare name.
    Word,
    /// A name in `"…"`, `` `…` `` or `[…]`.
    Name,
    /// `'…'`
    Text,
    /// A number.
    Number,
    /// Any other character.
    Mark(char),
}

/// A token and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'s> {
    pub kind: Kind,
    pub text: &'s str,
    pub span: Span,
    /// The number of open brackets before it, or after it if it closes one.
    pub depth: usize,
}

impl Token<'_> {
    /// Returns whether it is this keyword.
    pub fn is(self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Returns whether it is one of these keywords.
    pub fn is_any(self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// Returns whether it is this character.
    pub fn is_mark(self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// Returns whether it spells this name, ignoring case.
    pub fn names(self, name: &str) -> bool {
        self.name()
            .is_some_and(|own| own.eq_ignore_ascii_case(name))
    }

    /// The name that a word or a quoted name spells.
    pub fn name(self) -> Option<String> {
        match self.kind {
            Kind::Word => Some(self.text.to_owned()),
            Kind::Name => {
                let close = self.text.chars().next_back()?;
                let inner = self.text.get(1..self.text.len().saturating_sub(1))?;
                Some(inner.replace(&format!("{close}{close}"), &close.to_string()))
            }
            _ => None,
        }
    }
}

/// The word in place of another one by which a statement differs from one with a mistake in it.
pub(crate) fn other_word(wrong: &str, right: &str) -> Option<String> {
    let (wrong, right) = (tokens(wrong), tokens(right));
    let pairs = right.iter().zip(&wrong);
    let mut other = pairs.filter(|(right, wrong)| right.text != wrong.text);
    let (word, _) = other.next().filter(|_| wrong.len() == right.len())?;
    other.next().is_none().then(|| word.text.to_owned())
}

/// A statement with another name, or another text, in place of the first one of this spelling.
pub(crate) fn renamed(sql: &str, name: &str, other: &str) -> String {
    let found = tokens(sql).into_iter().find_map(|token| {
        let start = token.span.start;
        // `#f00` is a mark and a word.
        let whole = Span::new(start, start + name.len());
        let is_mark = matches!(token.kind, Kind::Mark(_)) && whole.of(sql) == name;
        match token.text == name || token.names(name) {
            true => Some(token.span),
            false => is_mark.then_some(whole),
        }
    });
    found.map_or_else(|| sql.to_owned(), |span| span.replace(sql, other))
}

/// The columns that the value of an expression may come from.
pub(crate) struct Reads {
    /// The names in it, without functions.
    pub names: Vec<String>,
    functions: Vec<String>,
    /// Whether it has conditions: then a column may only decide between values.
    pub has_conditions: bool,
}

impl Reads {
    /// The names in an expression, without the keywords of `CASE`.
    pub fn of(expr: &str) -> Self {
        let tokens = tokens(expr);
        let has_case = tokens.iter().any(|token| token.is("CASE"));
        let decides = |token: &Token<'_>| {
            matches!(token.kind, Kind::Mark('<' | '>' | '='))
                || token.is_any(&["IIF", "SELECT", "WHERE"])
        };
        let (mut names, mut functions) = (Vec::new(), Vec::new());
        for (at, token) in tokens.iter().enumerate() {
            let Some(name) = token.name() else { continue };
            if tokens.get(at + 1).is_some_and(|next| next.is_mark('(')) {
                functions.push(name);
            } else if !(has_case && token.is("END")) {
                names.push(name);
            }
        }
        Self {
            names,
            functions,
            has_conditions: has_case || tokens.iter().any(decides),
        }
    }

    /// Whether one of these columns is read, or a function of that name called.
    pub fn any(&self, columns: &[&str]) -> bool {
        let mut words = self.names.iter().chain(&self.functions);
        words.any(|word| columns.iter().any(|own| word.eq_ignore_ascii_case(own)))
    }
}

/// The tokens of a statement, without comments and whitespace. An unclosed quote extends to the end
/// of the text.
pub(super) fn tokens(sql: &str) -> Vec<Token<'_>> {
    let (mut found, mut at, mut depth) = (Vec::new(), 0, 0_usize);
    while let Some(rest) = sql.as_bytes().get(at..)
        && let Some(&byte) = rest.first()
    {
        let (kind, length) = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0c => (None, 1),
            b'-' if rest.starts_with(b"--") => (None, through(rest, b"\n")),
            b'/' if rest.starts_with(b"/*") => (None, 2 + through(&rest[2..], b"*/")),
            b'\'' => (Some(Kind::Text), quoted(rest, byte)),
            b'"' | b'`' => (Some(Kind::Name), quoted(rest, byte)),
            b'[' => (Some(Kind::Name), through(rest, b"]")),
            b'0'..=b'9' => {
                let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.';
                (Some(Kind::Number), length(rest, is_part))
            }
            byte if is_name(byte) => {
                let is_part = |byte: u8| is_name(byte) || byte.is_ascii_digit();
                (Some(Kind::Word), length(rest, is_part))
            }
            _ => (Some(Kind::Mark(char::from(byte))), 1),
        };
        let span = Span::new(at, at + length);
        at = span.end;
        let Some(kind) = kind else { continue };
        depth = depth.saturating_sub(usize::from(kind == Kind::Mark(')')));
        let text = span.of(sql);
        found.push(Token {
            kind,
            text,
            span,
            depth,
        });
        depth += usize::from(kind == Kind::Mark('('));
    }
    found
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// The length of a text up to and including its terminator.
fn through(bytes: &[u8], end: &[u8]) -> usize {
    memmem::find(bytes, end).map_or(bytes.len(), |at| at + end.len())
}

/// The length of a quoted text, in which a quote is doubled.
fn quoted(bytes: &[u8], mark: u8) -> usize {
    let mut end = 0;
    while bytes.get(end) == Some(&mark) {
        end += 1 + through(&bytes[end + 1..], &[mark]);
    }
    end
}

fn length(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    let end = bytes.iter().position(|byte| !is_part(*byte));
    end.unwrap_or(bytes.len())
}

/// The first parameter of a statement: `?`, `?1`, `:x`, `$x`, `@x` or `#x`. SQLite reads it as a
/// value that is given apart from the statement, and as NULL if it is not.
pub(super) fn parameter(sql: &str) -> Option<Span> {
    let tokens = tokens(sql);
    let mut tokens = tokens.iter().peekable();
    while let Some(token) = tokens.next() {
        let next = tokens.peek().filter(|next| {
            next.span.start == token.span.end && matches!(next.kind, Kind::Word | Kind::Number)
        });
        match (token.kind, next) {
            (Kind::Word, _) if token.text.starts_with('$') => return Some(token.span),
            (Kind::Mark('?' | ':' | '@' | '#'), Some(next)) => {
                return Some(token.span.to(next.span));
            }
            (Kind::Mark('?'), None) => return Some(token.span),
            _ => {}
        }
    }
    None
}

/// An expression with columns replaced by expressions.
pub(crate) fn substituted(expr: &str, values: &HashMap<&str, &str>) -> String {
    let mut text = expr.to_owned();
    for token in tokens(expr).into_iter().rev() {
        if let Some(value) = token.name().and_then(|name| values.get(&*name)) {
            text = token.span.replace(&text, &format!("({value})"));
        }
    }
    text
}

/// Whether a statement may go through the rows of a table for each row of another.
pub(super) fn nests(sql: &str) -> bool {
    let tokens = tokens(sql);
    let ends = ["WHERE", "GROUP", "ORDER", "LIMIT"];
    let list = tokens.iter().skip_while(|token| !token.is("FROM"));
    let mut list = list.take_while(|token| !token.is_any(&ends));
    list.any(|token| token.is("JOIN") || token.is_mark(','))
        || tokens.iter().filter(|token| token.is("SELECT")).count() > 1
}

/// The names that a condition, or that of a statement, compares with a text by `=`, and the texts in
/// quotes.
pub(super) fn compared(condition: &str) -> Vec<(String, &str)> {
    let tokens = tokens(condition);
    let from = tokens.iter().position(|token| token.is("WHERE"));
    let three = tokens[from.unwrap_or(0)..].windows(3);
    let equal = three.filter(|own| own[1].is_mark('=') && own[2].kind == Kind::Text);
    let compared = equal.filter_map(|own| Some((own[0].name()?, own[2].text)));
    compared.collect()
}

/// The texts and numbers of a statement, and their values.
pub(crate) fn literals(sql: &str) -> Vec<(Span, String)> {
    let literals = tokens(sql).into_iter().filter_map(|token| {
        let value = match token.kind {
            Kind::Number => token.text.to_owned(),
            Kind::Text => {
                let inner = token.text.strip_prefix('\'')?.strip_suffix('\'')?;
                inner.replace("''", "'")
            }
            _ => return None,
        };
        Some((token.span, value))
    });
    literals.collect()
}

/// A name in SQL quotes.
pub(super) fn name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as an SQL literal.
pub(crate) fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The index of the main keyword in a statement with common tables.
pub(super) fn main(tokens: &[Token<'_>]) -> Option<usize> {
    let heads = &["SELECT", "UPDATE", "DELETE", "INSERT", "REPLACE", "VALUES"];
    let is_head = |token: &Token<'_>| token.depth == 0 && token.is_any(heads);
    tokens.iter().position(is_head)
}

/// A statement with the same meaning on one line. A character of a text that [`breaks`] a line is
/// called by its number, and comments are left out.
pub(crate) fn on_one_line(sql: &str) -> String {
    let (mut line, mut end) = (String::new(), 0);
    for token in tokens(sql) {
        if end > 0 && token.span.start > end {
            line.push(' ');
        }
        end = token.span.end;
        let shown = |c: char| c == '\t' || !breaks(c);
        if token.kind != Kind::Text || token.text.chars().all(shown) {
            line.push_str(token.text);
            continue;
        }
        let parts = token.text.chars().map(|c| match shown(c) {
            true => c.to_string(),
            false => format!("'||char({})||'", u32::from(c)),
        });
        line.push_str(&format!("({})", parts.collect::<String>()));
    }
    one_line(&line).into_owned()
}

/// Returns whether a statement is incomplete: a quote or a bracket is open, or its last word needs
/// a continuation.
pub(crate) fn is_open(sql: &str) -> bool {
    let tokens = tokens(sql);
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return false;
    };
    let closes = match last.kind {
        Kind::Text => last.text.len() > 1 && last.text.ends_with('\''),
        Kind::Name => last.text.len() > 1 && last.text.ends_with(['"', '`', ']']),
        kind => kind != Kind::Mark('('),
    };
    first.is("WITH") && main(&tokens).is_none()
        || !closes
        || last.depth > 0
        || last.is_mark(',')
        || last.is_any(&["UNION", "ALL", "INTERSECT", "EXCEPT", "AS"])
}
