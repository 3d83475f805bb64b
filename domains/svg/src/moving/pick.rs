//! The elements to move, and their centres.

use fcp::prelude::*;
use kurbo::{Point, Rect};

use crate::display::lines;
use crate::geometry::Geometry;
use crate::model::kind::{Role, of_element};
use crate::model::{Drawing, NodeId};
use crate::resolve::About;

/// The elements to move for some rows: the outermost of them.
///
/// # Errors
/// If one of them is the drawing itself, or is not drawn.
pub fn movable(drawing: &Drawing, rows: &Rows) -> Result<Vec<NodeId>> {
    let ids = drawing.outermost(rows);
    are_movable(drawing, &ids)?;
    Ok(ids)
}

/// Checks that elements can be moved.
///
/// # Errors
/// If one of them is the drawing itself, or is not drawn.
pub fn are_movable(drawing: &Drawing, ids: &[NodeId]) -> Result<()> {
    let nodes = &drawing.nodes;
    drawing.only_elements(ids)?;
    for id in ids {
        let (kind, name) = (nodes.kind_name(*id), nodes.name(*id));
        if nodes.root() == Some(*id) {
            bail!("{name} is the drawing itself; name what is in it");
        }
        let local = nodes.svg_element(*id);
        let role = local.and_then(|element| of_element(element.local_name()));
        if !role.is_some_and(|kind| matches!(kind.role, Role::Graphic | Role::Container)) {
            bail!("{name} is a {kind}, which is not moved by itself");
        }
    }
    Ok(())
}

/// The box around elements.
#[must_use]
pub fn around(geometry: &Geometry<'_>, ids: &[NodeId]) -> Option<Rect> {
    let boxes = ids.iter().filter_map(|id| geometry.bbox(*id));
    boxes.reduce(|all, one| all.union(one))
}

/// The box of an element.
///
/// # Errors
/// If it draws nothing.
pub fn frame(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> Result<Rect> {
    let found = geometry.bbox(id);
    found.ok_or_else(|| {
        let name = drawing.nodes.name(id);
        Diagnostic::new(format!("{name} draws nothing, so it has no position"))
            .or_try(format!("? describe {name}"))
    })
}

/// The centre of rotation for each element.
///
/// # Errors
/// If an element that turns about itself draws nothing.
pub fn centers(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    ids: &[NodeId],
    about: About,
) -> Result<Vec<Point>> {
    let all = match about {
        About::Own => None,
        About::Selection => around(geometry, ids).map(|all| all.center()),
        About::Point(place) => Some(place.0),
    };
    let each = ids.iter().map(|id| match all {
        Some(point) => Ok(point),
        None => frame(drawing, geometry, *id).map(|found| found.center()),
    });
    each.collect()
}

/// The reply about moved elements: the position of a single one, or a summary of several.
#[must_use]
pub fn report_places(drawing: &Drawing, ids: &[NodeId], done: &str) -> Reply {
    match ids {
        [id] => changed!("{}", drawing.placed(&drawing.geometry(), *id)),
        ids => bulk!("{} objects {done}: {}", ids.len(), drawing.names_of(ids)),
    }
}

/// The reply about rotated elements: the transforms of a single one, or a summary of several.
#[must_use]
pub fn report_transforms(drawing: &Drawing, ids: &[NodeId], done: &str) -> Reply {
    match ids {
        [id] => changed!("{}", lines::transforms(drawing, &drawing.geometry(), *id)),
        ids => bulk!("{} objects {done}: {}", ids.len(), drawing.names_of(ids)),
    }
}
