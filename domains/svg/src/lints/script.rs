//! `script`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// A script that is kept, and runs where the drawing is opened.
#[fcp_lint(weight = 60)]
pub fn script(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let runs = |row: &Row| {
        let id = NodeId::new(row.id());
        let element = nodes.element(id)?;
        if element.local_name() == "script" {
            return Some((*row, "script is kept, not run".to_owned()));
        }
        let event = |(name, value): &(&str, std::borrow::Cow<'_, str>)| {
            let value = value.trim();
            let scheme = value.get(..11);
            let code = scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"));
            name.starts_with("on") && !value.is_empty() || name.ends_with("href") && code
        };
        let (attribute, _) = element.values().find(event)?;
        Some((
            *row,
            format!("{}: {attribute} is kept, not run", nodes.name(id)),
        ))
    };
    rows.iter().filter_map(runs).collect()
}
