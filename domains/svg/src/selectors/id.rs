//! `@id`

use fcp::model::Level;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::values::Glob;

/// Elements by their id: `*` is any text, `?` any character. Without either the id must exist.
#[fcp_selector]
pub fn id(drawing: &Drawing, glob: Glob) -> Result<Pick<'_>, ValueError> {
    if !glob.is_pattern() {
        let found = drawing
            .nodes
            .tree()
            .index()
            .with_id(glob.as_str(), Level::Exact);
        if found.is_empty() {
            let ids: Vec<String> = drawing.ids().collect();
            let near = fcp::value::nearest_word(glob.as_str(), ids.iter().map(String::as_str));
            let error = ValueError::sentence(format!("no element has the id {}", glob.as_str()));
            return Err(error.maybe_fix(near));
        }
        let rows = found.into_iter().map(|id| Row::new(Drawing::NODES, id));
        return Ok(Pick::Rows(rows.collect()).beyond());
    }
    Ok(Pick::test(move |row| {
        let id = drawing.nodes.attr(NodeId::new(row.id()), "id");
        id.is_some_and(|id| glob.matches(&id))
    }))
}
