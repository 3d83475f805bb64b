//! Shared parts of the verbs that edit paths and lists of points.

use fcp::format::xml::modify_element;
use fcp::prelude::*;
use fcp::value::{Offset, Point as Pair};
use kurbo::{Point, Vec2};

use crate::model::{Drawing, NodeId};
use crate::path::{Draw, Path, PathError, Target};
use crate::syntax::points::{Points, PointsError};

/// A segment or a point, counted from 1.
pub type Nth = Int<1, 10_000_000>;

/// The place of a segment or a point.
#[derive(FcpParams)]
pub struct Ending {
    /// The point, in the system of the element's own attributes.
    pub to: Option<Pair>,
    /// The distance from its old place, or of a new segment from the end of the one before.
    pub by: Option<Offset>,
}

impl Ending {
    /// The target point or the step, whichever is given.
    ///
    /// # Errors
    /// If neither or both are given.
    pub fn target(&self, drawing: &Drawing) -> Result<Target> {
        match (&self.to, &self.by) {
            (Some(to), None) => Ok(Target::To(point(drawing, to))),
            (None, Some(by)) => Ok(Target::By(Vec2::new(by.x.get(), by.y.get()))),
            (None, None) => bail!("to: or by: sets the end"; add: "to:10,10"),
            (Some(_), Some(_)) => bail!("to: and by: exclude each other; give one of them"),
        }
    }
}

/// A point as numbers; percentages are of the canvas.
#[must_use]
pub fn point(drawing: &Drawing, pair: &Pair) -> Point {
    let canvas = drawing.geometry().canvas();
    Point::new(pair.x.of(canvas.width()), pair.y.of(canvas.height()))
}

/// The number of a segment, as the path counts them.
#[must_use]
pub fn count(n: Nth) -> usize {
    usize::try_from(n.get()).unwrap_or(usize::MAX)
}

/// The path of an edit.
///
/// # Errors
/// If the row is not a path.
pub fn path_of(drawing: &Drawing, row: Row, edit: &str) -> Result<(NodeId, Path)> {
    let id = NodeId::new(row.id());
    match drawing.nodes.kind_name(id) {
        "path" => Ok((id, Path::parse(spelling(drawing, id, "d")))),
        _ => Err(unfit(drawing, id, edit)),
    }
}

/// The error that an element does not support an edit.
#[must_use]
pub fn unfit(drawing: &Drawing, id: NodeId, edit: &str) -> Diagnostic {
    let (kind, name) = (drawing.nodes.kind_name(id), drawing.nodes.name(id));
    let repair = match kind {
        "polygon" | "polyline" if edit == "add-line" => format!("modify {name} add-point to:10,10"),
        "path" if edit == "add-point" => format!("modify {name} add-line to:10,10"),
        "path" => format!("? path {name}"),
        "rect" | "circle" | "ellipse" | "line" | "polygon" | "polyline" => {
            format!("convert {name} to:path")
        }
        _ => "? list @type:path".to_owned(),
    };
    Diagnostic::new(format!("{edit} on {kind} {name}")).or_try(repair)
}

/// An attribute as it is written, so that its line breaks stay. If it contains references, its
/// value.
pub fn spelling(drawing: &Drawing, id: NodeId, name: &str) -> String {
    let element = drawing.nodes.element(id);
    let raw = element.and_then(|element| element.raw_attr(name));
    match raw {
        Some(raw) if !raw.contains('&') => raw.to_owned(),
        _ => drawing
            .nodes
            .attr(id, name)
            .unwrap_or_default()
            .into_owned(),
    }
}

/// Writes only the changed part of an attribute whose [`spelling`] was edited, and reports the
/// element's new position.
///
/// # Errors
/// If the element does not exist.
pub fn rewrite(drawing: &mut Drawing, id: NodeId, name: &str, new: &str) -> Result<Reply> {
    let old = spelling(drawing, id, name);
    if old == new {
        return Ok(unchanged!("no change"));
    }
    let element = drawing.nodes.element(id);
    let plain = element.is_some_and(|element| element.raw_attr(name) == Some(old.as_str()));
    if plain {
        let alike = |pair: &(char, char)| pair.0 == pair.1;
        let length = |(c, _): (char, char)| c.len_utf8();
        let start: usize = old
            .chars()
            .zip(new.chars())
            .take_while(alike)
            .map(length)
            .sum();
        let (was, is) = (old.get(start..), new.get(start..));
        let (was, is) = (was.unwrap_or_default(), is.unwrap_or_default());
        let ends = was.chars().rev().zip(is.chars().rev());
        let end: usize = ends.take_while(alike).map(length).sum();
        let part = start..old.len() - end;
        let with = is.get(..is.len() - end).unwrap_or_default();
        modify_element(drawing.nodes.tree_mut(), id, |element| {
            element.replace_in_attr(name, &[(part, with)])
        })?;
    } else {
        drawing.put_attr(id, name, new)?;
    }
    Ok(changed!("{}", drawing.placed(&drawing.geometry(), id)))
}

/// Writes an edited path.
///
/// # Errors
/// If the path does not allow the edit.
pub fn redraw(drawing: &mut Drawing, id: NodeId, d: Result<String, PathError>) -> Result<Reply> {
    let d = d.map_err(|error| refused(drawing, id, &error))?;
    rewrite(drawing, id, "d", &d)
}

/// Writes a path after an edit of one segment, whose number is in the op.
///
/// # Errors
/// If the path does not allow the edit; the repair of a number that is too high is the last
/// segment.
pub fn redraw_at<T>(
    drawing: &mut Drawing,
    id: NodeId,
    d: Result<String, PathError>,
    n: &Spanned<T>,
) -> Result<Reply> {
    match d {
        Err(error @ PathError::NoSegment { count }) if count > 0 => {
            let message = format!("{} {error}", drawing.nodes.name(id));
            Err(n.wrong(ValueError::sentence(message).fix(count.to_string())))
        }
        d => redraw(drawing, id, d),
    }
}

/// Adds a segment to a path, before another one or at its end.
///
/// # Errors
/// If the path does not allow it.
pub fn add_segment(
    drawing: &mut Drawing,
    (id, path): (NodeId, Path),
    draw: &Draw,
    before: Option<&Spanned<Nth>>,
) -> Result<Reply> {
    match before {
        Some(n) => redraw_at(drawing, id, path.add(draw, Some(count(*n.get()))), n),
        None => redraw(drawing, id, path.add(draw, None)),
    }
}

/// Writes edited points of a polygon or polyline.
///
/// # Errors
/// If the points do not allow the edit; the repair of a number that is too high is the last point.
pub fn repoint(
    drawing: &mut Drawing,
    id: NodeId,
    points: Result<String, PointsError>,
    n: Option<&Spanned<Nth>>,
) -> Result<Reply> {
    let name = drawing.nodes.name(id);
    match (points, n) {
        (Ok(points), _) => rewrite(drawing, id, "points", &points),
        (Err(error @ PointsError::NoPoint { count }), Some(n)) if count > 0 => {
            let error = ValueError::sentence(format!("{name} {error}"));
            Err(n.wrong(error.fix(count.to_string())))
        }
        (Err(error), _) => {
            let message = match error {
                PointsError::NoPoint { .. } => format!("{name} {error}"),
                _ => format!("{name}: {error}"),
            };
            Err(Diagnostic::new(message).or_try(format!("? path {name}")))
        }
    }
}

/// The points of the polygon or polyline of an edit.
///
/// # Errors
/// If the row is another element.
pub fn points_of(drawing: &Drawing, row: Row, edit: &str) -> Result<(NodeId, Points)> {
    let id = NodeId::new(row.id());
    match drawing.nodes.kind_name(id) {
        "polygon" | "polyline" => Ok((id, Points::parse(spelling(drawing, id, "points")))),
        _ => Err(unfit(drawing, id, edit)),
    }
}

fn refused(drawing: &Drawing, id: NodeId, error: &PathError) -> Diagnostic {
    let name = drawing.nodes.name(id);
    let message = match error {
        PathError::NoSegment { .. } => format!("{name} {error}"),
        _ => format!("{name}: {error}"),
    };
    Diagnostic::new(message).or_try(format!("? path {name}"))
}
