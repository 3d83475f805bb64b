//! Structural warnings: what the domain's lints find, kept up to date by the change.

use std::collections::{BTreeMap, HashSet};

use crate::domain::Domain;
use crate::model::{FieldKind, ModelExt, Part, Row};
use crate::verb::{Lint, Registry};

/// What the lints of a domain find in a document.
pub(super) struct Findings<M: Domain> {
    lints: Vec<&'static Lint<M>>,
    /// By the lint's place in the order of weight, then by row.
    found: BTreeMap<(usize, Row), String>,
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

    /// Looks again at the rows that were touched, those they belong to, and those that belong to them. Answers what was
    /// not found before.
    pub fn update(&mut self, model: &M, touched: &HashSet<Row>) -> Vec<(&'static str, String)> {
        if self.lints.is_empty() || touched.is_empty() {
            return Vec::new();
        }
        let mut rows = touched.clone();
        for row in touched {
            rows.extend(owners(model, *row));
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
fn dependents<M: Domain>(
    model: &M,
    part: usize,
    touched: &HashSet<Row>,
    found: &mut HashSet<Row>,
) {
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

/// The rows that a row belongs to or refers to. Of a row that is gone nobody knows, so all that could be are looked at.
fn owners<M: Domain>(model: &M, row: Row) -> Vec<Row> {
    let Some(shape) = M::SHAPE.parts.get(row.part()).and_then(|part| part.shape) else {
        return Vec::new();
    };
    let refers = shape
        .fields
        .iter()
        .enumerate()
        .filter_map(|(ix, field)| match field.kind {
            FieldKind::Refers(kind) => M::part_of(kind).map(|part| (part, Some(ix))),
            _ => None,
        });
    let parent = shape.parent.and_then(M::part_of).map(|part| (part, None));
    let mut owners = Vec::new();
    for (part, field) in refers.chain(parent) {
        let Some(Part::Rows(rows)) = model.part(part) else {
            continue;
        };
        if model.has(row) {
            let own = model.rows(row.part());
            let id = own.and_then(|own| match field {
                Some(ix) => own.reference(row.id(), ix),
                None => own.parent(row.id()),
            });
            owners.extend(id.map(|id| Row::new(part, id)));
        } else {
            owners.extend(rows.ids().map(|id| Row::new(part, id)));
        }
    }
    owners
}
