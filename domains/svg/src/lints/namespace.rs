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
    let told = |row: &Row| {
        let told = "no SVG namespace: viewers refuse it";
        (*row, told.to_owned())
    };
    rows.iter().find(without).map(told).into_iter().collect()
}
