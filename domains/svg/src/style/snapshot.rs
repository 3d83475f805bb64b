//! Compares the computed styles of elements before and after a move.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use fcp::work;

use crate::model::{Drawing, NodeId};
use crate::property;
use crate::syntax::number::Precision;

use super::Cascade;
use super::cascade::ComputedStyle;

/// The maximum number of elements to compare.
const MOST: usize = 2_000;
/// The most changes to list.
const LISTED: usize = 5;

/// The difference of two font sizes that counts, in user units.
const VISIBLE: f64 = 1e-6;

/// The computed values of some elements and their content, for the first 2,000 of them.
pub struct StyleSnapshot {
    /// For each element in document order, its values.
    values: Vec<(NodeId, Seen)>,
}

/// The values of an element.
struct Seen {
    /// Those of the properties that are set, as they are written at their origins.
    written: BTreeMap<&'static str, String>,
    /// The font size, in user units.
    size: f64,
    /// The font size in viewers.
    viewer_size: f64,
    /// The font weight.
    weight: u16,
}

impl Seen {
    /// Compares values that are relative to those of the ancestors, for a property whose value is
    /// written as before: the old and the new one.
    fn relative(&self, name: &str, now: &ComputedStyle<'_>) -> Option<(String, String)> {
        let spell = |size: f64| format!("{}px", Precision::decimals(4).spell(size));
        match name {
            "font-size" if (self.size - now.font_size).abs() > VISIBLE => {
                Some((spell(self.size), spell(now.font_size)))
            }
            // The default size of viewers is another than the renderer's.
            "font-size" if (self.viewer_size - now.viewer_size).abs() > VISIBLE => {
                Some((spell(self.viewer_size), spell(now.viewer_size)))
            }
            "font-weight" if self.weight != now.font_weight => {
                Some((self.weight.to_string(), now.font_weight.to_string()))
            }
            _ => None,
        }
    }
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
            let seen = Seen {
                written: known.collect(),
                size: style.font_size,
                viewer_size: style.viewer_size,
                weight: style.font_weight,
            };
            values.push((id, seen));
        }
        Self { values }
    }

    /// The changes of these elements, or of copies given in the same order, once or repeatedly.
    /// Values inherited from another of these elements with the same change are omitted.
    #[must_use]
    pub fn compared(&self, drawing: &Drawing, ids: &[NodeId]) -> Vec<Change> {
        let now = elements(drawing, ids).into_iter();
        // There may be several copies of each.
        let then = self.values.iter().map(|(_, values)| values).cycle();
        differing(drawing, now.zip(then))
    }

    /// The changes of the elements that were recorded and still exist.
    pub(super) fn changed(&self, drawing: &Drawing) -> Vec<Change> {
        let known = self.values.iter().map(|(id, values)| (*id, values));
        let is_there = |(id, _): &(NodeId, _)| drawing.nodes.element(*id).is_some();
        differing(drawing, known.filter(is_there))
    }

    /// The changes as lines of a reply: `* card: fill red -> black (default)`.
    #[must_use]
    pub fn changes(&self, drawing: &Drawing, ids: &[NodeId]) -> Vec<String> {
        lines(drawing, &self.compared(drawing, ids))
    }
}

/// The changes of elements in document order from their old values.
fn differing<'v>(drawing: &Drawing, all: impl Iterator<Item = (NodeId, &'v Seen)>) -> Vec<Change> {
    let styles = drawing.styles();
    let mut cascade = Cascade::new(&styles);
    let mut changes = Vec::new();
    let mut changed: HashSet<(NodeId, &str)> = HashSet::new();
    for (id, seen) in all {
        let before = &seen.written;
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
            let relative = match after == before {
                true => match seen.relative(property.name, style) {
                    Some(relative) => Some(relative),
                    None => continue,
                },
                false => None,
            };
            let parent = drawing.nodes.tree().parent(id);
            let follows = parent.is_some_and(|parent| {
                property.inherited && changed.contains(&(parent, property.name))
            });
            changed.insert((id, property.name));
            if !follows {
                let written = || (before.to_owned(), after.to_owned());
                let (before, after) = relative.unwrap_or_else(written);
                changes.push(Change {
                    id,
                    property,
                    before,
                    after,
                });
            }
        }
    }
    changes
}

/// Changes as lines of a reply: `* card: fill red -> black (default)`, or if there are more than a
/// few, `* 12 objects: fill red -> black`.
pub(super) fn lines(drawing: &Drawing, changes: &[Change]) -> Vec<String> {
    let (styles, nodes) = (drawing.styles(), &drawing.nodes);
    let mut groups: Vec<Vec<&Change>> = Vec::new();
    let mut places: HashMap<(&str, &str, &str), usize> = HashMap::new();
    let folds = changes.len() > LISTED;
    for change in changes {
        let key = (change.property.name, &*change.before, &*change.after);
        let place = places.entry(key).or_insert(groups.len());
        match groups.get_mut(*place).filter(|_| folds) {
            Some(group) => group.push(change),
            None => {
                *place = groups.len();
                groups.push(vec![change]);
            }
        }
    }
    let line = |group: &Vec<&Change>| {
        let change = group.first()?;
        let name = change.property.name;
        let shown = |value: &str| nodes.shown_value(value);
        let what = format!(
            "{name} {} -> {}",
            shown(&change.before),
            shown(&change.after)
        );
        Some(match group.len() {
            1 => {
                let origin = styles.computed(change.id, name).origin.label(nodes);
                format!("* {}: {what} ({origin})", nodes.name(change.id))
            }
            several => format!("* {several} objects: {what}"),
        })
    };
    let mut lines: Vec<String> = groups.iter().take(LISTED).filter_map(line).collect();
    let more: usize = groups.iter().skip(LISTED).map(Vec::len).sum();
    if more > 0 {
        lines.push(format!("* … {more} more"));
    }
    lines
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
