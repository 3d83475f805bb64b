//! Splits SQL into tokens, as far as needed here: words, texts, brackets, and the characters
//! between.

use std::collections::HashMap;

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
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
    /// The number of open brackets before it, or after it if it closes one.
    pub depth: usize,
}

impl Token {
    /// Returns whether it is this keyword.
    pub fn is(self, sql: &str, word: &str) -> bool {
        self.kind == Kind::Word && self.span.of(sql).eq_ignore_ascii_case(word)
    }

    /// The name that a word or a quoted name spells.
    pub fn name(self, sql: &str) -> Option<String> {
        let text = self.span.of(sql);
        match self.kind {
            Kind::Word => Some(text.to_owned()),
            Kind::Name => {
                let close = text.chars().next_back()?;
                let inner = text.get(1..text.len().saturating_sub(1))?;
                Some(inner.replace(&format!("{close}{close}"), &close.to_string()))
            }
            _ => None,
        }
    }
}

/// The word in place of another one by which a statement differs from one with a mistake in it.
pub(crate) fn other_word(wrong: &str, right: &str) -> Option<String> {
    let words = |sql: &str| -> Vec<String> {
        let tokens = tokens(sql);
        tokens
            .iter()
            .map(|token| token.span.of(sql).to_owned())
            .collect()
    };
    let (wrong, right) = (words(wrong), words(right));
    if wrong.len() != right.len() {
        return None;
    }
    let mut other = right
        .into_iter()
        .zip(wrong)
        .filter(|(right, wrong)| right != wrong);
    match (other.next(), other.next()) {
        (Some((right, _)), None) => Some(right),
        _ => None,
    }
}

/// The columns that the value of an expression may come from.
pub(crate) struct Reads {
    names: Vec<String>,
    functions: Vec<String>,
    /// Whether it has conditions: then a column may only decide between values.
    pub has_conditions: bool,
}

impl Reads {
    /// The names in an expression, without the keywords of `CASE`.
    pub fn of(expr: &str) -> Self {
        let tokens = tokens(expr);
        let is = |token: &Token, word: &str| token.is(expr, word);
        let has_case = tokens.iter().any(|token| is(token, "CASE"));
        let decides = |token: &Token| {
            matches!(token.kind, Kind::Mark('<' | '>' | '='))
                || ["IIF", "SELECT", "WHERE"]
                    .into_iter()
                    .any(|word| is(token, word))
        };
        let (mut names, mut functions) = (Vec::new(), Vec::new());
        for (at, token) in tokens.iter().enumerate() {
            let calls = tokens
                .get(at + 1)
                .is_some_and(|next| next.kind == Kind::Mark('('));
            let closes = has_case && token.kind == Kind::Word && is(token, "END");
            let Some(name) = token.name(expr) else {
                continue;
            };
            match calls {
                true => functions.push(name),
                false if closes => {}
                false => names.push(name),
            }
        }
        Self {
            names,
            functions,
            has_conditions: has_case || tokens.iter().any(decides),
        }
    }

    /// The names, without functions.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }

    /// Whether one of these columns is read.
    pub fn any(&self, columns: &[&str]) -> bool {
        has_any(&self.names, columns)
    }

    /// Whether one of these functions is called.
    pub fn calls(&self, functions: &[&str]) -> bool {
        has_any(&self.functions, functions)
    }
}

/// Whether one of these words is among some names.
fn has_any(names: &[String], words: &[&str]) -> bool {
    let own = |word: &&str| names.iter().any(|name| name.eq_ignore_ascii_case(word));
    words.iter().any(own)
}

/// The tokens of a statement, without comments and whitespace. An unclosed quote extends to the end
/// of the text.
pub(super) fn tokens(sql: &str) -> Vec<Token> {
    let bytes = sql.as_bytes();
    let (mut found, mut at, mut depth) = (Vec::new(), 0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let rest = bytes.get(at..).unwrap_or_default();
        let kind = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0c => {
                at += 1;
                continue;
            }
            b'-' if rest.starts_with(b"--") => {
                at += find(rest, b"\n");
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                at += 2 + find(rest.get(2..).unwrap_or_default(), b"*/");
                continue;
            }
            b'\'' => {
                at = quoted(bytes, at, b'\'');
                Kind::Text
            }
            b'"' | b'`' => {
                at = quoted(bytes, at, byte);
                Kind::Name
            }
            b'[' => {
                at += find(rest, b"]");
                Kind::Name
            }
            b'0'..=b'9' => {
                at += length(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'.');
                Kind::Number
            }
            byte if is_name(byte) => {
                at += length(rest, |byte| is_name(byte) || byte.is_ascii_digit());
                Kind::Word
            }
            _ => {
                at += 1;
                Kind::Mark(char::from(byte))
            }
        };
        if kind == Kind::Mark(')') {
            depth = depth.saturating_sub(1);
        }
        found.push(Token {
            kind,
            span: Span::new(start, at),
            depth,
        });
        if kind == Kind::Mark('(') {
            depth += 1;
        }
    }
    found
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// The length of a text up to and including its terminator.
fn find(bytes: &[u8], end: &[u8]) -> usize {
    let found = bytes.windows(end.len()).position(|bytes| bytes == end);
    found.map_or(bytes.len(), |at| at + end.len())
}

fn length(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    let end = bytes.iter().position(|byte| !is_part(*byte));
    end.unwrap_or(bytes.len())
}

/// The first parameter of a statement: `?`, `?1`, `:x`, `$x`, `@x` or `#x`. SQLite reads it as a
/// value that is given apart from the statement, and as NULL if it is not.
pub(super) fn parameter(sql: &str) -> Option<Span> {
    let tokens = tokens(sql);
    let mut pairs = tokens.iter().enumerate();
    pairs.find_map(|(at, token)| {
        let next = tokens.get(at + 1);
        let next = next.filter(|next| {
            next.span.start == token.span.end && matches!(next.kind, Kind::Word | Kind::Number)
        });
        match (token.kind, next) {
            (Kind::Word, _) if token.span.of(sql).starts_with('$') => Some(token.span),
            (Kind::Mark('?' | ':' | '@' | '#'), Some(next)) => Some(token.span.to(next.span)),
            (Kind::Mark('?'), None) => Some(token.span),
            _ => None,
        }
    })
}

/// An expression with columns replaced by expressions.
pub(crate) fn substituted(expr: &str, values: &HashMap<&str, &str>) -> String {
    let mut text = expr.to_owned();
    for token in tokens(expr).into_iter().rev() {
        let value = token.name(expr).and_then(|name| values.get(&*name));
        if let Some(value) = value {
            text = token.span.replace(&text, &format!("({value})"));
        }
    }
    text
}

/// The names that a condition compares with a text by `=`, and the texts in quotes.
pub(super) fn compared(condition: &str) -> Vec<(String, String)> {
    let tokens = tokens(condition);
    let compared = tokens.windows(3).filter_map(|three| {
        let [name, sign, text] = three else {
            return None;
        };
        let is_equal = sign.kind == Kind::Mark('=') && text.kind == Kind::Text;
        let name = name.name(condition).filter(|_| is_equal)?;
        Some((name, text.span.of(condition).to_owned()))
    });
    compared.collect()
}

/// The texts and numbers of a statement, and their values.
pub(crate) fn literals(sql: &str) -> Vec<(Span, String)> {
    let literals = tokens(sql).into_iter().filter_map(|token| {
        let text = token.span.of(sql);
        match token.kind {
            Kind::Number => Some((token.span, text.to_owned())),
            Kind::Text => {
                let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
                Some((token.span, inner.replace("''", "'")))
            }
            _ => None,
        }
    });
    literals.collect()
}

/// The texts of a statement, with their quotes.
pub(crate) fn texts(sql: &str) -> Vec<Span> {
    let texts = tokens(sql).into_iter();
    let texts = texts.filter(|token| token.kind == Kind::Text);
    texts.map(|token| token.span).collect()
}

/// The end of a quoted text, in which a quote is doubled.
fn quoted(bytes: &[u8], open: usize, mark: u8) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if byte == mark {
            match bytes.get(at) {
                Some(&next) if next == mark => at += 1,
                _ => return at,
            }
        }
    }
    bytes.len()
}

/// A name in SQL quotes.
pub(super) fn name(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as an SQL literal.
pub(super) fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The index of the main keyword in a statement with common tables.
pub(super) fn main(text: &str, tokens: &[Token]) -> Option<usize> {
    let heads = ["SELECT", "UPDATE", "DELETE", "INSERT", "REPLACE", "VALUES"];
    let is_head = |token: &Token| token.depth == 0 && heads.iter().any(|head| token.is(text, head));
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
        let text = token.span.of(sql);
        end = token.span.end;
        let shown = |c: char| c == '\t' || !breaks(c);
        if token.kind != Kind::Text || text.chars().all(shown) {
            line.push_str(text);
            continue;
        }
        let mut parts = String::new();
        for c in text.chars() {
            match shown(c) {
                true => parts.push(c),
                false => parts.push_str(&format!("'||char({})||'", u32::from(c))),
            }
        }
        line.push_str(&format!("({parts})"));
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
    if first.is(sql, "WITH") && main(sql, &tokens).is_none() {
        return true;
    }
    let text = last.span.of(sql);
    let closes = match last.kind {
        Kind::Text => text.len() > 1 && text.ends_with('\''),
        Kind::Name => text.len() > 1 && text.ends_with(['"', '`', ']']),
        _ => true,
    };
    let depth = last.depth + usize::from(last.kind == Kind::Mark('('));
    let joins = ["UNION", "ALL", "INTERSECT", "EXCEPT", "AS"];
    !closes
        || depth > 0
        || last.kind == Kind::Mark(',')
        || joins.iter().any(|word| last.is(sql, word))
}
