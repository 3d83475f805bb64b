//! The areas of strokes.

use std::borrow::Cow;

use fcp::prelude::FcpValue;
use fcp::value::Length;
use fcp::work;
use kurbo::{BezPath, Cap, Join, Shape, Size, Stroke, StrokeOpts};

use super::Geometry;
use super::drawn::Drawn;
use super::viewport::{Axis, length};
use crate::model::NodeId;

/// The maximum error of curves around a stroke, as a share of its width and of the outline's size.
const STROKE_ERROR: f64 = 1e-4;

/// The number of ancestors to ask for a value before remembering the answer. Few elements are
/// deeper.
const SHALLOW: usize = 8;

/// The steps of drawing around a segment of an outline.
const STEPS_A_SEGMENT: usize = 16;

impl Geometry<'_> {
    /// The area of a shape's stroke, in the system of its attributes. `None` if it has none. Dashes
    /// are ignored.
    pub(super) fn stroke(
        &self,
        id: NodeId,
        outline: &BezPath,
        viewport: Size,
        drawn: Drawn<'_>,
    ) -> Option<BezPath> {
        covered(outline, &self.pen(id, viewport, drawn)?)
    }

    /// The stroke style of an element's outline; `None` if it has no stroke.
    pub(super) fn pen(&self, id: NodeId, viewport: Size, drawn: Drawn<'_>) -> Option<Stroke> {
        let inherited = |property| self.inherited(id, property, drawn);
        let paint = inherited("stroke")?;
        if paint.trim() == "none" {
            return None;
        }
        let width = match inherited("stroke-width") {
            None => 1.0,
            Some(text) => {
                let whole = Axis::Both.of(viewport);
                length(&text, || self.styles.font_size(id), whole)?
            }
        };
        if width <= 0.0 {
            return None;
        }
        let join = match inherited("stroke-linejoin").as_deref().map(str::trim) {
            Some("round") => Join::Round,
            Some("bevel") => Join::Bevel,
            _ => Join::Miter,
        };
        let cap = match inherited("stroke-linecap").as_deref().map(str::trim) {
            Some("round") => Cap::Round,
            Some("square") => Cap::Square,
            _ => Cap::Butt,
        };
        let limit = inherited("stroke-miterlimit")
            .and_then(|text| Length::parse(text.trim()).ok())
            .map_or(4.0, |limit| limit.number())
            .max(1.0);
        let pen = Stroke::new(width).with_join(join).with_caps(cap);
        Some(pen.with_miter_limit(limit))
    }

    /// The value of a property set on an element, or inherited from its ancestors or from the `use`
    /// that draws it.
    pub(super) fn inherited(
        &self,
        id: NodeId,
        property: &'static str,
        drawn: Drawn<'_>,
    ) -> Option<Cow<'_, str>> {
        let own = |id| {
            let specified = self.specified(id, property)?;
            (specified.trim() != "inherit").then_some(specified)
        };
        let (mut at, mut drawn) = (id, drawn);
        // The ancestor that others share, if the element is in its place.
        let (mut way, mut shared) = (0, None);
        let found = loop {
            if way == SHALLOW && drawn.is_in_place() {
                if let Some(known) = self.sources.borrow().get(&(at, property)) {
                    return known.and_then(own);
                }
                shared = Some((at, property));
            }
            if let Some(found) = own(at) {
                break Some((at, found));
            }
            way += 1;
            (at, drawn) = match (drawn.user_of(at), self.nodes.tree().parent(at)) {
                (Some(outside), _) => outside,
                (None, Some(outer)) => (outer, drawn),
                (None, None) => break None,
            };
        };
        if let Some(shared) = shared {
            let source = found.as_ref().map(|(at, _)| *at);
            self.sources.borrow_mut().insert(shared, source);
        }
        found.map(|(_, found)| found)
    }
}

/// The area of a pen that follows an outline; `None` if it is empty.
pub(super) fn covered(outline: &BezPath, pen: &Stroke) -> Option<BezPath> {
    // The call fails at its next check.
    work::spend(STEPS_A_SEGMENT * outline.elements().len()).ok()?;
    let size = outline.bounding_box().size();
    let error = STROKE_ERROR * pen.width.max(size.width).max(size.height);
    let covered = kurbo::stroke(outline, pen, &StrokeOpts::default(), error);
    let covers = covered.segments().next().is_some();
    covers.then_some(covered)
}
