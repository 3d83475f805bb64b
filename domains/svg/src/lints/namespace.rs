//! `namespace`

use fcp::format::xml::namespace_of;
use fcp::prelude::*;

use crate::model::kind::of_element;
use crate::model::{Drawing, NodeId};

/// A drawing without the namespace of SVG, which browsers do not draw, or an element without it in one that has it.
#[fcp_lint(weight = 95)]
pub fn namespace(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let lacks = |id: NodeId| namespace_of(nodes.tree(), id).is_none();
    let warning = |row: &Row| {
        let id = NodeId::new(row.id());
        let element = nodes.element(id)?;
        if nodes.root() == Some(id) {
            return lacks(id).then(|| (*row, "no SVG namespace: viewers refuse it".to_owned()));
        }
        if nodes.is_svg(id) || of_element(element.local_name()).is_none() || !lacks(id) {
            return None;
        }
        // The warning counts for all that is in the element.
        let is_outermost = nodes
            .tree()
            .parent(id)
            .is_some_and(|outer| nodes.is_svg(outer));
        let warning = || format!("{}: no SVG namespace, not drawn", nodes.name(id));
        is_outermost.then(|| (*row, warning()))
    };
    rows.iter().filter_map(warning).collect()
}
