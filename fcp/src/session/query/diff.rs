//! What was done since a checkpoint, row by row.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::page::Page;
use super::{checkpoint_error, words};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::endpoint::Answer;
use crate::event::{CheckpointError, Since};
use crate::model::{ModelExt, Part, Row};
use crate::op::{ParsedOp, spell_param};
use crate::queries::{line_of, shown, tag};
use crate::reply::Listing;
use crate::session::document::Document;
use crate::session::{Session, no_document};

impl<M: Domain> Session<M> {
    /// What was done since a checkpoint, row by row.
    pub(super) fn diff(&mut self, op: &ParsedOp<'_>) -> Result<Answer> {
        let page = Page::asked::<M>(op)?;
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
            let spelled = |near: &str| format!("diff {}", spell_param("checkpoint", near));
            checkpoint_error(error, spelled, syntax)
        })?;
        let lines = if lines.is_empty() {
            vec![format!("nothing changed since {name}")]
        } else {
            lines
        };
        Ok(page.of(Listing::of(lines), op))
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
        let changed: BTreeSet<Row> = rows.filter(|row| !is_view::<M>(row.part())).collect();
        let meant = |model: &M| -> BTreeSet<Row> {
            let rows = changed.iter().filter_map(|row| model.meant(*row));
            rows.collect()
        };
        let ids = self.model.ids().peek();
        let mut touched = meant(&self.model);
        self.walk(&events, backward);
        touched.extend(meant(&self.model));
        // What holds rows together and is gone at both times has no name to be told by.
        touched.extend(changed.iter().filter(|row| is_hidden::<M>(row.part())));
        let then = Picture::of(&self.model, &touched);
        self.walk(&events, !backward);
        let now = Picture::of(&self.model, &touched);
        self.model.ids().set(ids);

        let mut lines = Vec::new();
        let mut run: Option<Run> = None;
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for (row, (now, then)) in touched.iter().zip(now.rows.iter().zip(&then.rows)) {
            let changed = match (then, now) {
                (Some(then), Some(now)) if now.is_numbered => now.changed(then),
                _ => None,
            };
            if let Some(changed) = changed.filter(|_| !is_hidden::<M>(row.part())) {
                if run.as_mut().is_some_and(|run| run.takes(*row, &changed)) {
                    continue;
                }
                lines.extend(run.replace(Run::of(*row, changed)).map(|run| run.told()));
                continue;
            }
            lines.extend(run.take().map(|run| run.told()));
            match (then, now) {
                _ if is_hidden::<M>(row.part()) => {
                    if then != now {
                        parts.insert(row.part());
                    }
                }
                (None, Some(now)) => lines.push(format!("+ {}{}", now.tag, now.line)),
                (Some(then), None) => lines.push(format!("- {}{}", then.tag, then.line)),
                (Some(then), Some(now)) => lines.extend(now.since(then)),
                (None, None) => {}
            }
        }
        lines.extend(run.map(|run| run.told()));
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
            self.model.take_back(events);
        } else {
            self.model.make_again(events);
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

/// Rows that go by their numbers, one behind the other, of which the same changed.
struct Run {
    part: usize,
    /// The first and the last of each stretch of numbers.
    ids: Vec<(u32, u32)>,
    changed: String,
}

impl Run {
    /// The most stretches of numbers on a line.
    const STRETCHES: usize = 8;

    fn of(row: Row, changed: String) -> Self {
        Self {
            part: row.part(),
            ids: vec![(row.id(), row.id())],
            changed,
        }
    }

    /// Takes one more row in, if it goes on there.
    fn takes(&mut self, row: Row, changed: &str) -> bool {
        if row.part() != self.part || changed != self.changed {
            return false;
        }
        let full = self.ids.len() >= Self::STRETCHES;
        match self.ids.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(row.id()) => *last = row.id(),
            _ if full => return false,
            _ => self.ids.push((row.id(), row.id())),
        }
        true
    }

    /// `~ #12,15-20 pitch C4->D4`
    fn told(&self) -> String {
        let stretch = |(first, last): &(u32, u32)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        let ids = self.ids.iter().map(stretch).collect::<Vec<_>>().join(",");
        format!("~ #{ids} {}", self.changed)
    }
}

/// A row as text.
#[derive(PartialEq)]
struct Snapshot {
    /// It goes by its number and nothing else.
    is_numbered: bool,
    /// `#12 ` where rows have numbers.
    tag: String,
    /// What it is called, with its kind.
    name: String,
    line: String,
    fields: Vec<(Cow<'static, str>, String)>,
    hash: u64,
}

impl Snapshot {
    /// What is different from an earlier picture of the same row, field by field.
    fn changed(&self, then: &Self) -> Option<String> {
        let of = |snapshot: &Self, name: &str| {
            let mut fields = snapshot.fields.iter();
            let value = fields.find(|(own, _)| own == name).map(|(_, value)| value);
            value.cloned().unwrap_or_else(|| "none".to_owned())
        };
        let names = then.fields.iter().map(|(name, _)| name);
        let added = self.fields.iter().map(|(name, _)| name);
        let added = added.filter(|name| then.fields.iter().all(|(own, _)| own != *name));
        let changed: Vec<String> = names
            .chain(added)
            .map(|name| (name, of(then, name), of(self, name)))
            .filter(|(_, then, now)| then != now)
            .map(|(name, then, now)| format!("{name} {then}->{now}"))
            .collect();
        (!changed.is_empty()).then(|| changed.join(", "))
    }

    /// The same on a line, where that is not told of several rows at once.
    fn since(&self, then: &Self) -> Option<String> {
        let tag = &self.tag;
        if let Some(changed) = self.changed(then) {
            Some(format!("* {tag}{}: {changed}", self.name))
        } else if then.line != self.line {
            Some(format!("* {tag}{} -> {}", then.line, self.line))
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
    let (tag, name) = (tag(model, row), model.name_of(row));
    let held = model.held(row).map(|held| {
        let held = held.into_iter();
        held.map(|(name, value)| (name.into(), value)).collect()
    });
    Some(Snapshot {
        is_numbered: tag.trim_end() == name,
        tag,
        name: format!("{} {name}", model.kind_of(row)),
        line: line_of(model, row),
        fields: held.unwrap_or_else(|| shown(model, row)),
        hash: rows.row_hash(row.id()),
    })
}
