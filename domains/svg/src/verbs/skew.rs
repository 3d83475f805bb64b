//! `skew`

use fcp::prelude::*;
use fcp::value::Angle;

use crate::model::Drawing;
use crate::moving::{Turn, centers, laid_over, movable, report_transforms};
use crate::resolve::About;

/// Slant objects along x or y, each about its own centre.
///
/// ```fcp
/// # raw '<rect id="card" x="10" y="20" width="40" height="20"/>'
/// skew card x:45
/// > * rect card transform: translate(-30 0) skewX(45)
/// skew card y:90
/// > ! y:90 slants all out of sight
/// >   try: skew card y:45
/// skew card
/// > ! skew needs x: or y:
/// >   try: skew card x:15
/// ```
#[fcp_verb(category = "Arrange")]
pub fn skew(
    drawing: &mut Drawing,
    /// The objects; one inside another slants with it.
    rows: Rows,
    /// The angle along x.
    x: Option<Spanned<Angle>>,
    /// The angle along y.
    y: Option<Spanned<Angle>>,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let (angle, along) = match (&x, &y) {
        (Some(x), None) => (x, "x"),
        (None, Some(y)) => (y, "y"),
        (None, None) => bail!("skew needs x: or y:"; add: "x:15"),
        (Some(_), Some(_)) => bail!("skew takes x: or y:, one at a time"),
    };
    let degrees = angle.get().degrees();
    if (degrees.rem_euclid(180.0) - 90.0).abs() < 1e-6 {
        return Err(angle.wrong(ValueError::new("slants all out of sight").fix("45")));
    }
    let turn = if along == "x" {
        Turn::SkewX(degrees)
    } else {
        Turn::SkewY(degrees)
    };
    let geometry = drawing.geometry();
    let points = centers(drawing, &geometry, &ids, About::Own)?;
    let mut edits = Vec::new();
    for (id, point) in ids.iter().zip(points) {
        edits.extend(laid_over(drawing, &geometry, *id, turn, point)?);
    }
    let done = format!("skewed along {along} by {}", angle.get());
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    Ok(report_transforms(drawing, &ids, &done))
}
