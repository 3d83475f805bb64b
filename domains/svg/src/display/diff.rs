//! Nodes as `diff` shows them: elements, texts, comments and everything else in a file.

use std::borrow::Cow;
use std::collections::HashSet;

use fcp::domain::SqlPiece;
use fcp::format::xml::{Kind, Node};
use fcp::model::Tree;
use fcp::prelude::*;
use fcp::value::Cell;
use fcp::work;

use crate::model::{Drawing, Index, NodeId, characters};

/// The most kinds of elements that are counted apart.
const KINDS: usize = 6;

/// The field of the name of an element's tag, which no other node has.
pub const TAG: &str = "tag";

/// The column of an element's container.
pub const PARENT: &str = "parent";

/// The field of the end of an element's tag, whose name no attribute can have.
pub const CLOSED: &str = "closed by";

/// The most nodes in an element that is shown by its source, and the most bytes of that.
const INNER: usize = 8;
const SOURCE: usize = 240;

/// The most characters shown of the texts in an element.
const TEXT: usize = 60;

/// A node with everything that its bytes contain.
pub fn show(drawing: &Drawing, id: u32) -> Option<Shown> {
    let id = NodeId::new(id);
    let node = drawing.nodes.tree().get(id)?;
    let parent = drawing.nodes.tree().parent(id);
    let parent = parent.filter(|parent| *parent != Tree::<Node, Index>::ROOT);
    let (kind, plural, name) = match sort(node) {
        Some((kind, plural)) => {
            let name = parent.map(|parent| drawing.nodes.name_once(parent));
            let name = match node.kind() {
                Kind::EntityDecl(_) => drawing.nodes.name(id),
                _ => name.map_or(String::new(), |name| format!("of {name}")),
            };
            (kind.into(), plural.into(), name)
        }
        None => {
            let kind = kind_of(drawing, id);
            (
                kind.clone(),
                Cow::Owned(format!("{kind}s")),
                drawing.nodes.name(id),
            )
        }
    };
    let mut fields = Vec::new();
    match node.element() {
        Some(element) => {
            fields.reserve_exact(element.attrs().len() + 3);
            let tag = Cell::Text(element.local_name().to_owned());
            fields.push(Field::new(TAG, element.name()).in_column(TAG, tag));
            for (attr, (_, value)) in element.attrs().iter().zip(element.values()) {
                let field = Field::new(attr.name().to_owned(), attr.raw_value());
                fields.push(expanded(field, "value", value).as_row());
            }
            // The first child gives its parent an end tag, and it keeps that without children.
            let end = if element.has_end_tag() {
                "an end tag"
            } else {
                "/>"
            };
            fields.push(Field::new(CLOSED, end));
            if let Some(parent) = parent {
                let name = drawing.nodes.name_once(parent).to_string();
                let cell = Cell::Text(name.clone());
                let field = Field::target("in", name, parent.number());
                fields.push(field.in_column(PARENT, cell));
            }
        }
        None => {
            let field = Field::new("", content(node));
            fields.push(match characters(node) {
                Some(value) => expanded(field, "text", value),
                None => field,
            });
        }
    }
    Some(Shown {
        kind,
        plural,
        name,
        place: None,
        within: parent.map(NodeId::number),
        fields,
    })
}

/// A field with its value in a table, if references in it make that another than its text.
fn expanded(field: Field, column: &'static str, value: Cow<'_, str>) -> Field {
    match value == field.text {
        true => field,
        false => field.in_column(column, Cell::Text(value.into_owned())),
    }
}

/// The name of an element's kind; the name of its tag if it has no kind of its own.
fn kind_of(drawing: &Drawing, id: NodeId) -> Cow<'static, str> {
    drawing.nodes.kind_name(id).into()
}

/// The kind of a node that is not an element, in singular and plural.
fn sort(node: &Node) -> Option<(&'static str, &'static str)> {
    Some(match node.kind() {
        Kind::Element(_) => return None,
        Kind::Text(_) | Kind::CData(_) => ("text", "texts"),
        Kind::Comment(_) => ("comment", "comments"),
        Kind::Instruction(_) => ("instruction", "instructions"),
        Kind::Declaration(_) => ("XML declaration", "XML declarations"),
        Kind::Doctype(_) => ("DOCTYPE", "DOCTYPEs"),
        Kind::Entity(_) => ("entity reference", "entity references"),
        Kind::EntityDecl(_) => ("entity", "entities"),
        Kind::Markup(_) => ("declaration", "declarations"),
    })
}

/// Texts, comments and entities are rows of `texts`, by their element.
pub fn piece(drawing: &Drawing, shown: &Shown, row: Row) -> Option<SqlPiece> {
    // An element is of the kind `text` too, or of any other that a file names its tags by.
    let is_element = match drawing.nodes.tree().get(row.of()) {
        Some(node) => node.element().is_some(),
        None => shown.fields.iter().any(|field| field.name == TAG),
    };
    if is_element {
        return None;
    }
    let owner = match &*shown.kind {
        "text" | "comment" => {
            let outer = drawing.nodes.tree().parent(row.of());
            let outer = outer.filter(|outer| drawing.nodes.element(*outer).is_some());
            outer.map(|outer| Row::new(Drawing::NODES, outer.number()))
        }
        "entity" => Some(row),
        _ => return None,
    };
    Some(SqlPiece {
        row: owner,
        table: "texts",
        column: "text",
    })
}

/// The characters of a node that is not an element, as they are written.
fn content(node: &Node) -> &str {
    let raw = node.raw_text().or_else(|| node.comment_text());
    raw.or_else(|| node.raw()).unwrap_or_default()
}

/// A node on one line, for additions and removals.
pub fn show_line(drawing: &Drawing, id: u32, along: &dyn Fn(u32) -> bool) -> Option<String> {
    let node = NodeId::new(id);
    let row = drawing.nodes.tree().get(node)?;
    if row.element().is_some() {
        if let Some(source) = short_source(drawing, node, along) {
            let outer = |inner| drawing.nodes.tree().parent(inner);
            let is_inner =
                |own: &NodeId| outer(*own).is_some_and(|own| drawing.nodes.element(own).is_some());
            let parent = outer(node).filter(is_inner);
            let within = parent.map(|parent| format!(" in:{}", drawing.nodes.name_once(parent)));
            let (kind, name) = (kind_of(drawing, node), drawing.nodes.name(node));
            return Some(format!(
                "{kind} {name}{}: {source}",
                within.unwrap_or_default()
            ));
        }
        return Some(format!(
            "{}{}",
            drawing.outlined(node),
            held(drawing, node, along)
        ));
    }
    let shown = show(drawing, id)?;
    let text: String = content(row).chars().take(60).collect();
    // White space alone is what came or went.
    let text = match text.trim() {
        "" => &text,
        text => text,
    };
    Some(format!("{} {text:?}", shown.title()))
}

/// The source of an element that came or went with all its content, if it is short.
fn short_source(drawing: &Drawing, id: NodeId, along: &dyn Fn(u32) -> bool) -> Option<String> {
    let tree = drawing.nodes.tree();
    let inner: Vec<NodeId> = tree.descendants(id).take(INNER + 1).collect();
    if inner.len() > INNER || !inner.iter().all(|own| along(own.number())) {
        return None;
    }
    let source = tree.text_of(id);
    let source = source.trim();
    let fits = source.len() <= SOURCE && !source.contains(char::is_control);
    fits.then(|| source.to_owned())
}

/// The content that came or went along with an element: ` with 2 rects, 1 text "hi"`. Empty if there is none.
fn held(drawing: &Drawing, id: NodeId, along: &dyn Fn(u32) -> bool) -> String {
    let mut others: HashSet<NodeId> = HashSet::new();
    let (mut kinds, mut text): (Vec<(Cow<'static, str>, usize)>, String) = Default::default();
    for inner in drawing.nodes.tree().descendants(id) {
        // The call fails at its next check.
        if work::spend(1).is_err() {
            break;
        }
        let tree = drawing.nodes.tree();
        let Some(node) = tree.get(inner) else {
            continue;
        };
        let in_other = tree
            .parent(inner)
            .is_some_and(|parent| others.contains(&parent));
        if in_other || !along(inner.number()) {
            others.insert(inner);
            continue;
        }
        if node.element().is_some() {
            let kind = kind_of(drawing, inner);
            let known = kinds.iter().position(|(own, _)| *own == kind);
            let kind = if kinds.len() < KINDS {
                kind
            } else {
                "other".into()
            };
            match known.or((kinds.len() > KINDS).then_some(KINDS)) {
                Some(at) => kinds.get_mut(at).map_or((), |(_, count)| *count += 1),
                None => kinds.push((kind, 1)),
            }
        } else if let Some(own) = node.text().filter(|_| text.len() < TEXT) {
            // One word more than fits shows that there are others.
            let words = own.split_ascii_whitespace();
            for word in words.take(1 + (TEXT - text.len()) / 2) {
                let blank = if text.is_empty() { "" } else { " " };
                text.push_str(&format!("{blank}{word}"));
            }
        }
    }
    let kinds = kinds.iter().map(|(kind, count)| match count {
        1 => format!("1 {kind}"),
        count => format!("{count} {kind}s"),
    });
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let kinds = match &*kinds {
        "" => kinds,
        kinds => format!(" with {kinds}"),
    };
    let shown: String = text.chars().take(TEXT).collect();
    match (shown.is_empty(), shown.len() < text.len()) {
        (true, _) => kinds,
        (false, false) => format!("{kinds} {shown:?}"),
        (false, true) => format!("{kinds} {shown:?}…"),
    }
}

/// The fields of the file's envelope.
pub fn show_part(drawing: &Drawing, field: &str) -> Vec<Field> {
    match field {
        "envelope" => vec![Field::new("encoding", drawing.envelope.encoding.name())],
        _ => Vec::new(),
    }
}
