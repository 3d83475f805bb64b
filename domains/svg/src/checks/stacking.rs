//! Finds the elements over and under another one, within limits.

use std::collections::VecDeque;

use fcp::prelude::*;
use fcp::value::Color;
use fcp::work;
use kurbo::{Point, Rect};

use crate::geometry::Geometry;
use crate::model::kind::{BOX, LINK, Role};
use crate::model::{Drawing, NodeId, Nodes};
use crate::style::{Ancestry, Styles};

/// The number of neighbours in painting order to check for elements over or under another.
pub const MOST: usize = 64;

/// The number of rows to check at once for elements under them. In a larger drawing, rows are
/// checked when an op touches them, so that it opens quickly.
pub const MOST_ROWS: usize = 5_000;

/// The styles and geometry of a drawing.
pub struct Paints<'d> {
    /// Its nodes.
    pub nodes: &'d Nodes,
    /// Its styles.
    pub styles: Styles<'d>,
    /// Its geometry.
    pub geometry: Geometry<'d>,
    /// Whether an element and all its ancestors are neither clipped nor blended.
    whole: Ancestry,
}

/// The opaque plain colour of an element's fill.
pub fn flat(paints: &Paints<'_>, id: NodeId) -> Option<Color> {
    let styles = &paints.styles;
    let color = Color::read(styles.computed(id, "fill").value.trim())?;
    let whole = |name| matches!(styles.computed(id, name).value.trim(), "1" | "100%" | "1.0");
    let opaque = color.rgba().is_some_and(|[.., alpha]| alpha == 255);
    (opaque && whole("fill-opacity") && whole("opacity")).then_some(color)
}

impl<'d> Paints<'d> {
    /// The styles and geometry of a drawing.
    pub fn of(drawing: &'d Drawing) -> Self {
        Self {
            nodes: &drawing.nodes,
            styles: drawing.styles(),
            geometry: drawing.geometry(),
            whole: Ancestry::default(),
        }
    }

    /// The nearest element under another that covers a point, if it has a plain colour.
    pub fn under(&self, id: NodeId, at: Point) -> Option<NodeId> {
        let covers = |under: &NodeId| {
            self.geometry.bbox(*under).is_some_and(|found| {
                found.x0 <= at.x && at.x <= found.x1 && found.y0 <= at.y && at.y <= found.y1
            }) && self.geometry.covers(*under, at)
                && self.styles.is_displayed(*under)
        };
        let near = self.near(id);
        near.into_iter()
            .find(covers)
            .filter(|under| self.is_plain(*under))
    }

    /// Whether an element has a plain fill, and is neither clipped nor blended.
    fn is_plain(&self, id: NodeId) -> bool {
        flat(self, id).is_some() && self.is_whole(id)
    }

    /// Whether an element and all its ancestors are neither clipped nor blended.
    fn is_whole(&self, id: NodeId) -> bool {
        let outward = std::iter::once(id).chain(self.nodes.tree().ancestors(id));
        let outward = outward.filter(|id| self.nodes.element(*id).is_some());
        let none = |id: NodeId, name| self.styles.computed(id, name).value.trim() == "none";
        let whole = |id: NodeId| {
            none(id, "clip-path")
                && none(id, "mask")
                && none(id, "filter")
                && self.styles.computed(id, "opacity").value.trim() == "1"
                && self.styles.computed(id, "mix-blend-mode").value.trim() == "normal"
        };
        self.whole.all(outward, whole)
    }

    /// The nearest graphics painted before an element, among its siblings. Of groups only boxes are
    /// included, so position alone determines the neighbours.
    fn near(&self, id: NodeId) -> Vec<NodeId> {
        let tree = self.nodes.tree();
        // A box's label is on its shape.
        let outer = tree.parent(id);
        let boxed = outer.and_then(|outer| self.nodes.box_shape(outer));
        if boxed.is_some() {
            return boxed.into_iter().filter(|shape| *shape != id).collect();
        }
        let step = |id: &NodeId| tree.previous_sibling(*id);
        let near = std::iter::successors(step(&id), step).take(MOST);
        near.filter_map(|id| self.drawn(id)).collect()
    }

    /// The painted element of a sibling: itself, or the shape of a box.
    fn drawn(&self, id: NodeId) -> Option<NodeId> {
        let drawn = self.nodes.role(id) == Role::Graphic;
        self.nodes.box_shape(id).or(drawn.then_some(id))
    }

    /// The bounding box of a plain rectangle, which may cover other elements.
    fn plain_rect(&self, id: NodeId) -> Option<(NodeId, Rect)> {
        // Most elements can be excluded by name alone.
        let local = self.nodes.element(id)?.local_name();
        let id = matches!(local, "rect" | "g").then(|| self.drawn(id))??;
        let round = |name| self.nodes.attr(id, name).is_some();
        let plain = self.nodes.kind_name(id) == "rect" && !round("rx") && !round("ry");
        Some((id, plain.then(|| self.geometry.bbox(id))??))
    }
}

/// Finds the elements over others, one request at a time. Neighbours share them, so each element is
/// checked once for all requests.
pub struct Over<'p, 'd> {
    paints: &'p Paints<'d>,
    /// The siblings after the last requested element, with the frames of plain rectangles.
    ahead: VecDeque<(NodeId, Option<(NodeId, Rect)>)>,
    /// The parent of that element, and the shape if it is a box.
    outer: Option<(NodeId, Option<NodeId>)>,
}

impl<'p, 'd> Over<'p, 'd> {
    /// An empty search.
    pub const fn of(paints: &'p Paints<'d>) -> Self {
        Self {
            paints,
            ahead: VecDeque::new(),
            outer: None,
        }
    }

    /// The nearest plain rectangle over an element that covers everything it draws.
    pub fn covering(&mut self, id: NodeId) -> Option<NodeId> {
        let Paints {
            nodes, geometry, ..
        } = self.paints;
        let rects: Vec<(NodeId, Rect)> = match self.boxed(id) {
            Some(shape) if shape == id => return None,
            Some(shape) => self.paints.plain_rect(shape).into_iter().collect(),
            None => {
                self.reach(id);
                self.ahead.iter().filter_map(|(_, rect)| *rect).collect()
            }
        };
        let over = |of: Rect| {
            let lies = move |(_, own): &&(NodeId, Rect)| own.union(of) == *own;
            rects.iter().filter(lies).map(|(id, _)| *id)
        };
        // Strokes take time, and a shape's box is never smaller with its stroke.
        let shape = !rects.is_empty() && !matches!(nodes.kind_name(id), BOX | "text" | "use");
        if rects.is_empty() || shape && over(geometry.bbox(id)?).next().is_none() {
            return None;
        }
        let upright = |id: NodeId| {
            let [_, b, c, ..] = geometry.inner(id).as_coeffs();
            b == 0.0 && c == 0.0
        };
        over(geometry.stroke_box(id)?).find(|id| {
            upright(*id) && self.paints.is_plain(*id) && !self.paints.styles.is_hidden(*id)
        })
    }

    /// The shape of the box that contains an element.
    fn boxed(&mut self, id: NodeId) -> Option<NodeId> {
        let nodes = self.paints.nodes;
        let outer = nodes.tree().parent(id)?;
        match self.outer {
            Some((known, shape)) if known == outer => shape,
            _ => {
                let shape = nodes.box_shape(outer);
                self.outer = Some((outer, shape));
                shape
            }
        }
    }

    /// Reads the siblings after an element.
    fn reach(&mut self, id: NodeId) {
        match self.ahead.iter().position(|(next, _)| *next == id) {
            Some(at) => drop(self.ahead.drain(..=at)),
            None => self.ahead.clear(),
        }
        let mut last = self.ahead.back().map_or(id, |(last, _)| *last);
        while self.ahead.len() < MOST {
            let Some(next) = self.paints.nodes.tree().next_sibling(last) else {
                break;
            };
            self.ahead.push_back((next, self.paints.plain_rect(next)));
            last = next;
        }
    }
}

/// The rows that are drawn independently: graphics, and boxes as a whole. Links are drawn for the
/// elements they join.
pub fn independent<'r>(
    drawing: &'r Drawing,
    rows: &'r [Row],
) -> impl Iterator<Item = (Row, NodeId)> + 'r {
    let nodes = &drawing.nodes;
    let ids = rows.iter().map(|row| (*row, NodeId::new(row.id())));
    // Whether the last parent is a box or a link, since many rows share one.
    let mut known: Option<(NodeId, bool)> = None;
    let mut inner = move |outer: NodeId| match known {
        Some((id, whole)) if id == outer => whole,
        _ => {
            let whole = matches!(nodes.kind_name(outer), BOX | LINK);
            known = Some((outer, whole));
            whole
        }
    };
    // Without its caches, which a call that ends no longer fills, a check may be slow.
    let ids = ids.take_while(|_| work::spend(1).is_ok());
    ids.filter(move |(_, id)| {
        let is_independent = nodes.role(*id) == Role::Graphic
            || nodes.kind_name(*id) == BOX && !nodes.is_defined(*id);
        is_independent && !nodes.tree().parent(*id).is_some_and(&mut inner)
    })
}
