//! Errors for unknown names, and for names of something else.

use super::settings::{is_setting, refused};
use crate::diag::{Diagnostic, Result, short_name};
use crate::domain::Domain;
use crate::op::{Fault, OpWord, ParseError, ParsedOp, parse, quote};
use crate::reply::Reply;
use crate::sql::Table;
use crate::sql::write_statement::{is_question, is_write};
use crate::verb::{Call, Found, Registry, Role, Run, Verb};
use crate::work;

/// The verb of an op.
pub(super) fn verb<M: Domain>(registry: &Registry<M>, op: &ParsedOp<'_>) -> Result<Found<M>> {
    let found = registry.verb(op);
    found.ok_or_else(|| unknown(registry, Role::Verb, op, "verb"))
}

/// The error of a text that is not an op. Markup may have been meant as the op that inserts it.
pub(super) fn unread<M: Domain>(
    registry: &Registry<M>,
    text: &str,
    error: ParseError,
) -> Diagnostic {
    let is_long = matches!(error.fault, Fault::TooLong | Fault::TooManyWords);
    let error = refused(error, "! ");
    if is_long {
        return error;
    }
    let markup = text.trim();
    if markup.starts_with('<') && registry.called("insert").is_some() {
        let insert = format!("insert {}", quote(markup));
        return Diagnostic::new("an op starts with a verb; markup is inserted").or_try(insert);
    }
    error.or_syntax(syntax_of(registry, text))
}

/// The syntax line of the verb that a text starts with, or of ops in general.
fn syntax_of<M: Domain>(registry: &Registry<M>, text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let op = parse(first).ok();
    let found = op.and_then(|op| registry.verb(&op));
    found.map_or_else(
        || "VERB [TYPE] TARGET [key:value]…".to_owned(),
        |found| found.verb.syntax(),
    )
}

/// The function of a verb.
pub(super) type Edit<M> = fn(&mut M, &Call<'_, M>) -> Result<Reply>;

/// The function of a verb that was found.
pub(super) fn editing<M: Domain>(found: &Found<M>) -> Result<Edit<M>> {
    match found.verb.run {
        Run::Edit(run) => Ok(run),
        _ => Err(Diagnostic::new(format!(
            "{} is not a verb",
            found.verb.phrase
        ))),
    }
}

/// The first words of SQL statements that are not supported. Some are like verbs.
const NOT_WRITTEN: &[&str] = &[
    "ALTER", "CREATE", "DROP", "MERGE", "TRUNCATE", "UPSERT", "VACUUM",
];

/// The second words of such statements.
const SQL_OBJECTS: &[&str] = &[
    "TABLE",
    "TABLES",
    "TEMP",
    "VIEW",
    "INDEX",
    "TRIGGER",
    "INTO",
    "COLUMNS",
    "SCHEMA",
    "table_info",
    "QUERY",
];

/// The words that list tables elsewhere.
const ASKED_OTHERWISE: &[&str] = &[
    "SHOW", "DESCRIBE", "DESC", "PRAGMA", "EXPLAIN", ".tables", ".schema",
];

/// A statement of SQL with the words that it lacks: `DELETE notes`, `DELETE * FROM notes`,
/// `INSERT notes(…)`.
fn whole_statement(text: &str) -> Option<String> {
    let (first, rest) = text.trim().split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let first = first.to_uppercase();
    let whole = match &*first {
        "DELETE" => match rest.strip_prefix('*') {
            Some(rest) => format!("DELETE {}", rest.trim_start()),
            None => format!("DELETE FROM {rest}"),
        },
        "INSERT" => format!("INSERT INTO {rest}"),
        _ => return None,
    };
    is_write(&whole).then_some(whole)
}

/// The error for a first word that begins phrases, with a second word that completes none of them.
fn unknown_second(op: &ParsedOp<'_>, first: &str, seconds: &[&str], what: &str) -> Diagnostic {
    let syntax = format!("{first} {} …", seconds.join("|"));
    let Some(word) = op.words.first() else {
        return Diagnostic::new(format!("{first} is not a whole {what}"))
            .at(op.verb.span)
            .or_syntax(syntax);
    };
    let span = word.span();
    let shown = short_name(span.of(op.raw));
    let error = Diagnostic::new(format!("Unknown {what} \"{first} {shown}\"")).at(span);
    match crate::value::meant_act(&shown, seconds.iter().copied()) {
        Some(near) => error.or_try(span.replace(op.raw, near)),
        None => error.or_syntax(syntax),
    }
}

/// Returns whether one of the runtime's actions takes all keys of an op; of the domain's own, this
/// is not known.
fn takes_keys<M: Domain>(action: &str, op: &ParsedOp<'_>) -> bool {
    let is_called = |syntax: &&str| syntax.split(' ').next() == Some(action);
    let mut all = super::actions::BUILTIN.iter().map(|(syntax, _)| *syntax);
    let Some(syntax) = all.find(is_called) else {
        return true;
    };
    op.params().all(|param| match action {
        "set" => is_setting::<M>(&param.key),
        _ => syntax.contains(&format!("{}:", param.key)),
    })
}

/// The steps of comparing a word with a phrase.
const STEPS_A_PHRASE: usize = 8;

/// The error for an unknown first word.
pub(super) fn unknown<M: Domain>(
    registry: &Registry<M>,
    role: Role,
    op: &ParsedOp<'_>,
    what: &str,
) -> Diagnostic {
    let word = op.verb.span.of(op.raw);
    let shown = short_name(word);
    // The call fails at its next check.
    let _ = work::spend(STEPS_A_PHRASE * registry.phrases(role).len());
    if let Some((syntax, _)) = super::STEERING
        .iter()
        .find(|(syntax, _)| role == Role::Verb && syntax.split(' ').next() == Some(&*op.verb.text))
    {
        let message = format!("{} goes first in a call, before its ops", op.verb.text);
        return Diagnostic::new(message).or_syntax(*syntax);
    }
    if let Some((syntax, _)) = super::COMPUTED.iter().find(|(syntax, _)| {
        let first = syntax.split(' ').next().unwrap_or_default();
        role == Role::Verb && first.eq_ignore_ascii_case(&op.verb.text)
    }) {
        let message = format!("{shown} needs the words of its syntax");
        let error = Diagnostic::new(message).at(op.verb.span);
        return match whole_statement(op.raw) {
            Some(whole) => error.or_try(whole),
            None => error.or_syntax(*syntax),
        };
    }
    let is = |words: &[&str]| words.iter().any(|own| own.eq_ignore_ascii_case(word));
    let second = op.raw.split_whitespace().nth(1).unwrap_or_default();
    let is_sql = SQL_OBJECTS
        .iter()
        .any(|own| own.eq_ignore_ascii_case(second));
    if role == Role::Verb && is_sql && is(NOT_WRITTEN) {
        let message =
            format!("{shown} is not supported; UPDATE, INSERT INTO and DELETE FROM write");
        return Diagnostic::new(message)
            .at(op.verb.span)
            .or_untried("? tables");
    }
    let last = op.raw.rsplit(|c: char| !c.is_alphanumeric() && c != '_');
    let last = last.into_iter().find(|word| !word.is_empty());
    let tables = Table::all(registry);
    let table = last.and_then(|name| {
        let mut tables = tables.iter();
        tables.find(|table| table.name.eq_ignore_ascii_case(name))
    });
    if role == Role::Query && (is_sql || table.is_some()) && is(ASKED_OTHERWISE) {
        let message = format!("{shown} is not a query; tables lists them with their columns");
        return Diagnostic::new(message).or_try(match table {
            Some(table) => format!("tables {}", table.name),
            None => "tables".to_owned(),
        });
    }
    if let (Role::Query, [], Some(table)) = (role, op.words.as_slice(), table) {
        let message = format!("{} is a table, not a query", table.name);
        return Diagnostic::new(message)
            .at(op.verb.span)
            .or_try(format!("SELECT * FROM {}", table.name));
    }
    let seconds: Vec<&str> = registry.following(role, &op.verb.text).collect();
    if !seconds.is_empty() {
        return unknown_second(op, &shown, &seconds, what);
    }
    let error = Diagnostic::new(format!("Unknown {what} \"{shown}\"")).at(op.verb.span);
    if role == Role::Action && is_question(op.raw) {
        return error.or_try(format!("? {}", op.raw));
    }
    // `set tempo 140` is the op of that name.
    if let (Role::Verb, "set", Some(OpWord::Positional(word))) =
        (role, &*op.verb.text, op.words.first())
        && registry.phrases(role).contains(&&*word.text)
    {
        return error.or_try(&op.raw[word.span.start..]);
    }
    // The name of another tool's op suggests a call to that tool, spelled with its sign.
    for (other, sign) in [(Role::Verb, ""), (Role::Query, "? "), (Role::Action, "! ")] {
        let is_own = registry.phrases(other).contains(&&*op.verb.text);
        if other != role && (is_own || other == Role::Verb && op.verb.text == "each") {
            let message = match other {
                Role::Verb => format!("{}; it is an op of the edit tool", error.message),
                _ => error.message,
            };
            return Diagnostic { message, ..error }.or_try(format!("{sign}{}", op.raw));
        }
    }
    let near = registry
        .near(role, op)
        .filter(|near| role != Role::Action || takes_keys::<M>(near, op));
    match near {
        // The reverse of an op is not that op: for `unX`, do not suggest `X`.
        Some(near) if op.verb.text.strip_prefix("un") == Some(near) => {
            let syntax = registry.called(near).map_or(near.to_owned(), Verb::syntax);
            error.or_syntax(syntax)
        }
        Some(near) => error.or_try(op.verb.span.replace(op.raw, near)),
        None => {
            let known = registry.phrases(role).join(", ");
            Diagnostic {
                message: format!("{}; there are: {known}", error.message),
                ..error
            }
        }
    }
}
