//! `namespace`

use fcp::format::xml::namespace_of;
use fcp::prelude::*;

use crate::model::Drawing;

/// A drawing without the namespace of SVG, which browsers do not draw.
#[fcp_lint(weight = 95)]
pub fn namespace(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let root = drawing.nodes.root();
    let without = |row: &&Row| {
        root.is_some_and(|root| {
            root.number() == row.id() && namespace_of(drawing.nodes.tree(), root).is_none()
        })
    };
    let warning = |row: &Row| {
        let warning = "no SVG namespace: viewers refuse it";
        (*row, warning.to_owned())
    };
    rows.iter().find(without).map(warning).into_iter().collect()
}
