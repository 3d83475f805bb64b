//! Errors of statements, and their corrections.

use super::Bounds;
use super::failure::{Failure, Passed};
use super::lex::{self, Kind, Token};
use super::nearest::{aliased, nearest_column, nearest_name};
use super::schema::Table;
use super::watch::Denied;
use crate::diag::{Diagnostic, Span};
use crate::domain::Domain;
use crate::value::{SqlType, ValueError, is_within, nearest_word, thousands};

/// The reason why a statement has no answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fault {
    pub message: String,
    /// A place in the statement, and its correct text.
    pub(super) fix: Option<(Span, String)>,
    /// Whether it names an unknown column.
    pub is_of_columns: bool,
    /// The query for the names that can be used.
    pub look: Option<Box<str>>,
    /// The place of the bracket that SQLite did not expect, and the word before it.
    bracket: Option<(usize, String)>,
}

/// Keywords in which typos are repaired.
const KEYWORDS: &[&str] = &[
    "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "BETWEEN", "HAVING", "LIMIT", "DISTINCT",
    "VALUES", "UPDATE", "DELETE", "INSERT", "INTO", "LIKE",
];

/// Functions in whose names typos are repaired.
const FUNCTIONS: &str = "abs avg ceil coalesce concat count dense_rank first_value floor format \
    group_concat ifnull iif instr lag last_value lead length lower ltrim max min mod nullif power rank \
    replace round row_number rtrim sign sqrt substr sum total trim trunc upper";

impl Fault {
    /// An error with a message that is not SQLite's.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }

    /// This error, with the correct text of a place.
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fix = Some((span, text.into()));
        self
    }

    /// This error, with the correct text of a place, if that is known.
    #[must_use]
    pub fn maybe_fix(mut self, fix: Option<(Span, String)>) -> Self {
        self.fix = fix;
        self
    }

    /// Translates a failure for the author of the statement.
    pub(super) fn of<M: Domain>(
        failure: Failure,
        sql: &str,
        tables: &[Table<M>],
        bounds: Bounds,
    ) -> Self {
        match failure {
            Failure::Limit(passed) => Self::new(passed.message(bounds)),
            Failure::Denied(Denied::Function(name)) => Self::new(format!(
                "{name} is not available: it gives another value each time, or depends on the machine"
            )),
            Failure::Denied(Denied::Table(name)) => Self::new(format!("{name} cannot be read")),
            Failure::Denied(Denied::Write) => Self::new("queries only read"),
            Failure::Parameter(name) => match lex::parameter(sql) {
                Some(span) => Self::parameter(span, sql),
                None => Self::new(no_value(&name.unwrap_or_else(|| "?".to_owned()))),
            },
            Failure::Sql { message, offset } => Self::sqlite(message, offset, sql, tables),
        }
    }

    /// The error of a parameter. One with # is a text without its quotes.
    pub(super) fn parameter(span: Span, sql: &str) -> Self {
        let name = span.of(sql);
        let fix = name.starts_with('#').then(|| (span, lex::text(name)));
        Self::new(no_value(name)).maybe_fix(fix)
    }

    fn sqlite<M: Domain>(
        message: String,
        offset: Option<usize>,
        sql: &str,
        tables: &[Table<M>],
    ) -> Self {
        // `#123` has another error of SQLite than `#f00`.
        if let Some(span) = lex::parameter(sql).filter(|span| span.of(sql).starts_with('#')) {
            return Self::parameter(span, sql);
        }
        let tokens = lex::tokens(sql);
        let after = |prefix: &str| {
            let rest = message.strip_prefix(prefix)?;
            rest.split(" - ").next()
        };
        if let Some(name) = after("no such column: ") {
            return Self::column(&message, name, &tokens, tables);
        }
        if let Some(name) = after("no such table: ") {
            let here = |token: &&Token<'_>| token.names(name);
            let at = offset.and_then(|at| tokens.iter().find(|token| token.span.end > at));
            let at = at.filter(here).or_else(|| tokens.iter().find(here));
            return Self::table(name, tables, at.map(|token| token.span));
        }
        if let Some(name) = after("no such function: ") {
            let near = nearest_word(name, FUNCTIONS.split(' ')).map(str::to_owned);
            let at = tokens.iter().find(|token| token.names(name));
            return Self::new(&message).maybe_fix(at.map(|token| token.span).zip(near));
        }
        let is_name = |token: &Token<'_>| {
            let mut tables = tables.iter();
            tables.any(|table| token.names(&table.name) || table.column(token.text).is_some())
        };
        // A typo in a keyword is reported at a word after it.
        let mut slip = tokens.iter().filter_map(|token| {
            let is_known = token.kind != Kind::Word || token.is_any(KEYWORDS) || is_name(token);
            let near = (!is_known).then(|| near_keyword(token.text)).flatten()?;
            Some((token.span, near.to_owned()))
        });
        let is_open = message.contains("incomplete input");
        let fix = slip
            .next_back()
            .filter(|_| is_open || message.contains("syntax error"));
        let message = match tokens.last().filter(|_| is_open) {
            Some(last) => format!("{message}: {}", missing_after(last.text)),
            None => message,
        };
        let closes = offset.filter(|_| message.starts_with("near \")\""));
        let bracket = closes.and_then(|at| {
            let before = tokens.iter().rfind(|token| token.span.end <= at)?;
            Some((at, before.text.to_owned()))
        });
        Self {
            fix,
            bracket,
            ..Self::new(message)
        }
    }

    /// The error of an unknown table, and its place in the statement.
    pub fn table<M: Domain>(name: &str, tables: &[Table<M>], at: Option<Span>) -> Self {
        let names: Vec<&str> = tables.iter().map(|table| &*table.name).collect();
        let near = nearest_name(name, names.iter().copied());
        let list = names.join(", ");
        Self {
            fix: at.zip(near.map(str::to_owned)),
            look: Some("? tables".into()),
            ..Self::new(format!("no such table: {name} (tables: {list})"))
        }
    }

    /// The error of an unknown column: a near name was meant, or a text lacks its quotes.
    fn column<M: Domain>(
        message: &str,
        name: &str,
        tokens: &[Token<'_>],
        tables: &[Table<M>],
    ) -> Self {
        let name = name.trim_matches('"');
        let bare = name.rsplit('.').next().unwrap_or(name);
        let used = |table: &&Table<M>| tokens.iter().any(|token| token.names(&table.name));
        let used: Vec<&Table<M>> = tables.iter().filter(used).collect();
        let columns = || used.iter().flat_map(|table| &table.columns);
        let aliased = aliased(bare, columns());
        // A name with an op of its own is not a misspelling.
        let is_known = M::column_op(bare).is_some() && used.iter().any(|table| table.is_entity);
        let near = nearest_column(bare, columns()).filter(|_| !is_known || aliased.is_some());
        let called = |wanted: &str| tokens.iter().rposition(|token| token.names(wanted));
        // A text in double quotes may have points in it.
        let (at, bare) = match called(name) {
            Some(at) => (Some(at), name),
            None => (called(bare), bare),
        };
        let before = tokens.get(..at.unwrap_or(0)).unwrap_or_default();
        let token = at.and_then(|at| tokens.get(at));
        // A word compared with a text column is a text.
        let is_text = token
            .and_then(|token| compared_with(before, token))
            .is_some_and(|name| {
                columns()
                    .any(|own| own.sql == SqlType::Text && own.name.eq_ignore_ascii_case(&name))
            });
        let near = near.filter(|_| aliased.is_some() || !is_text);
        let fix = match (token, near) {
            (Some(token), Some(near)) if token.kind == Kind::Word || !is_compared(before) => {
                Some((token.span, near.to_owned()))
            }
            (Some(token), _) if token.kind == Kind::Name || is_compared(before) => {
                Some((token.span, lex::text(bare)))
            }
            _ => None,
        };
        let message = message.split(" - ").next().unwrap_or(message);
        let known: Vec<String> = used.iter().take(3).map(|table| table.outline()).collect();
        let listed = match (&fix, known.is_empty()) {
            (None, false) => format!(" ({}{})", known.join("; "), hint::<M>()),
            _ => String::new(),
        };
        Self {
            fix,
            is_of_columns: true,
            look: Some(look(&used)),
            ..Self::new(format!("{message}{listed}"))
        }
    }

    /// The faulty text, and its correction.
    pub fn fixed_word(&self, sql: &str) -> Option<(String, String)> {
        let (span, text) = self.fix.as_ref()?;
        Some((span.of(sql).to_owned(), text.clone()))
    }

    /// The error; its repair is the corrected statement as `spell` writes it in a call.
    pub fn diagnostic(&self, sql: &str, spell: impl FnOnce(&str) -> String) -> Diagnostic {
        let mended = self.fix.as_ref();
        let mended = mended.map(|(span, text)| spell(&span.replace(sql, text)));
        let error = Diagnostic::new(self.message.clone()).looking(self.look.clone());
        error.maybe_try(mended)
    }

    /// The error of a text that starts at byte `before` of the statement.
    pub fn of_value(&self, text: &str, before: usize) -> ValueError {
        let mut error = ValueError::sentence(match &self.bracket {
            // A bracket after the text was not sent.
            Some((at, word)) if *at >= before + text.len() => missing_after(word),
            _ => self.message.clone(),
        });
        error.look = self.look.clone();
        let fix = self.fix.as_ref().and_then(|(span, fix)| {
            let start = span.start.checked_sub(before)?;
            let own = Span::new(start, span.end.checked_sub(before)?);
            (own.end <= text.len()).then(|| own.replace(text, fix))
        });
        error.maybe_fix(fix)
    }

    /// The message for a statement, from which another one was made.
    pub fn message_for(&self, statement: &str) -> String {
        match &self.bracket {
            Some((_, word)) if !statement.contains(')') => missing_after(word),
            _ => self.message.clone(),
        }
    }
}

/// The query for the columns of the tables of a statement.
pub(crate) fn look<M: Domain>(tables: &[&Table<M>]) -> Box<str> {
    match tables {
        [table] => format!("? tables {}", table.name).into(),
        _ => "? tables".into(),
    }
}

/// The message about a text that ends too early.
fn missing_after(word: &str) -> String {
    format!("something is missing after {word}")
}

/// The message about a parameter.
fn no_value(name: &str) -> String {
    let advice = match name.starts_with('#') {
        true => format!("a text is in quotes: '{name}'"),
        false => "write the value in its place, a text in '…'".to_owned(),
    };
    format!("{name} is a parameter in SQL, without a value; {advice}")
}

/// The domain's hint at other tables, for the end of an error.
pub(crate) fn hint<M: Domain>() -> String {
    match M::COLUMN_HINT {
        "" => String::new(),
        hint => format!("; {hint}"),
    }
}

/// Returns whether a value is expected after these tokens.
fn is_compared(before: &[Token<'_>]) -> bool {
    const WORDS: &[&str] = &["LIKE", "THEN", "ELSE", "GLOB", "REGEXP", "IS", "NOT"];
    match before {
        [.., own, open] if open.is_mark('(') => own.is("IN"),
        [.., last] => matches!(last.kind, Kind::Mark('=' | '>' | '<' | '|')) || last.is_any(WORDS),
        [] => false,
    }
}

/// The name that a token is compared with: `name = C4`, `name LIKE C4`, `name IN (C4, …)`.
fn compared_with(before: &[Token<'_>], token: &Token<'_>) -> Option<String> {
    let column = match before {
        [.., sign] if matches!(sign.kind, Kind::Mark('(' | ',')) => {
            let opens = |own: &Token<'_>| own.is_mark('(') && own.depth < token.depth;
            match before.get(..before.iter().rposition(opens)?)? {
                [.., column, not, own] if not.is("NOT") && own.is("IN") => column,
                [.., column, own] if own.is("IN") => column,
                _ => return None,
            }
        }
        [.., column, sign] if sign.is_mark('=') || sign.is("LIKE") => column,
        _ => return None,
    };
    column.name()
}

/// The keyword that differs from a word by one typo.
fn near_keyword(word: &str) -> Option<&'static str> {
    let upper = word.to_uppercase();
    let near = |keyword: &&str| word.len() > 3 && is_within(&upper, keyword, 1);
    KEYWORDS.iter().copied().find(near)
}

impl Passed {
    fn message(self, bounds: Bounds) -> String {
        let (millions, rows, memory) = (bounds.steps, bounds.rows, bounds.memory);
        match self {
            Self::Steps(steps) => {
                let share = match steps < millions.saturating_mul(1_000_000) {
                    true => format!(
                        "{} steps, the share of a statement that makes long texts, reads them for each of many rows, or calls upper, REGEXP and the like",
                        thousands(steps)
                    ),
                    false => format!("{millions} million steps"),
                };
                format!("takes more than {share} (set sql-steps:MILLIONS moves it; now {millions})")
            }
            Self::Rows => {
                format!("has more than {rows} rows, or too much text (set sql-rows:N moves it)")
            }
            Self::Value(bytes) => format!(
                "makes a value of more than {bytes} bytes (set sql-value:KIB moves it; now {})",
                bounds.value
            ),
            Self::Length => {
                "has more than 1,000,000 bytes; send it as several statements".to_owned()
            }
            Self::Memory => format!("takes more than {memory} MiB (set sql-memory:MIB moves it)"),
        }
    }
}
