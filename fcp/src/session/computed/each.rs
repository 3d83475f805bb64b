//! `each "SELECT …" "OP with {column}"`

use super::fault::negative;
use super::template::{Piece, filled, force_quote, pieces};
use super::{EACH, folded};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::op::{Limits, OpWord, ParsedOp, parse};
use crate::reply::{Reply, count};
use crate::session::batch::shown;
use crate::session::document::Document;
use crate::session::numbered::Numbered;
use crate::sql::Table;
use crate::sql::write_statement::is_question;
use crate::value::Cell;
use crate::verb::Registry;
use crate::{bail, bulk, unchanged};

impl<M: Domain> Document<M> {
    /// Runs an op for each row of a question.
    pub(super) fn each(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        limits: Limits,
    ) -> Result<Reply> {
        let [OpWord::Positional(question), OpWord::Positional(template)] = &*op.words else {
            let error = Diagnostic::new("each takes a question and an op, both in quotes");
            return Err(error.or_syntax(EACH));
        };
        let asked = &question.text;
        if !is_question(asked) {
            let message = format!("each takes SELECT or WITH first, not {}", shown(asked));
            return Err(Diagnostic::new(message).at(question.span).or_syntax(EACH));
        }
        let spelled = |sql: &str| question.span.replace(op.raw, &force_quote(sql));
        let found = self.view(registry).values(asked);
        let found = found.map_err(|fault| fault.diagnostic(asked, spelled))?;
        let with_template = |fix: String| template.span.replace(op.raw, &force_quote(&fix));
        let tables = Table::all(registry);
        let pieces = pieces(&tables, &template.text, &found.columns);
        let pieces = pieces.map_err(|(message, fix)| {
            let look = (message.contains("columns: ")).then(|| format!("? {asked}").into());
            let error = Diagnostic::new(message).at(template.span).looking(look);
            error.maybe_try(fix.map(with_template)).or_syntax(EACH)
        })?;
        let total = found.rows.len();
        let failed = |ix: usize, message: String| {
            let message = format!("op {} of {total}: {message}", ix + 1);
            Diagnostic::new(message).at(template.span)
        };
        let (mut replies, mut texts) = (Vec::new(), Vec::new());
        for (ix, cells) in found.rows.iter().enumerate() {
            let text = filled(&self.model, &pieces, cells);
            let text = text.map_err(|message| failed(ix, message).or_syntax(EACH))?;
            texts.extend(text.map(|own| (ix, cells, own)));
        }
        let skipped = total - texts.len();
        let numbered = Numbered::of(&self.model, texts.iter().map(|(.., text)| text));
        for (ix, cells, text) in &texts {
            let text = numbered.by_id(registry, &self.model, text);
            let text = text.map_err(|error| failed(*ix, error.message))?;
            if let Some(error) = step_of(registry, &template.text, &text) {
                return Err(failed(*ix, error.message));
            }
            if text.trim_start().starts_with("each ") {
                bail!("each does not go into each; join the tables in one question");
            }
            let reply = self.act(registry, &text, limits).map_err(|error| {
                let (at, sent) = (format!("op {} of {total} failed", ix + 1), shown(&text));
                let own = Diagnostic::new(format!("{at}: {sent}: {}", error.message));
                let sent = (&*template.text, &*pieces);
                let fix = mended(&self.model, sent, cells, &text, error.repair);
                own.maybe_try(fix.map(with_template))
            })?;
            replies.push(reply);
        }
        if replies.is_empty() {
            let null = "NULL where the op needs a value";
            let why = match total {
                0 => "the question yields no rows".to_owned(),
                1 => format!("the only row has {null}"),
                n => format!("all {n} rows have {null}"),
            };
            return Ok(unchanged!("{why}, so nothing was done"));
        }
        let left_out = format!(", {} with NULL left out", count(skipped, "row"));
        let nulls = if skipped > 0 { &*left_out } else { "" };
        let ops = count(replies.len(), "op");
        Ok(folded(bulk!("{ops}{nulls}"), &replies))
    }
}

/// The error that a key has a negative number from a column, which would be read as a difference.
fn step_of<M: Domain>(registry: &Registry<M>, template: &str, text: &str) -> Option<Diagnostic> {
    if !text.contains(":-") {
        return None;
    }
    let op = parse(text).ok()?;
    let params = registry.verb(&op)?.verb.params;
    let filled = |key: &str| template.contains(&format!("{key}:{{"));
    let mut given = op.params().filter(|param| filled(&param.key));
    given.find_map(|param| {
        let number = param.value.parse().ok()?;
        negative(params, &param.key, &Cell::Real(number))
    })
}

/// The template that would yield the repaired op; `None` if the repair is outside the text that all
/// rows share.
fn mended<M: Domain>(
    model: &M,
    (template, pieces): (&str, &[Piece]),
    cells: &[Cell],
    sent: &str,
    repair: Repair,
) -> Option<String> {
    let right = match repair {
        Repair::Add(words) => return Some(format!("{template} {words}")),
        Repair::Try(right) if !template.contains("{{") && !template.contains("}}") => right,
        _ => return None,
    };
    let head = common(sent.chars(), right.chars());
    let (rest, new) = (sent.get(head..)?, right.get(head..)?);
    let tail = common(rest.chars().rev(), new.chars().rev());
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
            Piece::Value(_) => {
                let value = filled(model, std::slice::from_ref(piece), cells);
                at += value.ok()??.len();
                own += template.get(own..)?.find('}')? + 1;
            }
        }
    }
    None
}

/// The bytes of the characters with which two texts begin.
fn common(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    let same = one.zip(other).take_while(|(a, b)| a == b);
    same.map(|(a, _)| a.len_utf8()).sum()
}
