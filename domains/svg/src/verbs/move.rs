//! `move`

use fcp::prelude::*;
use fcp::value::Offset;
use kurbo::{Rect, Vec2};

use crate::lines;
use crate::model::Drawing;
use crate::moving::{around, movable, shifted, told_places};
use crate::values::{Corner, Place};

/// Move objects by so much, or to a point, all together.
///
/// Numbers of the geometry change where there is no transform, else the leading translate.
///
/// ```fcp
/// # raw '<circle id="dot" cx="50" cy="50" r="10"/>'
/// # raw '<g id="logo" transform="translate(10,10)"><rect id="card" width="40" height="20"/></g>'
/// move dot by:10,0
/// > * circle dot @(50,40 20x20)
/// move logo by:5,-2.5
/// > * group logo @(15,7.5 40x20)
/// move dot,logo to:0,0
/// > @ 2 objects moved to 0,0: dot, logo
/// move dot to:logo.right corner:left
/// > * circle dot @(40,0 20x20)
/// move dot
/// > ! move needs by: or to:
/// >   try: move dot by:10,0
/// ```
#[fcp_verb(category = "Arrange")]
pub fn r#move(
    drawing: &mut Drawing,
    /// The objects; one that stands in another moves with it.
    rows: Rows,
    /// How far, in canvas units.
    by: Option<Offset>,
    /// The point that the corner of the box around them comes to. A text's is the point where it stands.
    to: Option<Place>,
    /// The corner, or the middle of a side.
    #[fcp(default = Corner::TopLeft)]
    corner: Corner,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let precision = geometry.precision();
    let (by, done) = match (by, to) {
        (Some(by), None) => (Vec2::new(by.x.get(), by.y.get()), format!("moved by {by}")),
        (None, Some(Place(to))) => {
            let all = match ids.as_slice() {
                [id] if drawing.nodes.kind_name(*id) == "text" && corner == Corner::TopLeft => {
                    let point = geometry.text_at(*id);
                    Some(Rect::from_points(point, point))
                }
                ids => around(&geometry, ids),
            };
            let Some(all) = all else {
                bail!("{} draws nothing, so it is nowhere", drawing.names_of(&ids); add: "by:10,0")
            };
            let done = format!("moved to {}", lines::point(to, precision));
            (to - corner.of(all), done)
        }
        (None, None) => bail!("move needs by: or to:"; add: "by:10,0"),
        (Some(_), Some(_)) => bail!("move takes by: or to:, not both"),
    };
    let mut edits = Vec::new();
    for id in &ids {
        edits.extend(shifted(drawing, &geometry, *id, by)?);
    }
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    Ok(told_places(drawing, &ids, &done))
}
