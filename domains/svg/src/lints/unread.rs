//! `unread`

use std::collections::HashMap;

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::style::after_custom;
use crate::syntax::declarations::Declarations;

/// A property after a custom one in the same block. The renderer does not read it; most programs do.
#[fcp_lint(weight = 50)]
pub fn unread(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let warning = |what: &str, (custom, property): (&str, &str)| {
        format!("{what}: {property} is after {custom}, where the renderer does not read it")
    };
    let mut found = Vec::new();
    for row in rows {
        let id = NodeId::new(row.id());
        let style = nodes.attr(id, "style").filter(|style| style.contains("--"));
        let Some(style) = style else { continue };
        let all = Declarations::of_attribute(&style);
        let pair = after_custom(all.all().iter().map(|one| all.name(one)));
        found.extend(pair.map(|pair| (*row, warning(&nodes.name(id), pair))));
    }
    let is_sheet = |row: &&Row| nodes.is_sheet(NodeId::new(row.id()));
    let sheets = rows.iter().filter(is_sheet);
    let sheets: HashMap<NodeId, &Row> = sheets.map(|row| (NodeId::new(row.id()), row)).collect();
    if sheets.is_empty() {
        return found;
    }
    for rule in drawing.styles().sheet_rules(false) {
        let sheet = sheets.get(&rule.element);
        let pair = after_custom(rule.declared.iter().map(|(name, _)| &**name));
        if let (Some(pair), Some(row)) = (pair, sheet) {
            found.push((**row, warning(&rule.selector, pair)));
        }
    }
    found
}
