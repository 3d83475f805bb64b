//! `each "SELECT …" "OP with {column}"`

use super::{EACH, folded};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::op::{Limits, OpWord, ParsedOp, quote, quote_value};
use crate::reply::{Reply, Sign};
use crate::session::batch::shown;
use crate::session::document::Document;
use crate::sql::Found;
use crate::sql::write::is_question;
use crate::value::nearest_word;
use crate::verb::Registry;

impl<M: Domain> Document<M> {
    /// Runs an op for each row of a question.
    pub(super) fn each(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        limits: Limits,
    ) -> Result<Reply> {
        let [OpWord::Positional(question), OpWord::Positional(template)] = op.words.as_slice()
        else {
            return Err(
                Diagnostic::new("each takes a question and an op, both in quotes").or_syntax(EACH),
            );
        };
        if !is_question(&question.text) {
            let message = format!(
                "each takes SELECT or WITH first, not {}",
                shown(&question.text)
            );
            return Err(Diagnostic::new(message).at(question.span).or_syntax(EACH));
        }
        let state = self.log.state_id();
        let found = self
            .tables
            .ask(&self.model, registry, state, &question.text);
        let found = found.map_err(|fault| {
            fault.diagnostic(&question.text, |sql| {
                question.span.replace(op.raw, &force_quote(sql))
            })
        })?;
        let pieces = pieces(&template.text, &found).map_err(|(message, fix)| {
            let error = Diagnostic::new(message).at(template.span);
            match fix {
                Some(fix) => error.or_try(template.span.replace(op.raw, &force_quote(&fix))),
                None => error.or_syntax(EACH),
            }
        })?;
        let (mut replies, mut skipped) = (Vec::new(), 0_usize);
        let total = found.rows.len();
        for (ix, cells) in found.rows.iter().enumerate() {
            let Some(text) = filled(&pieces, cells) else {
                skipped += 1;
                continue;
            };
            if text.trim_start().starts_with("each ") {
                return Err(Diagnostic::new(
                    "each does not go into each; join the tables in one question",
                ));
            }
            let reply = self.act(registry, &text, limits).map_err(|error| {
                let own = Diagnostic::new(format!(
                    "op {} of {total} failed: {}: {}",
                    ix + 1,
                    shown(&text),
                    error.message
                ));
                let sent = &template.text;
                match mended(sent, &pieces, cells, &text, error.repair) {
                    Some(fix) => own.or_try(template.span.replace(op.raw, &force_quote(&fix))),
                    None => own,
                }
            })?;
            replies.push(reply);
        }
        if replies.is_empty() {
            let why = match total {
                0 => "the question yields no rows, so nothing was done".to_owned(),
                1 => "the only row has NULL where the op needs a value, so nothing was done"
                    .to_owned(),
                n => format!(
                    "all {n} rows have NULL where the op needs a value, so nothing was done"
                ),
            };
            return Ok(Reply::new(Sign::Unchanged, why));
        }
        let nulls = match skipped {
            0 => String::new(),
            1 => ", 1 row with NULL left out".to_owned(),
            n => format!(", {n} rows with NULL left out"),
        };
        let ops = if replies.len() == 1 { "op" } else { "ops" };
        Ok(folded(
            Reply::new(Sign::Bulk, format!("{} {ops}{nulls}", replies.len())),
            &replies,
        ))
    }
}

/// A part of a template.
enum Piece {
    /// Literal text.
    Text(String),
    /// The value of a column, spelled as its place needs it.
    Value(usize, Place),
}

/// The position of a value in the op.
#[derive(Clone, Copy)]
enum Place {
    /// In these quotes.
    Quoted(char),
    /// After `key:`.
    Key,
    /// A separate word.
    Word,
    /// Part of a word.
    Part,
    /// In an SQL statement.
    Sql,
}

/// The parts of a template.
fn pieces(template: &str, found: &Found) -> Result<Vec<Piece>, (String, Option<String>)> {
    let is_sql = crate::sql::write::is_write(template);
    let (mut pieces, mut text, mut quote) = (Vec::new(), String::new(), None);
    let mut previous = ' ';
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let mut next = &rest[c.len_utf8()..];
        match c {
            '{' if next.starts_with('{') => {
                text.push('{');
                next = &next[1..];
            }
            '}' if next.starts_with('}') => {
                text.push('}');
                next = &next[1..];
            }
            '{' => {
                let (name, after) = next
                    .split_once('}')
                    .ok_or_else(|| ("a { is not closed; {{ is a brace".to_owned(), None))?;
                let own = |column: &String| column.eq_ignore_ascii_case(name.trim());
                let Some(column) = found.columns.iter().position(own) else {
                    let near = nearest_word(name, found.columns.iter().map(String::as_str));
                    let fix = near.map(|near| {
                        template.replace(&format!("{{{name}}}"), &format!("{{{near}}}"))
                    });
                    let message = format!(
                        "the question has no column {name} (columns: {})",
                        found.columns.join(", ")
                    );
                    return Err((message, fix));
                };
                let ends = after.chars().next().is_none_or(char::is_whitespace);
                let place = match quote {
                    Some(mark) => Place::Quoted(mark),
                    None if is_sql => Place::Sql,
                    None if previous == ':' && ends => Place::Key,
                    None if previous.is_whitespace() && ends => Place::Word,
                    None => Place::Part,
                };
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Value(column, place));
                next = after;
                previous = '}';
                rest = next;
                continue;
            }
            '\\' if quote.is_some() && !is_sql => {
                text.push(c);
                if let Some(escaped) = next.chars().next() {
                    text.push(escaped);
                    next = &next[escaped.len_utf8()..];
                }
            }
            '"' | '\'' => {
                text.push(c);
                match quote {
                    Some(mark) if mark == c => quote = None,
                    None if is_sql || previous.is_whitespace() || matches!(previous, ':' | '=') => {
                        quote = Some(c);
                    }
                    _ => {}
                }
            }
            c => text.push(c),
        }
        previous = c;
        rest = next;
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

/// The op for a row; `None` if one of its values is NULL.
fn filled(pieces: &[Piece], cells: &[crate::value::Cell]) -> Option<String> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(own) => text.push_str(own),
            Piece::Value(column, place) => {
                let cell = cells.get(*column)?;
                let word = cell.word()?;
                match place {
                    Place::Quoted('\'') => {
                        text.push_str(&word.replace('\\', "\\\\").replace('\'', "\\'"));
                    }
                    Place::Quoted(_) => {
                        text.push_str(&word.replace('\\', "\\\\").replace('"', "\\\""));
                    }
                    Place::Key => text.push_str(&quote_value(&word)),
                    Place::Word => text.push_str(&quote(&word)),
                    Place::Part => text.push_str(&word),
                    Place::Sql => match cell {
                        crate::value::Cell::Text(own) => {
                            text.push_str(&format!("'{}'", own.replace('\'', "''")));
                        }
                        _ => text.push_str(&word),
                    },
                }
            }
        }
    }
    Some(text)
}

/// The template that would yield the repaired op; `None` if the repair is outside the text that all
/// rows share.
fn mended(
    template: &str,
    pieces: &[Piece],
    cells: &[crate::value::Cell],
    sent: &str,
    repair: Repair,
) -> Option<String> {
    let right = match repair {
        Repair::Add(words) => return Some(format!("{template} {words}")),
        Repair::Try(right) if !template.contains("{{") && !template.contains("}}") => right,
        _ => return None,
    };
    let head = sent.chars().zip(right.chars());
    let head: usize = head
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let (rest, new) = (sent.get(head..)?, right.get(head..)?);
    let tail = rest.chars().rev().zip(new.chars().rev());
    let tail: usize = tail
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let (wrong, new) = (head..sent.len() - tail, new.get(..new.len() - tail)?);
    if new.contains(['{', '}']) {
        return None;
    }
    // The start of each piece in the op and in the template.
    let (mut at, mut own) = (0, 0);
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                if at <= wrong.start && wrong.end <= at + text.len() {
                    let span = Span::new(own + wrong.start - at, own + wrong.end - at);
                    return Some(span.replace(template, new));
                }
                at += text.len();
                own += text.len();
            }
            Piece::Value(..) => {
                at += filled(std::slice::from_ref(piece), cells)?.len();
                own += template.get(own..)?.find('}')? + 1;
            }
        }
    }
    None
}

/// A text in quotes.
fn force_quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
