//! Searches a text in a whole file: attributes, texts, style sheets, comments, instructions, the
//! DOCTYPE and its entities; and the names of elements and attributes.

use std::collections::HashMap;

use fcp::format::xml::{Attr, Element, Kind, Node};
use fcp::prelude::*;
use fcp::reply::count;
use fcp::work;

use crate::model::{Drawing, NodeId};

/// The bytes that are searched in the time of a step.
const BYTES_A_STEP: usize = 32;

/// The largest number of elements that are listed for their names, besides other places.
const FEW_NAMES: usize = 3;

/// The number of characters shown around a hit.
const SHOWN: usize = 60;

/// A place that contains the text.
enum Hit {
    /// A row, and its field.
    Row(NodeId, String),
    /// A node that is not a row, with its kind and the part that contains the text.
    Piece(NodeId, &'static str, String),
    /// Several elements with a name that contains the text.
    Names(String),
}

/// The elements with each name that contains a text: of the element, or of an attribute.
#[derive(Default)]
struct Names<'d> {
    places: HashMap<(&'static str, &'d str), usize>,
    found: Vec<((&'static str, &'d str), Vec<NodeId>)>,
}

impl<'d> Names<'d> {
    fn add(&mut self, id: NodeId, element: &'d Element, needle: &str) {
        let own = std::iter::once(("element", element.name()));
        let attrs = element
            .attrs()
            .iter()
            .map(|attr| ("attribute", attr.name()));
        for name in own.chain(attrs).filter(|(_, name)| has(name, needle)) {
            let next = self.found.len();
            let at = *self.places.entry(name).or_insert(next);
            match self.found.get_mut(at) {
                Some((_, ids)) => ids.push(id),
                None => self.found.push((name, vec![id])),
            }
        }
    }

    /// Each element if they are few or nothing else was found, or else each name with a count.
    fn hits(self, is_all: bool) -> Vec<Hit> {
        let all: usize = self.found.iter().map(|(_, ids)| ids.len()).sum();
        if is_all || all <= FEW_NAMES {
            let each = self.found.into_iter().flat_map(|((_, name), ids)| {
                let ids = ids.into_iter();
                ids.map(move |id| Hit::Row(id, format!("name {name}")))
            });
            return each.collect();
        }
        let each = self.found.into_iter().map(|((kind, name), ids)| {
            let (columns, local) = match kind {
                "element" => ("ref FROM elements WHERE tag", name.rsplit(':').next()),
                _ => ("ref, value FROM attributes WHERE name", Some(name)),
            };
            let named = count(ids.len(), kind);
            let local = local.unwrap_or(name);
            Hit::Names(format!(
                "and {named} named {name}: ? SELECT {columns}='{local}'"
            ))
        });
        each.collect()
    }
}

/// The line about source text that no row shows as its content.
const UNSEARCHED: &str =
    "nothing matches; not searched: the signs of tags, attributes and CDATA sections";

impl Drawing {
    /// Every place that contains a text, in file order, ignoring case; then the elements whose tag or attributes have
    /// a name that contains it.
    pub(crate) fn search(&self, text: &str) -> Listing<'_> {
        let needle = text.to_lowercase();
        let nodes = &self.nodes;
        let tree = nodes.tree();
        let (mut hits, mut names) = (Vec::new(), Names::default());
        let top = tree.descendants(fcp::model::Tree::<Node>::ROOT);
        for id in top {
            let Some(node) = tree.get(id) else { continue };
            let bytes = node.raw().map_or(0, str::len);
            let attributes = node.element().map_or(0, |element| element.attrs().len());
            // The call fails at its next check.
            if work::spend(1 + attributes + bytes / BYTES_A_STEP).is_err() {
                break;
            }
            self.search_node(id, node, &needle, &mut hits);
            if let Some(element) = node.element() {
                names.add(id, element, &needle);
            }
        }
        hits.extend(names.hits(hits.is_empty()));
        let is_markup = |c: char| matches!(c, '<' | '>' | '[' | ']' | '=' | '"' | '\'');
        if hits.is_empty() && text.contains(is_markup) {
            hits.push(Hit::Names(UNSEARCHED.to_owned()));
        }
        let pieces = hits.iter().filter_map(|hit| match hit {
            Hit::Piece(id, ..) => Some(*id),
            Hit::Row(..) | Hit::Names(_) => None,
        });
        let lines = self.nodes.source_lines(&pieces.collect::<Vec<_>>());
        Listing::lines(
            hits.len(),
            hits.into_iter().map(move |hit| match hit {
                Hit::Names(line) => line,
                Hit::Row(id, field) => format!("{} ({field})", self.outlined(id)),
                Hit::Piece(id, kind, shown) => {
                    let line = lines.get(&id).copied().unwrap_or(1);
                    let inside = self.container_suffix(id);
                    format!("{kind} line {line}{inside}: {shown}")
                }
            }),
        )
    }

    fn search_node(&self, id: NodeId, node: &Node, needle: &str, hits: &mut Vec<Hit>) {
        let piece = |kind: &'static str, text: &str| {
            excerpt(text, needle).map(|shown| Hit::Piece(id, kind, shown))
        };
        match node.kind() {
            Kind::Element(element) => {
                let fields = self.fields_with(id, element, needle);
                if !fields.is_empty() {
                    hits.push(Hit::Row(id, fields));
                }
            }
            // Style sheets are shown by line, and other texts with their elements.
            Kind::Text(_) | Kind::CData(_) => {
                let Some(sheet) = self.nodes.sheet_of(id) else {
                    return;
                };
                let text = node.text().unwrap_or_default();
                let first = text.lines().filter(|line| has(line, needle));
                for line in first {
                    let shown = excerpt(line, needle).unwrap_or_default();
                    hits.push(Hit::Row(sheet, format!("css: {shown}")));
                }
            }
            Kind::EntityDecl(declared) => {
                let text = declared.text().unwrap_or_default();
                if has(&text, needle) {
                    hits.push(Hit::Row(id, "value".to_owned()));
                } else if has(declared.raw(), needle) {
                    hits.push(Hit::Row(id, "written".to_owned()));
                }
            }
            Kind::Doctype(_) => {
                if node.raw().is_some_and(|raw| has(raw, needle)) {
                    hits.push(Hit::Row(id, "written".to_owned()));
                }
            }
            Kind::Comment(raw) => hits.extend(piece("comment", raw)),
            Kind::Instruction(raw) => hits.extend(piece("instruction", raw)),
            Kind::Declaration(raw) => hits.extend(piece("XML declaration", raw)),
            Kind::Markup(raw) => hits.extend(piece("declaration", raw)),
            Kind::Entity(_) => {
                let raw = node.raw().unwrap_or_default();
                hits.extend(piece("entity reference", raw));
            }
        }
    }

    /// The names of an element's fields that contain a text: attributes, its own text, or else its
    /// container.
    fn fields_with(&self, id: NodeId, element: &Element, needle: &str) -> String {
        let nodes = &self.nodes;
        let attrs = element.attrs().iter().zip(element.values());
        let attrs = attrs.filter(|(attr, (_, value))| has(value, needle) || written(attr, needle));
        let mut names: Vec<&str> = attrs.map(|(_, (name, _))| name).collect();
        let own_text = || {
            let whole = nodes.is_called(id, "text").then(|| nodes.text_of(id));
            let whole = whole.is_some_and(|text| has(&text, needle));
            whole || {
                let mut inner = nodes.tree().children(id);
                inner.any(|inner| {
                    let node = nodes.tree().get(inner);
                    node.is_some_and(|node| {
                        let found = node.text().is_some_and(|text| has(&text, needle));
                        found || node.raw_text().is_some_and(|raw| has(raw, needle))
                    })
                })
            }
        };
        if !nodes.is_sheet(id) && own_text() {
            names.push("text");
        }
        if names.is_empty() {
            let outer = nodes.tree().parent(id);
            let outer = outer.filter(|outer| nodes.element(*outer).is_some());
            if outer.is_some_and(|outer| has(&nodes.name_once(outer), needle)) {
                names.push("in");
            }
        }
        names.join(", ")
    }
}

/// Whether the source of an attribute contains a text, such as the name of an entity.
fn written(attr: &Attr, needle: &str) -> bool {
    attr.raw_value().contains('&') && has(attr.raw_value(), needle)
}

/// Whether a text contains `needle`, which is in lower case.
fn has(text: &str, needle: &str) -> bool {
    if text.is_ascii() && needle.is_ascii() {
        let (text, needle) = (text.as_bytes(), needle.as_bytes());
        let mut windows = text.windows(needle.len().max(1));
        return needle.is_empty() || windows.any(|part| part.eq_ignore_ascii_case(needle));
    }
    text.to_lowercase().contains(needle)
}

/// The part of a text around `needle`, on one line; `None` if it is not in it.
fn excerpt(text: &str, needle: &str) -> Option<String> {
    if !has(text, needle) {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let at = text.to_lowercase().find(needle).unwrap_or(0);
    let before = text
        .char_indices()
        .take_while(|(byte, _)| *byte < at)
        .count();
    let skipped = before.saturating_sub(SHOWN / 3);
    let shown: String = text.chars().skip(skipped).take(SHOWN).collect();
    let (left, right) = (skipped > 0, skipped + SHOWN < text.chars().count());
    let dots = |cut| if cut { "…" } else { "" };
    Some(format!("{}{shown}{}", dots(left), dots(right)))
}
