//! Structural warnings: the findings of the domain's lints, updated incrementally.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::domain::Domain;
use crate::model::{AnyTable, FieldKind, ModelExt, Row};
use crate::op::{Limits, parse_within};
use crate::value::thousands;
use crate::verb::{Check, Lint, of_part};
use crate::work;

/// The most rows that are checked again because they had a finding and some row is gone.
const MOST_AGAIN: usize = 1000;

/// The most changed rows that are checked with the call that changed them. Beyond that, the next
/// query for warnings checks the document.
const MOST_AT_ONCE: usize = 50_000;

/// The code of the notice that changed rows were not checked.
const UNCHECKED: &str = "unchecked";

/// The findings of a domain's lints in a document.
pub(super) struct Findings<M: Domain> {
    lints: Vec<&'static Lint<M>>,
    /// Messages by the lint's index in order of weight, then by row.
    found: BTreeMap<(usize, Row), String>,
    /// The next id at the last check: rows from this id on are new.
    next: u32,
    /// The rows that changed rows were tied to, since the last check.
    left: Vec<Row>,
    /// Whether no row was checked again since all messages were built.
    are_new: bool,
    /// Whether there were too many changed rows to check since the last scan.
    is_stale: bool,
}

impl<M: Domain> Clone for Findings<M> {
    fn clone(&self) -> Self {
        Self {
            lints: self.lints.clone(),
            found: self.found.clone(),
            next: self.next,
            left: self.left.clone(),
            are_new: self.are_new,
            is_stale: self.is_stale,
        }
    }
}

impl<M: Domain> Findings<M> {
    /// Checks every row.
    pub fn scan(model: &M, lints: Vec<&'static Lint<M>>) -> Self {
        let mut findings = Self {
            lints,
            found: BTreeMap::new(),
            next: model.ids().peek(),
            left: Vec::new(),
            are_new: true,
            is_stale: false,
        };
        if findings.lints.is_empty() {
            return findings;
        }
        let rows = every_row(model);
        for (ix, lint) in findings.lints.iter().enumerate() {
            let found = lint.find(model, &rows).into_iter();
            findings
                .found
                .extend(found.map(|(row, message)| ((ix, row), message)));
        }
        findings
    }

    /// Checks every row again. Returns the new findings.
    pub fn afresh(&mut self, model: &M) -> Vec<(&'static str, String)> {
        let before = std::mem::replace(self, Self::scan(model, self.lints.clone())).found;
        let is_news = |at, now| {
            before
                .get(at)
                .is_none_or(|old: &String| !is_repeated(old, now))
        };
        let new = self.found.iter().filter(|(at, now)| is_news(*at, now));
        let code = |ix: usize| self.lints.get(ix).map_or("", |lint| lint.code);
        new.map(|((ix, _), now)| (code(*ix), now.clone())).collect()
    }

    /// Checks again the touched rows, their present and former owners, and the rows that belong to
    /// them. Returns the new findings, or a notice if there are too many rows to check. `touched` is
    /// in order, each row once. The steps of the call are not counted: the changes are accepted
    /// already, and paid for these checks.
    pub fn update(&mut self, model: &mut M, touched: &[Row]) -> Vec<(&'static str, String)> {
        work::within(u64::MAX, || self.check_again(model, touched))
    }

    fn check_again(&mut self, model: &mut M, touched: &[Row]) -> Vec<(&'static str, String)> {
        self.are_new = false;
        self.gather_left(model);
        let mut rows = std::mem::take(&mut self.left);
        if self.lints.is_empty() || touched.is_empty() {
            return Vec::new();
        }
        let there = match touched.len() > MOST_AT_ONCE {
            true => touched.iter().filter(|row| model.has(**row)).count(),
            false => touched.len(),
        };
        if there > MOST_AT_ONCE {
            self.is_stale = true;
            self.next = model.ids().peek();
            let message = format!(
                "the {} changed rows are not checked for warnings yet (query \"warnings\" checks them)",
                thousands(there)
            );
            return vec![(UNCHECKED, message)];
        }
        for family in families(touched) {
            if let Some(rows_of) = family.first().and_then(|row| model.rows(row.part())) {
                rows.extend(tied::<M>(&rows_of.owners(family)));
            }
        }
        let gone = !are_there(model, touched);
        for lint in &self.lints {
            if let Check::Row { part, .. } = lint.check {
                dependents(model, part, touched, &mut rows);
            }
        }
        rows.extend(model.affected_rows(touched));
        // A row that is gone may have been the cause of another row's finding.
        if gone {
            rows.extend(self.found.keys().map(|(_, row)| *row).take(MOST_AGAIN));
        }
        let rows = together(touched, rows);
        let near = match M::NEAR {
            [] => Vec::new(),
            _ => together(&rows, model.nearby_rows(touched)),
        };
        let everywhere = model.affects_all(touched).then(|| every_row(model));
        let [rows, near] = [&rows, &near].map(|rows| {
            if are_there(model, rows) {
                return (rows, Cow::Borrowed(rows.as_slice()));
            }
            let there = rows.iter().copied().filter(|row| model.has(*row));
            (rows, there.collect())
        });
        let mut new = Vec::new();
        for (ix, lint) in self.lints.iter().enumerate() {
            let (rows, there) = match M::NEAR.contains(&lint.code) {
                true => &near,
                false => &rows,
            };
            let (again, there) = match &everywhere {
                Some(all) => (self.of(ix).collect(), all.as_slice()),
                None => (self.found_among(ix, rows), &**there),
            };
            let mut before: BTreeMap<Row, String> = BTreeMap::new();
            for row in again {
                before.extend(self.found.remove(&(ix, row)).map(|old| (row, old)));
            }
            for (row, message) in lint.find(model, there) {
                let late = row.id() >= self.next && M::LATE.contains(&lint.code);
                let known = match before.get(&row) {
                    Some(old) => is_repeated(old, &message) || rows.binary_search(&row).is_err(),
                    None => false,
                };
                if !known && !late {
                    new.push((lint.code, message.clone()));
                }
                self.found.insert((ix, row), message);
            }
        }
        self.next = model.ids().peek();
        new
    }

    /// Checks every row if changed rows were left unchecked. If the call runs out of steps, they
    /// stay so.
    pub fn catch_up(&mut self, model: &M) {
        if self.is_stale {
            let fresh = Self::scan(model, self.lints.clone());
            if work::over().is_none() {
                *self = fresh;
            }
        }
    }

    /// Takes the rows that changed rows were tied to from the model.
    pub fn gather_left(&mut self, model: &mut M) {
        self.left.extend(take_left(model));
    }

    /// Those of the rows, given in order, for which a lint found something. Iterates over the
    /// shorter of the two lists.
    fn found_among(&self, ix: usize, rows: &[Row]) -> Vec<Row> {
        if rows.len() < self.found.len() {
            let mut found = Vec::new();
            found.extend(
                rows.iter()
                    .filter(|row| self.found.contains_key(&(ix, **row))),
            );
            return found;
        }
        let own = self.of(ix);
        own.filter(|row| rows.binary_search(row).is_ok()).collect()
    }

    /// The rows for which a lint found something.
    fn of(&self, ix: usize) -> impl Iterator<Item = Row> {
        let (first, last) = (Row::new(0, 0), Row::new(M::SHAPE.parts.len(), u32::MAX));
        let found = self.found.range((ix, first)..=(ix, last));
        found.map(|((_, row), _)| *row)
    }

    /// Checks that the findings equal those of a complete scan, unless rows are left unchecked.
    pub fn audit(&self, model: &M) -> Result<(), String> {
        if self.is_stale {
            return Ok(());
        }
        let fresh = Self::scan(model, self.lints.clone());
        let missing = fresh
            .found
            .iter()
            .filter(|(at, _)| !self.found.contains_key(at));
        let missing = missing.map(|(_, message)| format!("not found: {message}"));
        let other = self
            .found
            .iter()
            .filter(|(at, message)| fresh.found.get(at) != Some(message));
        let mut problems =
            missing.chain(other.map(|(_, message)| format!("found, but not so: {message}")));
        problems.next().map_or(Ok(()), Err)
    }

    /// The findings of the lints that check the wording of ops.
    pub fn of_ops(&self, model: &M, ops: &[&str], limits: Limits) -> Vec<(&'static str, String)> {
        let looks = self.lints.iter().filter_map(|lint| match lint.check {
            Check::Op(look) => Some((lint.code, look)),
            _ => None,
        });
        let mut found = Vec::new();
        for (code, look) in looks {
            for op in ops.iter().filter_map(|op| parse_within(op, limits).ok()) {
                found.extend(look(model, &op).map(|message| (code, message)));
            }
        }
        found
    }

    /// Every warning, or those of one code, the weightiest first. If the document has changed since
    /// it was opened, messages are rebuilt: a row that they name may have been renamed.
    pub fn all(
        &self,
        model: &M,
        code: Option<&str>,
        is_changed: bool,
    ) -> Vec<(&'static str, String)> {
        let lints = self.lints.iter().enumerate();
        let lints = lints.filter(|(_, lint)| code.is_none_or(|code| code == lint.code));
        if self.are_new && !is_changed {
            let codes: BTreeMap<usize, &'static str> =
                lints.map(|(ix, lint)| (ix, lint.code)).collect();
            let found = self.found.iter();
            let own =
                found.filter_map(|((ix, _), message)| Some((*codes.get(ix)?, message.clone())));
            return own.collect();
        }
        let messages = lints.flat_map(|(ix, lint)| {
            let there: Vec<Row> = self.of(ix).filter(|row| model.has(*row)).collect();
            let found = lint.find(model, &there).into_iter();
            found.map(|(_, message)| (lint.code, message))
        });
        messages.collect()
    }
}

/// Returns whether a message adds nothing to the previous one about the same row: only the row's
/// name differs, or the number of faults has not grown, as in `Bass: 2 stuck notes, …`.
fn is_repeated(before: &str, now: &str) -> bool {
    let core = |message| -> (&str, Option<u64>) {
        let core = str::rsplit_once(message, ": ").map_or(message, |(_, core)| core);
        let digits = core.find(|c: char| !c.is_ascii_digit());
        (
            core,
            core.get(..digits.unwrap_or(0))
                .and_then(|number| number.parse().ok()),
        )
    };
    let ((before, were), (now, are)) = (core(before), core(now));
    before == now || were.zip(are).is_some_and(|(were, are)| are <= were)
}

/// Every row, in order.
fn every_row<M: Domain>(model: &M) -> Vec<Row> {
    let parts = (0..M::SHAPE.parts.len()).filter_map(|part| Some((part, model.rows(part)?)));
    let rows = parts.flat_map(|(part, rows)| rows.ids().map(move |id| Row::new(part, id)));
    rows.collect()
}

/// Adds the rows of a table that belong or refer to touched rows.
fn dependents<M: Domain>(model: &M, part: usize, touched: &[Row], found: &mut Vec<Row>) {
    let Some(rows) = model.rows(part) else {
        return;
    };
    let any = |part: usize| !of_part(touched, part).is_empty();
    let fields = rows.shape().fields.iter().enumerate();
    let mut links: Vec<(usize, Option<usize>)> = fields
        .filter_map(|(ix, field)| match field.kind {
            FieldKind::Refers(kind) => M::part_of(kind).map(|part| (part, Some(ix))),
            _ => None,
        })
        .collect();
    links.extend(
        rows.shape()
            .parent
            .and_then(M::part_of)
            .map(|part| (part, None)),
    );
    links.retain(|(part, _)| any(*part));
    if links.is_empty() {
        return;
    }
    let linked = |id: u32| {
        links.iter().any(|(part, field)| {
            let owner = match field {
                Some(ix) => rows.reference(id, *ix),
                None => rows.parent(id),
            };
            owner.is_some_and(|owner| touched.binary_search(&Row::new(*part, owner)).is_ok())
        })
    };
    found.extend(
        rows.ids()
            .filter(|id| linked(*id))
            .map(|id| Row::new(part, id)),
    );
}

/// Rows from pairs of kind and id.
fn tied<M: Domain>(owners: &[(&'static str, u32)]) -> impl Iterator<Item = Row> {
    let rows = owners.iter();
    rows.filter_map(|(kind, id)| M::part_of(kind).map(|part| Row::new(part, *id)))
}

/// Takes the rows that changed rows were tied to from a model.
pub(super) fn take_left<M: Domain>(model: &mut M) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in 0..M::SHAPE.parts.len() {
        let left = model.rows_mut(part).map(AnyTable::take_left);
        rows.extend(tied::<M>(&left.unwrap_or_default()));
    }
    rows
}

/// Groups rows, given in order, by their tables.
fn families(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|one, next| one.part() == next.part())
}

/// Returns whether all these rows, given in order, exist.
fn are_there<M: Domain>(model: &M, rows: &[Row]) -> bool {
    families(rows).all(|family| {
        let own = family.first().and_then(|row| model.rows(row.part()));
        own.is_some_and(|own| own.contains_all(family))
    })
}

/// Merges rows, given in order, with others: in order, each once.
fn together(rows: &[Row], others: Vec<Row>) -> Vec<Row> {
    let mut all = others;
    all.extend_from_slice(rows);
    // Most of them are in order already.
    all.sort();
    all.dedup();
    all
}
