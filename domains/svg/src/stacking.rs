//! What lies over and under an object, as far as it is looked for.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};

use fcp::prelude::*;
use fcp::value::{Color, FcpValue};
use kurbo::{Point, Rect};

use crate::geometry::Geometry;
use crate::model::kind::{BOX, LINK, Role};
use crate::model::{Drawing, NodeId, Nodes};
use crate::style::Styles;

/// How many elements are looked at for what lies over or under one: those next to it in the order of painting.
pub const MOST: usize = 64;

/// How many rows are looked at for what lies under them in one go. Those of a larger drawing are looked at when an op
/// touches them: opening it must not take long.
pub const MOST_ROWS: usize = 5_000;

/// The paint and the places of a drawing.
pub struct Paints<'d> {
    /// Its nodes.
    pub nodes: &'d Nodes,
    /// Its styles.
    pub styles: Styles<'d>,
    /// Where its things are.
    pub geometry: Geometry<'d>,
    /// Whether what an element stands in, and itself, is neither cut nor blended.
    whole: RefCell<HashMap<NodeId, bool>>,
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
            whole: RefCell::default(),
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
        let near = self.near(id);
        near.into_iter()
            .find(covers)
            .filter(|under| self.is_plain(*under))
    }

    /// Whether an element is filled with a plain colour, and neither cut nor blended.
    fn is_plain(&self, id: NodeId) -> bool {
        flat(self, id).is_some() && self.is_whole(id)
    }

    /// Whether an element is neither cut nor blended, nor what it stands in.
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
        // Many stand in the same, and each way outward is gone once.
        let mut known = self.whole.borrow_mut();
        let (mut way, mut found) = (Vec::new(), true);
        for id in outward {
            if let Some(whole) = known.get(&id) {
                found = *whole;
                break;
            }
            way.push(id);
            if !whole(id) {
                found = false;
                break;
            }
        }
        known.extend(way.into_iter().map(|id| (id, found)));
        found
    }

    /// The graphics that are painted next before one in what it stands in. Of groups only boxes are looked into, so that
    /// what is near is found by place alone.
    fn near(&self, id: NodeId) -> Vec<NodeId> {
        let tree = self.nodes.tree();
        // What labels a box lies on its shape.
        let outer = tree.parent(id);
        let boxed = outer.and_then(|outer| self.nodes.box_shape(outer));
        if boxed.is_some() {
            return boxed.into_iter().filter(|shape| *shape != id).collect();
        }
        let step = |id: &NodeId| tree.previous_sibling(*id);
        let near = std::iter::successors(step(&id), step).take(MOST);
        near.filter_map(|id| self.drawn(id)).collect()
    }

    /// What is painted where a sibling stands: itself, or the shape of a box.
    fn drawn(&self, id: NodeId) -> Option<NodeId> {
        let drawn = self.nodes.role(id) == Role::Graphic;
        self.nodes.box_shape(id).or(drawn.then_some(id))
    }

    /// The box of an element that may cover others: of a plain rectangle.
    fn plain_rect(&self, id: NodeId) -> Option<(NodeId, Rect)> {
        // Most are told by their names alone.
        let local = self.nodes.element(id)?.local_name();
        let id = matches!(local, "rect" | "g").then(|| self.drawn(id))??;
        let round = |name| self.nodes.attr(id, name).is_some();
        let plain = self.nodes.kind_name(id) == "rect" && !round("rx") && !round("ry");
        Some((id, plain.then(|| self.geometry.bbox(id))??))
    }
}

/// What lies over elements that are asked for one by one. Those next to each other are over the same, so that each is
/// looked at once however many are asked for.
pub struct Over<'p, 'd> {
    paints: &'p Paints<'d>,
    /// The siblings behind the last that was asked for, and which of them are plain rectangles.
    ahead: VecDeque<(NodeId, Option<(NodeId, Rect)>)>,
    /// What that one stood in, and the shape if that is a box.
    outer: Option<(NodeId, Option<NodeId>)>,
}

impl<'p, 'd> Over<'p, 'd> {
    /// Nothing is looked at yet.
    pub const fn of(paints: &'p Paints<'d>) -> Self {
        Self {
            paints,
            ahead: VecDeque::new(),
            outer: None,
        }
    }

    /// The nearest over an element that is a plain rectangle over all that it draws.
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
        // Strokes take time, and a shape's box with its stroke is no smaller than without.
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

    /// The shape of the box that an element stands in.
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

    /// Looks at the siblings behind an element.
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

/// Of rows those that are drawn by themselves: graphics, and boxes as a whole. Links are drawn for what they join.
pub fn standing<'r>(
    drawing: &'r Drawing,
    rows: &'r [Row],
) -> impl Iterator<Item = (Row, NodeId)> + 'r {
    let nodes = &drawing.nodes;
    let ids = rows.iter().map(|row| (*row, NodeId::new(row.id())));
    // Whether what rows stand in is a box or a link: many stand in the same.
    let mut known: Option<(NodeId, bool)> = None;
    let mut inner = move |outer: NodeId| match known {
        Some((id, whole)) if id == outer => whole,
        _ => {
            let whole = matches!(nodes.kind_name(outer), BOX | LINK);
            known = Some((outer, whole));
            whole
        }
    };
    ids.filter(move |(_, id)| {
        let stands = nodes.role(*id) == Role::Graphic
            || nodes.kind_name(*id) == BOX && !nodes.is_defined(*id);
        stands && !nodes.tree().parent(*id).is_some_and(&mut inner)
    })
}
