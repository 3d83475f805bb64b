//! Compares the computed styles of elements before and after a move.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use fcp::work;

use crate::model::{Drawing, NodeId};
use crate::property;

use super::Cascade;

/// The maximum number of elements to compare.
const MOST: usize = 2_000;
/// The most changes to list.
const LISTED: usize = 5;

/// The computed values of some elements and their content, for the first 2,000 of them.
pub struct StyleSnapshot {
    /// For each element in document order, the values of the properties that are set.
    values: Vec<BTreeMap<&'static str, String>>,
}

/// A property whose value changed on an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The element.
    pub id: NodeId,
    /// The property.
    pub property: &'static property::Property,
    /// The old value.
    pub before: String,
    /// The new value.
    pub after: String,
}

impl StyleSnapshot {
    /// Records the current values.
    #[must_use]
    pub fn of(drawing: &Drawing, ids: &[NodeId]) -> Self {
        let styles = drawing.styles();
        let mut cascade = Cascade::new(&styles);
        let mut values = Vec::new();
        for id in elements(drawing, ids) {
            let style = cascade.reach(id);
            if work::over().is_some() {
                break;
            }
            let known = style.values.iter().filter_map(|(name, own)| {
                let property = property::named(name)?;
                Some((property.name, own.value.clone().into_owned()))
            });
            values.push(known.collect());
        }
        Self { values }
    }

    /// The changes of these elements, or of copies given in the same order. Values inherited from
    /// another of these elements with the same change are omitted.
    #[must_use]
    pub fn compared(&self, drawing: &Drawing, ids: &[NodeId]) -> Vec<Change> {
        let styles = drawing.styles();
        let mut cascade = Cascade::new(&styles);
        let mut changes = Vec::new();
        let mut changed: HashSet<(NodeId, &str)> = HashSet::new();
        for (id, before) in elements(drawing, ids).into_iter().zip(&self.values) {
            let style = cascade.reach(id);
            if work::over().is_some() {
                break;
            }
            let names = before.keys().copied();
            let names: BTreeSet<&str> = names
                .chain(style.values.keys().map(|name| &**name))
                .collect();
            for property in names.into_iter().filter_map(property::named) {
                let before = before.get(property.name);
                let before = before.map_or(property.initial, |before| before);
                let after = style.value(property.name);
                if after == before {
                    continue;
                }
                let parent = drawing.nodes.tree().parent(id);
                let follows = parent.is_some_and(|parent| {
                    property.inherited && changed.contains(&(parent, property.name))
                });
                changed.insert((id, property.name));
                if !follows {
                    changes.push(Change {
                        id,
                        property,
                        before: before.to_owned(),
                        after: after.to_owned(),
                    });
                }
            }
        }
        changes
    }

    /// The changes as lines of a reply: `* card: fill red -> black (default)`.
    #[must_use]
    pub fn changes(&self, drawing: &Drawing, ids: &[NodeId]) -> Vec<String> {
        let changes = self.compared(drawing, ids);
        let (styles, nodes) = (drawing.styles(), &drawing.nodes);
        let lines = changes.iter().take(LISTED).map(|change| {
            let name = change.property.name;
            let origin = styles.computed(change.id, name).origin.label(nodes);
            let shown = |value: &str| nodes.shown_value(value);
            let (before, after) = (shown(&change.before), shown(&change.after));
            format!(
                "* {}: {name} {before} -> {after} ({origin})",
                nodes.name(change.id)
            )
        });
        let mut lines: Vec<String> = lines.collect();
        let more = changes.len().saturating_sub(LISTED);
        if more > 0 {
            lines.push(format!("* … {more} more"));
        }
        lines
    }
}

/// Elements and their descendants.
fn elements(drawing: &Drawing, ids: &[NodeId]) -> Vec<NodeId> {
    let nodes = &drawing.nodes;
    let all = ids
        .iter()
        .flat_map(|id| std::iter::once(*id).chain(nodes.tree().descendants(*id)));
    let all = all.filter(|id| nodes.element(*id).is_some() && nodes.is_svg(*id));
    all.take(MOST).collect()
}
