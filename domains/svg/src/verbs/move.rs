//! `move`

use fcp::prelude::*;
use fcp::value::Offset;
use kurbo::{Rect, Vec2};

use crate::display::lines;
use crate::model::Drawing;
use crate::moving::{around, movable, report_places, shifted};
use crate::resolve::{Corner, Place};

/// Move objects by an offset, or to a point, all together; or into another container.
///
/// Numbers of the geometry change if there is no transform, else the leading translate. What goes into another
/// container stays where it is on the canvas, by a leading matrix if need be.
///
/// ```fcp
/// # raw '<circle id="dot" cx="50" cy="50" r="10"/>'
/// # raw '<g id="logo" transform="translate(10,10)" fill="red"><rect id="card" width="40" height="20"/></g>'
/// move dot by:10,0
/// > * circle dot @(50,40 20x20)
/// move logo by:5,-2.5
/// > * group logo @(15,7.5 40x20)
/// move dot,logo to:0,0
/// > @ 2 objects moved to 0,0: dot, logo
/// move dot to:logo.right corner:left
/// > * circle dot @(40,0 20x20)
/// move dot in:logo
/// > * circle dot @(40,0 20x20) in:logo
/// >   * dot: fill black -> red (from logo)
/// move dot in:card
/// > ! card is a rect, which holds no objects
/// >   try: move dot in:logo
/// move dot
/// > ! move needs by:, to: or in:
/// >   try: move dot by:10,0
/// ```
#[fcp_verb(category = "Arrange")]
pub fn r#move(
    drawing: &mut Drawing,
    /// The objects; one inside another moves with it.
    rows: Rows,
    /// The distance, in canvas units.
    by: Option<Offset>,
    /// The point that the corner of the box around them comes to. A text's is its own point.
    to: Option<Place>,
    /// The corner, or the middle of a side.
    #[fcp(default = Corner::TopLeft)]
    corner: Corner,
    /// The container they go into, in front of all in it.
    #[fcp(key = "in")]
    container: Option<Spanned<Row>>,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let precision = geometry.precision();
    let (by, mut done) = match (by, to) {
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
                bail!("{} draws nothing, so it has no position", drawing.names_of(&ids); add: "by:10,0")
            };
            let done = format!("moved to {}", lines::point(to, precision));
            (to - corner.of(all), done)
        }
        (None, None) if container.is_some() => (Vec2::ZERO, "moved".to_owned()),
        (None, None) => bail!("move needs by:, to: or in:"; add: "by:10,0"),
        (Some(_), Some(_)) => bail!("move takes by: or to:, not both"),
    };
    let (mut any, mut notes) = (false, Vec::new());
    if let Some(container) = container {
        let parent = drawing.container(&container)?;
        done.push_str(&format!(" in:{}", drawing.nodes.name(parent)));
        let tree = drawing.nodes.tree();
        if let Some(id) = ids.iter().find(|id| tree.is_within(parent, **id)) {
            let name = drawing.nodes.name(*id);
            let error = ValueError::sentence(format!("{name} cannot go into itself"));
            let outer = tree.parent(*id).map(|outer| drawing.nodes.name(outer));
            return Err(container.wrong(error.maybe_fix(outer)));
        }
        let going: Vec<_> = ids.iter().map(|id| (*id, parent)).collect();
        (any, notes) = drawing.go_into(&going)?;
    }
    let geometry = drawing.geometry();
    let mut edits = Vec::new();
    for id in ids.iter().filter(|_| by != Vec2::ZERO) {
        edits.extend(shifted(drawing, &geometry, *id, by)?);
    }
    any |= drawing.make(edits)?;
    if !any {
        return Ok(unchanged!("no change"));
    }
    let reply = match ids.as_slice() {
        [id] if done.contains(" in:") => {
            let place = drawing.placed(&drawing.geometry(), *id);
            let outer = drawing.nodes.tree().parent(*id).unwrap_or(*id);
            changed!("{place} in:{}", drawing.nodes.name(outer))
        }
        ids => report_places(drawing, ids, &done),
    };
    Ok(notes.into_iter().fold(reply, Reply::note))
}
