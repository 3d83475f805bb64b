//! `image`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// A picture that is not in the file.
#[fcp_lint(weight = 10)]
pub fn image(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let apart = |row: &Row| {
        let id = NodeId::new(row.id());
        let element = nodes.element(id)?;
        if element.local_name() != "image" || !nodes.is_svg(id) {
            return None;
        }
        let mut values = element.values();
        let (_, href) = values.find(|(name, _)| *name == "href" || name.ends_with(":href"))?;
        let href = href.trim();
        let inside = href
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("data:"));
        if inside || href.is_empty() || href.starts_with('#') {
            return None;
        }
        let warning = format!("{}: not embedded, not drawn", nodes.name(id));
        Some((*row, warning))
    };
    rows.iter().filter_map(apart).collect()
}
