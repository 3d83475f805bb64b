//! Tells of elements that match other rules, or inherit other values, since an op changed the
//! elements around them.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use fcp::format::xml::Element;
use fcp::model::{Place, TreeChange};
use fcp::prelude::*;
use fcp::work;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::edited_sheets::{briefly, edits_sheets};
use super::handed_down::handed_down;
use super::matching::Matched;
use super::shorthand::{canonical, names};
use super::shown::Shown;
use super::snapshot::{Change, lines};
use super::{Origin, StyleSnapshot, Styles, applies};
use crate::css::{Hangs, Reach};
use crate::model::kind::UNDRAWN;
use crate::model::reference::followed;
use crate::model::{Drawing, DrawingEvent, NodeId, Nodes};
use crate::property::{self, Property};

/// The maximum number of elements to compare.
const MOST: usize = 2_000;

/// The values of an element before the op, for the properties that its other rules set.
type Then = (NodeId, Vec<(&'static Property, String)>);

/// The lines about elements that an op's changes of others restyled.
pub(crate) fn rematched(drawing: &mut Drawing, changes: &[DrawingEvent]) -> Vec<String> {
    let (around, edited) = (Around::of(drawing, changes), edited(changes));
    let mut notes = handed_down(drawing, changes, &edited);
    let (mut near, mut far) = (around.near.into_iter().collect::<Vec<_>>(), around.crossing);
    let (sheets, mut cut) = (edits_sheets(&drawing.nodes, changes), around.cut);
    if sheets {
        // Its rules may match any element.
        near.clear();
        far = drawing.nodes.root().into_iter().collect();
        cut = drawing.nodes.elements().nth(MOST).is_some();
    }
    if near.is_empty() && far.is_empty() || work::spend(2 * changes.len()).is_err() {
        return notes;
    }
    let tree = drawing.nodes.tree();
    near.sort_by(|a, b| tree.order(*a, *b));
    let now = Matches::of(drawing, &near);
    // The state before the op exists only while its changes are taken back.
    drawing.take_back(changes);
    let then = Matches::of(drawing, &near);
    let values = now.values_before(&then, drawing, &near);
    let snapshot = briefly(sheets, || StyleSnapshot::of(drawing, &far));
    let shown = (!sheets).then(|| Shown::of(drawing, &far));
    drawing.make_again(changes);

    let found = snapshot.and_then(|then| briefly(sheets, || then.changed(drawing)));
    let Some(mut found) = found else {
        notes.push("? the styles of objects are not compared: there are too many rules".to_owned());
        return notes;
    };
    let (styles, renamed) = (drawing.styles(), renamed(drawing, &edited));
    found.extend(changed(&styles, &values));
    found.retain(|change| {
        applies(&drawing.nodes, change.id, change.property.name)
            && !is_own(&styles, &edited, change)
            && !is_followed(&drawing.nodes, &renamed, change)
    });
    let tree = drawing.nodes.tree();
    found.sort_by(|a, b| tree.order(a.id, b.id));
    let mut seen = FxHashSet::default();
    found.retain(|change| seen.insert((change.id, change.property.name)));
    notes.extend(lines(drawing, &found));
    notes.extend(shown.iter().flat_map(|then| then.changes(drawing)));
    if cut {
        notes.push(format!("? only the styles of {MOST} objects are compared"));
    }
    notes
}

/// The elements that the op itself edited, as they were.
fn edited(changes: &[DrawingEvent]) -> FxHashMap<NodeId, &Element> {
    let edited = changes.iter().filter_map(|change| match change {
        DrawingEvent::Nodes(TreeChange::Modified { id, before, .. }) => {
            Some((NodeId::new(*id), before.element()?))
        }
        _ => None,
    });
    edited.collect()
}

/// Whether a value changed because the op wrote it on the element itself.
fn is_own(styles: &Styles<'_>, edited: &FxHashMap<NodeId, &Element>, change: &Change) -> bool {
    let name = change.property.name;
    let (Some(before), Some(after)) = (edited.get(&change.id), styles.nodes.element(change.id))
    else {
        return false;
    };
    let written = match styles.computed(change.id, name).origin {
        Origin::Attribute => name,
        Origin::Style => "style",
        _ => return false,
    };
    before.attr(written) != after.attr(written)
}

/// The new ids of elements whose id the op changed, by their old ones.
fn renamed(drawing: &Drawing, edited: &FxHashMap<NodeId, &Element>) -> FxHashMap<String, String> {
    let renamed = edited.iter().filter_map(|(id, before)| {
        let (old, new) = (before.attr("id")?, drawing.nodes.attr(*id, "id")?);
        (old != new).then(|| (old.into_owned(), new.into_owned()))
    });
    renamed.collect()
}

/// Whether a value refers to the same elements as before, by their new ids.
fn is_followed(nodes: &Nodes, renamed: &FxHashMap<String, String>, change: &Change) -> bool {
    let Some(element) = nodes.element(change.id).filter(|_| !renamed.is_empty()) else {
        return false;
    };
    let new = |id: &str| renamed.get(id).cloned();
    let name = change.property.name;
    followed(element, name, &change.before, new).is_some_and(|value| value == change.after)
}

/// The changes of values. Those inherited from another of the elements with the same change are
/// omitted.
fn changed(styles: &Styles<'_>, values: &[Then]) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut known: FxHashSet<(NodeId, &str)> = FxHashSet::default();
    for (id, values) in values {
        for (property, before) in values {
            let after = styles.computed(*id, property.name).value;
            if after == before.as_str() || work::over().is_some() {
                continue;
            }
            let parent = styles.parent(*id);
            let follows = property.inherited
                && parent.is_some_and(|parent| known.contains(&(parent, property.name)));
            known.insert((*id, property.name));
            if !follows {
                changes.push(Change {
                    id: *id,
                    property,
                    before: before.clone(),
                    after: after.into_owned(),
                });
            }
        }
    }
    changes
}

/// The selectors that some elements match.
struct Matches {
    /// A hash of all style sheets.
    sheets: u64,
    /// `None` for an element that does not exist.
    sets: Vec<Option<Rc<Matched>>>,
}

impl Matches {
    fn of(drawing: &Drawing, ids: &[NodeId]) -> Self {
        if ids.is_empty() {
            return Self {
                sheets: 0,
                sets: Vec::new(),
            };
        }
        let styles = drawing.styles();
        let mut hasher = FxHasher::default();
        for sheet in &styles.sheets {
            sheet.text.hash(&mut hasher);
        }
        let is_there = |id: &NodeId| drawing.nodes.element(*id).is_some();
        let set = |id: &NodeId| is_there(id).then(|| styles.matching(*id));
        Self {
            sheets: hasher.finish(),
            sets: ids.iter().map(set).collect(),
        }
    }

    /// The values that the elements have before the op, for those that match other rules since.
    /// None if the op edited the style sheets.
    fn values_before(&self, then: &Self, drawing: &Drawing, ids: &[NodeId]) -> Vec<Then> {
        if self.sheets != then.sheets {
            return Vec::new();
        }
        let styles = drawing.styles();
        let pairs = self.sets.iter().zip(&then.sets);
        let values = ids.iter().zip(pairs).filter_map(|(id, (now, then))| {
            let (now, then) = (now.as_ref()?, then.as_ref()?);
            if now.branches == then.branches || work::over().is_some() {
                return None;
            }
            let one_of = |one: &Matched, other: &Matched| -> Vec<usize> {
                let other: FxHashSet<usize> = other.branches.iter().copied().collect();
                let own = one.branches.iter().copied();
                own.filter(|at| !other.contains(at)).collect()
            };
            let mut differing = one_of(now, then);
            differing.extend(one_of(then, now));
            let properties = styles.set_by(&differing).into_iter();
            let value = |property: &'static Property| {
                let value = styles.computed(*id, property.name).value;
                (property, value.into_owned())
            };
            Some((*id, properties.map(value).collect()))
        });
        values.collect()
    }
}

impl Styles<'_> {
    /// The properties that the rules of some selectors set.
    fn set_by(&self, branches: &[usize]) -> Vec<&'static Property> {
        let mut found: Vec<&'static Property> = Vec::new();
        for at in branches {
            let Some((_, rule)) = self.branch(*at) else {
                continue;
            };
            // The call fails at its next check.
            let _ = work::spend(1 + rule.declared.len());
            for one in &rule.declared {
                let name = canonical(self.text_of(rule.sheet, &one.name));
                found.extend(names(&name).filter_map(property::named));
            }
        }
        found.sort_unstable_by_key(|property| property.name);
        found.dedup_by_key(|property| property.name);
        found
    }
}

/// The elements that changes of others may restyle.
struct Around<'d> {
    nodes: &'d Nodes,
    hangs: &'d Hangs,
    /// Those that may match other rules.
    near: FxHashSet<NodeId>,
    /// Those whose ancestors give them other values.
    crossing: Vec<NodeId>,
    /// The elements whose descendants, or later siblings, are among `near`, with the reach.
    walked: FxHashSet<(NodeId, bool, bool)>,
    /// The containers with changes among their elements, and the number of these.
    changed_in: FxHashMap<NodeId, usize>,
    /// Whether there are more.
    cut: bool,
}

/// The results of [`Around::of`].
struct Found {
    near: FxHashSet<NodeId>,
    crossing: Vec<NodeId>,
    cut: bool,
}

impl Around<'_> {
    fn of(drawing: &Drawing, changes: &[DrawingEvent]) -> Found {
        let hangs = drawing.hangs();
        let mut around = Around {
            nodes: &drawing.nodes,
            hangs: &hangs,
            near: FxHashSet::default(),
            crossing: Vec::new(),
            walked: FxHashSet::default(),
            changed_in: FxHashMap::default(),
            cut: false,
        };
        let mut ways: FxHashMap<(u32, u32), bool> = FxHashMap::default();
        for change in changes {
            let DrawingEvent::Nodes(change) = change else {
                continue;
            };
            let id = NodeId::new(change.id());
            match change {
                TreeChange::Added { at, row, .. } => {
                    around.place(*at, row.element().map(|_| id), row.element().is_some());
                }
                TreeChange::Removed { at, row, .. } => {
                    around.place(*at, None, row.element().is_some());
                }
                TreeChange::Moved { from, to, .. } => {
                    let is_element = around.nodes.element(id).is_some();
                    around.place(*from, None, is_element);
                    around.place(*to, is_element.then_some(id), is_element);
                    if from.parent != to.parent && is_element {
                        let reach = Reach {
                            inner: true,
                            later: false,
                        };
                        if hangs.nested {
                            around.add(id, reach);
                        }
                        let way = ways.entry((from.parent, to.parent));
                        if *way.or_insert_with(|| inherits_anew(drawing, changes, *from, *to)) {
                            around.crossing.push(id);
                        }
                    }
                }
                TreeChange::Modified { before, after, .. } => {
                    if let (Some(before), Some(after)) = (before.element(), after.element()) {
                        around.compare(id, before, after);
                    }
                }
            }
        }
        around.add_changed_in();
        let crossing: FxHashSet<NodeId> = around.crossing.iter().copied().collect();
        let tree = drawing.nodes.tree();
        let is_inner = |id: NodeId| tree.ancestors(id).any(|outer| crossing.contains(&outer));
        around.crossing.retain(|id| !is_inner(*id));
        Found {
            near: around.near,
            crossing: around.crossing,
            cut: around.cut,
        }
    }

    /// Adds an element, and those within its reach.
    fn add(&mut self, id: NodeId, reach: Reach) {
        self.put(id);
        let tree = self.nodes.tree();
        if reach.inner && self.walked.insert((id, true, false)) {
            for inner in tree.descendants(id) {
                if self.cut {
                    return;
                }
                self.put(inner);
            }
        }
        let later = std::iter::successors(tree.next_sibling(id), |id| tree.next_sibling(*id));
        for sibling in later.filter(|_| reach.later) {
            if self.cut || !self.walked.insert((sibling, reach.inner, true)) {
                return;
            }
            let reach = Reach {
                later: false,
                ..reach
            };
            self.add(sibling, reach);
        }
    }

    fn put(&mut self, id: NodeId) {
        // The call fails at its next check.
        self.cut |= work::spend(1).is_err();
        let Some(element) = self.nodes.element(id) else {
            return;
        };
        if UNDRAWN.contains(&element.local_name()) || self.near.contains(&id) {
            return;
        }
        match self.near.len() < MOST {
            true => drop(self.near.insert(id)),
            false => self.cut = true,
        }
    }

    /// Notes a place where a node came, which is `own`, or went.
    fn place(&mut self, place: Place, own: Option<NodeId>, is_element: bool) {
        let parent = NodeId::new(place.parent);
        if let Some(reach) = self.hangs.empty {
            self.add(parent, reach);
        }
        if !is_element || !self.hangs.by_place() {
            return;
        }
        *self.changed_in.entry(parent).or_default() += 1;
        let tree = self.nodes.tree();
        // It may have left an edge for the middle.
        for (_, reach) in self.hangs.edges.into_iter().flatten() {
            if let Some(own) = own {
                self.add(own, reach);
            }
        }
        if let Some(reach) = self.hangs.next {
            if let Some(own) = own {
                self.add(own, reach);
            }
            let after = match own {
                Some(own) => tree.next_sibling(own),
                None => place.before.map(NodeId::new),
            };
            let after = after.filter(|after| tree.parent(*after) == Some(parent));
            let mut after = std::iter::successors(after, |id| tree.next_sibling(*id));
            if let Some(next) = after.find(|id| self.nodes.element(*id).is_some()) {
                self.add(next, reach);
            }
        }
    }

    /// Adds the elements of changed containers whose positions count.
    fn add_changed_in(&mut self) {
        let tree = self.nodes.tree();
        for (parent, count) in std::mem::take(&mut self.changed_in) {
            if let Some(reach) = self.hangs.among {
                for inner in tree.children(parent) {
                    if self.cut {
                        return;
                    }
                    self.add(inner, reach);
                }
            }
            let is_element = |id: &NodeId| self.nodes.element(*id).is_some();
            let [first, last] = self.hangs.edges;
            if let Some((far, reach)) = first {
                let inner = tree.children(parent).filter(is_element);
                for id in inner.take(far + count).collect::<Vec<_>>() {
                    self.add(id, reach);
                }
            }
            if let Some((far, reach)) = last {
                let inner =
                    std::iter::successors(tree.last_child(parent), |id| tree.previous_sibling(*id));
                for id in inner
                    .filter(is_element)
                    .take(far + count)
                    .collect::<Vec<_>>()
                {
                    self.add(id, reach);
                }
            }
        }
    }

    /// Adds the elements that depend on the attributes by which an element differs.
    fn compare(&mut self, id: NodeId, before: &Element, after: &Element) {
        let (hangs, mut reaches) = (self.hangs, Vec::new());
        if before.local_name() != after.local_name() {
            let both = [before, after].map(Element::local_name);
            reaches.extend(both.into_iter().filter_map(|name| hangs.of_type(name)));
            if let Some(parent) = self.nodes.tree().parent(id).filter(|_| hangs.by_place()) {
                *self.changed_in.entry(parent).or_default() += 1;
            }
        }
        let names = before.values().chain(after.values()).map(|(name, _)| name);
        let names: FxHashSet<&str> = names.collect();
        for name in names {
            let values = [before, after].map(|element| element.attr(name).unwrap_or_default());
            if before.attr(name).is_some() == after.attr(name).is_some() && values[0] == values[1] {
                continue;
            }
            reaches.extend(hangs.attribute(name));
            match name {
                "id" => reaches.extend(values.iter().filter_map(|own| hangs.id(own))),
                "class" => {
                    let [old, new] = values
                        .each_ref()
                        .map(|own| own.split_ascii_whitespace().collect::<FxHashSet<_>>());
                    let changed = old.symmetric_difference(&new);
                    reaches.extend(changed.filter_map(|class| hangs.class(class)));
                }
                _ => {}
            }
        }
        for reach in reaches {
            self.add(id, reach);
        }
    }
}

/// Whether the ancestors of a place give other values to inherit than those of another.
fn inherits_anew(drawing: &Drawing, changes: &[DrawingEvent], from: Place, to: Place) -> bool {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    let [mut from, mut to] = [from.parent, to.parent].map(|parent| {
        let parent = NodeId::new(parent);
        let own = Some(parent).filter(|own| nodes.element(*own).is_some());
        let mut way: Vec<NodeId> = own.into_iter().chain(tree.ancestors(parent)).collect();
        way.reverse();
        way
    });
    if from.is_empty() || to.is_empty() {
        return true;
    }
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let between: FxHashSet<NodeId> = from.drain(common..).chain(to.drain(common..)).collect();
    let edited = changes.iter().any(|change| match change {
        DrawingEvent::Nodes(TreeChange::Modified { id, .. }) => between.contains(&NodeId::new(*id)),
        _ => false,
    });
    let styles = drawing.styles();
    let gives = |id: &NodeId| {
        let own = styles.all_specified(*id);
        own.keys().any(|name| {
            name == "display" || property::named(name).is_some_and(|known| known.inherited)
        })
    };
    edited || between.iter().any(gives)
}
