//! `viewbox`

use fcp::prelude::*;

use crate::model::Drawing;

/// A drawing without a viewBox, which does not scale.
#[fcp_lint]
pub fn viewbox(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let root = drawing.nodes.root();
    let without = |row: &&Row| {
        root.is_some_and(|root| {
            root.number() == row.id()
                && drawing.nodes.is_svg(root)
                && drawing.nodes.attr(root, "viewBox").is_none()
        })
    };
    let warning = |row: &Row| {
        let warning = "no viewBox";
        (*row, warning.to_owned())
    };
    rows.iter().find(without).map(warning).into_iter().collect()
}
