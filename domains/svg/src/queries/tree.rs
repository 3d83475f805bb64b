//! `tree`

use fcp::prelude::*;
use fcp::value::Int;

use crate::model::{Drawing, NodeId};

/// How many like siblings in a row are told one by one.
const SHOWN: usize = 5;
/// The most elements that are told of.
const MOST: usize = 10_000;

/// Show what stands in what, as deep as asked.
///
/// Of a long row of siblings of one kind the first five are shown, then how many more there are.
///
/// ```fcp
/// # raw '<g id="logo"><circle id="dot" cx="5" cy="5" r="5"/><g id="inner"><rect id="card" width="4" height="2"/></g></g>'
/// ? tree logo
/// > group logo @(0,0 10x10)
/// >   circle dot @(0,0 10x10)
/// >   group inner @(0,0 4x2)
/// >     rect card @(0,0 4x2)
/// ? tree logo depth:1
/// > group logo @(0,0 10x10)
/// >   circle dot @(0,0 10x10)
/// >   group inner @(0,0 4x2) … 1 inside
/// # raw '<g id="row"><rect/><rect/><rect/><rect/><rect/><rect/><rect/><path/></g>'
/// ? tree row
/// > group row
/// >   rect rect~2
/// >   rect rect~3
/// >   rect rect~4
/// >   rect rect~5
/// >   rect rect~6
/// >   … 2 more of rect
/// >   path path~1
/// ```
#[fcp_query]
pub fn tree(
    drawing: &Drawing,
    /// What to begin with; the drawing if left out.
    #[fcp(positional)]
    element: Option<Row>,
    /// How many levels below that.
    #[fcp(default = Int::clamped(3))]
    depth: Int<1, 1000>,
) -> Result<Vec<String>> {
    let nodes = &drawing.nodes;
    let given = element.map(|row| NodeId::new(row.id()));
    let Some(start) = given.or_else(|| nodes.root()) else {
        bail!("there is no drawing"; try: "! new")
    };
    let geometry = drawing.geometry();
    let depth = usize::try_from(depth.get()).unwrap_or(1);
    let mut lines = Vec::new();
    // What is still to be told, the next last: an element, or so many more of a kind.
    let mut pending: Vec<(usize, Piece)> = vec![(0, Piece::Element(start))];
    while let Some((level, piece)) = pending.pop() {
        let indent = "  ".repeat(level.min(40));
        let id = match piece {
            Piece::More(count, kind) => {
                lines.push(format!("{indent}… {count} more of {kind}"));
                continue;
            }
            Piece::Element(id) => id,
        };
        if lines.len() == MOST {
            let name = nodes.name(start);
            bail!("more than {MOST} elements stand in {name}"; try: "? tree {name} depth:1")
        }
        let inner = children(drawing, id);
        let mut line = drawing.placed(&geometry, id);
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
    Element(NodeId),
    /// So many more of a kind.
    More(usize, &'static str),
}

fn children(drawing: &Drawing, id: NodeId) -> Vec<NodeId> {
    let nodes = &drawing.nodes;
    let inner = nodes.tree().children(id);
    inner
        .filter(|inner| nodes.element(*inner).is_some())
        .collect()
}

/// Siblings, with long rows of one kind cut short. What holds others is never cut.
fn folded(drawing: &Drawing, siblings: &[NodeId]) -> Vec<Piece> {
    let nodes = &drawing.nodes;
    let kind = |id: &NodeId| nodes.kind_name(*id);
    let is_leaf = |id: &NodeId| children(drawing, *id).is_empty();
    let mut pieces = Vec::new();
    for like in siblings.chunk_by(|a, b| kind(a) == kind(b) && is_leaf(a) && is_leaf(b)) {
        let shown = if like.len() > SHOWN + 1 {
            SHOWN
        } else {
            like.len()
        };
        pieces.extend(like.iter().take(shown).map(|id| Piece::Element(*id)));
        let more = like.len() - shown;
        if let (Some(first), true) = (like.first(), more > 0) {
            pieces.push(Piece::More(more, kind(first)));
        }
    }
    pieces
}
