//! Queries: dispatch, paging, and those that look at the log.

use std::collections::BTreeMap;

use super::document::Document;
use super::{Session, no_document};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::event::{CheckpointError, Since};
use crate::model::{Fate, FieldKind, ModelExt, Row};
use crate::op::{OpWord, ParsedOp, parse, split_verb};
use crate::queries::line_of;
use crate::reply::Listing;
use crate::verb::{Call, Registry, Run};

/// The most lines of a page, unless `limit:` says otherwise.
const PAGE: usize = 100;

/// The most bytes of an answer.
const ANSWER_BYTES: usize = 16 * 1024;

/// Which lines of a listing to show.
#[derive(Clone, Copy)]
struct Page {
    from: usize,
    limit: usize,
}

impl<M: Domain> Session<M> {
    /// Answers a query. Changes nothing.
    pub(super) fn ask(&mut self, query: &str) -> Answer {
        match self.answer(query) {
            Ok(answer) => answer,
            Err(error) => Answer {
                text: error.to_string(),
                is_error: true,
                ..Answer::default()
            },
        }
    }

    fn answer(&mut self, query: &str) -> Result<Answer> {
        let (verb, tail) = split_verb(query)?;
        let (word, tail) = (verb.text.into_owned(), tail.to_owned());
        if word == "status" && !self.registry.owns_query("status") {
            return Ok(text(self.status()));
        }
        if self.document.is_none() {
            return Ok(no_document("! "));
        }
        // `plan` and `find` take their text as it is, which need not be a well-formed op.
        if word == "plan" && !self.registry.owns_query("plan") {
            return self.plan(&tail).map(|lines| text(lines.join("\n")));
        }
        let bare;
        let op = match parse(query) {
            Ok(op) => op,
            Err(_) if word == "find" => {
                bare = format!("find {}", crate::op::quote(&tail));
                parse(&bare)?
            }
            Err(error) => return Err(error.into()),
        };
        let Some(found) = self.registry.query(&op) else {
            return match word.as_str() {
                "history" => self.history(&op),
                "diff" => self.diff(&op),
                "warnings" => self.warnings(&op),
                _ => Err(self.mended_query(self.unknown_query(query))),
            };
        };
        let page = page(&op)?;
        let document = self
            .document
            .as_ref()
            .ok_or_else(|| Diagnostic::new("no document is open"))?;
        let Run::Ask(ask) = found.verb.run else {
            return Err(Diagnostic::new(format!(
                "{} is no query",
                found.verb.phrase
            )));
        };
        let recent = |wanted, alive: &dyn Fn(Row) -> bool| {
            super::document::recent::<M>(&document.log, wanted, alive)
        };
        let call = Call {
            op: &op,
            skip: found.skip,
            qualified: found.qualified,
            verb: found.verb,
            registry: &self.registry,
            recent: &recent,
        };
        match ask(&document.model, &call) {
            Ok(listing) => Ok(paged(listing, page, &op)),
            Err(error) => {
                Err(self.mended_query(error.in_op(op.raw).or_syntax(found.verb.syntax())))
            }
        }
    }

    /// An error whose repair has been tried: a query that fails again is mended further, or gives way to the syntax.
    fn mended_query(&self, error: Diagnostic) -> Diagnostic {
        // One step is enough: the binder mends all that is wrong with a query at once.
        error
    }

    /// What the session is about: file, changes, checkpoints, reach of undo, policy, digest.
    pub(super) fn status(&self) -> String {
        let mut lines = Vec::new();
        match &self.document {
            None => lines.push("no document is open".to_owned()),
            Some(document) => {
                lines.push(match &document.file {
                    Some(file) => format!("file: {} ({})", file.path, file.format),
                    None => "file: none yet".to_owned(),
                });
                lines.push(format!(
                    "unsaved changes: {}",
                    if document.is_unsaved() { "yes" } else { "no" }
                ));
                let reach = document.log.reach();
                let dropped = match reach.dropped {
                    0 => String::new(),
                    n => format!("; {n} older ops were let go to keep within log-limit"),
                };
                lines.push(format!(
                    "undo: {} ops, redo: {} ops{dropped}",
                    reach.undo, reach.redo
                ));
                let checkpoints = document.log.checkpoints();
                let names: Vec<String> = checkpoints
                    .iter()
                    .map(|c| format!("{} ({})", c.name, place(c.place)))
                    .collect();
                lines.push(format!(
                    "checkpoints: {}",
                    if names.is_empty() {
                        "none".into()
                    } else {
                        names.join(", ")
                    }
                ));
            }
        }
        let policy = self.settings.batch.unwrap_or(M::BATCH);
        lines.push(format!("batch: {}", super::settings::policy_word(policy)));
        if !self.aside.is_empty() {
            lines.push(format!(
                "set aside: {} (resume brings the last one back)",
                self.aside.len()
            ));
        }
        if let Some(held) = &self.held {
            lines.push(format!("held for amend: a batch of {} ops", held.len()));
        }
        lines.extend(self.digest());
        lines.join("\n")
    }

    fn history(&self, op: &ParsedOp<'_>) -> Result<Answer> {
        let document = self
            .document
            .as_ref()
            .ok_or_else(|| Diagnostic::new("no document is open"))?;
        let n = match words(op, "history [N]", 1)?.first() {
            None => 10,
            Some(word) => word.parse::<usize>().map_err(|_| {
                Diagnostic::new(format!("{word} is no number of ops")).or_try("history 10")
            })?,
        };
        let entries = document.log.recent(n);
        let last = entries.len();
        let lines = entries.iter().enumerate().map(|(ix, entry)| {
            format!(
                "{:>3}  {}",
                last - ix,
                crate::reply::one_line(&entry.event.op)
            )
        });
        let lines: Vec<String> = if last == 0 {
            vec!["nothing was done yet".into()]
        } else {
            lines.collect()
        };
        Ok(paged(Listing::of(lines), page(op)?, op))
    }

    fn warnings(&self, op: &ParsedOp<'_>) -> Result<Answer> {
        let document = self
            .document
            .as_ref()
            .ok_or_else(|| Diagnostic::new("no document is open"))?;
        let wanted = words(op, "warnings [CODE]", 1)?;
        let code = wanted.first().map(String::as_str);
        if let Some(code) = code
            && !self.registry.lints().any(|lint| lint.code == code)
        {
            let codes: Vec<&str> = self.registry.lints().map(|lint| lint.code).collect();
            let error =
                Diagnostic::new(format!("no warning {code}; there are {}", codes.join(", ")));
            let near = crate::value::nearest_word(code, codes);
            return Err(
                error.or_try(near.map_or("warnings".to_owned(), |near| format!("warnings {near}")))
            );
        }
        let found = document.findings.all(code);
        let lines = found
            .into_iter()
            .map(|(code, message)| format!("? {message} ({code})"))
            .collect::<Vec<_>>();
        let lines = if lines.is_empty() {
            vec!["no warnings".to_owned()]
        } else {
            lines
        };
        Ok(paged(Listing::of(lines), page(op)?, op))
    }

    /// What was done since a checkpoint, row by row.
    fn diff(&mut self, op: &ParsedOp<'_>) -> Result<Answer> {
        let page = page(op)?;
        let syntax = "diff checkpoint:NAME";
        for param in op.params() {
            if !matches!(&*param.key, "checkpoint" | "limit" | "from") {
                let error = Diagnostic::new(format!("diff has no {}:", param.key));
                return Err(error.or_try(param.key_span.replace(op.raw, "checkpoint")));
            }
        }
        let name = match op.param("checkpoint") {
            Some(param) => param.value.to_string(),
            None => words(op, syntax, 1)?
                .into_iter()
                .next()
                .unwrap_or_else(|| "open".to_owned()),
        };
        let registry = self.registry.clone();
        let Some(document) = self.document.as_mut() else {
            return Ok(no_document("! "));
        };
        let lines = document.diff(&registry, &name).map_err(|error| {
            checkpoint_error(error, |near| {
                format!("diff checkpoint:{}", crate::op::quote_value(near))
            })
        })?;
        let lines = if lines.is_empty() {
            vec![format!("nothing changed since {name}")]
        } else {
            lines
        };
        Ok(paged(Listing::of(lines), page, op))
    }
}

/// The error of a checkpoint that cannot be gone to. `try_it` spells what to send with a name that exists.
pub(super) fn checkpoint_error(
    error: CheckpointError,
    try_it: impl Fn(&str) -> String,
) -> Diagnostic {
    let message = error.to_string();
    let nearest = match error {
        CheckpointError::Unknown { nearest, .. } => nearest.into_iter().next(),
        _ => None,
    };
    let error = Diagnostic::new(message);
    match nearest {
        Some(near) => error.or_try(try_it(&near)),
        None => error,
    }
}

fn place(place: crate::event::Place) -> String {
    match place {
        crate::event::Place::Back(n) => format!("{n} back"),
        crate::event::Place::Ahead(n) => format!("{n} ahead"),
        crate::event::Place::Dropped => "out of reach".to_owned(),
    }
}

impl<M: Domain> Document<M> {
    /// Every row that differs from what it was at a checkpoint. The model goes there and back.
    fn diff(&mut self, registry: &Registry<M>, name: &str) -> Result<Vec<String>, CheckpointError> {
        let (events, backward): (Vec<M::Event>, bool) = match self.log.since(name)? {
            Since::Done(entries) => (
                entries
                    .iter()
                    .flat_map(|e| e.event.events.clone())
                    .collect(),
                true,
            ),
            Since::Undone(entries) => (
                entries
                    .iter()
                    .flat_map(|e| e.event.events.clone())
                    .collect(),
                false,
            ),
        };
        let mut touched: BTreeMap<Row, Vec<Fate>> = BTreeMap::new();
        let mut others = 0_usize;
        for event in &events {
            match M::row_of(event) {
                Some((row, fate)) => touched.entry(row).or_default().push(fate),
                None => others += 1,
            }
        }
        let now: Vec<Option<Snapshot>> = touched
            .keys()
            .map(|row| snapshot(&self.model, registry, *row))
            .collect();
        let ids = self.model.ids().peek();
        if backward {
            events
                .iter()
                .rev()
                .for_each(|event| self.model.reverse(event));
        } else {
            events.iter().for_each(|event| self.model.replay(event));
        }
        let then: Vec<Option<Snapshot>> = touched
            .keys()
            .map(|row| snapshot(&self.model, registry, *row))
            .collect();
        if backward {
            events.iter().for_each(|event| self.model.replay(event));
        } else {
            events
                .iter()
                .rev()
                .for_each(|event| self.model.reverse(event));
        }
        self.model.ids().set(ids);
        let mut lines = Vec::new();
        for ((row, now), then) in touched.keys().zip(now).zip(then) {
            match (then, now) {
                (None, Some(now)) => lines.push(format!("+ #{} {}", row.id(), now.line)),
                (Some(then), None) => lines.push(format!("- #{} {}", row.id(), then.line)),
                (Some(then), Some(now)) => {
                    let changed: Vec<String> = then
                        .fields
                        .iter()
                        .zip(&now.fields)
                        .filter(|(then, now)| then.1 != now.1)
                        .map(|(then, now)| {
                            format!("{} {}->{}", then.0, shown(&then.1), shown(&now.1))
                        })
                        .collect();
                    if !changed.is_empty() {
                        lines.push(format!("~ #{} {}", row.id(), changed.join(", ")));
                    } else if then.line != now.line {
                        lines.push(format!("~ #{} {} -> {}", row.id(), then.line, now.line));
                    }
                }
                (None, None) => {}
            }
        }
        if others > 0 && lines.is_empty() {
            lines.push("* properties of the document".to_owned());
        }
        Ok(lines)
    }
}

fn shown(value: &Option<String>) -> &str {
    value.as_deref().unwrap_or("none")
}

/// A row as text.
struct Snapshot {
    line: String,
    fields: Vec<(&'static str, Option<String>)>,
}

fn snapshot<M: Domain>(model: &M, _registry: &Registry<M>, row: Row) -> Option<Snapshot> {
    let rows = model.rows(row.part())?;
    if !rows.contains(row.id()) {
        return None;
    }
    let fields = rows
        .shape()
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.kind != FieldKind::Hidden);
    let fields = fields
        .map(|(ix, field)| (field.name, crate::queries::field_of(model, row, ix)))
        .collect();
    Some(Snapshot {
        line: line_of(model, row),
        fields,
    })
}

/// What query `map` answers, for the document resource.
pub(super) fn map<M: Domain>(model: &M, registry: &Registry<M>) -> String {
    let asked = parse("map").ok().and_then(|op| {
        let found = registry.query(&op)?;
        let Run::Ask(ask) = found.verb.run else {
            return None;
        };
        let recent = |_, _: &dyn Fn(Row) -> bool| Vec::new();
        let call = Call {
            op: &op,
            skip: 0,
            qualified: false,
            verb: found.verb,
            registry,
            recent: &recent,
        };
        let listing = ask(model, &call).ok()?;
        Some(
            paged(
                listing,
                Page {
                    from: 1,
                    limit: PAGE,
                },
                &op,
            )
            .text,
        )
    });
    asked.unwrap_or_else(|| model.headline())
}

fn text(text: String) -> Answer {
    Answer {
        text,
        ..Answer::default()
    }
}

/// The bare words of a query that takes at most `most` and only the keys that page.
fn words(op: &ParsedOp<'_>, syntax: &str, most: usize) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for word in &op.words {
        match word {
            OpWord::Positional(word) if words.len() < most => words.push(word.text.to_string()),
            OpWord::Param(param) if matches!(&*param.key, "limit" | "from" | "checkpoint") => {}
            other => {
                let text = other.span().of(op.raw);
                return Err(
                    Diagnostic::new(format!("{} takes no {text}", op.verb.text)).or_syntax(syntax)
                );
            }
        }
    }
    Ok(words)
}

fn page(op: &ParsedOp<'_>) -> Result<Page> {
    let number = |key: &str, otherwise: usize| match op.param(key) {
        None => Ok(otherwise),
        Some(param) => param
            .value
            .parse::<usize>()
            .ok()
            .filter(|n| *n > 0)
            .ok_or_else(|| {
                let fixed = param.value_span.replace(op.raw, &otherwise.to_string());
                Diagnostic::new(format!("{key}:{} is no number from 1", param.value)).or_try(fixed)
            }),
    };
    Ok(Page {
        from: number("from", 1)?,
        limit: number("limit", PAGE)?,
    })
}

/// A page of a listing. When more is left, the last line is the query for the next page.
fn paged(listing: Listing<'_>, page: Page, op: &ParsedOp<'_>) -> Answer {
    let mut text = listing.head.join("\n");
    let mut shown = 0_usize;
    for line in listing.lines.skip(page.from - 1).take(page.limit) {
        let mut line = crate::reply::one_line(&line).into_owned();
        let room = ANSWER_BYTES.saturating_sub(text.len() + 200);
        if line.len() > room {
            if shown > 0 {
                break;
            }
            let cut = (0..=room)
                .rev()
                .find(|at| line.is_char_boundary(*at))
                .unwrap_or(0);
            line.truncate(cut);
            line.push('…');
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&line);
        shown += 1;
    }
    let next = page.from - 1 + shown;
    if next < listing.total && shown > 0 {
        let without = op
            .words
            .iter()
            .filter(|word| !matches!(word, OpWord::Param(p) if &*p.key == "from"));
        let mut query = op.verb.text.to_string();
        for word in without {
            query.push(' ');
            query.push_str(word.span().of(op.raw));
        }
        text.push_str(&format!(
            "\n… {} more ({query} from:{})",
            listing.total - next,
            next + 1
        ));
    } else if shown == 0 && listing.total > 0 {
        text.push_str(&format!(
            "nothing from {}; there are {}",
            page.from, listing.total
        ));
    } else if listing.total == 0 && listing.head.is_empty() {
        text.push_str("nothing matches");
    }
    Answer {
        text,
        blocks: listing.blocks,
        ..Answer::default()
    }
}
