//! Structural warnings: what the domain's lints find, kept up to date by the change.

use std::collections::{BTreeMap, HashSet};

use crate::domain::Domain;
use crate::model::{AnyTable, FieldKind, ModelExt, Row};
use crate::verb::{Lint, Registry};

/// What the lints of a domain find in a document.
pub(super) struct Findings<M: Domain> {
    lints: Vec<&'static Lint<M>>,
    /// By the lint's place in the order of weight, then by row.
    found: BTreeMap<(usize, Row), String>,
}

impl<M: Domain> Clone for Findings<M> {
    fn clone(&self) -> Self {
        Self {
            lints: self.lints.clone(),
            found: self.found.clone(),
        }
    }
}

impl<M: Domain> Findings<M> {
    /// Looks at every row.
    pub fn scan(model: &M, registry: &Registry<M>) -> Self {
        let mut findings = Self {
            lints: registry.lints().collect(),
            found: BTreeMap::new(),
        };
        for (ix, lint) in findings.lints.iter().enumerate() {
            let ids = model
                .rows(lint.part)
                .map(|rows| rows.ids().collect::<Vec<_>>())
                .unwrap_or_default();
            for id in ids {
                if let Some(message) = (lint.check)(model, id) {
                    findings
                        .found
                        .insert((ix, Row::new(lint.part, id)), message);
                }
            }
        }
        findings
    }

    /// Looks again at the rows that were touched, those they belong or belonged to, and those that belong to them.
    /// Answers what was not found before.
    pub fn update(&mut self, model: &mut M, touched: &HashSet<Row>) -> Vec<(&'static str, String)> {
        let mut rows = touched.clone();
        for part in 0..M::SHAPE.parts.len() {
            let left = model.rows_mut(part).map(AnyTable::take_left);
            rows.extend(tied::<M>(left.unwrap_or_default()));
        }
        if self.lints.is_empty() || touched.is_empty() {
            return Vec::new();
        }
        for row in touched {
            let owners = model.rows(row.part()).map(|rows| rows.owners(row.id()));
            rows.extend(tied::<M>(owners.unwrap_or_default()));
        }
        for lint in &self.lints {
            dependents(model, lint.part, touched, &mut rows);
        }
        let mut rows: Vec<Row> = rows.into_iter().collect();
        rows.sort_unstable();
        let mut new = Vec::new();
        for (ix, lint) in self.lints.iter().enumerate() {
            for row in rows.iter().filter(|row| row.part() == lint.part) {
                let message = if model.has(*row) {
                    (lint.check)(model, row.id())
                } else {
                    None
                };
                match message {
                    None => {
                        self.found.remove(&(ix, *row));
                    }
                    Some(message) => {
                        if self
                            .found
                            .insert((ix, *row), message.clone())
                            .is_none_or(|old| old != message)
                        {
                            new.push((lint.code, message));
                        }
                    }
                }
            }
        }
        new
    }

    /// Every warning, or those of one code, the weightiest first.
    pub fn all(&self, code: Option<&str>) -> Vec<(&'static str, String)> {
        let found = self.found.iter();
        let found = found
            .filter_map(|((ix, _), message)| Some((self.lints.get(*ix)?.code, message.clone())));
        found
            .filter(|(own, _)| code.is_none_or(|code| code == *own))
            .collect()
    }
}

/// Adds the rows of a table that belong or refer to rows that were touched.
fn dependents<M: Domain>(model: &M, part: usize, touched: &HashSet<Row>, found: &mut HashSet<Row>) {
    let Some(rows) = model.rows(part) else {
        return;
    };
    let any = |part: usize| touched.iter().any(|row| row.part() == part);
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
            owner.is_some_and(|owner| touched.contains(&Row::new(*part, owner)))
        })
    };
    found.extend(
        rows.ids()
            .filter(|id| linked(*id))
            .map(|id| Row::new(part, id)),
    );
}

/// Rows told by kind and id.
fn tied<M: Domain>(owners: Vec<(&'static str, u32)>) -> impl Iterator<Item = Row> {
    let rows = owners.into_iter();
    rows.filter_map(|(kind, id)| M::part_of(kind).map(|part| Row::new(part, id)))
}
