//! A document: a model, its log, and the only place that changes a model.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::account::Opened;
use super::files::Stamp;
use super::growth::row_count;
use super::lints::Findings;
use super::unknown::{Edit, editing, unread, verb};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::event::EventLog;
use crate::model::{Model, ModelExt, Row};
use crate::op::{Limits, OpWord, Quoted, parse_within};
use crate::reply::Reply;
use crate::sql::{Tables, View};
use crate::value::ValueError;
use crate::verb::{Call, Chosen, Files, Found, Place, Registry};
use crate::work;

/// The bytes of an op's text, or of the changes that it made, that count as one step.
const BYTES_A_STEP: usize = 16;
/// The steps of an op besides those of its verb: it is parsed, recorded and answered.
const STEPS_AN_OP: usize = 128;

/// An op that was done: the payload of a log entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done<E> {
    /// Its changes.
    pub events: Vec<E>,
    /// The op as it was sent.
    pub op: String,
    /// The next id before and after it.
    pub ids: (u32, u32),
    /// The rows it was about, the main one first, if its reply names them.
    pub about: Vec<Row>,
}

/// The file that a document was opened from or saved to.
#[derive(Clone, Debug)]
pub struct OpenFile {
    /// Its path, as the caller wrote it.
    pub path: String,
    /// The format's name.
    pub format: &'static str,
    /// Its kind, if the format has several.
    pub kind: Option<String>,
    /// Its state on disk when it was read or written last.
    pub stamp: Stamp,
}

/// A model with its log, its file and its warnings.
pub struct Document<M: Domain> {
    pub(super) model: M,
    pub(super) log: EventLog<Done<M::Event>>,
    pub(super) file: Option<OpenFile>,
    pub(super) findings: Findings<M>,
    /// The name given by `new`, used if the content has no title.
    pub(super) name: Option<String>,
    /// The files that ops may read.
    pub(super) files: Files,
    /// The document as tables.
    pub(super) tables: Tables<M>,
    saved: u64,
    /// The state when opened, if it was opened from a file.
    pub(super) opened: Option<Opened>,
    /// The checkpoint from which the table `changes` counts; if `None`, the opened or new state.
    pub(super) since: Option<String>,
    /// The number of rows that the last op changed, even if it then failed.
    pub(super) worked: usize,
    /// The number of rows when it was opened.
    pub(super) rows_at_first: usize,
    /// The rows by which ops may enlarge it.
    pub(super) row_limit: usize,
}

impl<M: Domain> Document<M> {
    /// A new document with the content of `model`: nothing to undo, nothing unsaved.
    pub(super) fn new(
        mut model: M,
        (log_limit, row_limit): (usize, usize),
        registry: &Registry<M>,
        files: Files,
    ) -> Self {
        model.forget();
        let findings = Findings::scan(&model, registry.lints().collect());
        Self {
            rows_at_first: row_count(&model),
            row_limit,
            model,
            log: EventLog::new(log_limit),
            file: None,
            findings,
            name: None,
            files,
            tables: Tables::default(),
            saved: 0,
            opened: None,
            since: None,
            worked: 0,
        }
    }

    /// The document's title: from its content, or the name given by `new`.
    pub(super) fn title(&self) -> Option<String> {
        self.model.title().or_else(|| self.name.clone())
    }

    /// Returns whether there are changes that no save has written.
    pub(super) fn is_unsaved(&self) -> bool {
        self.log.state_id() != self.saved
    }

    /// The entries done or undone since the state on disk.
    pub(super) fn since_saved(&self) -> Option<crate::event::Since<'_, Done<M::Event>>> {
        self.log.since_state(self.saved)
    }

    /// Marks the present state as saved.
    pub(super) fn mark_saved(&mut self) {
        self.saved = self.log.state_id();
    }

    /// Applies one op: adds one log entry, or returns an error and leaves no trace.
    pub(super) fn apply(
        &mut self,
        registry: &Registry<M>,
        text: &str,
        limits: Limits,
    ) -> Result<Reply> {
        self.worked = 0;
        work::spend(STEPS_AN_OP + text.len() / BYTES_A_STEP)?;
        self.keep_base()?;
        self.prepare_changes(registry, text);
        if let Some(syntax) = super::computed::syntax(registry, text) {
            let before = self.model.ids().peek();
            let result = self.act(registry, text, limits);
            return self.enter((text.trim(), &|| syntax.clone()), before, result);
        }
        let op = parse_within(text, limits).map_err(|error| unread(registry, text, error))?;
        let found = verb(registry, &op)?;
        // An expression without its parameter would be taken for a text.
        let is_loose = |word: &OpWord<'_>| match word {
            OpWord::Positional(word) => word.quoted != Quoted::Whole && word.text.starts_with(":="),
            _ => false,
        };
        if let Some(at) = op.words.iter().position(is_loose) {
            let error = Diagnostic::new(":= needs the parameter that it computes before it");
            let is_word =
                |word: &&OpWord<'_>| matches!(word, OpWord::Positional(_) | OpWord::Selector(_));
            let before = op.words.iter().take(at).filter(is_word).count();
            let params = found.verb.params.iter();
            let mut names = params.filter_map(|param| match param.place {
                Place::Word(key) => Some(key.unwrap_or(param.name)),
                _ => None,
            });
            return Err(match (names.nth(before), op.words.get(at)) {
                (Some(name), Some(word)) => {
                    let span = word.span();
                    error.or_try(span.replace(op.raw, &format!("{name}{}", span.of(op.raw))))
                }
                _ => error.or_syntax(found.verb.syntax()),
            });
        }
        if let Some(joined) = found.verb.without_pairs(&op)? {
            return self.apply(registry, &joined, limits);
        }
        let run = editing(&found)?;
        self.edit(registry, &op, found, run)
    }

    /// The tables of the present document.
    pub(super) fn view<'d>(&'d self, registry: &'d Registry<M>) -> View<'d, M> {
        let (model, state) = (&self.model, self.log.state_id());
        self.tables.view(model, registry, state)
    }

    /// Evaluates SQL conditions on the present document.
    pub(super) fn conditions<'d>(
        &'d self,
        registry: &'d Registry<M>,
    ) -> impl Fn(&M, &str, Option<usize>) -> Result<Chosen, ValueError> + 'd {
        let state = self.log.state_id();
        move |model, condition, part| {
            self.tables
                .view(model, registry, state)
                .choose(condition, part)
        }
    }

    /// Calls a function that changes the model; logs its changes or takes them back.
    pub(super) fn edit(
        &mut self,
        registry: &Registry<M>,
        op: &crate::op::ParsedOp<'_>,
        found: Found<M>,
        run: Edit<M>,
    ) -> Result<Reply> {
        self.keep_base()?;
        let before = self.model.ids().peek();
        let verb = found.verb;
        self.tables.left_out.take();
        let result = self.call(registry, op, found, run, None);
        let result = result.map(|reply| self.with_left_out(op, reply));
        self.enter((op.raw, &|| verb.syntax()), before, result)
    }

    /// Calls a function that changes the model, without logging. `picked` holds the op's rows, in
    /// place of those that its words name.
    pub(super) fn call(
        &mut self,
        registry: &Registry<M>,
        op: &crate::op::ParsedOp<'_>,
        found: Found<M>,
        run: Edit<M>,
        picked: Option<&[Row]>,
    ) -> Result<Reply> {
        let log = &self.log;
        let recent = |wanted, alive: &dyn Fn(Row) -> Option<Row>| {
            super::touched::recent::<M>(log, wanted, alive)
        };
        let (tables, state) = (&self.tables, log.state_id());
        let sql = move |model: &M, condition: &str, part: Option<usize>| {
            tables.view(model, registry, state).choose(condition, part)
        };
        let call = Call {
            op,
            skip: found.skip,
            qualified: found.qualified,
            verb: found.verb,
            registry,
            recent: &recent,
            files: &self.files,
            sql: &sql,
            picked,
        };
        run(&mut self.model, &call)
    }

    /// Logs the changes since the last entry as one entry, or takes them back. `syntax` is asked for
    /// an error that has no repair.
    pub(super) fn enter(
        &mut self,
        (text, syntax): (&str, &dyn Fn() -> String),
        before: u32,
        mut result: Result<Reply>,
    ) -> Result<Reply> {
        let mut events = self.model.drain();
        if events.iter().all(M::is_idle) {
            self.model.take_back(&events);
            events.clear();
        }
        if !events.is_empty()
            && let Ok(reply) = result
        {
            let settled = self.model.settle(&events);
            result = settled.map(|notes| notes.into_iter().fold(reply, Reply::note));
            events.extend(self.model.drain());
            result = result.and_then(|reply| self.within_rows(&events).map(|()| reply));
        }
        self.worked = events.len();
        let changed: usize = events.iter().map(M::weight).sum();
        let syntax = match work::spend(changed / BYTES_A_STEP) {
            Ok(()) => Some(syntax),
            Err(spent) => {
                result = Err(spent.into());
                None
            }
        };
        match result {
            Ok(reply) => {
                if events.is_empty() {
                    self.model.ids().set(before);
                    return Ok(reply.unchanged());
                }
                let ids = (before, self.model.ids().peek());
                let about = reply.rows().to_vec();
                let weight = text.len() + changed + size_of_val(about.as_slice()) + 64;
                self.leave_undone();
                self.log.append(
                    Done {
                        events,
                        op: text.to_owned(),
                        ids,
                        about,
                    },
                    weight,
                );
                Ok(reply)
            }
            Err(error) => {
                self.model.take_back(&events);
                self.model.ids().set(before);
                Err(match syntax {
                    Some(syntax) => error.in_op(text).or_syntax(syntax()),
                    None => error.in_op(text),
                })
            }
        }
    }

    /// Changes the model outside of an op, as one log entry; on failure nothing is changed.
    pub(super) fn alter<T>(
        &mut self,
        text: &str,
        change: impl FnOnce(&mut M) -> Result<T>,
    ) -> Result<T> {
        self.keep_base()?;
        let before = self.model.ids().peek();
        let result = change(&mut self.model);
        let events = self.model.drain();
        if result.is_err() {
            self.model.take_back(&events);
            self.model.ids().set(before);
        } else if !events.is_empty() {
            let ids = (before, self.model.ids().peek());
            let weight = text.len() + events.iter().map(M::weight).sum::<usize>() + 64;
            let op = text.to_owned();
            let about = Vec::new();
            self.leave_undone();
            self.log.append(
                Done {
                    events,
                    op,
                    ids,
                    about,
                },
                weight,
            );
        }
        result
    }

    /// Marks the present state, to return to it.
    pub(super) fn savepoint(&mut self) -> Savepoint {
        Savepoint {
            log: self.log.savepoint(),
            state: self.log.undoable(),
            ids: self.model.ids().peek(),
        }
    }

    /// The number of log entries added since a savepoint.
    pub(super) fn entries_since(&self, savepoint: &Savepoint) -> usize {
        self.log.undoable().saturating_sub(savepoint.state)
    }

    /// Returns to a savepoint and leaves no trace of later changes.
    pub(super) fn rollback(&mut self, savepoint: Savepoint) {
        let since = self.entries_since(&savepoint);
        for entry in self.log.applied().rev().take(since) {
            self.model.take_back(&entry.event.events);
        }
        self.model.ids().set(savepoint.ids);
        self.log.rollback(savepoint.log);
    }

    /// Keeps the changes since a savepoint.
    pub(super) fn release(&mut self, savepoint: Savepoint) {
        self.log.release(savepoint.log);
        self.note_dropped();
    }

    /// Takes back the entries that the log undid, newest first. Returns their ops and the rows they
    /// touched.
    pub(super) fn undo(&mut self, how: Undo<'_>) -> Result<Stepped, crate::event::CheckpointError> {
        let entries = match how {
            Undo::Ops(n) => self.log.undo(n),
            Undo::Batch => self.log.undo_batch(),
            Undo::To(name) => self.log.undo_to(name)?,
        };
        let mut stepped = Stepped::default();
        for entry in entries {
            stepped.note::<M>(&entry.event);
            self.model.take_back(&entry.event.events);
            self.model.ids().set(entry.event.ids.0);
            stepped.beside(&self.model, &entry.event);
        }
        stepped.rows = in_order(stepped.rows);
        Ok(stepped)
    }

    /// Applies undone entries again, oldest first.
    pub(super) fn redo(&mut self, n: usize) -> Stepped {
        let mut stepped = Stepped::default();
        for entry in self.log.redo(n) {
            stepped.note::<M>(&entry.event);
            self.model.make_again(&entry.event.events);
            self.model.ids().set(entry.event.ids.1);
            stepped.beside(&self.model, &entry.event);
        }
        stepped.rows = in_order(stepped.rows);
        stepped
    }

    /// The rows that the last `n` entries touched, each once and in order.
    pub(super) fn touched(&self, n: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for entry in self.log.applied().rev().take(n) {
            let events = &entry.event.events;
            rows.extend(events.iter().filter_map(M::row_of).map(|(row, _)| row));
            rows.extend(self.model.neighbors(events));
        }
        in_order(rows)
    }

    /// Every warning, or those of one code, the weightiest first.
    pub(super) fn warnings(&mut self, code: Option<&str>) -> Vec<(&'static str, String)> {
        self.findings.catch_up(&self.model);
        let is_changed = self.log.state_id() != 0;
        self.findings.all(&self.model, code, is_changed)
    }

    /// Warnings on the wording of the last `n` ops.
    pub(super) fn odd(&self, n: usize, limits: Limits) -> Vec<(&'static str, String)> {
        let last = self.log.applied().rev().take(n);
        let mut ops: Vec<&str> = last.map(|entry| &*entry.event.op).collect();
        ops.reverse();
        self.findings.of_ops(&self.model, &ops, limits)
    }

    /// The rows that the last log entry added, changed or removed.
    pub(super) fn last_rows(&self) -> BTreeSet<Row> {
        let last = self.log.applied().next_back();
        let events = last.into_iter().flat_map(|entry| &entry.event.events);
        events.filter_map(M::row_of).map(|(row, _)| row).collect()
    }

    /// The digest: counts, metrics, content hash.
    pub(super) fn digest(&self) -> String {
        let mut words = self.model.digest_counts();
        let metrics = self.model.digest_metrics();
        if metrics.is_empty() {
            let refs: usize = self
                .model
                .tables()
                .map(|(_, _, rows)| rows.references())
                .sum();
            words.push(format!("refs:{refs}"));
        }
        words.extend(metrics);
        // Six digits detect a drifted copy; they do not protect against forgery.
        words.push(format!("#{:06x}", self.model.hash() & 0xff_ffff));
        format!("[{}]", crate::reply::one_line(&words.join(" ")))
    }
}

/// Rows in order, each once.
fn in_order(mut rows: Vec<Row>) -> Vec<Row> {
    // The changes of an op are often in order already.
    rows.sort();
    rows.dedup();
    rows
}

/// A state to come back to.
pub(super) struct Savepoint {
    log: crate::event::Savepoint,
    state: usize,
    ids: u32,
}

/// The range of an undo.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo<'a> {
    Ops(usize),
    Batch,
    To(&'a str),
}

/// The entries that an undo or redo passed.
#[derive(Debug, Default)]
pub(super) struct Stepped {
    /// The first words of the ops, in the order they were passed.
    pub verbs: Vec<String>,
    /// The rows they touched; each once and in order at the end.
    pub rows: Vec<Row>,
}

impl Stepped {
    /// Records the rows next to those that were added, removed or moved.
    fn beside<M: Domain>(&mut self, model: &M, done: &Done<M::Event>) {
        self.rows.extend(model.neighbors(&done.events));
    }

    fn note<M: Model>(&mut self, done: &Done<M::Event>) {
        let verb = done.op.split_whitespace().next();
        self.verbs.push(verb.unwrap_or_default().to_lowercase());
        self.rows
            .extend(done.events.iter().filter_map(M::row_of).map(|(row, _)| row));
    }
}
