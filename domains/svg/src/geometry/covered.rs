//! Tests points for being painted.

use fcp::work;
use kurbo::{Point, Rect, Shape};

use super::Geometry;
use super::drawn::Drawn;
use crate::model::NodeId;

/// The steps of testing whether an element paints a point.
const STEPS_A_POINT: usize = 16;

impl Geometry<'_> {
    /// Whether an element paints a point of the canvas with its own fill or stroke. A group paints
    /// nothing itself. Images and `use` count with their boxes; a text has no extent here.
    #[must_use]
    pub fn covers(&self, id: NodeId, point: Point) -> bool {
        let kind = self.kind(id).unwrap_or_default();
        if matches!(kind, "image" | "use") {
            return self.bbox(id).is_some_and(|found| reaches(found, point));
        }
        // The call fails at its next check.
        if work::spend(STEPS_A_POINT).is_err() {
            return false;
        }
        let outer = self.around(id);
        let to_canvas = outer.to_canvas * self.own_transform(id, outer.viewport);
        if to_canvas.determinant() == 0.0 {
            return false;
        }
        let Some(outline) = self.lengths(id, outer.viewport).outline(kind) else {
            return false;
        };
        let point = to_canvas.inverse() * point;
        let inherited = |property| self.inherited(id, property, Drawn::IN_PLACE);
        let filled = inherited("fill").is_none_or(|fill| fill.trim() != "none");
        let turns = outline.winding(point);
        let even_odd = inherited("fill-rule").is_some_and(|rule| rule.trim() == "evenodd");
        let inside = if even_odd { turns % 2 != 0 } else { turns != 0 };
        let stroke = self.stroke(id, &outline, outer.viewport, Drawn::IN_PLACE);
        filled && inside || stroke.is_some_and(|stroke| stroke.winding(point) != 0)
    }
}

/// Whether a box contains a point, including its border.
fn reaches(of: Rect, point: Point) -> bool {
    (of.x0..=of.x1).contains(&point.x) && (of.y0..=of.y1).contains(&point.y)
}
