//! `path`

use fcp::prelude::*;
use fcp::work;

use crate::display::lines;
use crate::edit::segments::{spelling, unfit};
use crate::model::{Drawing, NodeId};
use crate::path::Path;
use crate::syntax::points::Points;

/// The steps of a row with points, besides its text.
const STEPS_A_ROW: usize = 10;

/// List the segments of paths, numbered and absolute, and the points of polygons and polylines.
///
/// Of several shapes, those without points are left out.
///
/// ```fcp
/// # raw '<path id="my_path" d="m10 10h40q10 0 10 10"/>'
/// # raw '<polygon id="tri" points="0,0 10,0 5,9"/>'
/// ? path my_path
/// > my_path 3 segments, open, length 56.232
/// > 1 M 10,10
/// > 2 H 50,10
/// > 3 Q 60,20 c1:60,10
/// ? path tri
/// > tri 3 points
/// > 1 0,0
/// > 2 10,0
/// > 3 5,9
/// ? path @type:path
/// > my_path 3 segments, open, length 56.232
/// > 1 M 10,10
/// > 2 H 50,10
/// > 3 Q 60,20 c1:60,10
/// ```
#[fcp_query]
pub fn path(
    drawing: &Drawing,
    /// The paths, polygons or polylines.
    rows: Rows,
) -> Result<Listing<'_>> {
    let mut ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    if let [id] = ids.as_slice() {
        return points(drawing, *id).map(Listing::of);
    }
    let has_points = |id: &NodeId| {
        let kind = drawing.nodes.kind_name(*id);
        matches!(kind, "path" | "polygon" | "polyline")
    };
    ids.retain(has_points);
    let of_row = move |id| {
        // The call fails at its next check.
        let _ = work::spend(STEPS_A_ROW);
        points(drawing, id).unwrap_or_default()
    };
    Ok(Listing::rows(ids.len(), ids.into_iter().map(of_row)))
}

/// The segments or points of a shape, a line each, after a line about all.
fn points(drawing: &Drawing, id: NodeId) -> Result<Vec<String>> {
    let precision = drawing.geometry().precision();
    let name = drawing.nodes.name(id);
    let counted = |count: usize, what: &str| match count {
        1 => format!("{name} 1 {what}"),
        _ => format!("{name} {count} {what}s"),
    };
    let mut listed = Vec::new();
    match drawing.nodes.kind_name(id) {
        "path" => {
            let path = Path::parse(spelling(drawing, id, "d"));
            let closed = if path.is_closed() { "closed" } else { "open" };
            let (count, length) = (path.segments().len(), precision.spell(path.length()));
            let head = counted(count, "segment");
            listed.push(format!("{head}, {closed}, length {length}"));
            let places = path.places().zip(1_usize..);
            listed.extend(places.map(|(place, n)| format!("{n} {}", place.shown(precision))));
            listed.extend(path.fault().map(|fault| format!("broken at {fault}")));
        }
        "polygon" | "polyline" => {
            let points = Points::parse(spelling(drawing, id, "points"));
            listed.push(counted(points.vertices().len(), "point"));
            let vertices = points.vertices().iter().zip(1_usize..);
            let shown = |(vertex, n): (&crate::syntax::points::Vertex, usize)| {
                format!("{n} {}", lines::point(vertex.point, precision))
            };
            listed.extend(vertices.map(shown));
            listed.extend(points.fault().map(|fault| format!("broken at {fault}")));
        }
        _ => return Err(unfit(drawing, id, "path")),
    }
    Ok(listed)
}
