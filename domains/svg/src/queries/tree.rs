//! `tree`

use fcp::format::xml::{Element, Node};
use fcp::model::Tree;
use fcp::prelude::*;
use fcp::value::Int;
use fcp::work;

use crate::model::{Drawing, Index, NodeId};

/// The number of similar adjacent siblings that are folded into one line.
const FOLDED: usize = 4;
/// The most characters of a comment to show.
const SHOWN: usize = 60;
/// The steps of a line, which has a box.
const STEPS_A_LINE: usize = 10;
/// The maximum number of lines.
const MOST: usize = 10_000;

/// Show the tree of elements, as deep as asked.
///
/// Parts, comments, processing instructions and what a DOCTYPE declares are shown too. Of four or more siblings of one type only the first and
/// the last are named.
///
/// ```fcp
/// # raw '<g id="logo"><!-- the dot --><circle id="dot" cx="5" cy="5" r="5"/><g id="inner"><rect id="card" width="4" height="2"/></g></g>'
/// ? tree logo
/// > group logo @(0,0 10x10)
/// >   <!-- the dot -->
/// >   circle dot @(0,0 10x10)
/// >   group inner @(0,0 4x2)
/// >     rect card @(0,0 4x2)
/// ? tree logo depth:1
/// > group logo @(0,0 10x10)
/// >   <!-- the dot -->
/// >   circle dot @(0,0 10x10)
/// >   group inner @(0,0 4x2) … 1 inside
/// # raw '<g id="row"><rect/><rect/><rect/><rect/><rect/><path/></g>'
/// ? tree row
/// > group row
/// >   rect~2…rect~6 (5 rect)
/// >   path path~1
/// ? tree inner,dot
/// > group inner @(0,0 4x2)
/// >   rect card @(0,0 4x2)
/// > circle dot @(0,0 10x10)
/// ```
#[fcp_query]
pub fn tree(
    drawing: &Drawing,
    /// The tops of the trees; the drawing if left out.
    rows: Option<Rows>,
    /// The number of levels below that.
    #[fcp(default = Int::clamped(3))]
    depth: Int<1, 1000>,
) -> Result<Vec<String>> {
    let nodes = &drawing.nodes;
    let root = Tree::<Node, Index>::ROOT;
    let geometry = drawing.geometry();
    let depth = usize::try_from(depth.get()).unwrap_or(1);
    let mut lines = Vec::new();
    // The remaining pieces, the next one last.
    let tops = match &rows {
        Some(rows) => rows.iter().map(|row| NodeId::new(row.id())).collect(),
        None => drawing.shown_in(root),
    };
    let tops = tops.into_iter().rev().map(Piece::One);
    let mut pending: Vec<(usize, Piece)> = tops.map(|piece| (0, piece)).collect();
    while let Some((level, piece)) = pending.pop() {
        if lines.len() == MOST {
            let name = nodes.root().map_or(String::new(), |root| nodes.name(root));
            bail!("more than {MOST} lines"; try: "? tree {name} depth:1")
        }
        work::spend(STEPS_A_LINE)?;
        let indent = "  ".repeat(level.min(40));
        let id = match piece {
            Piece::Row(first, last, count) => {
                let kind = nodes.kind_name(first);
                let (first, last) = (nodes.name(first), nodes.name(last));
                lines.push(format!("{indent}{first}…{last} ({count} {kind})"));
                continue;
            }
            Piece::One(id) => id,
        };
        if nodes.declared_kind(id).is_some() {
            lines.push(format!("{indent}{}", drawing.declaration(id)));
            if level < depth {
                let inner = drawing.shown_in(id).into_iter().rev();
                pending.extend(inner.map(|id| (level + 1, Piece::One(id))));
            }
            continue;
        }
        if nodes.element(id).is_none() {
            let raw = nodes.tree().get(id).and_then(Node::raw).unwrap_or_default();
            let cut: String = raw.chars().take(SHOWN).collect();
            let more = if cut.len() < raw.len() { "…" } else { "" };
            lines.push(format!("{indent}{cut}{more}"));
            continue;
        }
        let inner = drawing.shown_in(id);
        let mut line = drawing.placed(&geometry, id);
        if matches!(nodes.kind_name(id), "text" | "tspan" | "title" | "desc") {
            line.push_str(&drawing.quoted(id));
        }
        if level == depth && !inner.is_empty() {
            line.push_str(&format!(" … {} inside", inner.len()));
        }
        lines.push(format!("{indent}{line}"));
        if level < depth {
            let pieces = folded(drawing, &inner).into_iter().rev();
            pending.extend(pieces.map(|piece| (level + 1, piece)));
        }
    }
    Ok(lines)
}

/// A line of the tree.
#[derive(Clone, Copy)]
enum Piece {
    /// An element, a comment or a processing instruction.
    One(NodeId),
    /// The first and last of a series of similar siblings, and their number.
    Row(NodeId, NodeId, usize),
}

/// Siblings, with long series of one type folded. An element with children is never folded.
fn folded(drawing: &Drawing, siblings: &[NodeId]) -> Vec<Piece> {
    let nodes = &drawing.nodes;
    let is_leaf = |id: &NodeId| nodes.element(*id).is_some() && drawing.shown_in(*id).is_empty();
    let like = |a: &NodeId, b: &NodeId| {
        let name = |id: &NodeId| nodes.element(*id).map(Element::name);
        is_leaf(a) && is_leaf(b) && name(a) == name(b)
    };
    let mut pieces = Vec::new();
    for row in siblings.chunk_by(like) {
        match row {
            [first, .., last] if row.len() >= FOLDED => {
                pieces.push(Piece::Row(*first, *last, row.len()));
            }
            row => pieces.extend(row.iter().map(|id| Piece::One(*id))),
        }
    }
    pieces
}
