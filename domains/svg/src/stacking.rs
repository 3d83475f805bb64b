//! What lies over and under an object, as far as it is looked for.

use std::cell::RefCell;
use std::collections::HashMap;

use fcp::prelude::*;
use fcp::value::{Color, FcpValue};
use kurbo::{Point, Rect};

use crate::geometry::Geometry;
use crate::model::kind::{BOX, LINK, Role};
use crate::model::{Drawing, NodeId, Nodes};
use crate::style::Styles;

/// How many elements are looked at for what lies over or under one: those next to it in the order of painting.
pub const MOST: usize = 64;

/// How many rows are looked at for what lies over or under them in one go. Those of a larger drawing are looked at when
/// an op touches them: opening it must not take long.
pub const MOST_ROWS: usize = 5_000;

/// The paint and the places of a drawing.
pub struct Paints<'d> {
    /// Its nodes.
    pub nodes: &'d Nodes,
    /// Its styles.
    pub styles: Styles<'d>,
    /// Where its things are.
    pub geometry: Geometry<'d>,
    /// The boxes of what was looked at as lying over something: each lies beside many.
    boxes: RefCell<HashMap<NodeId, Option<Rect>>>,
}

/// The opaque plain colour that an element is filled with.
pub fn flat(paints: &Paints<'_>, id: NodeId) -> Option<Color> {
    let styles = &paints.styles;
    let color = Color::parse(styles.computed(id, "fill").value.trim()).ok()?;
    let whole = |name| matches!(styles.computed(id, name).value.trim(), "1" | "100%" | "1.0");
    let opaque = color.rgba().is_some_and(|[.., alpha]| alpha == 255);
    (opaque && whole("fill-opacity") && whole("opacity")).then_some(color)
}

impl<'d> Paints<'d> {
    /// The paint of a drawing.
    pub fn of(drawing: &'d Drawing) -> Self {
        Self {
            nodes: &drawing.nodes,
            styles: drawing.styles(),
            geometry: drawing.geometry(),
            boxes: RefCell::default(),
        }
    }

    /// The nearest under an element that covers a point with a plain colour. Nothing if what covers it has none.
    pub fn under(&self, id: NodeId, at: Point) -> Option<NodeId> {
        let covers = |under: &NodeId| {
            self.geometry.bbox(*under).is_some_and(|found| {
                found.x0 <= at.x && at.x <= found.x1 && found.y0 <= at.y && at.y <= found.y1
            }) && self.geometry.covers(*under, at)
                && self.styles.is_displayed(*under)
        };
        let near = self.near(id, |id| self.nodes.tree().previous_sibling(id));
        near.into_iter()
            .find(covers)
            .filter(|under| self.is_plain(*under))
    }

    /// The nearest over an element that is a plain rectangle over all of a box.
    pub fn over(&self, id: NodeId, of: Rect) -> Option<NodeId> {
        let tree = self.nodes.tree();
        let near = self.near(id, |id| tree.next_sibling(id));
        near.into_iter().find(|over| {
            let plain = self.nodes.kind_name(*over) == "rect"
                && self.nodes.attr(*over, "rx").is_none()
                && self.nodes.attr(*over, "ry").is_none();
            let lies = || {
                let mut boxes = self.boxes.borrow_mut();
                let own = boxes
                    .entry(*over)
                    .or_insert_with(|| self.geometry.bbox(*over));
                own.is_some_and(|own| own.union(of) == own)
            };
            let upright = || {
                let [_, b, c, ..] = self.geometry.inner(*over).as_coeffs();
                b == 0.0 && c == 0.0
            };
            plain && lies() && upright() && self.is_plain(*over) && !self.styles.is_hidden(*over)
        })
    }

    /// Whether an element is filled with a plain colour, and neither cut nor blended.
    fn is_plain(&self, id: NodeId) -> bool {
        let outward = std::iter::once(id).chain(self.nodes.tree().ancestors(id));
        let mut outward = outward.filter(|id| self.nodes.element(*id).is_some());
        let none = |id: NodeId, name| self.styles.computed(id, name).value.trim() == "none";
        let whole = |id: NodeId| {
            none(id, "clip-path")
                && none(id, "mask")
                && none(id, "filter")
                && self.styles.computed(id, "opacity").value.trim() == "1"
                && self.styles.computed(id, "mix-blend-mode").value.trim() == "normal"
        };
        flat(self, id).is_some() && outward.all(whole)
    }

    /// The graphics that are painted next after or before one in what it stands in. Of groups only boxes are looked
    /// into, so that what is near is found by place alone.
    fn near(&self, id: NodeId, step: impl Fn(NodeId) -> Option<NodeId>) -> Vec<NodeId> {
        // What labels a box lies on its shape.
        let outer = self.nodes.tree().parent(id);
        let boxed = outer.and_then(|outer| self.nodes.box_shape(outer));
        if boxed.is_some() {
            return boxed.into_iter().filter(|shape| *shape != id).collect();
        }
        let near = std::iter::successors(step(id), |id| step(*id)).take(MOST);
        let shapes = near.filter_map(|id| {
            let drawn = self.nodes.role(id) == Role::Graphic;
            self.nodes.box_shape(id).or(drawn.then_some(id))
        });
        shapes.collect()
    }
}

/// Of rows those that are drawn by themselves: graphics, and boxes as a whole. Links are drawn for what they join.
pub fn standing<'r>(
    drawing: &'r Drawing,
    rows: &'r [Row],
) -> impl Iterator<Item = (Row, NodeId)> + 'r {
    let nodes = &drawing.nodes;
    let ids = rows.iter().map(|row| (*row, NodeId::new(row.id())));
    ids.filter(|(_, id)| {
        let outer = nodes.tree().parent(*id);
        let inner = outer.is_some_and(|outer| matches!(nodes.kind_name(outer), BOX | LINK));
        let stands = nodes.role(*id) == Role::Graphic || nodes.kind_name(*id) == BOX;
        stands && !inner && !nodes.is_defined(*id)
    })
}
