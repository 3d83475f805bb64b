//! Declarations of entities in a DOCTYPE, and edits of their texts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::doctype::replacement;
use super::edit::entities;
use super::element::Element;
use super::entity::{Entities, Expansion, Within};
use super::escape;
use super::limits::Limits;
use super::node::{Doctype, Kind, Node, Run};
use super::scan::Scan;
use super::scope::{declared, namespace};
use super::segments::{bytes_of, literal, splice};
use super::slice::Slice;
use crate::bail;
use crate::diag::{Diagnostic, Result};
use crate::model::{Id, RowIndex, Tree};

/// The declaration of an entity: `<!ENTITY soft "url(#glow)">`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct EntityDecl(Slice);

/// The ranges of the parts of a declaration.
#[derive(Default)]
struct Parts {
    parameter: bool,
    name: Range<usize>,
    /// The text between its quotes.
    literal: Option<Range<usize>>,
}

impl EntityDecl {
    pub(super) const fn read(raw: Slice) -> Self {
        Self(raw)
    }

    /// All of it, as written.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.0
    }

    fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        let mut scan = Scan::new(&self.0);
        scan.take("<!ENTITY");
        scan.spaces();
        parts.parameter = scan.take("%");
        scan.spaces();
        let start = scan.at;
        if scan.name().is_err() {
            return parts;
        }
        parts.name = start..scan.at;
        scan.spaces();
        if matches!(scan.peek(), Some(b'"' | b'\''))
            && let Ok((at, text)) = scan.quoted("the text of an entity")
        {
            parts.literal = Some(at..at + text.len());
        }
        parts
    }

    /// The entity's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.get(self.parts().name).unwrap_or_default()
    }

    /// Whether it is a parameter entity, to which only a DOCTYPE refers.
    #[must_use]
    pub fn is_parameter(&self) -> bool {
        self.parts().parameter
    }

    /// The text between its quotes, as written; `None` for an entity in another file.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        self.0.get(self.parts().literal?)
    }

    /// Its replacement text, before references in it are expanded; `None` for an entity in another
    /// file.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'_, str>> {
        let literal = self.literal()?;
        if !literal.contains(['&', '\r']) {
            return Some(Cow::Borrowed(literal));
        }
        replacement(0, literal).ok().map(Cow::Owned)
    }

    /// A copy with another text. Unchanged parts keep their bytes.
    fn with_text(&self, text: &str) -> Result<Self> {
        let (parts, old) = (self.parts(), self.text());
        let (Some(range), Some(old)) = (parts.literal, old) else {
            bail!("the entity &{}; is in another file", self.name())
        };
        let (raw, quote) = (&*self.0, self.0.get(range.start - 1..range.start));
        let segments = literal(raw.get(range.clone()).unwrap_or_default());
        let (part, new) = match splice(&segments, &old, text) {
            Ok(splice) => splice,
            Err(_) => (
                bytes_of(&segments, &(0..old.len())).unwrap_or(0..range.len()),
                text.to_owned(),
            ),
        };
        let mut spelled = String::new();
        for (at, c) in new.char_indices() {
            match c {
                '%' | '\r' => escape::char_reference(&mut spelled, c),
                '"' | '\'' if quote.is_some_and(|quote| quote.starts_with(c)) => {
                    escape::char_reference(&mut spelled, c);
                }
                // A numeric character reference belongs to the text, not to the declaration.
                '&' if new.get(at..).is_some_and(|rest| rest.starts_with("&#")) => {
                    spelled.push_str("&#38;");
                }
                c => spelled.push(c),
            }
        }
        escape::content(&new)?;
        let at = |place: usize| range.start + place;
        let (before, after) = (raw.get(..at(part.start)), raw.get(at(part.end)..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let whole = Self(format!("{before}{spelled}{after}").into());
        match whole.text() {
            Some(value) if value == text => Ok(whole),
            _ => bail!("{text:?} has a & that begins no reference"),
        }
    }
}

/// Sets the texts of entities, for all their uses. Returns for each whether it changed. All are set
/// together, since every change of an entity is a new state of all of them.
///
/// # Errors
/// A row does not declare an entity, or it declares a parameter entity; another declaration of the
/// name is in effect; the entity is in another file; or a use of it would not be well-formed or
/// would mean another namespace.
pub fn set_entities<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    texts: &[(Id<Node>, &str)],
) -> Result<Vec<bool>> {
    let names = declared_names(tree);
    let mut map = entities(tree).map(Entities::all).unwrap_or_default();
    let mut new = BTreeMap::new();
    let mut changed = Vec::new();
    for (id, text) in texts {
        let declared = declaration(tree, &names, *id)?;
        changed.push(declared.text().is_none_or(|old| old != *text));
        if changed.last() == Some(&true) {
            new.insert(*id, declared.with_text(text)?);
            map.insert(declared.name().to_owned(), Some((*text).to_owned()));
        }
    }
    if !new.is_empty() {
        let names: Vec<&str> = new.values().map(EntityDecl::name).collect();
        renew(tree, &names, &Entities::new(map))?;
    }
    for (id, declared) in new {
        tree.modify(id, |node| node.kind = Kind::EntityDecl(declared));
    }
    Ok(changed)
}

/// Removes the declarations of entities with the whitespace before them.
///
/// # Errors
/// A row does not declare an entity, or something refers to it.
pub fn remove_entities<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    ids: &[Id<Node>],
) -> Result<()> {
    let names = declared_names(tree);
    let mut map = entities(tree).map(Entities::all).unwrap_or_default();
    let mut gone = Vec::new();
    for id in ids {
        let name = declaration(tree, &names, *id)?.name().to_owned();
        map.remove(&name);
        gone.push(name);
    }
    let gone: Vec<&str> = gone.iter().map(String::as_str).collect();
    if !gone.is_empty() {
        renew(tree, &gone, &Entities::new(map))?;
    }
    for id in ids {
        tree.remove(*id);
    }
    Ok(())
}

/// The declarations of each name that a document refers to, the first of them and their number.
type Declared = BTreeMap<String, (Id<Node>, usize)>;

fn declared_names<I>(tree: &Tree<Node, I>) -> Declared {
    let mut names = Declared::new();
    for outer in tree.children(Tree::<Node, I>::ROOT) {
        if !matches!(tree.get(outer).map(Node::kind), Some(Kind::Doctype(_))) {
            continue;
        }
        for id in tree.children(outer) {
            let declared = tree.get(id).and_then(Node::entity_decl);
            if let Some(declared) = declared.filter(|declared| !declared.is_parameter()) {
                let same = names.entry(declared.name().to_owned());
                same.or_insert((id, 0)).1 += 1;
            }
        }
    }
    names
}

/// The declaration in a row, if it is the one in effect for its name.
fn declaration<'t, I>(
    tree: &'t Tree<Node, I>,
    names: &Declared,
    id: Id<Node>,
) -> Result<&'t EntityDecl> {
    let declared = tree.need(id)?.entity_decl();
    let Some(declared) = declared.filter(|declared| !declared.is_parameter()) else {
        bail!("this is not the declaration of an entity that a document refers to")
    };
    if names.get(declared.name()) != Some(&(id, 1)) {
        bail!(
            "the entity &{}; is declared twice, and the first holds",
            declared.name()
        )
    }
    Ok(declared)
}

/// Replaces the entities in every node that refers to any; `names` are those whose text changed.
/// Together they may expand to as many bytes as in a file that is opened.
fn renew<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    names: &[&str],
    new: &Entities,
) -> Result<()> {
    let mut changed = Vec::new();
    let mut left = Limits::default().entity_bytes;
    for id in tree.ids() {
        let Some(node) = tree.get(id) else { continue };
        let kind = match node.kind() {
            Kind::Element(element) => {
                let Some(old) = &element.entities else {
                    continue;
                };
                for attr in element.attrs() {
                    let raw = attr.raw_value();
                    let value = decode(raw, Within::Value, new, &mut left)?.0;
                    if declared(attr.name()).is_some() && value != attr.value(Some(old)) {
                        let name = referred(names, raw);
                        bail!("&{name}; names a namespace of <{}>", element.name())
                    }
                }
                let entities = Some(new.clone());
                Kind::Element(Element {
                    entities,
                    ..element.clone()
                })
            }
            Kind::Text(run) => {
                if run.entities.is_none() {
                    continue;
                }
                if decode(&run.raw, Within::Content, new, &mut left)?.1 {
                    let name = referred(names, &run.raw);
                    bail!("&{name}; is used in a text, where it cannot become markup")
                }
                let entities = Some(new.clone());
                Kind::Text(Run {
                    entities,
                    ..run.clone()
                })
            }
            Kind::Entity(reference) => {
                let name = referred(names, &reference.raw);
                if !decode(&reference.raw, Within::Content, new, &mut left)?.1 {
                    bail!("&{name}; is used as markup, and cannot become a text")
                }
                let mut reference = reference.clone();
                reference.entities = new.clone();
                let known = |prefix: &str| namespace(tree, id, prefix).is_some();
                reference
                    .expansion(known)
                    .map_err(|error| Diagnostic::new(format!("&{name};: {}", error.reason)))?;
                Kind::Entity(reference)
            }
            Kind::Doctype(doctype) => Kind::Doctype(Doctype {
                entities: new.clone(),
                ..doctype.clone()
            }),
            _ => continue,
        };
        changed.push((id, kind));
    }
    for (id, kind) in changed {
        tree.modify(id, |node| node.kind = kind);
    }
    Ok(())
}

/// The changed entity that a raw text refers to, directly or through others.
fn referred<'n>(names: &[&'n str], raw: &str) -> &'n str {
    let direct = |name: &&&str| raw.contains(&format!("&{name};"));
    let found = names.iter().find(direct).or(names.first());
    found.copied().unwrap_or_default()
}

/// The decoded text of a raw one, and whether an entity in it contains markup. Entities may expand
/// to `left` bytes.
fn decode(
    raw: &str,
    within: Within,
    entities: &Entities,
    left: &mut usize,
) -> Result<(String, bool)> {
    let limits = Limits::default();
    let (deepest, bytes) = (limits.entity_depth, limits.entity_bytes);
    let mut expansion = Expansion::new(within, Some(entities), deepest, *left, bytes);
    let added = expansion.add(raw);
    *left = expansion.left();
    match added {
        Ok(()) => Ok((std::mem::take(&mut expansion.text), expansion.markup)),
        Err(fault) => bail!("{}", fault.reason),
    }
}

impl Doctype {
    /// The range of an identifier of the external subset, without its quotes: `public` or `system`.
    fn external_range(&self, which: &str) -> Option<Range<usize>> {
        let mut scan = Scan::new(&self.head);
        scan.take("<!DOCTYPE");
        scan.spaces();
        scan.name().ok()?;
        scan.spaces();
        let quoted = |scan: &mut Scan<'_>| {
            scan.spaces();
            let (at, text) = scan.quoted("an identifier").ok()?;
            Some(at..at + text.len())
        };
        let public = scan.take("PUBLIC").then(|| quoted(&mut scan)).flatten();
        if public.is_none() && !scan.take("SYSTEM") {
            return None;
        }
        match which {
            "public" => public,
            "system" => quoted(&mut scan),
            _ => None,
        }
    }

    /// An identifier of the external subset: `public` or `system`, if it is present.
    #[must_use]
    pub fn external(&self, which: &str) -> Option<&str> {
        self.head.get(self.external_range(which)?)
    }
}

/// Sets the `public` or the `system` identifier of a DOCTYPE that has it. Returns whether it
/// changed.
///
/// # Errors
/// The row is not a DOCTYPE with such an identifier, or the text is not a valid one.
pub fn set_external<I: RowIndex<Node>>(
    tree: &mut Tree<Node, I>,
    id: Id<Node>,
    which: &str,
    text: &str,
) -> Result<bool> {
    let Kind::Doctype(doctype) = tree.need(id)?.kind() else {
        bail!("this is not a DOCTYPE")
    };
    let Some(range) = doctype.external_range(which) else {
        bail!("the DOCTYPE has no {which} identifier")
    };
    let head = &doctype.head;
    let allowed = |c: char| c.is_ascii_alphanumeric() || " -'()+,./:=?;!*#@$_%".contains(c);
    let quote = head.get(range.start - 1..range.start).unwrap_or("\"");
    if text.contains(quote) || which == "public" && !text.chars().all(allowed) {
        bail!("{text:?} cannot be a {which} identifier here")
    }
    escape::content(text)?;
    if head.get(range.clone()) == Some(text) {
        return Ok(false);
    }
    let (before, after) = (head.get(..range.start), head.get(range.end..));
    let new = format!(
        "{}{text}{}",
        before.unwrap_or_default(),
        after.unwrap_or_default()
    );
    tree.modify(id, |node| {
        if let Kind::Doctype(doctype) = &mut node.kind {
            doctype.head = new.into();
        }
    });
    Ok(true)
}
