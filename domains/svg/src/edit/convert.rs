//! Conversion of shapes to paths and polygons.

use fcp::format::xml::{self, Attr, modify_element};
use fcp::prelude::*;
use fcp::work;
use kurbo::{BezPath, PathEl, Point, Rect, Vec2};

use crate::geometry::Geometry;
use crate::model::kind::geometry_of;
use crate::model::{Drawing, NodeId};
use crate::syntax::number::spell_within;
use crate::syntax::points::Points;
use crate::values::ShapeKind;

/// The maximum distance of a polygon from the curves that it replaces, in units of the shape.
const OFF: f64 = 0.1;
/// The error tolerated in a calculated number.
const NOISE: f64 = 1e-9;
/// The steps of reading a segment of a path.
const STEPS_A_SEGMENT: usize = 4;
/// The steps of spelling a point.
const STEPS_A_POINT: usize = 32;
/// The most corners of a polygon that replaces a path.
const CORNERS: usize = 100_000;

/// The attribute of the new geometry.
const fn attribute_of(to: ShapeKind) -> &'static str {
    match to {
        ShapeKind::Path => "d",
        ShapeKind::Polygon => "points",
    }
}

/// Checks that nothing animates the geometry of a shape, which another kind of shape does not have.
fn stays_animated(drawing: &Drawing, id: NodeId, to: ShapeKind) -> Result<()> {
    let nodes = &drawing.nodes;
    let own = nodes.attr(id, "id").map(std::borrow::Cow::into_owned);
    let by_link = drawing.mentioning(own.as_slice());
    let inside = nodes.tree().children(id);
    for animation in inside.chain(by_link) {
        work::spend(1)?;
        let Some(element) = nodes.element(animation) else {
            continue;
        };
        let name = element.attr("attributeName").unwrap_or_default();
        let lost = geometry_of(nodes.kind_name(id)).iter();
        let mut lost = lost.filter(|own| **own != attribute_of(to));
        let is_lost = lost.any(|own| *own == name.trim());
        let link = ["href", "xlink:href"]
            .iter()
            .find_map(|name| element.attr(name));
        let is_own = match link {
            Some(link) => link.trim().strip_prefix('#') == own.as_deref(),
            None => nodes.tree().parent(animation) == Some(id),
        };
        if is_lost && is_own {
            let (animation, shape) = (nodes.name(animation), nodes.name(id));
            bail!("{animation} animates {} of {shape}, which a {to} does not have", name.trim(); try: "remove {animation}")
        }
    }
    Ok(())
}

/// Returns the path data, or the list of points, that draws a shape; `None` if it is of that kind
/// already.
///
/// # Errors
/// If it is not a shape, draws nothing, its geometry is animated, or it is a path of several pieces
/// to convert to a polygon.
pub fn converted(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    to: ShapeKind,
) -> Result<Option<String>> {
    let nodes = &drawing.nodes;
    let (kind, name) = (nodes.kind_name(id), nodes.name(id));
    if kind == to.to_string() {
        return Ok(None);
    }
    if !matches!(
        kind,
        "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon" | "path"
    ) {
        bail!("{name} is a {kind}, not a shape"; try: "? describe {name}")
    }
    let Some(outline) = geometry.outline(id) else {
        bail!("{name} draws nothing"; try: "? describe {name}")
    };
    stays_animated(drawing, id, to)?;
    work::spend(STEPS_A_SEGMENT * outline.elements().len())?;
    let new = match to {
        ShapeKind::Path => path(drawing, geometry, id, kind),
        ShapeKind::Polygon if matches!(kind, "line" | "polyline") => {
            Some(pairs(&points_of(drawing, geometry, id, kind)))
        }
        ShapeKind::Polygon => Some(pairs(&corners(drawing, id, &outline)?)),
    };
    match new {
        Some(new) => Ok(Some(new)),
        None => bail!("{name} draws nothing"; try: "? describe {name}"),
    }
}

/// Converts a shape to another kind. The new geometry replaces the first attribute of the old one.
///
/// # Errors
/// If the shape does not exist.
pub fn write(drawing: &mut Drawing, id: NodeId, to: ShapeKind, new: &str) -> Result<()> {
    let nodes = &drawing.nodes;
    let (own, attribute) = (geometry_of(nodes.kind_name(id)), attribute_of(to));
    let local = to.to_string();
    // One attribute replaces these, and their entity references would be lost.
    for name in own {
        drawing.keeps_entity(id, name, "")?;
    }
    let tree = drawing.nodes.tree_mut();
    let named = xml::element(tree, id)?.name();
    let name = match named.split_once(':') {
        Some((prefix, _)) => format!("{prefix}:{local}"),
        None => local,
    };
    modify_element(tree, id, |element| {
        element.remove_attr(attribute);
        let names = element.attrs().iter().map(Attr::name);
        let mut named = names.filter(|name| own.contains(name));
        let first = named.next().map(str::to_owned);
        if let Some(first) = &first {
            element.rename_attr(first, attribute)?;
        }
        for name in own.iter().filter(|name| **name != attribute) {
            element.remove_attr(name);
        }
        element.set_attr(attribute, new)?;
        element.rename(&name)
    })
}

/// The path data of a shape: the equivalent in SVG 2, but with half ellipses instead of quarters.
fn path(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId, kind: &str) -> Option<String> {
    match kind {
        "rect" => geometry
            .rounded_frame(id)
            .map(|(frame, radii)| rect(frame, radii)),
        "circle" | "ellipse" => geometry.ellipse(id).map(|(center, radii)| {
            let (left, right) = (
                center - Vec2::new(radii.x, 0.0),
                center + Vec2::new(radii.x, 0.0),
            );
            let arc = format!("A{} 0 0 1", pair(radii.to_point()));
            let (left, right) = (pair(left), pair(right));
            format!("M{right} {arc} {left} {arc} {right} Z")
        }),
        _ => {
            let points = points_of(drawing, geometry, id, kind);
            let (first, rest) = points.split_first()?;
            let mut words = vec![format!("M{}", pair(*first))];
            words.extend(rest.iter().map(|point| format!("L{}", pair(*point))));
            if kind == "polygon" {
                words.push("Z".to_owned());
            }
            Some(words.join(" "))
        }
    }
}

fn rect(frame: Rect, radii: Vec2) -> String {
    let number = |value: f64| spell_within(value, NOISE);
    let Rect { x0, y0, x1, y1 } = frame;
    let [left, top, right, bottom] = [x0, y0, x1, y1].map(number);
    if radii.x <= 0.0 || radii.y <= 0.0 {
        return format!("M{left},{top} H{right} V{bottom} H{left} Z");
    }
    let arc = |x: f64, y: f64| {
        format!(
            "A{} 0 0 1 {}",
            pair(radii.to_point()),
            pair(Point::new(x, y))
        )
    };
    let Vec2 { x: rx, y: ry } = radii;
    // No line between arcs that meet.
    let across = |x: f64| (frame.width() > 2.0 * rx).then(|| format!("H{}", number(x)));
    let down = |y: f64| (frame.height() > 2.0 * ry).then(|| format!("V{}", number(y)));
    let words = [
        Some(format!("M{},{top}", number(x0 + rx))),
        across(x1 - rx),
        Some(arc(x1, y0 + ry)),
        down(y1 - ry),
        Some(arc(x1 - rx, y1)),
        across(x0 + rx),
        Some(arc(x0, y1 - ry)),
        down(y0 + ry),
        Some(arc(x0 + rx, y0)),
        Some("Z".to_owned()),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The points of a line, polyline or polygon.
fn points_of(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId, kind: &str) -> Vec<Point> {
    if kind == "line" {
        return geometry.ends(id).to_vec();
    }
    let points = Points::parse(drawing.nodes.attr(id, "points").unwrap_or_default());
    let points = points.vertices().iter();
    points.map(|vertex| vertex.point).collect()
}

/// The corners of an outline of one piece, curves flattened.
fn corners(drawing: &Drawing, id: NodeId, outline: &BezPath) -> Result<Vec<Point>> {
    let name = drawing.nodes.name(id);
    let mut corners: Vec<Point> = Vec::new();
    let mut pieces = 0_usize;
    kurbo::flatten(
        outline.elements().iter().copied(),
        OFF,
        |element| match element {
            PathEl::MoveTo(point) => {
                pieces += 1;
                corners.push(point);
            }
            PathEl::LineTo(point) if corners.len() <= CORNERS => corners.push(point),
            _ => {}
        },
    );
    if pieces > 1 {
        bail!("{name} has {pieces} pieces, which are not one polygon"; try: "? path {name}")
    }
    if corners.len() > CORNERS {
        bail!("{name} has more than {CORNERS} corners"; try: "? path {name}")
    }
    // A polygon closes by itself.
    if corners.len() > 2 && corners.first() == corners.last() {
        corners.pop();
    }
    Ok(corners)
}

/// The spelled points; empty once the call has no steps left.
fn pairs(points: &[Point]) -> String {
    if work::spend(STEPS_A_POINT * points.len()).is_err() {
        return String::new();
    }
    let points = points.iter().map(|point| pair(*point));
    points.collect::<Vec<_>>().join(" ")
}

fn pair(point: Point) -> String {
    format!(
        "{},{}",
        spell_within(point.x, NOISE),
        spell_within(point.y, NOISE)
    )
}
