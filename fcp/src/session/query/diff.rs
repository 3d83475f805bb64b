//! `diff`: the changes since a checkpoint, in rows and in bytes.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::changed::changed;
use super::forms::forms;
use super::listed::Listed;
use super::moves::{Moves, Rows, rename};
use super::numbered::number_lines;
use super::outlines::Outlines;
use super::parts::{PartValues, differing_parts};
use super::{checkpoint_error, words};
use crate::account::{
    Account, Change, LINES, Owner, Pieces, RowChange, Shown, Touched, whole_lines,
};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::event::Since;
use crate::model::{Fate, ModelExt, Row};
use crate::op::{ParsedOp, spell_param};
use crate::queries::{show, show_line};
use crate::reply::Listing;
use crate::session::account::{BYTES_A_STEP, inside};
use crate::session::document::{Document, Done};
use crate::session::excerpt::excerpt;
use crate::session::lints::take_left;
use crate::session::{Session, no_document};
use crate::value::{FcpValue, Switch};
use crate::verb::sure_name;
use crate::work;

/// The steps of a call for each row that is compared, in three passes and with its texts: by default 70,000 rows are.
pub(in crate::session) const STEPS_A_ROW: usize = 280;

/// The syntax of `diff`.
const SYNTAX: &str = "diff checkpoint:NAME|file|PATH [rows:on] [from:N]";

impl<M: Domain> Session<M> {
    /// Answers `diff`: the rows that changed, equal changes folded, and the bytes.
    pub(super) fn diff(&mut self, op: &ParsedOp<'_>) -> Result<Answer> {
        let mut page = self.page(op)?;
        let Some(document) = self.document.as_ref() else {
            return Ok(no_document("! "));
        };
        let known = ["checkpoint", "rows", "limit", "from"];
        if let Some(param) = op.params().find(|param| !known.contains(&&*param.key)) {
            let error = Diagnostic::new(format!("diff has no {}:", param.key));
            return Err(error.or_try(param.key_span.replace(op.raw, "checkpoint")));
        }
        let named = op.param("checkpoint").map(|param| param.value.to_string());
        let most = usize::from(named.is_none());
        let bare = words(op, SYNTAX, &["checkpoint", "rows"], most)?;
        let fold = match op.param("rows") {
            None => true,
            Some(param) => match Switch::parse(&param.value) {
                Ok(Switch(on)) => !on,
                Err(error) => {
                    let fixed = param.value_span.replace(op.raw, "on");
                    return Err(Diagnostic::new(error.about("rows:")).or_try(fixed));
                }
            },
        };
        if op.param("limit").is_none() {
            page.shorten(LINES);
        }
        let since = named.clone().or_else(|| bare.first().cloned());
        let Some(name) = since else {
            let error = Diagnostic::new("diff needs checkpoint:NAME, file or a path");
            let checkpoints = document.log.checkpoints();
            return Err(match checkpoints.last() {
                Some(last) => {
                    error.or_try(format!("diff {}", spell_param("checkpoint", last.name)))
                }
                None => error.or_syntax(SYNTAX),
            });
        };
        let checkpoints = document.log.checkpoints();
        let is_checkpoint = checkpoints.iter().any(|own| own.name == name);
        let since = if named.is_some() || is_checkpoint {
            let since = document.log.since(&name).map_err(|error| {
                let spelled = |near: &str| format!("diff {}", spell_param("checkpoint", near));
                checkpoint_error(error, spelled, SYNTAX)
            })?;
            Some(events::<M>(since))
        } else {
            self.since_file(&name)?
        };
        let listed = match since {
            Some((events, done)) => {
                let Some(document) = self.document.as_mut() else {
                    return Ok(no_document("! "));
                };
                document.diff_of(&events, done)?
            }
            None => self.diff_with(&name)?,
        };
        // Changes of the whole document come first: they may explain the rest.
        let mut text = listed.notes;
        let rows = whole_lines(&listed.rows, fold.then_some(LINES));
        let folded = rows.len() < listed.rows.len();
        text.extend(rows);
        if text.is_empty() && listed.account.places == 0 {
            text.push(format!("nothing changed since {name}"));
            return Ok(page.of(Listing::of(text), op));
        }
        let mut listing = Listing::of(text);
        if folded {
            let each = format!("diff {}", crate::op::quote(&name));
            listing = listing.over(format!("  each row on its line: {each} rows:on"));
        }
        Ok(page.of(listing.over(listed.account.summary()), op))
    }
}

/// The events between a state and now, oldest first, and whether they lead from it to now.
pub(in crate::session) fn events<M: Domain>(
    since: Since<'_, Done<M::Event>>,
) -> (Vec<M::Event>, bool) {
    let (entries, done) = match since {
        Since::Done(entries) => (entries, true),
        Since::Undone(entries) => (entries, false),
    };
    let events = entries.iter().flat_map(|entry| &entry.event.events);
    (events.cloned().collect(), done)
}

impl<M: Domain> Session<M> {
    /// The differences between a file and the document: its own file for `file`, else the one at a
    /// path.
    fn diff_with(&self, name: &str) -> Result<Listed> {
        let document = self.document.as_ref();
        let document = document.ok_or_else(|| Diagnostic::new("no document is open"))?;
        let path = match (name, &document.file) {
            ("file", Some(file)) => &file.path,
            ("file", None) => {
                return Err(Diagnostic::new("the document has no file yet").or_syntax(SYNTAX));
            }
            (path, _) => path,
        };
        let read = self.root.read(path, self.settings.file_bytes());
        let (bytes, _) = read.map_err(|error| match document.log.since(name) {
            // A word that does not look like a path is an unknown checkpoint.
            Err(near) if !name.contains(['.', '/']) && name != "file" => {
                let spelled = |near: &str| format!("diff {}", spell_param("checkpoint", near));
                checkpoint_error(near, spelled, SYNTAX)
            }
            _ => Diagnostic::from(error).or_syntax(SYNTAX),
        })?;
        let other = self.read(&bytes, path)?;
        let other = self.document_of(other);
        super::compare::documents(&other.model, &document.model)
    }

    /// The events since the document equalled its own file, or since it was opened, if `name` means a file that still
    /// has that content.
    fn since_file(&self, name: &str) -> Result<Option<(Vec<M::Event>, bool)>> {
        let Some(document) = self.document.as_ref() else {
            return Ok(None);
        };
        let most = self.settings.file_bytes();
        let file = document.file.as_ref();
        let file = file.filter(|file| name == "file" || self.root.is_same(name, &file.stamp));
        let since = match (file, &document.opened) {
            (Some(file), _) => match self.root.read(&file.path, most) {
                Ok((_, stamp)) if stamp == file.stamp => document.since_saved(),
                _ => None,
            },
            (None, Some(opened)) => {
                let read = self.root.read(name, most).ok();
                let content = read.and_then(|(bytes, _)| M::unpack(bytes, most).ok());
                let is_opened = content.is_some_and(|content| content == opened.content());
                let state = opened.state().ok().filter(|_| is_opened);
                state.and_then(|state| document.log.since_state(state))
            }
            (None, None) => None,
        };
        Ok(since.map(events::<M>))
    }
}

impl<M: Domain> Document<M> {
    /// The differences made by events, or by taking them back.
    fn diff_of(&mut self, events: &[M::Event], backward: bool) -> Result<Listed> {
        let format = self.written_format();
        let pieces = self.pieces(format)?;
        self.diff_to(events, backward, format, &pieces)
    }

    /// The differences between the opened file and the present pieces. The opened file is known and
    /// need not be written again; `account` is their comparison, if it is known too.
    pub(in crate::session) fn diff_opened(
        &mut self,
        events: &[M::Event],
        backward: bool,
        pieces: &Pieces,
        account: Option<Account>,
    ) -> Result<Option<Listed>> {
        let Some(opened) = self.opened.take() else {
            return Ok(None);
        };
        let base = |_: &M| Ok(opened.base(pieces));
        let listed = self.diff_between(events, backward, (pieces, account), base);
        self.opened = Some(opened);
        listed.map(Some)
    }

    /// The differences made by events, or by taking them back, up to the present pieces. The model
    /// is moved there and back.
    pub(in crate::session) fn diff_to(
        &mut self,
        events: &[M::Event],
        backward: bool,
        format: &str,
        pieces: &Pieces,
    ) -> Result<Listed> {
        self.diff_between(events, backward, (pieces, None), |model| {
            let mut before = pieces.empty_alike();
            model.write(format, &mut before)?;
            work::spend(before.file().len() / BYTES_A_STEP)?;
            Ok(before)
        })
    }

    /// `base` returns the earlier model as written.
    fn diff_between<B: Borrow<Pieces>>(
        &mut self,
        events: &[M::Event],
        backward: bool,
        (pieces, account): (&Pieces, Option<Account>),
        base: impl FnOnce(&M) -> Result<B>,
    ) -> Result<Listed> {
        let ids = self.model.ids().peek();
        let mut touched = Touched::default();
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        let mut moved: BTreeMap<u32, Row> = BTreeMap::new();
        for (row, fate) in events.iter().filter_map(M::row_of) {
            let view = M::SHAPE.parts.get(row.part()).is_some_and(|part| part.view);
            if !view {
                touched.event(row, fate, &|row| inside(&self.model, row));
                rows.insert(row.id(), row);
                if fate == Fate::Moved {
                    moved.insert(row.id(), row);
                }
            }
        }
        let moves = Moves::of(moved, &rows, pieces);
        work::spend(STEPS_A_ROW * rows.len())?;
        let changed: Vec<Row> = rows.values().copied().collect();
        let mut others = self.model.shown_with(&changed);
        let mut outlines = Outlines::of(&self.model, &rows);
        let places_now = moves.places(&self.model);
        self.findings.gather_left(&mut self.model);
        self.walk(events, backward);
        // The row of a section may be compared with that of another one.
        let sections: FxHashSet<u32> = pieces.section_keys().collect();
        let mut then = State {
            rows: outlines.other(&self.model, &rows, |id| sections.contains(&id)),
            parts: PartValues::of(&self.model),
        };
        let places_then = moves.places(&self.model);
        others.extend(self.model.shown_with(&changed));
        others.retain(|row| !rows.contains_key(&row.id()));
        let others: BTreeMap<u32, Row> = others.into_iter().map(|row| (row.id(), row)).collect();
        let mut others_then: BTreeMap<u32, Shown> =
            shown(&self.model, &others).into_iter().collect();
        // The names and texts of rows that are gone are only known in the state that had them.
        let gone = rows
            .iter()
            .filter(|(id, _)| then.has(**id) && !outlines.has(**id));
        let gone: Vec<(u32, Row)> = gone.map(|(id, row)| (*id, *row)).collect();
        // A piece of nothing has no name.
        let is_free = |(id, row): &&(u32, Row)| {
            let at = then.rows.binary_search_by_key(id, |(id, _)| *id).ok();
            let shown = at.and_then(|at| then.rows.get(at));
            let piece = shown.and_then(|(_, shown)| self.model.piece(shown, *row));
            piece.is_some_and(|piece| piece.row.is_none())
        };
        let names = gone.iter().filter(|gone| !is_free(gone));
        let names = names.map(|(id, row)| (*id, sure_name(&self.model, *row)));
        let names: BTreeMap<u32, String> = names.collect();
        let line = |model: &M, id: u32, along: &dyn Fn(u32) -> bool| {
            (id, show_line(model, id, along).unwrap_or_default())
        };
        let is_gone = |id: u32| !outlines.has(id);
        let removed = then.only_in(&is_gone);
        let removed = removed.map(|id| line(&self.model, id, &is_gone));
        let removed: BTreeMap<u32, String> = removed.collect();
        let base = base(&self.model);
        self.walk(events, !backward);
        let mut now = State {
            rows: outlines.own(&self.model),
            parts: PartValues::of(&self.model),
        };
        drop(outlines);
        let mut others_now: BTreeMap<u32, Shown> =
            shown(&self.model, &others).into_iter().collect();
        self.model.ids().set(ids);
        // Going there and back changed nothing that a warning depends on.
        drop(take_left(&mut self.model));

        let base = base?;
        let base = base.borrow();
        for (ix, (was, is)) in then.parts.values.iter().zip(&now.parts.values).enumerate() {
            if was != is {
                touched.part(ix);
            }
        }
        let account =
            account.unwrap_or_else(|| Account::of(base, pieces, &touched, |_| String::new()));
        let places = [places_then, places_now];
        moves.add(places, &account.moved, [&mut then.rows, &mut now.rows]);
        let states = [&mut then.rows, &mut now.rows];
        rename(&account, states, [&mut others_then, &mut others_now]);
        for (id, was) in others_then {
            let is = others_now.remove(&id);
            if let Some(is) = is.filter(|is| is.fields != was.fields) {
                then.rows.push((id, was));
                now.rows.push((id, is));
            }
        }
        then.rows.sort_by_key(|(id, _)| *id);
        now.rows.sort_by_key(|(id, _)| *id);
        let is_new = |id: u32| !then.has(id);
        let added = now.only_in(&is_new);
        let added = added.map(|id| line(&self.model, id, &is_new)).collect();
        let mut listed = listed(
            &self.model,
            (then, now),
            (added, removed),
            account,
            (base, pieces),
        );
        listed.names = names;
        listed.others = others.into_values().collect();
        Ok(listed)
    }

    /// Takes events back, or applies them again.
    pub(in crate::session) fn walk(&mut self, events: &[M::Event], backward: bool) {
        if backward {
            self.model.take_back(events);
        } else {
            self.model.make_again(events);
        }
    }
}

/// Rows as text, in the order of ids.
fn shown<M: Domain>(model: &M, rows: &BTreeMap<u32, Row>) -> Vec<(u32, Shown)> {
    let mut all = Vec::with_capacity(rows.len());
    all.extend(rows.keys().filter_map(|id| Some((*id, show(model, *id)?))));
    all
}

/// Some rows and all single values of a document at one time.
struct State {
    /// By id, in order.
    rows: Rows,
    parts: PartValues,
}

impl State {
    /// The rows that another state `lacks` and that have a line of their own.
    fn only_in(&self, lacks: &dyn Fn(u32) -> bool) -> impl Iterator<Item = u32> {
        let along = |id: u32| self.has(id) && lacks(id);
        let rows = self.rows.iter();
        let rows = rows.filter(move |(id, row)| lacks(*id) && !row.within.is_some_and(along));
        rows.map(|(id, _)| *id)
    }

    fn has(&self, id: u32) -> bool {
        self.rows.binary_search_by_key(&id, |(id, _)| *id).is_ok()
    }
}

/// Returns whether a row is in one state but not in the other.
fn is_new(id: Option<u32>, one: &State, other: &State) -> bool {
    id.is_some_and(|id| one.has(id) && !other.has(id))
}

/// The changes between two states of one document, as rows in the order of the file.
fn listed<M: Domain>(
    model: &M,
    (then, now): (State, State),
    (mut added, mut removed): (BTreeMap<u32, String>, BTreeMap<u32, String>),
    account: Account,
    pieces: (&Pieces, &Pieces),
) -> Listed {
    let contents = (pieces.0.content(), pieces.1.content());
    let forms = forms::<M>(&account, pieces);
    let changes: FxHashMap<u32, &Change> = account
        .changes
        .iter()
        .filter_map(|change| match change.owner {
            Owner::Row(id) => Some((id, change)),
            _ => None,
        })
        .collect();
    // A row without a line of its own is described by its title.
    let line = |row: &Shown, line: Option<String>| {
        let line = line.filter(|line| !line.is_empty());
        line.unwrap_or_else(|| row.title())
    };
    let is_left_out = |row: &Shown, one: &State, other: &State| is_new(row.within, one, other);
    let skipped = now
        .rows
        .iter()
        .filter(|(id, row)| is_left_out(row, &now, &then) && !then.has(*id));
    let gone = then
        .rows
        .iter()
        .filter(|(id, row)| is_left_out(row, &then, &now) && !now.has(*id));
    let skipped: FxHashSet<u32> = skipped.chain(gone).map(|(id, _)| *id).collect();
    let most = then.rows.len().max(now.rows.len());
    let mut found: Vec<((usize, u32), RowChange)> = Vec::with_capacity(most);
    let (then_parts, now_parts) = (then.parts, now.parts);
    let mut earlier = then.rows.into_iter().peekable();
    let mut later = now.rows.into_iter().peekable();
    loop {
        // Both are in order of ids.
        let next = [
            earlier.peek().map(|(id, _)| *id),
            later.peek().map(|(id, _)| *id),
        ];
        let Some(id) = next.into_iter().flatten().min() else {
            break;
        };
        let then = earlier.next_if(|(own, _)| *own == id).map(|(_, row)| row);
        let now = later.next_if(|(own, _)| *own == id).map(|(_, row)| row);
        let change = changes.get(&id).copied();
        let place = change.map_or(usize::MAX, |change| {
            let span = change.after.first().or(change.before.first());
            span.map_or(usize::MAX, |span| span.start)
        });
        let row = match (then, now) {
            _ if skipped.contains(&id) => None,
            (None, Some(row)) => {
                let line = line(&row, added.remove(&id));
                Some(RowChange::Added(row, line))
            }
            (Some(row), None) => {
                let line = line(&row, removed.remove(&id));
                Some(RowChange::Removed(row, line))
            }
            (Some(then), Some(now)) => {
                changed(model, then, now, (change, forms.get(&id)), contents)
            }
            (None, None) => None,
        };
        found.extend(row.map(|row| ((place, id), row)));
    }
    found.sort_by_key(|(key, _)| *key);
    let offsets = |at: usize, change: &RowChange| match change {
        RowChange::Removed(..) => [Some(at), None],
        _ => [None, Some(at)],
    };
    let rows = found.iter_mut();
    let rows = rows.map(|((at, _), change)| {
        let offsets = offsets(*at, change);
        (change, offsets)
    });
    number_lines(rows, contents.into(), M::TEXT);
    let (mut notes, parts) = differing_parts(model, [then_parts, now_parts]);
    // A row that the account names but no line above does: its bytes differ, or its place.
    notes.extend(account.faults.iter().map(|fault| {
        format!(
            "! changed by no op: {} -> {}",
            excerpt(contents.0, &fault.before),
            excerpt(contents.1, &fault.after)
        )
    }));
    let (ids, rows) = found.into_iter().map(|((_, id), row)| (id, row)).unzip();
    Listed {
        rows,
        ids,
        others: Vec::new(),
        names: BTreeMap::new(),
        notes,
        parts,
        account,
    }
}
