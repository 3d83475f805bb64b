//! `behind`

use fcp::prelude::*;

use crate::checks::stacking::{Over, Paints, independent};
use crate::model::Drawing;

/// An object of which nothing is seen, since a plain rectangle lies over all of it.
#[fcp_lint(weight = 20)]
pub fn behind(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let paints = Paints::of(drawing);
    let mut over = Over::of(&paints);
    let covered = |(row, id)| {
        let over = over.covering(id)?;
        let (this, other) = (drawing.nodes.name(id), drawing.nodes.name(over));
        let warning = || (row, format!("{this}: wholly behind {other}"));
        paints.styles.is_displayed(id).then(warning)
    };
    independent(drawing, rows).filter_map(covered).collect()
}
