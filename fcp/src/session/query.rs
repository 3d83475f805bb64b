//! Queries: dispatch, paging, and those that look at the log.

use std::collections::BTreeSet;

use super::batch::shown;
use super::document::{Document, mended};
use super::settings::refused;
use super::{Session, no_document};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::event::{CheckpointError, Since};
use crate::model::{FieldKind, ModelExt, Part, Row};
use crate::op::{OpWord, ParsedOp, parse, parse_within, spell_param, split_verb_within};
use crate::queries::line_of;
use crate::reply::{Listing, one_line};
use crate::verb::{Call, Registry, Role, Run};

/// The most lines of a page, unless `limit:` says otherwise.
const PAGE: usize = 100;

/// The most bytes of an answer.
const ANSWER_BYTES: usize = 16 * 1024;

/// How many checkpoints `status` names, the newest.
const CHECKPOINTS: usize = 20;

/// Which lines of a listing to show.
#[derive(Clone, Copy)]
struct Page {
    from: usize,
    limit: usize,
}

impl<M: Domain> Session<M> {
    /// Answers a query. Changes nothing.
    pub(super) fn ask(&mut self, query: &str) -> Answer {
        let error = match self.answer(query) {
            Ok(answer) => return answer,
            Err(error) => self.mended_query(error),
        };
        let mut text = error.to_string();
        if text.len() > ANSWER_BYTES {
            let message = cut(&error.message, ANSWER_BYTES / 2);
            text = Diagnostic::new(message).to_string();
        }
        Answer {
            text,
            is_error: true,
            ..Answer::default()
        }
    }

    /// An error whose repair has been tried: a query that fails again is mended further, or gives way to the syntax.
    fn mended_query(&mut self, mut error: Diagnostic) -> Diagnostic {
        error.repair = mended(error.repair, |query| self.rehearse_query(query));
        error
    }

    /// The query itself if it can be answered, or what would mend it. An op is tried as an op.
    fn rehearse_query(&mut self, query: &str) -> Repair {
        let parsed = parse(query).ok();
        let asks = |op: &ParsedOp<'_>| {
            self.registry.query(op).is_some()
                || self.registry.phrases(Role::Query).contains(&&*op.verb.text)
        };
        if parsed.as_ref().is_some_and(|op| !asks(op)) {
            let limits = self.settings.limits();
            let works = self
                .document
                .as_mut()
                .is_some_and(|document| document.rehearse(&self.registry, query, limits).is_ok());
            return if works {
                Repair::Try(query.to_owned())
            } else {
                Repair::None
            };
        }
        match self.answer(query) {
            Ok(answer) if !answer.is_error => Repair::Try(query.to_owned()),
            Ok(_) => Repair::None,
            Err(next) if next.repair == Repair::None => parsed
                .and_then(|op| self.registry.query(&op))
                .map_or(Repair::None, |found| Repair::Syntax(found.verb.syntax())),
            Err(next) => next.repair,
        }
    }

    fn answer(&mut self, query: &str) -> Result<Answer> {
        let limits = self.settings.limits();
        let (verb, tail) =
            split_verb_within(query, limits).map_err(|error| refused(error, "! "))?;
        let (word, tail) = (verb.text.into_owned(), tail.to_owned());
        if word == "status" && !self.registry.owns_query("status") {
            if !tail.is_empty() {
                let message = format!("status takes no {}", shown(&tail));
                return Err(Diagnostic::new(message).or_syntax("status"));
            }
            return Ok(text(self.status()));
        }
        if self.document.is_none() {
            return Ok(no_document("! "));
        }
        // `plan` and `find` take their text as it is, which need not be a well-formed op.
        if word == "plan" && !self.registry.owns_query("plan") {
            return self.plan(&tail);
        }
        let bare;
        let op = match parse_within(query, limits) {
            Ok(op) => op,
            Err(_) if word == "find" => {
                bare = format!("find {}", crate::op::quote(&tail));
                parse_within(&bare, limits).map_err(|error| refused(error, "! "))?
            }
            Err(error) => return Err(refused(error, "! ")),
        };
        let Some(found) = self.registry.query(&op) else {
            return match word.as_str() {
                "history" => self.history(&op),
                "diff" => self.diff(&op),
                "warnings" => self.warnings(&op),
                _ => Err(self.unknown_query(query)),
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
            Err(error) => Err(error.in_op(op.raw).or_syntax(found.verb.syntax())),
        }
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
                let ops = |n: usize| format!("{n} {}", if n == 1 { "op" } else { "ops" });
                lines.push(format!(
                    "undo: {}, redo: {}{dropped}",
                    ops(reach.undo),
                    ops(reach.redo)
                ));
                let checkpoints = document.log.checkpoints();
                let older = checkpoints.len().saturating_sub(CHECKPOINTS);
                let mut names: Vec<String> = checkpoints
                    .iter()
                    .skip(older)
                    .map(|c| format!("{} ({})", c.name, place(c.place)))
                    .collect();
                if older > 0 {
                    names.insert(0, format!("{older} older"));
                }
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
        let syntax = "history [N]";
        let n = match words(op, syntax, &[], 1)?.first() {
            None => 10,
            Some(word) if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) => {
                word.parse().unwrap_or(usize::MAX)
            }
            Some(word) => {
                let message = format!("{} is no number of ops", shown(word));
                return Err(Diagnostic::new(message).or_try("history 10"));
            }
        };
        let entries = document.log.recent(n);
        let last = entries.len();
        let lines = entries
            .iter()
            .enumerate()
            .map(|(ix, entry)| format!("{:>3}  {}", last - ix, one_line(&entry.event.op)));
        let reach = document.log.reach();
        let mut listing = Listing::lines(last, lines);
        if n == 0 {
            listing = listing.under("no ops were asked for");
        } else if n > last && reach.dropped > 0 {
            let dropped = reach.dropped;
            listing = listing.under(format!(
                "{dropped} older ops were let go to keep within log-limit"
            ));
        } else if last == 0 {
            listing = listing.under("nothing was done yet");
        }
        Ok(paged(listing, page(op)?, op))
    }

    fn warnings(&self, op: &ParsedOp<'_>) -> Result<Answer> {
        let document = self
            .document
            .as_ref()
            .ok_or_else(|| Diagnostic::new("no document is open"))?;
        let wanted = words(op, "warnings [CODE]", &[], 1)?;
        let code = wanted.first().map(String::as_str);
        if let Some(code) = code
            && !self.registry.lints().any(|lint| lint.code == code)
        {
            let codes: Vec<&str> = self.registry.lints().map(|lint| lint.code).collect();
            let known = match codes.as_slice() {
                [] => "there are none".to_owned(),
                codes => format!("there are {}", codes.join(", ")),
            };
            let error = Diagnostic::new(format!("no warning {}; {known}", shown(code)));
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
        let Some(document) = self.document.as_mut() else {
            return Ok(no_document("! "));
        };
        let unknown = op
            .params()
            .find(|param| !matches!(&*param.key, "checkpoint" | "limit" | "from"));
        if let Some(param) = unknown {
            let error = Diagnostic::new(format!("diff has no {}:", param.key));
            return Err(error.or_try(param.key_span.replace(op.raw, "checkpoint")));
        }
        let named = op.param("checkpoint").map(|param| param.value.to_string());
        let most = usize::from(named.is_none());
        let bare = words(op, syntax, &["checkpoint"], most)?;
        let Some(name) = named.or(bare.into_iter().next()) else {
            let error = Diagnostic::new("diff needs checkpoint:NAME");
            let checkpoints = document.log.checkpoints();
            return Err(match checkpoints.last() {
                Some(last) => {
                    error.or_try(format!("diff {}", spell_param("checkpoint", last.name)))
                }
                None => error.or_syntax(syntax),
            });
        };
        let lines = document.diff(&name).map_err(|error| {
            checkpoint_error(error, |near| {
                format!("diff {}", spell_param("checkpoint", near))
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
    /// Every row that differs from what it was at a checkpoint, in the order of the model and of ids, then every other
    /// part that does. The model goes there and back.
    fn diff(&mut self, name: &str) -> Result<Vec<String>, CheckpointError> {
        let (entries, backward) = match self.log.since(name)? {
            Since::Done(entries) => (entries, true),
            Since::Undone(entries) => (entries, false),
        };
        let events = entries.iter().flat_map(|entry| &entry.event.events);
        let events: Vec<M::Event> = events.cloned().collect();
        let rows = events.iter().filter_map(M::row_of).map(|(row, _)| row);
        let touched: BTreeSet<Row> = rows.filter(|row| !is_view::<M>(row.part())).collect();
        let ids = self.model.ids().peek();
        let now = Picture::of(&self.model, &touched);
        self.walk(&events, backward);
        let then = Picture::of(&self.model, &touched);
        self.walk(&events, !backward);
        self.model.ids().set(ids);

        let mut lines = Vec::new();
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for (row, (now, then)) in touched.iter().zip(now.rows.iter().zip(&then.rows)) {
            let id = row.id();
            match (then, now) {
                _ if is_hidden::<M>(row.part()) => {
                    if then != now {
                        parts.insert(row.part());
                    }
                }
                (None, Some(now)) => lines.push(format!("+ #{id} {}", now.line)),
                (Some(then), None) => lines.push(format!("- #{id} {}", then.line)),
                (Some(then), Some(now)) => lines.extend(now.since(then, id)),
                (None, None) => {}
            }
        }
        let values = now.values.iter().zip(&then.values).enumerate();
        parts.extend(
            values
                .filter(|(_, (now, then))| now != then)
                .map(|(ix, _)| ix),
        );
        for part in parts {
            let name = M::SHAPE.parts.get(part).map_or("", |part| part.name);
            lines.push(format!("* {name} of the {}", M::NOUN));
        }
        Ok(lines)
    }

    /// Takes events back, or makes them again.
    fn walk(&mut self, events: &[M::Event], backward: bool) {
        if backward {
            let events = events.iter().rev();
            events.for_each(|event| self.model.reverse(event));
        } else {
            events.iter().for_each(|event| self.model.replay(event));
        }
    }
}

fn is_view<M: Domain>(part: usize) -> bool {
    M::SHAPE.parts.get(part).is_some_and(|part| part.view)
}

fn is_hidden<M: Domain>(part: usize) -> bool {
    M::SHAPE.parts.get(part).is_some_and(|part| part.hidden)
}

/// Some rows, and all parts that hold one value, at one time.
struct Picture {
    rows: Vec<Option<Snapshot>>,
    values: Vec<Option<u64>>,
}

impl Picture {
    fn of<M: Domain>(model: &M, rows: &BTreeSet<Row>) -> Self {
        let value = |part: usize| match model.part(part) {
            Some(Part::Value(hash)) if !is_view::<M>(part) => Some(hash),
            _ => None,
        };
        Self {
            rows: rows.iter().map(|row| snapshot(model, *row)).collect(),
            values: (0..M::SHAPE.parts.len()).map(value).collect(),
        }
    }
}

/// A row as text.
#[derive(PartialEq)]
struct Snapshot {
    /// What it is called, with its kind.
    name: String,
    line: String,
    fields: Vec<(&'static str, Option<String>)>,
    hash: u64,
}

impl Snapshot {
    /// What is different from an earlier picture of the same row.
    fn since(&self, then: &Self, id: u32) -> Option<String> {
        let value = |value: &Option<String>| value.as_deref().unwrap_or("none").to_owned();
        let changed: Vec<String> = then
            .fields
            .iter()
            .zip(&self.fields)
            .filter(|(then, now)| then.1 != now.1)
            .map(|(then, now)| format!("{} {}->{}", then.0, value(&then.1), value(&now.1)))
            .collect();
        if !changed.is_empty() {
            Some(format!("* #{id} {}: {}", self.name, changed.join(", ")))
        } else if then.line != self.line {
            Some(format!("* #{id} {} -> {}", then.line, self.line))
        } else {
            None
        }
    }
}

fn snapshot<M: Domain>(model: &M, row: Row) -> Option<Snapshot> {
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
        name: format!("{} {}", model.kind_of(row), model.name_of(row)),
        line: line_of(model, row),
        fields,
        hash: rows.row_hash(row.id()),
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

/// The bare words of a query that takes at most `most`, these keys, and those that page.
fn words(op: &ParsedOp<'_>, syntax: &str, keys: &[&str], most: usize) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for word in &op.words {
        match word {
            OpWord::Positional(word) if words.len() < most => words.push(word.text.to_string()),
            OpWord::Param(param) if matches!(&*param.key, "limit" | "from") => {}
            OpWord::Param(param) if keys.contains(&&*param.key) && !seen.contains(&&*param.key) => {
                seen.push(&param.key);
            }
            other => {
                let text = shown(other.span().of(op.raw));
                return Err(
                    Diagnostic::new(format!("{} takes no {text}", op.verb.text)).or_syntax(syntax)
                );
            }
        }
    }
    Ok(words)
}

fn page(op: &ParsedOp<'_>) -> Result<Page> {
    let number = |key: &str, otherwise: usize| {
        let mut params = op.params().filter(|param| param.key == key);
        let (first, second) = (params.next(), params.next());
        if let Some(param) = second {
            let before = op.raw.get(..param.span.start).unwrap_or("").trim_end();
            let word = Span::new(before.len(), param.span.end);
            return Err(
                Diagnostic::new(format!("{key}: is given twice")).or_try(word.replace(op.raw, ""))
            );
        }
        let Some(param) = first else {
            return Ok(otherwise);
        };
        let n = param.value.parse::<usize>().ok().filter(|n| *n > 0);
        n.ok_or_else(|| {
            let fixed = param.value_span.replace(op.raw, &otherwise.to_string());
            let message = format!("{key}:{} is no number from 1", shown(&param.value));
            Diagnostic::new(message).or_try(fixed)
        })
    };
    Ok(Page {
        from: number("from", 1)?,
        limit: number("limit", PAGE)?,
    })
}

/// A page of a listing. When more is left, the last line is the query for the next page.
fn paged(listing: Listing<'_>, page: Page, op: &ParsedOp<'_>) -> Answer {
    let mut query = op.verb.text.to_string();
    for word in &op.words {
        if !matches!(word, OpWord::Param(p) if &*p.key == "from") {
            query.push(' ');
            query.push_str(&one_line(word.span().of(op.raw)));
        }
    }
    // The tail must fit as well. A query that is too long to be sent back is not told again.
    if query.len() > ANSWER_BYTES / 4 {
        query = "the same with".to_owned();
    }
    let most = ANSWER_BYTES - query.len() - 100;
    let head = listing
        .head
        .iter()
        .map(|line| cut(&one_line(line), ANSWER_BYTES / 8));
    let mut text = cut(&head.collect::<Vec<_>>().join("\n"), ANSWER_BYTES / 2);
    let mut shown = 0_usize;
    for line in listing.lines.skip(page.from - 1).take(page.limit) {
        let line = match listing.tall {
            true => line,
            false => one_line(&line).into_owned(),
        };
        let room = most.saturating_sub(text.len() + 1);
        let fits = line.len() <= room;
        if !fits && shown > 0 {
            break;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&cut(&line, room));
        shown += 1;
        if !fits {
            break;
        }
    }
    let next = page.from - 1 + shown;
    let tail = if next < listing.total && shown > 0 {
        format!(
            "… {} more ({query} from:{})",
            listing.total - next,
            next + 1
        )
    } else if shown == 0 && listing.total > 0 {
        format!("nothing from {}; there are {}", page.from, listing.total)
    } else if listing.total == 0 && listing.head.is_empty() {
        "nothing matches".to_owned()
    } else {
        String::new()
    };
    if !text.is_empty() && !tail.is_empty() {
        text.push('\n');
    }
    text.push_str(&tail);
    Answer {
        text,
        blocks: listing.blocks,
        ..Answer::default()
    }
}

/// A text of at most `most` bytes.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most.saturating_sub('…'.len_utf8()));
    format!("{}…", text.get(..end).unwrap_or(""))
}

/// Lines that make an answer, the last of which is told in any case.
pub(super) fn fitting(lines: &[String]) -> String {
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
