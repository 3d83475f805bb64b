//! Edits of style sheets, which may restyle any element: what an op's reply compares then.

use fcp::format::xml::Node;
use fcp::model::TreeChange;
use fcp::work;

use crate::model::{DrawingEvent, NodeId, Nodes};

/// The most steps of comparing the styles of elements before and after an edit of a style sheet, each.
const STEPS: u64 = 2_000_000;

/// Compares styles. If the op edited `sheets`, its reply can do without that, and it is done only if it takes little.
pub(super) fn briefly<T>(sheets: bool, work: impl FnOnce() -> T) -> Option<T> {
    match sheets {
        true => work::at_most((work::left() / 8).min(STEPS), work),
        false => Some(work()),
    }
}

/// Whether the op changed a style sheet, or its place among others.
pub(super) fn edits_sheets(nodes: &Nodes, changes: &[DrawingEvent]) -> bool {
    let is_sheet = |row: &Node| row.element().is_some_and(|own| own.local_name() == "style");
    let tree = nodes.tree();
    let in_sheet = |id: u32| tree.get(NodeId::new(id)).is_some_and(is_sheet);
    let mut nodes = changes.iter().filter_map(|change| match change {
        DrawingEvent::Nodes(change) => Some(change),
        _ => None,
    });
    nodes.any(|change| match change {
        TreeChange::Added { at, row, .. } | TreeChange::Removed { at, row, .. } => {
            is_sheet(row) || in_sheet(at.parent)
        }
        TreeChange::Modified { id, after, .. } => {
            let parent = tree.parent(NodeId::new(*id));
            is_sheet(after) || parent.is_some_and(|parent| in_sheet(parent.number()))
        }
        TreeChange::Moved { id, .. } => {
            let mut sheets = tree.index().styles().map(NodeId::new);
            sheets.any(|sheet| tree.is_within(sheet, NodeId::new(*id)))
        }
    })
}
