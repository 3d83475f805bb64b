//! `zero`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::syntax::number::scan;

/// A shape without width, height or radius, which is not drawn.
#[fcp_lint(weight = 40)]
pub fn zero(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let missing = |row: &Row| {
        let id = NodeId::new(row.id());
        let sides: &[(&str, bool)] = match nodes.kind_name(id) {
            "rect" => &[("width", true), ("height", true)],
            "circle" => &[("r", true)],
            "ellipse" => &[("rx", false), ("ry", false)],
            "image" => &[("width", false), ("height", false)],
            _ => return None,
        };
        // A style may set a length too. It is not checked, so elements with a style count as drawn.
        if nodes.attr(id, "style").is_some() || nodes.attr(id, "class").is_some() {
            return None;
        }
        let none = |(name, needed): &&(&str, bool)| match nodes.attr(id, name) {
            None => *needed,
            Some(text) => scan(text.trim(), 0).is_some_and(|number| number.value <= 0.0),
        };
        let (name, _) = sides.iter().find(none)?;
        let warning = format!("{}: zero {name}, not drawn", nodes.name(id));
        Some((*row, warning))
    };
    rows.iter().filter_map(missing).collect()
}
