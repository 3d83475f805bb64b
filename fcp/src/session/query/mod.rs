//! Queries: dispatch, paging, and those that read the log.
//! Universal queries, which need only a model, are in `queries`.

mod alignment;
mod changed;
mod compare;
mod cost;
pub(super) mod diff;
mod forms;
pub(super) mod listed;
mod log;
mod moves;
mod numbered;
mod order;
mod outlines;
mod page;
mod pairs;
mod parts;
mod tables;

use super::batch::shown;
use super::budget::weight;
use super::repair_trial::mended;
use super::settings::refused;
use super::{Session, no_document};
use crate::diag::{Diagnostic, Repair, Result};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::event::CheckpointError;
use crate::model::{ModelExt, Row};
use crate::op::{OpWord, ParsedOp, parse, parse_within, split_verb_within};
use crate::reply::Listing;
use crate::sql::write_statement::{is_question, is_write};
use crate::sql::{on_one_line, tables_of};
use crate::verb::{Call, Files, Registry, Role, Run};
use crate::work;
use page::{ANSWER_BYTES, Page};
pub(super) use page::{cut, fitting};
use std::time::Duration;

/// The number of smaller pictures tried in place of one that is too large.
const SMALLER: usize = 6;

/// The steps of reading a query and of its reply, besides those of the answer.
const STEPS_A_QUERY: usize = 300;

/// The longest that a picture may take which is drawn only to see whether a repair works.
pub(super) const DRAWN_TO_TRY: Duration = Duration::from_secs(2);

/// The scale at which a picture is drawn first, to see how large it will be.
const PROBE: f64 = 0.25;

/// A query that reads the table `changes`, to prepare it for a list of tables, which counts rows.
const LISTED: &str = "SELECT * FROM changes";

/// Returns whether a query draws a picture.
fn is_picture<M: Domain>(query: &str) -> bool {
    parse(query).is_ok_and(|op| M::scaled_query(&op, 1.0).is_some())
}

impl<M: Domain> Session<M> {
    /// Answers a query. Changes nothing.
    pub(super) fn ask(&mut self, query: &str) -> Answer {
        let queries = self.several(query);
        let [query] = queries.as_slice() else {
            return self.ask_all(&queries);
        };
        self.ask_one(query)
    }

    /// Answers one query.
    pub(super) fn ask_one(&mut self, query: &str) -> Answer {
        let query = query.trim_start().trim_start_matches('?');
        if let Some(document) = self.document.as_mut() {
            let listing = query.trim_start().starts_with("tables");
            let text = if listing { LISTED } else { query };
            document.prepare_changes(&self.registry, text);
        }
        let error = match self.answer(query) {
            Ok(answer) => return answer,
            Err(error) => self.mended_query(query, error).or_look(),
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

    /// An error with a tried repair: if the repaired query fails again, its repair is used, or else
    /// the syntax.
    fn mended_query(&mut self, query: &str, mut error: Diagnostic) -> Diagnostic {
        if work::over().is_some() {
            return error;
        }
        // A query for a missing row asks what there is; do not suggest making the row.
        if error.missing.is_some() && self.edits(&error.repair).is_some() {
            error.repair = Repair::Try("map".to_owned());
        }
        // Nor is a look repaired to an edit; an op sent as a query is.
        if self
            .edits(&error.repair)
            .is_some_and(|text| !crate::verb::only_respells(query, text))
        {
            error.repair = self.query_syntax(query);
        }
        // Only drawing shows whether a picture can be drawn.
        if let Repair::Untried(text) = &error.repair
            && is_picture::<M>(text)
            && !error.message.contains("set reply-limit:")
        {
            error.repair = Repair::Try(text.clone());
        }
        let first = match &error.repair {
            Repair::Try(text) if is_question(text) => Some(text.clone()),
            _ => None,
        };
        error.repair = mended(error.repair, |query| self.rehearse_query(query));
        // Of two faults in a statement, one has no repair: tell both.
        if let (Repair::None, Some(first)) = (&error.repair, first)
            && let Err(next) = self.answer_sql(&first)
        {
            let first = on_one_line(&first);
            error.message = format!("{}; then, in {first}: {}", error.message, next.message);
        }
        // A limit has a setting that moves it.
        if error.repair == Repair::None && !error.message.contains("(set ") {
            if is_question(query) || query.trim().eq_ignore_ascii_case("select") {
                return error.or_syntax(tables::QUESTION);
            } else if parse(query).is_err() {
                return error.or_syntax("QUERY [TARGET] [key:value]…");
            }
        }
        error
    }

    /// Returns whether the first words name a query.
    fn asks(&self, op: &ParsedOp<'_>) -> bool {
        self.registry.query(op).is_some()
            || is_question(op.raw)
            || self.registry.phrases(Role::Query).contains(&&*op.verb.text)
    }

    /// The op that a repair suggests, if it is one.
    fn edits<'r>(&self, repair: &'r Repair) -> Option<&'r str> {
        let (Repair::Try(text) | Repair::Untried(text)) = repair else {
            return None;
        };
        let is_op = !text.starts_with(['!', '?']);
        (is_op && parse(text).is_ok_and(|op| !self.asks(&op))).then_some(text)
    }

    fn query_syntax(&self, query: &str) -> Repair {
        let parsed = parse(query).ok();
        let found = parsed.and_then(|op| self.registry.query(&op));
        found.map_or(Repair::None, |found| Repair::Syntax(found.verb.syntax()))
    }

    /// The query itself if it can be answered, or else its repair. An op is tried as an op.
    fn rehearse_query(&mut self, query: &str) -> Repair {
        let parsed = parse(query).ok();
        if parsed.as_ref().is_some_and(|op| !self.asks(op)) {
            let limits = self.settings.limits();
            let tried = self
                .document
                .as_mut()
                .and_then(|document| document.rehearse(&self.registry, query, limits).ok());
            return tried.unwrap_or_default();
        }
        let smaller = |times| parsed.as_ref().and_then(|op| M::scaled_query(op, times));
        let answer = match smaller(PROBE) {
            Some(probe) => {
                let tried = work::briefly(DRAWN_TO_TRY, || {
                    // A picture that will be too large is not drawn in full.
                    let drawn = self.answer_whole(&probe).ok()?;
                    let drawn: usize = drawn.blocks.iter().filter_map(weight).sum();
                    let taken = (drawn as f64 / (PROBE * PROBE)) as usize;
                    let room = self.settings.budget().bytes();
                    Some(match taken > room {
                        true => Err(self.smaller(query, room, taken)),
                        false => Ok(self.answer(query)),
                    })
                });
                match tried.flatten() {
                    // A picture that takes so long at a sixteenth of its size is slow at any size.
                    None => return self.query_syntax(query),
                    Some(Err(fitting)) => return fitting.map_or(Repair::None, Repair::Untried),
                    Some(Ok(answer)) => answer,
                }
            }
            None => self.answer(query),
        };
        match answer {
            Ok(answer) if !answer.is_error => Repair::Try(query.to_owned()),
            Ok(_) => Repair::None,
            Err(next)
                if [Repair::None, Repair::Try(query.to_owned())].contains(&next.repair)
                    || self.edits(&next.repair).is_some() =>
            {
                self.query_syntax(query)
            }
            Err(Diagnostic {
                repair: Repair::Untried(next),
                ..
            }) if is_picture::<M>(&next) && next != query => Repair::Try(next),
            Err(next) => next.repair,
        }
    }

    fn answer(&mut self, query: &str) -> Result<Answer> {
        work::spend(STEPS_A_QUERY)?;
        let answer = self.answer_whole(query);
        if let Some(spent) = work::over() {
            return Err(spent.into());
        }
        let answer = answer?;
        let room = self.settings.budget().bytes();
        let taken: usize = answer.blocks.iter().filter_map(weight).sum();
        // A text without pictures is cut to the room.
        if taken == 0 || taken + answer.text.len() <= room {
            return Ok(answer);
        }
        let message = format!(
            "the picture takes {} KiB of a reply of at most {} KiB (set reply-limit:KIB moves it)",
            taken.div_ceil(1024),
            room / 1024
        );
        let error = Diagnostic::new(message);
        Err(match self.smaller(query, room, taken) {
            Some(smaller) => error.or_untried(smaller),
            None => error,
        })
    }

    /// The query for a picture that fits a reply, tried if the call has the steps for it.
    fn smaller(&mut self, query: &str, room: usize, taken: usize) -> Option<String> {
        let op = parse(query).ok()?;
        // The size is roughly proportional to the area. Small pictures come out below the target.
        let mut times = (room as f64 / taken as f64).sqrt() * 0.9;
        for _ in 0..SMALLER {
            let smaller = M::scaled_query(&op, times)?;
            let tried = work::at_most(work::left(), || self.answer_whole(&smaller));
            let Some(answer) = tried else {
                // Too few steps are left to try it, so it is smaller than it would need to be.
                return M::scaled_query(&op, times * 0.6);
            };
            let answer = answer.ok()?;
            let taken: usize = answer.blocks.iter().filter_map(weight).sum();
            if taken + answer.text.len() <= room {
                return Some(smaller);
            }
            times *= 0.7;
        }
        None
    }

    fn answer_whole(&mut self, query: &str) -> Result<Answer> {
        if is_question(query) || is_write(query) {
            return self.answer_sql(query);
        }
        if let Some(error) = self.foreign(query, Role::Query) {
            return Err(error);
        }
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
        // `plan` and `find` take their text verbatim; it need not be a well-formed op.
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
            Err(error) => {
                let called = parse(&word).ok().and_then(|op| self.registry.query(&op));
                let refused = refused(error, "! ");
                return Err(match called {
                    Some(found) => refused.or_syntax(found.verb.syntax()),
                    None => refused,
                });
            }
        };
        let Some(found) = self.registry.query(&op) else {
            return match word.as_str() {
                "history" => self.history(&op),
                "diff" => self.diff(&op),
                "warnings" => self.warnings(&op),
                "tables" => self.tables(&op),
                _ => Err(self.unknown_query(query)),
            };
        };
        let page = self.page(&op)?;
        let document = self
            .document
            .as_ref()
            .ok_or_else(|| Diagnostic::new("no document is open"))?;
        let Run::Ask(ask) = found.verb.run else {
            return Err(Diagnostic::new(format!(
                "{} is not a query",
                found.verb.phrase
            )));
        };
        let recent = |wanted, alive: &dyn Fn(Row) -> Option<Row>| {
            super::touched::recent::<M>(&document.log, wanted, alive)
        };
        let files = self.files();
        let sql = document.conditions(&self.registry);
        let call = Call {
            op: &op,
            skip: found.skip,
            qualified: found.qualified,
            verb: found.verb,
            registry: &self.registry,
            recent: &recent,
            files: &files,
            sql: &sql,
            picked: None,
        };
        match ask(&document.model, &call) {
            Ok(listing) => Ok(page.of(listing, &op)),
            Err(error) => Err(error.in_op(op.raw).or_syntax(found.verb.syntax())),
        }
    }

    /// The page that a query asks for, cut to the limit of a reply.
    fn page(&self, op: &ParsedOp<'_>) -> Result<Page> {
        Ok(Page::asked::<M>(op)?.within(self.settings.budget()))
    }

    fn warnings(&mut self, op: &ParsedOp<'_>) -> Result<Answer> {
        let document = self
            .document
            .as_mut()
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
        let found = document.warnings(code);
        let lines = found
            .into_iter()
            .map(|(code, message)| format!("? {message} ({code})"))
            .collect::<Vec<_>>();
        let lines = if lines.is_empty() {
            vec!["no warnings".to_owned()]
        } else {
            lines
        };
        Ok(self.page(op)?.of(Listing::of(lines), op))
    }
}

/// The error of an unknown or lost checkpoint. `try_it` spells the repair with the name of an
/// existing one.
pub(super) fn checkpoint_error(
    error: CheckpointError,
    try_it: impl Fn(&str) -> String,
    syntax: &'static str,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(error.to_string());
    match error {
        CheckpointError::Unknown { nearest, .. } => match nearest {
            Some(near) => diagnostic.or_try(try_it(&near)),
            None => diagnostic.or_syntax(syntax),
        },
        _ => diagnostic,
    }
}

/// The most lines of an overview.
const OVERVIEW: usize = 12;
/// The most bytes of a line of an overview.
const OVERVIEW_LINE: usize = 160;

/// The overview of a document in the reply of `open`: counts by kind, the lines of `map`, and the
/// tables.
pub(super) fn overview<M: Domain>(model: &M, registry: &Registry<M>) -> String {
    let map = asked_map(model, registry).unwrap_or_default();
    let is_line = |line: &&str| !line.trim().is_empty() && !line.starts_with("… ");
    let all: Vec<&str> = map.lines().filter(is_line).collect();
    let counts = model
        .tables()
        .filter(|(_, shape, rows)| !shape.view && !rows.is_empty());
    let counts = counts.map(|(_, _, rows)| rows.shape().count(rows.len()));
    let counts: Vec<String> = counts.collect();
    let mut lines = Vec::new();
    if !counts.is_empty() {
        lines.push(format!("  {}", counts.join(", ")));
    }
    let shown = all.iter().take(OVERVIEW);
    lines.extend(shown.map(|line| format!("  {}", cut(line, OVERVIEW_LINE))));
    if all.len() > OVERVIEW || map.lines().any(|line| line.starts_with("… ")) {
        lines.push("  … more: ? map".to_owned());
    }
    lines.push(table_names(registry));
    lines.join("\n")
}

/// The tables of a domain in one line.
pub(super) fn table_names<M: Domain>(registry: &Registry<M>) -> String {
    let tables = tables_of(registry).into_iter().map(|table| table.name);
    let tables: Vec<String> = tables.collect();
    format!("  tables: {} (? tables)", tables.join(", "))
}

/// The answer of query `map`, for the document resource.
pub(super) fn map<M: Domain>(model: &M, registry: &Registry<M>) -> String {
    asked_map(model, registry).unwrap_or_else(|| model.headline())
}

/// The answer of query `map`, if it succeeds.
fn asked_map<M: Domain>(model: &M, registry: &Registry<M>) -> Option<String> {
    parse("map").ok().and_then(|op| {
        let found = registry.query(&op)?;
        let Run::Ask(ask) = found.verb.run else {
            return None;
        };
        let recent = |_, _: &dyn Fn(Row) -> Option<Row>| Vec::new();
        let call = Call {
            op: &op,
            skip: 0..0,
            qualified: false,
            verb: found.verb,
            registry,
            recent: &recent,
            files: &Files::default(),
            sql: &crate::verb::no_conditions,
            picked: None,
        };
        let listing = ask(model, &call).ok()?;
        Some(Page::first::<M>("map").of(listing, &op).text)
    })
}

fn text(text: String) -> Answer {
    Answer {
        text,
        ..Answer::default()
    }
}

/// The bare words of a query, at most `most`. Accepts these keys and those of paging.
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
