//! What holds for elements before they stand elsewhere, and what holds then.

use std::collections::HashSet;

use crate::model::{Drawing, NodeId};
use crate::property;

/// The most elements that are compared.
const MOST: usize = 2_000;
/// How many changes are told one by one.
const TOLD: usize = 5;

/// The computed values of some elements and of what stands in them, the first 2,000 of them.
pub struct Held {
    /// By element, in the order of the document: a value for each property.
    values: Vec<Vec<String>>,
}

/// A property that holds another value for an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The element.
    pub id: NodeId,
    /// The property.
    pub property: &'static property::Property,
    /// What held.
    pub before: String,
    /// What holds.
    pub after: String,
}

impl Held {
    /// What holds now.
    #[must_use]
    pub fn of(drawing: &Drawing, ids: &[NodeId]) -> Self {
        let styles = drawing.styles();
        let value = |id: NodeId, name: &str| styles.computed(id, name).value.into_owned();
        let values = elements(drawing, ids).into_iter().map(|id| {
            let all = property::all().iter();
            all.map(|property| value(id, property.name)).collect()
        });
        Self {
            values: values.collect(),
        }
    }

    /// What changed of these elements, or of copies that are given in the same order. What an element has from another
    /// one here whose own changed alike is left out.
    #[must_use]
    pub fn compared(&self, drawing: &Drawing, ids: &[NodeId]) -> Vec<Change> {
        let styles = drawing.styles();
        let mut changes = Vec::new();
        let mut changed: HashSet<(NodeId, &str)> = HashSet::new();
        for (id, before) in elements(drawing, ids).into_iter().zip(&self.values) {
            for (property, before) in property::all().iter().zip(before) {
                let after = styles.computed(id, property.name);
                if after.value == before.as_str() {
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
                        before: before.clone(),
                        after: after.value.into_owned(),
                    });
                }
            }
        }
        changes
    }

    /// What changed, as lines of a reply: `* card: fill red -> black (default)`.
    #[must_use]
    pub fn changes(&self, drawing: &Drawing, ids: &[NodeId]) -> Vec<String> {
        let changes = self.compared(drawing, ids);
        let (styles, nodes) = (drawing.styles(), &drawing.nodes);
        let told = changes.iter().take(TOLD).map(|change| {
            let name = change.property.name;
            let origin = styles.computed(change.id, name).origin.told(nodes);
            let shown = |value: &str| nodes.shown_value(value);
            let (before, after) = (shown(&change.before), shown(&change.after));
            format!(
                "* {}: {name} {before} -> {after} ({origin})",
                nodes.name(change.id)
            )
        });
        let mut told: Vec<String> = told.collect();
        let more = changes.len().saturating_sub(TOLD);
        if more > 0 {
            told.push(format!("* … {more} more"));
        }
        told
    }
}

/// Elements and those that stand in them.
fn elements(drawing: &Drawing, ids: &[NodeId]) -> Vec<NodeId> {
    let nodes = &drawing.nodes;
    let all = ids
        .iter()
        .flat_map(|id| std::iter::once(*id).chain(nodes.tree().descendants(*id)));
    let all = all.filter(|id| nodes.element(*id).is_some() && nodes.is_svg(*id));
    all.take(MOST).collect()
}
