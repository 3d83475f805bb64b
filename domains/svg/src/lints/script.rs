//! `script`

use fcp::format::xml::Attr;
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
        let runs = |attr: &&Attr| {
            let name = attr.name();
            let value = || nodes.attr(id, name).unwrap_or_default();
            let code = |value: &str| {
                let scheme = value.trim().get(..11);
                scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"))
            };
            name.starts_with("on") && !value().trim().is_empty()
                || name.ends_with("href") && code(&value())
        };
        let attribute = element.attrs().iter().find(runs)?.name();
        Some((
            *row,
            format!("{}: {attribute} is kept, not run", nodes.name(id)),
        ))
    };
    rows.iter().filter_map(runs).collect()
}
