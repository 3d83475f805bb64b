//! Boxes: a rectangle with a centred label.

use fcp::prelude::*;
use kurbo::{Affine, Point};

use crate::geometry::LocalPoint;
use crate::model::{Drawing, NodeId};

impl Drawing {
    /// The point of a box's label that puts it in the middle; `None` if the box has no plain
    /// rectangle or no label.
    fn label_point(&self, boxed: NodeId) -> Option<(NodeId, Point)> {
        let (shape, label) = (self.nodes.box_shape(boxed)?, self.nodes.box_label(boxed)?);
        let geometry = self.geometry();
        if geometry.transform_source(shape).is_some() || geometry.transform_source(label).is_some()
        {
            return None;
        }
        let (frame, _) = geometry.rounded_frame(shape)?;
        let (layout, lines) = (self.layout(label), self.lines(label).len());
        // Lines that start at their point extend downwards from it.
        let all = super::Layout {
            above: 0.5,
            ..layout
        }
        .lift(lines)
            - layout.lift(lines);
        let up = all * self.styles().font_size(label);
        Some((label, Point::new(frame.center().x, frame.center().y - up)))
    }

    /// Whether the label of a box is in its middle.
    #[must_use]
    pub fn is_label_centred(&self, boxed: NodeId) -> bool {
        self.label_point(boxed).is_some_and(|(label, point)| {
            let at = |name: &str| self.nodes.attr(label, name)?.trim().parse::<f64>().ok();
            let near = |name: &str, wanted: f64| {
                let precision = self.geometry().precision();
                at(name).is_some_and(|at| precision.spell(at) == precision.spell(wanted))
            };
            near("x", point.x) && near("y", point.y)
        })
    }

    /// Centres the label of a box. Returns whether that moved it.
    ///
    /// # Errors
    /// If the label does not exist.
    pub fn centre_label(&mut self, boxed: NodeId) -> Result<bool> {
        let Some((label, point)) = self.label_point(boxed) else {
            return Ok(false);
        };
        let precision = self.geometry().precision();
        let (x, y) = (precision.spell(point.x), precision.spell(point.y));
        let across = self.reshape(label, "x", &x)?;
        Ok(self.reshape(label, "y", &y)? || across)
    }

    /// Converts a point of the system around a box to that of its rectangle.
    ///
    /// # Errors
    /// If the box is rotated or scaled, so that its corner has no such point.
    pub fn in_box(&self, boxed: NodeId, local: LocalPoint) -> Result<LocalPoint> {
        let geometry = self.geometry();
        let own = geometry.outer(boxed).inverse() * geometry.inner(boxed);
        if own == Affine::IDENTITY {
            return Ok(local);
        }
        let [a, b, c, d, _, _] = own.as_coeffs();
        if [a, b, c, d] != [1.0, 0.0, 0.0, 1.0] {
            let name = self.nodes.name(boxed);
            bail!("{name} is turned or scaled by its transforms"; try: "move {name} to:{},{}", local.x, local.y)
        }
        let (point, precision) = (local.point - own.translation(), geometry.precision());
        Ok(LocalPoint {
            x: precision.spell(point.x),
            y: precision.spell(point.y),
            point,
        })
    }
}
