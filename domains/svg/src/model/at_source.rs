//! Edits of values where they are written: in an element or a text, or in an entity of the DOCTYPE.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use fcp::format::xml::{self, Kind, Node, Place, Places};
use fcp::prelude::*;
use fcp::work;

use super::reference::{Reference, edited, edits, in_attribute};
use super::{Drawing, NodeId};

/// A byte range, and its new text.
type Edit = (Range<usize>, String);

/// A node that refers to elements, with the edits that update its references.
pub(crate) struct Follower {
    pub node: NodeId,
    /// The attribute, or `None` for a text of a style sheet.
    pub attribute: Option<String>,
    /// The edits of its value.
    edits: Vec<Edit>,
    /// The number of references that begin in it.
    pub references: usize,
}

impl Follower {
    /// The id of an element, if it comes from an entity.
    pub fn of_id(drawing: &Drawing, node: NodeId, new: &str) -> Option<Self> {
        let raw = drawing.nodes.element(node)?.raw_attr("id")?;
        entity_in(raw)?;
        let old = drawing.nodes.attr(node, "id")?;
        Some(Self {
            node,
            attribute: Some("id".to_owned()),
            edits: vec![(0..old.len(), new.to_owned())],
            references: 0,
        })
    }

    /// A text of a style sheet, with edits in order and apart.
    pub const fn of_sheet(node: NodeId, edits: Vec<Edit>) -> Self {
        Self {
            node,
            attribute: None,
            references: edits.len(),
            edits,
        }
    }
}

/// A new value of an attribute of an element, or of a text if there is no attribute.
pub(crate) type NewValue = (NodeId, Option<String>, String);

/// The edit of a value that leaves what is equal at both ends; `None` if nothing differs.
fn edit(old: &str, new: &str) -> Option<Edit> {
    let alike = |(a, b): &(char, char)| a == b;
    let head = old.chars().zip(new.chars()).take_while(alike);
    let head = head.map(|(c, _)| c.len_utf8()).sum::<usize>();
    let (rest, other) = (old.get(head..)?, new.get(head..)?);
    let tail = rest
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take_while(alike);
    let tail = tail.map(|(c, _)| c.len_utf8()).sum::<usize>();
    let part = other.get(..other.len() - tail)?;
    let span = head..old.len() - tail;
    (!span.is_empty() || !part.is_empty()).then(|| (span, part.to_owned()))
}

/// The follower of a new value, if it changes characters that come from an entity.
fn from_entity(drawing: &Drawing, (id, attribute, new): &NewValue) -> Option<Follower> {
    let old = match attribute {
        Some(name) => drawing.nodes.attr(*id, name)?,
        None => drawing.nodes.tree().get(*id)?.text()?,
    };
    let edit = edit(&old, new)?;
    let one = Follower {
        node: *id,
        attribute: attribute.clone(),
        edits: vec![edit],
        references: 1,
    };
    let (span, _) = one.edits.first()?;
    let place = places(drawing, &one).map(|places| places.of(span));
    let is_here = matches!(place, None | Some(Place::Here(_)));
    (!is_here).then_some(one)
}

/// Sets the values that come from entities where the entities are declared, and returns all others.
///
/// # Errors
/// If an entity has another use, or a value comes from one only in part.
pub(crate) fn set_at_source(drawing: &mut Drawing, values: Vec<NewValue>) -> Result<Vec<NewValue>> {
    let (mut found, mut others) = (Vec::new(), Vec::new());
    for value in values {
        match from_entity(drawing, &value) {
            Some(follower) => found.push(follower),
            None => others.push(value),
        }
    }
    if !found.is_empty() {
        apply(drawing, &found, &|_| None)?;
    }
    Ok(others)
}

/// Makes the edits of followers, in entities too. The ids in markup of entities must then be those
/// that `new` gives.
///
/// # Errors
/// If a text cannot be written, or a part comes from an entity that has another use too.
pub(crate) fn apply(
    drawing: &mut Drawing,
    followers: &[Follower],
    new: &dyn Fn(&str) -> Option<String>,
) -> Result<()> {
    let mut entities: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
    let mut own: Vec<(NodeId, Option<String>, Vec<Edit>)> = Vec::new();
    for one in followers {
        let mut here = Vec::new();
        let places = places(drawing, one);
        work::spend(one.edits.len())?;
        for (span, id) in &one.edits {
            match places.as_ref().map(|places| places.of(span)) {
                Some(Place::Here(span)) => here.push((span, id.clone())),
                Some(Place::Entity(name, span)) => {
                    let of_entity = entities.entry(name).or_default();
                    of_entity.push((span, as_content(id)));
                }
                Some(Place::Split(name)) => {
                    let user = user(drawing, one.node, one.attribute.as_deref());
                    bail!("{user} takes only a part of it from the entity &{name};"; try: "? describe entity:{name}")
                }
                None => bail!("a reference of {} is gone", drawing.nodes.name(one.node)),
            }
        }
        own.push((one.node, one.attribute.clone(), here));
    }
    let wanted = if drawing.nodes.doctype().is_some() {
        Users::of(drawing, new, followers)?
    } else {
        Users::default()
    };
    for (id, attribute, edits) in own {
        if edits.is_empty() {
            continue;
        }
        match &attribute {
            Some(name) => xml::modify_element(drawing.nodes.tree_mut(), id, |element| {
                element.replace_in_attr(name, &edits)
            })?,
            None => {
                let mut done = Ok(());
                let tree = drawing.nodes.tree_mut();
                tree.modify(id, |node| done = node.replace_in_text(&edits));
                done?;
            }
        }
    }
    let mut texts = Vec::new();
    for (name, mut edits) in entities {
        // Two references to the entity may make the same edit.
        edits.sort_by(|(span, new), (other, own)| {
            (span.start, span.end, new).cmp(&(other.start, other.end, own))
        });
        edits.dedup();
        let declared = drawing.nodes.entity(&name);
        let text = declared.and_then(|id| drawing.nodes.tree().get(id)?.entity_decl()?.text());
        let (Some(id), Some(text)) = (declared, text) else {
            bail!("the entity &{name}; is not declared here")
        };
        let apart = edits.windows(2).all(|pair| match pair {
            [(first, _), (second, _)] => first.end <= second.start,
            _ => true,
        });
        let text = edited(&text, &edits);
        if !apart {
            bail!("&{name}; would need two values at once"; try: "? describe entity:{name}")
        }
        texts.push((id, text));
    }
    let texts: Vec<(NodeId, &str)> = texts.iter().map(|(id, text)| (*id, &**text)).collect();
    xml::set_entities(drawing.nodes.tree_mut(), &texts)?;
    wanted.agree(drawing)
}

/// A text as the replacement text of an entity, which is read as content where it is used.
fn as_content(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace("]]>", "]]&gt;")
}

/// The parts of some nodes whose references change: of elements, and of texts of style sheets.
pub(crate) fn followers(
    drawing: &Drawing,
    ids: &[NodeId],
    new: &dyn Fn(&str) -> Option<String>,
) -> Vec<Follower> {
    followers_but(drawing, ids, new, &|_| false)
}

/// Like [`followers`], but selectors with ids that `is_shared` accepts stay, since they match other
/// elements too.
pub(crate) fn followers_but(
    drawing: &Drawing,
    ids: &[NodeId],
    new: &dyn Fn(&str) -> Option<String>,
    is_shared: &dyn Fn(&str) -> bool,
) -> Vec<Follower> {
    let mut found = Vec::new();
    let mut add = |node: NodeId, attribute: Option<&str>, edits: Vec<Edit>, references: usize| {
        if !edits.is_empty() {
            found.push(Follower {
                node,
                attribute: attribute.map(str::to_owned),
                edits,
                references,
            });
        }
    };
    let mut sheets = BTreeSet::new();
    for id in ids {
        if let Some(element) = drawing.nodes.element(*id) {
            for (name, value) in element.values() {
                let references = in_attribute(element, name, &value);
                let edits = edits(references, new);
                let count = edits.len();
                add(*id, Some(name), edits, count);
            }
        } else if let Some(sheet) = drawing.nodes.sheet_of(*id).filter(|id| sheets.insert(*id)) {
            let mut by_text: BTreeMap<NodeId, Vec<Edit>> = BTreeMap::new();
            let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
            for (reference, parts) in drawing.nodes.sheet_references(sheet) {
                let stays = !reference.refers && is_shared(&reference.id);
                let Some(id) = new(&reference.id).filter(|_| !stays) else {
                    continue;
                };
                // Of an id in several texts, the first gets all.
                let mut spelled = reference.spelled(&id);
                if let Some((text, _)) = parts.first() {
                    *counts.entry(*text).or_default() += 1;
                }
                for (text, part) in parts {
                    let own = by_text.entry(text).or_default();
                    own.push((part, std::mem::take(&mut spelled)));
                }
            }
            for text in drawing.nodes.sheet_texts(sheet) {
                let count = counts.remove(&text).unwrap_or_default();
                add(text, None, by_text.remove(&text).unwrap_or_default(), count);
            }
        }
    }
    found
}

/// The places in the source of parts of a follower's value.
fn places<'d>(drawing: &'d Drawing, one: &Follower) -> Option<Places<'d>> {
    match &one.attribute {
        Some(name) => drawing.nodes.element(one.node)?.places_in_attr(name),
        None => drawing.nodes.tree().get(one.node)?.places_in_text(),
    }
}

/// `filter of rect card`, `style style~1`.
pub(crate) fn user(drawing: &Drawing, id: NodeId, attribute: Option<&str>) -> String {
    match attribute {
        Some(name) => format!("{name} of {}", drawing.titled(id)),
        None => {
            let outer = drawing.nodes.tree().parent(id);
            outer.map_or("a text".to_owned(), |outer| drawing.titled(outer))
        }
    }
}

/// The expected values of all users of entities after references change.
#[derive(Default)]
struct Users(Vec<(NodeId, Option<String>, String)>);

impl Users {
    fn of(
        drawing: &Drawing,
        new: &dyn Fn(&str) -> Option<String>,
        followers: &[Follower],
    ) -> Result<Self> {
        let mut by_node: HashMap<NodeId, Vec<&Follower>> = HashMap::new();
        for one in followers {
            by_node.entry(one.node).or_default().push(one);
        }
        let mut wanted = Vec::new();
        let tree = drawing.nodes.tree();
        for id in tree.ids() {
            work::spend(1)?;
            let own = by_node.get(&id).map_or(&[][..], Vec::as_slice);
            let follows = |name: Option<&str>, value: &str| {
                let follower = own.iter().find(|one| one.attribute.as_deref() == name);
                follower.map_or_else(|| value.to_owned(), |one| edited(value, &one.edits))
            };
            match tree.get(id).map(Node::kind) {
                Some(Kind::Element(element)) if element.entities().is_some() => {
                    for (name, value) in element.values() {
                        wanted.push((id, Some(name.to_owned()), follows(Some(name), &value)));
                    }
                }
                Some(Kind::Text(_)) => {
                    let node = tree.get(id);
                    let refers = node
                        .and_then(Node::raw)
                        .is_some_and(|raw| raw.contains('&'));
                    if refers {
                        let value = node.and_then(Node::text).unwrap_or_default();
                        wanted.push((id, None, follows(None, &value)));
                    }
                }
                // Markup from an entity changes within the entity's text.
                Some(Kind::Entity(_)) => {
                    for (at, value, references) in expanded(drawing, id) {
                        let edits = edits(references, new);
                        wanted.push((id, Some(at), edited(&value, &edits)));
                    }
                }
                _ => {}
            }
        }
        Ok(Self(wanted))
    }

    /// Checks that all of them have these values now.
    fn agree(&self, drawing: &Drawing) -> Result<()> {
        let mut of_entity: Option<(NodeId, Vec<Expanded>)> = None;
        for (id, name, wanted) in &self.0 {
            let node = drawing.nodes.tree().get(*id);
            let says = match (node.map(Node::kind), name) {
                (Some(Kind::Entity(reference)), Some(place)) => {
                    let known = of_entity.take().filter(|(known, _)| known == id);
                    let all = known.map_or_else(|| expanded(drawing, *id), |(_, all)| all);
                    let found = all.iter().find(|(at, ..)| at == place);
                    let says = found.map(|(_, value, _)| value.clone());
                    of_entity = Some((*id, all));
                    if says.as_ref() != Some(wanted) {
                        let name = reference.name();
                        bail!("the markup of &{name}; refers to it, and is edited only as the entity's text"; try: "? describe entity:{name}")
                    }
                    continue;
                }
                (_, Some(name)) => drawing.nodes.attr(*id, name),
                (_, None) => node.and_then(Node::text),
            };
            if says.as_deref() != Some(wanted) {
                let user = user(drawing, *id, name.as_deref());
                let raw = match name {
                    Some(name) => drawing
                        .nodes
                        .element(*id)
                        .and_then(|own| own.raw_attr(name)),
                    None => node.and_then(Node::raw),
                };
                let entities: Vec<&str> =
                    raw.map_or_else(Vec::new, |raw| entities_in(raw).collect());
                let first = entities.first().copied().unwrap_or_default();
                let entities: Vec<String> =
                    entities.iter().map(|name| format!("&{name};")).collect();
                let entities = entities.join(" or ");
                bail!("it comes from the entity {entities}, and {user} uses it too and would change: name both in the op, or write one of them out first"; try: "? describe entity:{first}")
            }
        }
        Ok(())
    }
}

/// The first entity of the document in a raw text.
pub(crate) fn entity_in(raw: &str) -> Option<&str> {
    entities_in(raw).next()
}

/// The entities of the document in a raw text.
pub(crate) fn entities_in(raw: &str) -> impl Iterator<Item = &str> {
    let names = raw
        .split('&')
        .skip(1)
        .filter_map(|rest| rest.split(';').next());
    names.filter(|name| {
        !name.starts_with('#') && !matches!(*name, "lt" | "gt" | "amp" | "quot" | "apos")
    })
}

/// An attribute in the expansion of an entity: its place, its value, and the references in it.
type Expanded = (String, String, Vec<Reference>);

/// The attributes in the expansion of an entity reference.
fn expanded(drawing: &Drawing, id: NodeId) -> Vec<Expanded> {
    let tree = drawing.nodes.tree();
    let Some(Kind::Entity(reference)) = tree.get(id).map(Node::kind) else {
        return Vec::new();
    };
    let bound = |prefix: &str| xml::namespace(tree, id, prefix).is_some();
    let Ok(fragment) = reference.expansion(bound) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (at, (node, _)) in fragment.nodes().enumerate() {
        let Some(element) = node.element() else {
            continue;
        };
        for (name, value) in element.values() {
            let references = in_attribute(element, name, &value);
            all.push((format!("{at} {name}"), value.into_owned(), references));
        }
    }
    all
}
