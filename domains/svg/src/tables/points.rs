//! `points`

use fcp::prelude::*;
use kurbo::Point;

use super::{rounded, row};
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::path::Path;
use crate::syntax::points::Points;

/// A point of a line.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct PointRow {
    pub row: Row,
    /// Its number, from 1: that of its segment in a path.
    #[fcp(by = "modify")]
    pub n: i64,
    /// The letter of the segment that ends there: M, L, H, V, C, S, Q, T, A or Z; M and L of other lines.
    #[fcp(by = "modify")]
    pub kind: String,
    /// Its place in canvas units.
    #[fcp(by = "modify {rows} move-point")]
    pub x: f64,
    /// Its place down.
    #[fcp(by = "modify {rows} move-point")]
    pub y: f64,
}

/// The points of lines, polylines, polygons and paths in canvas units, the ends first and last.
#[fcp_table]
pub fn points(drawing: &Drawing) -> Vec<PointRow> {
    let geometry = drawing.geometry();
    let mut rows = Vec::new();
    for id in drawing.nodes.elements() {
        let all = of(drawing, &geometry, id);
        if all.is_empty() {
            continue;
        }
        let to_canvas = geometry.inner(id);
        for ((kind, point), n) in all.into_iter().zip(1..) {
            let Point { x, y } = to_canvas * point;
            rows.push(PointRow {
                row: row(id),
                n,
                kind: kind.to_string(),
                x: rounded(x),
                y: rounded(y),
            });
        }
    }
    rows
}

/// The points of an element in its own system, with the letters of their segments.
fn of(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> Vec<(char, Point)> {
    let attr = |name: &str| drawing.nodes.attr(id, name).unwrap_or_default();
    let lined = |points: Vec<Point>| -> Vec<(char, Point)> {
        let letters = std::iter::once('M').chain(std::iter::repeat('L'));
        letters.zip(points).collect()
    };
    match drawing.nodes.kind_name(id) {
        "line" => lined(geometry.ends(id).to_vec()),
        "polyline" | "polygon" => {
            let points = Points::parse(attr("points"));
            let points = points.vertices().iter().map(|vertex| vertex.point);
            lined(points.collect())
        }
        "path" => {
            let path = Path::parse(attr("d"));
            let places = path.places();
            let places = places.map(|place| (place.command.letter(), place.end));
            places.collect()
        }
        _ => Vec::new(),
    }
}
