//! `scale`

use fcp::prelude::*;
use fcp::value::Size;
use kurbo::Vec2;

use crate::model::Drawing;
use crate::moving::{Turn, centers, frame, laid_over, movable, report_places, scaled_geometry};
use crate::resolve::About;
use crate::values::Factors;

/// The parts that scaling changes.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The size of a plain rect, circle, ellipse or image, the transform of any other.
    Auto,
    /// The size, and nothing else will do.
    Geometry,
    /// The transform.
    Transform,
}

/// Scale objects by a factor, or to a size.
///
/// ```fcp
/// # raw '<rect id="card" x="10" y="20" width="40" height="20"/>'
/// # raw '<path id="tick" d="M0 0L10 10"/>'
/// scale card by:2
/// > * rect card @(-10,10 80x40)
/// scale card to:40x20 about:0,0
/// > * rect card @(-5,5 40x20)
/// scale tick by:2,1 about:top-left
/// > * path tick @(0,0 20x10)
/// scale tick by:2 mode:geometry
/// > ! tick is not a plain rect, circle, ellipse or image
/// >   try: scale tick by:2 mode:transform
/// ```
#[fcp_verb(category = "Arrange")]
pub fn scale(
    drawing: &mut Drawing,
    /// The objects; one inside another grows with it.
    rows: Rows,
    /// One factor, or one along each axis; below 0 mirrors.
    by: Option<Factors>,
    /// The size of each one's box.
    to: Option<Size>,
    /// The point that stays in place; each one's own centre if left out.
    about: Option<About>,
    /// The parts that change.
    #[fcp(default = Mode::Auto)]
    mode: Mode,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let points = centers(drawing, &geometry, &ids, about.unwrap_or(About::Own))?;
    let done = match (&by, &to) {
        (Some(by), None) => format!("scaled by {by}"),
        (None, Some(to)) => format!("scaled to {to}"),
        (None, None) => bail!("scale needs by: or to:"; add: "by:2"),
        (Some(_), Some(_)) => bail!("scale takes by: or to:, not both"),
    };
    let mut edits = Vec::new();
    for (id, point) in ids.iter().zip(points) {
        let name = drawing.nodes.name(*id);
        let factors = match (&by, &to) {
            (Some(by), _) => by.vec(),
            (None, Some(to)) => {
                let found = frame(drawing, &geometry, *id)?;
                let side = |new: f64, old: f64| if old == 0.0 { 1.0 } else { new / old };
                Vec2::new(
                    side(to.width.get(), found.width()),
                    side(to.height.get(), found.height()),
                )
            }
            (None, None) => Vec2::splat(1.0),
        };
        if factors.x == 0.0 || factors.y == 0.0 {
            bail!("scaling to 0 leaves nothing"; try: "scale {name} by:0.5");
        }
        let plain = (mode != Mode::Transform)
            .then(|| scaled_geometry(drawing, &geometry, *id, factors, point))
            .flatten();
        match plain {
            Some(plain) => edits.extend(plain),
            None if mode == Mode::Geometry => {
                let by = by.as_ref().map(|by| format!("by:{by}"));
                let size = by.or(to.as_ref().map(|to| format!("to:{to}")));
                let size = size.unwrap_or_default();
                bail!("{name} is not a plain rect, circle, ellipse or image";
                    try: "scale {name} {size} mode:transform")
            }
            None => {
                let turn = Turn::Scale(factors.x, factors.y);
                edits.extend(laid_over(drawing, &geometry, *id, turn, point)?);
            }
        }
    }
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    Ok(report_places(drawing, &ids, &done))
}
