//! Errors of statements, and their corrections.

use super::Bounds;
use super::failure::{Failure, Passed};
use super::lex::{self, Kind, Token};
use super::nearest::{aliased, nearest_column, nearest_name};
use super::schema::Table;
use super::watch::Denied;
use crate::diag::{Diagnostic, Span};
use crate::domain::Domain;
use crate::value::{SqlType, ValueError, thousands};

/// The reason why a statement has no answer.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    message: String,
    /// A place in the statement, and its correct text.
    fix: Option<(Span, String)>,
    /// Whether it names an unknown column.
    pub is_of_columns: bool,
    /// The place of the bracket that SQLite did not expect, and the word before it.
    bracket: Option<(usize, String)>,
}

/// Keywords in which typos are repaired.
const KEYWORDS: &[&str] = &[
    "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "BETWEEN", "HAVING", "LIMIT", "DISTINCT",
    "VALUES", "UPDATE", "DELETE", "INSERT", "INTO",
];

impl Fault {
    /// An error with a message that is not SQLite's.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            fix: None,
            is_of_columns: false,
            bracket: None,
        }
    }

    /// This error, with the correct text of a place.
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fix = Some((span, text.into()));
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
            Failure::Denied(Denied::Write) => {
                Self::new("this does more than read; SELECT and WITH are queries")
            }
            Failure::Parameter(name) => match lex::parameter(sql) {
                Some(span) => Self::parameter(span, sql),
                None => Self::new(no_value(&name.unwrap_or_else(|| "?".to_owned()))),
            },
            Failure::Sql { message, offset } => Self::sqlite(message, offset, sql, tables),
        }
    }

    /// The error of a parameter. One with # is a text without its quotes.
    fn parameter(span: Span, sql: &str) -> Self {
        let name = span.of(sql);
        let fault = Self::new(no_value(name));
        match name.starts_with('#') {
            true => fault.fix(span, lex::text(name)),
            false => fault,
        }
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
        let at = |name: &str| {
            let here = |token: &&Token| {
                token
                    .name(sql)
                    .is_some_and(|own| own.eq_ignore_ascii_case(name))
            };
            let placed = offset.and_then(|offset| {
                tokens
                    .iter()
                    .find(|token| token.span.end > offset)
                    .filter(here)
            });
            placed.or_else(|| tokens.iter().find(here)).copied()
        };
        let after = |prefix: &str| {
            message
                .strip_prefix(prefix)
                .map(|rest| rest.split(" - ").next().unwrap_or(rest))
        };
        if let Some(name) = after("no such column: ") {
            return Self::column(&message, name, sql, &tokens, tables);
        }
        if let Some(name) = after("no such table: ") {
            let names: Vec<&str> = tables.iter().map(|table| &*table.name).collect();
            let near = nearest_name(name, names.iter().copied());
            let fault = Self::new(format!("{message} (tables: {})", names.join(", ")));
            return match (near, at(name)) {
                (Some(near), Some(token)) => fault.fix(token.span, near),
                _ => fault,
            };
        }
        // A typo in a keyword is reported at a word after it.
        let words = tokens.iter().filter(|token| token.kind == Kind::Word);
        let mut slip = words.filter_map(|token| {
            let word = token.span.of(sql);
            let known = KEYWORDS
                .iter()
                .any(|keyword| keyword.eq_ignore_ascii_case(word));
            let near = || strsim_near(word);
            let is_name = || {
                tables.iter().any(|table| {
                    table.name.eq_ignore_ascii_case(word) || table.column(word).is_some()
                })
            };
            if known || is_name() {
                None
            } else {
                near().map(|near| (token.span, near.to_owned()))
            }
        });
        let is_open = message.contains("incomplete input");
        let is_syntax = message.contains("syntax error") || is_open;
        let fix = slip.next_back().filter(|_| is_syntax);
        let message = match tokens.last().filter(|_| is_open) {
            Some(last) => format!(
                "{message}: something is missing after {}",
                last.span.of(sql)
            ),
            None => message,
        };
        let closes = offset.filter(|_| message.starts_with("near \")\""));
        let bracket = closes.and_then(|at| {
            let mut before = tokens.iter().rev();
            let before = before.find(|token| token.span.end <= at)?;
            Some((at, before.span.of(sql).to_owned()))
        });
        Self {
            fix,
            bracket,
            ..Self::new(message)
        }
    }

    /// The error of an unknown column: a near name was meant, or a text lacks its quotes.
    fn column<M: Domain>(
        message: &str,
        name: &str,
        sql: &str,
        tokens: &[Token],
        tables: &[Table<M>],
    ) -> Self {
        let name = name.trim_matches('"');
        let bare = name.rsplit('.').next().unwrap_or(name);
        let used = |table: &&Table<M>| {
            tokens.iter().any(|token| {
                token
                    .name(sql)
                    .is_some_and(|own| own.eq_ignore_ascii_case(&table.name))
            })
        };
        let used: Vec<&Table<M>> = tables.iter().filter(used).collect();
        let columns = || used.iter().flat_map(|table| &table.columns);
        let aliased = aliased(bare, columns());
        let near = nearest_column(bare, columns());
        let called = |wanted: &str| {
            let here = |token: &&Token| {
                token
                    .name(sql)
                    .is_some_and(|own| own.eq_ignore_ascii_case(wanted))
            };
            tokens.iter().rfind(here)
        };
        // A text in double quotes may have points in it.
        let (token, bare) = match called(name) {
            Some(token) => (Some(token), name),
            None => (called(bare), bare),
        };
        let is_compared = |token: &Token| {
            let mut before = tokens
                .iter()
                .rev()
                .skip_while(|other| other.span.end > token.span.start);
            let (last, next) = (before.next(), before.next());
            let words = ["LIKE", "THEN", "ELSE", "GLOB", "REGEXP", "IS", "NOT"];
            last.is_some_and(|last| {
                matches!(last.kind, Kind::Mark('=' | '>' | '<' | '|'))
                    || words.iter().any(|word| last.is(sql, word))
                    || (last.kind == Kind::Mark('(') && next.is_some_and(|next| next.is(sql, "IN")))
            })
        };
        // A word compared with a text column is a text.
        let is_text = |token: &Token| {
            let mut before = tokens
                .iter()
                .rev()
                .skip_while(|other| other.span.end > token.span.start);
            let (sign, column) = (before.next(), before.next());
            let is_sign =
                sign.is_some_and(|sign| sign.kind == Kind::Mark('=') || sign.is(sql, "LIKE"));
            let column = match sign {
                // `name IN (C4, …)`
                Some(sign) if matches!(sign.kind, Kind::Mark('(' | ',')) => {
                    let mut before = before_in(tokens, token, sql);
                    before.next()
                }
                _ => column.filter(|_| is_sign),
            };
            let name = column.and_then(|token| token.name(sql));
            name.is_some_and(|name| {
                columns()
                    .any(|own| own.sql == SqlType::Text && own.name.eq_ignore_ascii_case(&name))
            })
        };
        let is_near = aliased.is_some() || !token.is_some_and(is_text);
        let near = near.filter(|_| is_near);
        let fix = match (token, near) {
            (Some(token), Some(near)) if token.kind == Kind::Word => {
                Some((token.span, near.to_owned()))
            }
            (Some(token), _) if token.kind == Kind::Name || is_compared(token) => {
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
            ..Self::new(format!("{message}{listed}"))
        }
    }

    /// Returns whether there is a correction.
    pub const fn is_mended(&self) -> bool {
        self.fix.is_some()
    }

    /// The corrected statement.
    pub fn mended(&self, sql: &str) -> Option<String> {
        let (span, text) = self.fix.as_ref()?;
        Some(span.replace(sql, text))
    }

    /// The faulty text, and its correction.
    pub fn fixed_word(&self, sql: &str) -> Option<(String, String)> {
        let (span, text) = self.fix.as_ref()?;
        Some((span.of(sql).to_owned(), text.clone()))
    }

    /// The error; its repair is the corrected statement as `spell` writes it in a call.
    pub fn diagnostic(&self, sql: &str, spell: impl FnOnce(&str) -> String) -> Diagnostic {
        let error = Diagnostic::new(self.message.clone());
        match self.mended(sql) {
            Some(mended) => error.or_try(spell(&mended)),
            None => error,
        }
    }

    /// The error of a text that starts at byte `before` of the statement.
    pub fn of_value(&self, text: &str, before: usize) -> ValueError {
        let error = ValueError::sentence(match &self.bracket {
            // A bracket after the text was not sent.
            Some((at, word)) if *at >= before + text.len() => missing_after(word),
            _ => self.message.clone(),
        });
        let fix = self.fix.as_ref().and_then(|(span, fix)| {
            let start = span.start.checked_sub(before)?;
            let own = Span::new(start, span.end.checked_sub(before)?);
            (own.end <= text.len()).then(|| own.replace(text, fix))
        });
        error.maybe_fix(fix)
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The message for a statement, from which another one was made.
    pub fn message_for(&self, statement: &str) -> String {
        match &self.bracket {
            Some((_, word)) if !statement.contains(')') => missing_after(word),
            _ => self.message.clone(),
        }
    }
}

/// The message about a text that ends too early.
fn missing_after(word: &str) -> String {
    format!("something is missing after {word}")
}

/// The message about a parameter.
pub(super) fn no_value(name: &str) -> String {
    match name.starts_with('#') {
        true => {
            format!("{name} is a parameter in SQL, without a value; a text is in quotes: '{name}'")
        }
        false => format!(
            "{name} is a parameter in SQL, without a value; write the value in its place, a text in '…'"
        ),
    }
}

/// The domain's hint at other tables, for the end of an error.
pub(crate) fn hint<M: Domain>() -> String {
    match M::COLUMN_HINT {
        "" => String::new(),
        hint => format!("; {hint}"),
    }
}

/// The tokens before the `IN (` of a list that a token is in, the last first.
fn before_in<'t>(tokens: &'t [Token], token: &Token, sql: &str) -> impl Iterator<Item = &'t Token> {
    let mut before = tokens
        .iter()
        .rev()
        .skip_while(|other| other.span.end > token.span.start)
        .skip_while(|other| other.kind != Kind::Mark('(') || other.depth >= token.depth)
        .skip(1)
        .peekable();
    let is_in = before.next_if(|token| token.is(sql, "IN")).is_some();
    let is_not = before.next_if(|token| token.is(sql, "NOT")).is_some();
    before.filter(move |_| is_in || is_not)
}

/// The keyword that differs from a word by one typo.
fn strsim_near(word: &str) -> Option<&'static str> {
    let upper = word.to_uppercase();
    let near = |keyword: &&&str| strsim::damerau_levenshtein(&upper, keyword) == 1;
    KEYWORDS
        .iter()
        .find(near)
        .copied()
        .filter(|_| word.len() > 3)
}

impl Passed {
    fn message(self, bounds: Bounds) -> String {
        match self {
            Self::Steps(steps) => {
                let most = bounds.steps as u64 * 1_000_000;
                let share = match steps < most {
                    true => format!(
                        "{} steps, the share of a statement that makes long texts or calls upper, substr, REGEXP and the like",
                        thousands(usize::try_from(steps).unwrap_or(usize::MAX))
                    ),
                    false => format!("{} million steps", bounds.steps),
                };
                format!(
                    "takes more than {share} (set sql-steps:MILLIONS moves it; now {})",
                    bounds.steps
                )
            }
            Self::Rows => format!(
                "has more than {} rows, or too much text (set sql-rows:N moves it)",
                bounds.rows
            ),
            Self::Value(bytes) => format!(
                "makes a value of more than {bytes} bytes (set sql-value:KIB moves it; now {})",
                bounds.value
            ),
            Self::Length => {
                "has more than 1,000,000 bytes; send it as several statements".to_owned()
            }
            Self::Memory => format!(
                "takes more than {} MiB (set sql-memory:MIB moves it)",
                bounds.memory
            ),
        }
    }
}
