//! Copies of elements: new ids, and references within a copy that refer to the copy.

use std::collections::HashMap;

use fcp::format::xml::{self, Element};
use fcp::prelude::*;
use fcp::work;

use crate::model::at_source::{apply, followers};
use crate::model::reference::{ENDS, followed};
use crate::model::{Drawing, NodeId, XML_ID};
use crate::syntax::id::Numbering;

/// The steps of copying an element with its id, and of changing the copy.
const STEPS_A_COPY: usize = 96;

/// The steps of finding a copy's id, setting it, and entering it into the index of names.
const STEPS_AN_ID: usize = 256;

/// The originals, and the target of their copies.
pub struct Copying {
    /// The elements in document order, none of them inside another.
    pub ids: Vec<NodeId>,
    /// The container of the copies, which come before its content; if `None`, each copy is next to
    /// its original.
    pub within: Option<NodeId>,
    /// The copies that lost the `xml:id` of their originals, which is as unique as an id.
    pub unnamed: Vec<NodeId>,
    /// The numbering of new ids.
    numbering: Numbering,
}

impl Copying {
    /// Copies these elements, into this container.
    #[must_use]
    pub fn new(ids: Vec<NodeId>, within: Option<NodeId>) -> Self {
        Self {
            ids,
            within,
            unnamed: Vec::new(),
            numbering: Numbering::default(),
        }
    }

    /// Copies them all once. Each `id` in them becomes the next free one, except the first, which
    /// becomes `named` if that is given; an `xml:id` is left out. References among the copied elements refer to the copies,
    /// and those of a link only if both its ends are copied. Returns the copies in the order of the
    /// originals.
    ///
    /// # Errors
    /// If the drawing itself is among them, a prefix means something else in the container, or the
    /// limits would be exceeded.
    pub fn once(&mut self, drawing: &mut Drawing, named: Option<&str>) -> Result<Vec<NodeId>> {
        let mut copied: Vec<(NodeId, NodeId)> = Vec::new();
        let mut tops = Vec::with_capacity(self.ids.len());
        for id in &self.ids {
            let limits = drawing.host.bounds.xml;
            let tree = drawing.nodes.tree_mut();
            let Some(parent) = self.within.or_else(|| tree.parent(*id)) else {
                bail!("the drawing itself is not copied"; try: "! save as:copy.svg")
            };
            let pairs = xml::copy_node(tree, *id, parent, None, &limits)?;
            work::spend(STEPS_A_COPY * pairs.len())?;
            tops.extend(pairs.first().map(|(_, copy)| *copy));
            copied.extend(pairs);
        }
        let mut new_ids: HashMap<String, String> = HashMap::new();
        for (at, (_, copy)) in copied.iter().enumerate() {
            if drawing.nodes.attr(*copy, XML_ID).is_some() {
                xml::modify_element(drawing.nodes.tree_mut(), *copy, |element| {
                    Ok(element.remove_attr(XML_ID))
                })?;
                self.unnamed.push(*copy);
            }
            let own = drawing.nodes.attr(*copy, "id");
            let Some(old) = own.map(std::borrow::Cow::into_owned) else {
                if let Some(named) = named.filter(|_| at == 0) {
                    xml::modify_element(drawing.nodes.tree_mut(), *copy, |element| {
                        element.insert_attr(0, "id", named)
                    })?;
                }
                continue;
            };
            work::spend(STEPS_AN_ID)?;
            let index = drawing.nodes.tree().index();
            let is_taken = |id: &str| Some(id) == named || index.has_id(id);
            let new = match named.filter(|_| at == 0) {
                Some(named) => named.to_owned(),
                None => self.numbering.next_free(&old, is_taken),
            };
            xml::replace_attr(drawing.nodes.tree_mut(), *copy, "id", &new)?;
            new_ids.entry(old).or_insert(new);
        }
        for (_, copy) in &copied {
            for (name, value) in redirected(drawing, *copy, &new_ids) {
                xml::replace_attr(drawing.nodes.tree_mut(), *copy, &name, &value)?;
            }
        }
        // The selectors and values of copied style sheets.
        let nodes = &drawing.nodes;
        let copies = copied.iter().map(|(_, copy)| *copy);
        let texts: Vec<NodeId> = copies.filter(|id| nodes.sheet_of(*id).is_some()).collect();
        if !texts.is_empty() {
            let followers = followers(drawing, &texts, &|id| new_ids.get(id).cloned());
            apply(drawing, &followers, &|_| None)?;
        }
        Ok(tops)
    }
}

/// The attributes of a copy whose references changed, with their new values.
fn redirected(
    drawing: &Drawing,
    copy: NodeId,
    new_ids: &HashMap<String, String>,
) -> Vec<(String, String)> {
    let Some(element) = drawing.nodes.element(copy) else {
        return Vec::new();
    };
    let follows = |id: &str| new_ids.get(id).cloned();
    let whole = ENDS.iter().all(|end| {
        let end = element.attr(end);
        end.is_none_or(|end| new_ids.contains_key(&*end))
    });
    let values = Element::values(element);
    let values = values.filter(|(name, _)| whole || !ENDS.contains(name));
    let redirected = values.filter_map(|(name, value)| {
        let new = followed(element, name, &value, follows)?;
        Some((name.to_owned(), new))
    });
    redirected.collect()
}

impl Drawing {
    /// The elements to copy: anything but the drawing itself and parts that cannot be separate.
    ///
    /// # Errors
    /// If another row is among them.
    pub fn copyable(&self, rows: &Rows) -> Result<Vec<NodeId>> {
        let ids = self.outermost(rows);
        self.only_elements(&ids)?;
        if let Some(root) = ids.iter().find(|id| self.nodes.root() == Some(**id)) {
            let name = self.nodes.name(*root);
            bail!("{name} is the drawing itself; name what is in it"; try: "! save as:copy.svg")
        }
        Ok(ids)
    }

    /// The line about copies without the `xml:id` of their originals; none if there are none.
    #[must_use]
    pub fn report_unnamed(&self, copying: &Copying) -> Option<String> {
        let unnamed = &copying.unnamed;
        (!unnamed.is_empty()).then(|| format!("- xml:id of {}", self.names_of(unnamed)))
    }

    /// The reply about copies: describes a single copy, and lists several by name.
    #[must_use]
    pub fn report_copies(&self, originals: &[NodeId], copies: &[NodeId]) -> Reply {
        let reply = match copies {
            [copy] => created!("{}", self.summary(&self.geometry(), *copy)),
            copies => bulk!(
                "{} copies of {}: {}",
                copies.len(),
                self.names_of(originals),
                self.names_of(copies)
            ),
        };
        let rows = copies.iter().rev();
        reply.about(rows.map(|id| Row::new(Drawing::NODES, id.number())))
    }
}
