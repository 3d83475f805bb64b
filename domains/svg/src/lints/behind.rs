//! `behind`

use fcp::prelude::*;

use crate::model::Drawing;
use crate::stacking::{MOST_ROWS, Paints, standing};

/// An object of which nothing is seen, since a plain rectangle lies over all of it.
#[fcp_lint(weight = 20)]
pub fn behind(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    if rows.len() > MOST_ROWS {
        return Vec::new();
    }
    let paints = Paints::of(drawing);
    let covered = |(row, id)| {
        let over = paints.over(id, paints.geometry.stroke_box(id)?)?;
        let (this, other) = (drawing.nodes.name(id), drawing.nodes.name(over));
        let told = || (row, format!("{this}: wholly behind {other}"));
        paints.styles.is_displayed(id).then(told)
    };
    standing(drawing, rows).filter_map(covered).collect()
}
