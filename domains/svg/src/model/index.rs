//! Sorted data about elements: their names, and their numbers within their kind.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fcp::format::xml::{Element, Node};
use fcp::model::{LabelIndex, Level, RowIndex};

use super::NodeId;
use super::bound::Bindings;
use super::derived::Derived;
use super::entity_ids::EntityIds;
use super::kind::{self, LINK, is_sheet};
use super::numbers::Numbers;
use super::object::{LINK_FROM, LINK_TO, MADE};
use super::reference::{in_attribute, in_sheet};
use super::tally::{self, Tally};
use super::titles::{Titles, is_title};
use crate::css::Hangs;

/// The attribute of Inkscape's labels. Its prefix could differ, but does in no known program.
pub const LABEL: &str = "inkscape:label";

/// The attribute that is an id in any XML.
pub const XML_ID: &str = "xml:id";

/// Elements by name.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) ids: LabelIndex,
    in_entities: EntityIds,
    labels: LabelIndex,
    /// The values of `xml:id`, which must be as unique as ids.
    xml_ids: LabelIndex,
    /// The number of elements.
    elements: usize,
    /// The references to each id.
    mentioned: BTreeMap<Box<str>, Mentioned>,
    /// The number of references.
    references: usize,
    /// The number of references that resolve.
    resolved: usize,
    /// The texts of `<title>` elements, which name their parents.
    titles: Titles,
    /// `<style>` elements.
    styles: BTreeSet<u32>,
    /// `<defs>` elements.
    defs: BTreeSet<u32>,
    /// The ids and references of elements that were removed or changed, until the next query.
    left: RefCell<BTreeSet<Box<str>>>,
    /// Links, by the id of each end.
    links: BTreeMap<Box<str>, BTreeSet<u32>>,
    numbers: Numbers,
    /// The counts of the digest, once they were requested.
    tally: Cell<Option<Tally>>,
    /// The number of elements whose content is drawn only if something refers to it.
    defining: usize,
    /// The elements without a parent, the newest last: the root. A change of the root, and its
    /// undo, have two of them for a while.
    roots: Vec<u32>,
    /// Cached data derived from the elements.
    derived: RefCell<Derived>,
    /// Facts about the style sheets, once they were requested and until these change.
    pub(crate) hangs: RefCell<Option<Arc<Hangs>>>,
    /// The elements that bind prefixes.
    bindings: Bindings,
}

/// The mentions of an id.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mentioned {
    /// The number of references to it; one attribute may contain several.
    references: usize,
    /// The elements that refer to it, or mention it otherwise.
    by: BTreeSet<u32>,
}

impl Index {
    /// The elements whose `id` matches, in order of creation.
    #[must_use]
    pub fn with_id(&self, text: &str, level: Level) -> Vec<u32> {
        self.ids.find(text, level)
    }

    /// The elements with this value of `xml:id`, in order of creation.
    #[must_use]
    pub fn with_xml_id(&self, text: &str) -> Vec<u32> {
        self.xml_ids.find(text, Level::Exact)
    }

    /// The elements whose Inkscape label matches.
    #[must_use]
    pub fn with_label(&self, text: &str, level: Level) -> Vec<u32> {
        self.labels.find(text, level)
    }

    /// The `<title>` elements that may have this text: those that do, or have several pieces.
    #[must_use]
    pub fn titles_like(&self, text: &str, level: Level) -> Vec<u32> {
        self.titles.like(text, level)
    }

    /// The `<defs>` elements.
    pub fn defs(&self) -> impl Iterator<Item = u32> + '_ {
        self.defs.iter().copied()
    }

    /// The `<style>` elements.
    pub fn styles(&self) -> impl Iterator<Item = u32> + '_ {
        self.styles.iter().copied()
    }

    /// The elements bound by id to others that were removed or changed since the last call: those
    /// that have such an id or mention it.
    pub(super) fn take_left(&self) -> BTreeSet<u32> {
        let left = self.left.take();
        let bound = left.iter().flat_map(|id| {
            let own = self.ids.find(id, Level::Exact);
            own.into_iter().chain(self.mentioning(id))
        });
        bound.collect()
    }

    /// The links with this id as an end, in order of creation.
    pub fn links_of(&self, end: &str) -> impl Iterator<Item = u32> + '_ {
        self.links.get(end).into_iter().flatten().copied()
    }

    /// The ids of all ends of links.
    pub fn ends(&self) -> impl Iterator<Item = &str> + '_ {
        self.links.keys().map(|end| &**end)
    }

    /// The numbers of elements within their kinds.
    pub(crate) const fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// Whether there is or ever was a `use`.
    pub(crate) fn has_uses(&self) -> bool {
        self.numbers.has_kind("use")
    }

    /// Whether there are elements whose content is drawn only if something refers to it.
    pub(super) const fn has_definitions(&self) -> bool {
        self.defining > 0
    }

    /// The cached data, which may be outdated: see [`Nodes::derived`](super::Nodes::derived).
    pub(super) fn derived(&self) -> RefMut<'_, Derived> {
        self.derived.borrow_mut()
    }

    /// Notes that the text of style sheets changed.
    fn lose_sheets(&mut self) {
        self.derived.get_mut().lose();
        *self.hangs.get_mut() = None;
    }

    /// Whether all ids differ in more than case, hyphens and underscores.
    pub(crate) const fn has_distinct_ids(&self) -> bool {
        self.ids.is_distinct()
    }

    /// The root element.
    #[must_use]
    pub fn root(&self) -> Option<u32> {
        self.roots.last().copied()
    }

    /// The elements that bind prefixes.
    pub(super) const fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The number of elements.
    #[must_use]
    pub const fn elements(&self) -> usize {
        self.elements
    }

    /// The numbers of resolved and of broken references.
    #[must_use]
    pub const fn references(&self) -> (usize, usize) {
        let broken = self.references.saturating_sub(self.resolved);
        (self.resolved, broken)
    }

    /// The number of references to an id.
    #[must_use]
    pub fn references_to(&self, id: &str) -> usize {
        self.mentioned.get(id).map_or(0, |one| one.references)
    }

    /// The elements and style-sheet texts that mention an id or refer to it, in order of creation.
    pub fn mentioning(&self, id: &str) -> impl Iterator<Item = u32> + '_ {
        let found = self.mentioned.get(id).into_iter();
        found.flat_map(|one| one.by.iter().copied())
    }

    /// The counts of the digest; `None` if they must be counted and set with [`keep`](Self::keep).
    pub(super) const fn tally(&self) -> Option<Tally> {
        self.tally.get()
    }

    /// Stores the counts, which follow every change from now on.
    pub(super) fn keep(&self, tally: Tally) {
        self.tally.set(Some(tally));
    }

    /// Whether any element has an id, also one in the markup of an entity.
    #[must_use]
    pub fn has_id(&self, id: &str) -> bool {
        self.ids.first(id).is_some() || self.in_entities.has(id)
    }

    /// Whether an element in the markup of an entity has an id.
    #[must_use]
    pub fn is_in_entity(&self, id: &str) -> bool {
        self.in_entities.has(id)
    }

    /// The element with an id that was created first.
    #[must_use]
    pub fn first_with_id(&self, id: &str) -> Option<u32> {
        self.ids.first(id)
    }

    /// Adds or removes an element's names and references.
    fn note(&mut self, id: u32, element: &Element, there: bool) {
        let put = |set: &mut BTreeSet<u32>| match there {
            true => drop(set.insert(id)),
            false => drop(set.remove(&id)),
        };
        let local = element.local_name();
        let defines = usize::from(kind::holds_definitions(local));
        self.defining = stepped(self.defining, defines, there);
        match local {
            "style" => put(&mut self.styles),
            "defs" => put(&mut self.defs),
            _ => {}
        }
        if local == "g" && element.attr(MADE).is_some_and(|made| made == LINK) {
            for end in [LINK_FROM, LINK_TO] {
                if let Some(end) = element.attr(end) {
                    self.join(id, &end, there);
                }
            }
        }
        self.elements = stepped(self.elements, 1, there);
        let mut own = None;
        for (name, value) in element.values() {
            match name {
                "id" => own = Some(value.clone()),
                LABEL | XML_ID if !value.is_empty() => {
                    let names = if name == LABEL {
                        &mut self.labels
                    } else {
                        &mut self.xml_ids
                    };
                    match there {
                        true => names.insert(id, &value),
                        false => names.remove(id, &value),
                    }
                }
                _ => self.bindings.note(name, &value, id, there),
            }
            for found in in_attribute(element, name, &value) {
                if found.refers && !there {
                    self.left.get_mut().insert(found.id.as_str().into());
                }
                self.mention(id, &found.id, usize::from(found.refers), there);
            }
        }
        if let Some(name) = own.filter(|name| !name.is_empty()) {
            if !there {
                self.left.get_mut().insert(name.as_ref().into());
            }
            self.put_id(&name, |index| match there {
                true => index.ids.insert(id, &name),
                false => index.ids.remove(id, &name),
            });
        }
    }

    /// Adds or removes an id with `put`. References to it resolve from now on, or no longer.
    fn put_id(&mut self, id: &str, put: impl FnOnce(&mut Self)) {
        let referring = self.references_to(id);
        let before = referring > 0 && self.has_id(id);
        put(self);
        match (before, referring > 0 && self.has_id(id)) {
            (false, true) => self.resolved += referring,
            (true, false) => self.resolved = self.resolved.saturating_sub(referring),
            _ => {}
        }
    }

    /// Adds or removes the ids in the markup of an entity.
    fn note_entity(&mut self, row: &Node, there: bool) {
        for id in EntityIds::of(row) {
            self.put_id(&id, |index| index.in_entities.note(&id, there));
        }
    }

    /// Adds or removes the references of a style sheet's text.
    fn note_sheet(&mut self, id: u32, text: &Node, there: bool) {
        let Some(content) = text.text() else {
            return;
        };
        for found in in_sheet(&content) {
            if found.refers && !there {
                self.left.get_mut().insert(found.id.as_str().into());
            }
            self.mention(id, &found.id, usize::from(found.refers), there);
        }
    }

    /// Adds or removes an element's mention of an id, with this number of references.
    fn mention(&mut self, id: u32, target: &str, references: usize, there: bool) {
        if there {
            let one = match self.mentioned.get_mut(target) {
                Some(one) => one,
                None => self.mentioned.entry(target.into()).or_default(),
            };
            one.references += references;
            one.by.insert(id);
        } else if let Some(one) = self.mentioned.get_mut(target) {
            one.references = one.references.saturating_sub(references);
            // The mentions of an element are all removed at once.
            one.by.remove(&id);
            if one.by.is_empty() {
                self.mentioned.remove(target);
            }
        }
        self.references = stepped(self.references, references, there);
        if references > 0 && self.has_id(target) {
            self.resolved = stepped(self.resolved, references, there);
        }
    }

    /// Adds or removes an end of a link.
    fn join(&mut self, link: u32, end: &str, there: bool) {
        if there {
            self.links.entry(end.into()).or_default().insert(link);
        } else if let Some(links) = self.links.get_mut(end) {
            links.remove(&link);
            if links.is_empty() {
                self.links.remove(end);
            }
        }
    }
}

/// The kind in the handles of an element: its local name.
#[must_use]
pub fn handle_kind(element: &Element) -> &str {
    kind::of_element(element.local_name()).map_or(element.local_name(), |kind| kind.name)
}

/// A count increased or decreased by `by`.
const fn stepped(count: usize, by: usize, up: bool) -> usize {
    if up {
        count.saturating_add(by)
    } else {
        count.saturating_sub(by)
    }
}

impl RowIndex<Node> for Index {
    fn insert(&mut self, id: NodeId, row: &Node) {
        if let Some(element) = row.element() {
            self.derived.get_mut().change(id.number());
            self.note(id.number(), element, true);
            self.numbers.count(handle_kind(element), id.number());
        } else {
            self.note_entity(row, true);
        }
    }

    fn remove(&mut self, id: NodeId, row: &Node) {
        if let Some(element) = row.element() {
            self.derived.get_mut().change(id.number());
            self.note(id.number(), element, false);
        } else {
            self.note_entity(row, false);
        }
    }

    // An element whose kind changes keeps its number within the original kind.
    fn change(&mut self, id: NodeId, before: &Node, after: &Node) {
        self.remove(id, before);
        if let Some(element) = after.element() {
            self.note(id.number(), element, true);
            self.numbers.convert(handle_kind(element), id.number());
        } else {
            self.note_entity(after, true);
        }
    }

    fn stands(
        &mut self,
        id: NodeId,
        row: &Node,
        around: &mut dyn Iterator<Item = (NodeId, &Node)>,
        there: bool,
    ) {
        let Some(element) = row.element() else {
            if let Some((outer_id, outer)) = around.next() {
                if is_title(outer) {
                    self.titles.say(outer_id.number(), id.number(), row, there);
                } else if is_sheet(outer) {
                    self.lose_sheets();
                    self.note_sheet(id.number(), row, there);
                }
            }
            return;
        };
        if is_sheet(row) {
            self.lose_sheets();
        }
        self.derived.get_mut().change(id.number());
        let around: Vec<(u32, &Element)> = around
            .filter_map(|(id, outer)| Some((id.number(), outer.element()?)))
            .collect();
        if around.is_empty() {
            match there {
                true => self.roots.push(id.number()),
                false => self.roots.retain(|own| *own != id.number()),
            }
        }
        let derived = self.derived.get_mut();
        if !derived.is_empty() {
            around
                .iter()
                .for_each(|(outer, _)| derived.change_in(*outer));
        }
        if let Some(tally) = self.tally.get_mut() {
            let around: Vec<&Element> = around.iter().map(|(_, outer)| *outer).collect();
            tally.count(tally::part(element, &around), there);
        }
    }

    fn replaced(
        &mut self,
        id: NodeId,
        before: &Node,
        after: &Node,
        around: &mut dyn Iterator<Item = (NodeId, &Node)>,
    ) {
        let outer = around.next();
        let mut near = [Some(before), Some(after), outer.map(|(_, outer)| outer)].into_iter();
        if near.any(|node| node.is_some_and(is_sheet)) {
            self.lose_sheets();
            if outer.is_some_and(|(_, outer)| is_sheet(outer)) && before.element().is_none() {
                self.note_sheet(id.number(), before, false);
                self.note_sheet(id.number(), after, true);
            }
        } else if !self.derived.get_mut().is_empty() {
            let (derived, outward) = (self.derived.get_mut(), outer.into_iter().chain(around));
            outward.for_each(|(outer, _)| derived.change_in(outer.number()));
        }
        if let Some((title, _)) = outer.filter(|(_, outer)| is_title(outer)) {
            self.titles.say(title.number(), id.number(), before, false);
            self.titles.say(title.number(), id.number(), after, true);
        }
        // The change may affect which of its descendants are SVG elements.
        if !tally::means_the_same(before.element(), after.element()) {
            self.tally.set(None);
        }
    }

    fn moved(&mut self, _: NodeId, row: &Node, around: &mut dyn Iterator<Item = (NodeId, &Node)>) {
        self.derived.get_mut().reorder();
        // Of equally specific rules, the later one wins. The element may contain a style sheet.
        let in_sheet = around.next().is_some_and(|(_, outer)| is_sheet(outer));
        if in_sheet {
            self.lose_sheets();
        } else if row.element().is_some() && self.styles.len() > 1 {
            self.derived.get_mut().lose();
        }
    }

    // The numbers include elements that no longer exist, so they are not compared.
    fn agrees(&self, other: &Self) -> bool {
        self.ids == other.ids
            && self.in_entities == other.in_entities
            && self.labels == other.labels
            && self.xml_ids == other.xml_ids
            && self.elements == other.elements
            && self.mentioned == other.mentioned
            && self.references == other.references
            && self.resolved == other.resolved
            && self.styles == other.styles
            && self.defs == other.defs
            && self.links == other.links
            && self.bindings == other.bindings
    }
}
