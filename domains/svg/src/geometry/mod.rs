//! Where things are: boxes and outlines in canvas units.
//!
//! Canvas units are the units of the root's viewBox, y down. A box is the tight box of what is filled, after all
//! transforms; strokes, clips, masks and filters do not count. A text's is as wide as its characters and as high as their
//! fonts, as the renderer lays them out.

mod copied;
mod covered;
mod drawn;
mod outline;
mod stroked;
mod system;
mod text;
pub mod viewport;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use fcp::format::picture::{Fonts, Library};
use kurbo::{Affine, BezPath, Point, Rect, Vec2};
use rustc_hash::FxHashMap;

use crate::model::{Drawing, NodeId, Nodes};
use crate::number::Precision;
use crate::style::{Origin, Styles};
use crate::transform::{Syntax, TransformList};
use system::{GivenSize, System};

/// The most copies of elements that `use` may draw, all told; what goes beyond has no box.
pub const MOST_COPIES: usize = 1_000_000;

/// Where the things of a drawing are. It is made for one op or query, and remembers what it found.
pub struct Geometry<'d> {
    nodes: &'d Nodes,
    fonts: &'d Fonts,
    /// How many decimals computed numbers have, where the session says so.
    decimals: Option<Precision>,
    /// The fonts, loaded when a text is looked at.
    library: OnceCell<Option<Arc<Library>>>,
    styles: Styles<'d>,
    /// The systems of what stands in containers.
    systems: RefCell<FxHashMap<NodeId, System>>,
    /// Boxes, and boxes with strokes, of what is not kept beyond this.
    boxes: [RefCell<FxHashMap<NodeId, Option<Rect>>>; 2],
    copies: Cell<usize>,
    /// How many elements are drawn with each that was counted, copies included.
    sizes: RefCell<FxHashMap<NodeId, Option<u64>>>,
}

impl Drawing {
    /// Where the drawing's things are.
    #[must_use]
    pub fn geometry(&self) -> Geometry<'_> {
        Geometry {
            nodes: &self.nodes,
            fonts: &self.host.fonts,
            decimals: self.host.precision,
            library: OnceCell::new(),
            styles: self.styles(),
            systems: RefCell::default(),
            boxes: Default::default(),
            copies: Cell::new(0),
            sizes: RefCell::default(),
        }
    }
}

impl Geometry<'_> {
    /// The canvas: the root's viewBox, else its width and height, else what reaches from the origin over all there is.
    #[must_use]
    pub fn canvas(&self) -> Rect {
        if let Some(said) = self.said_canvas() {
            return said;
        }
        let content = self.nodes.root().and_then(|root| self.bbox(root));
        match content.filter(|content| content.x1 > 0.0 && content.y1 > 0.0) {
            Some(content) => Rect::new(0.0, 0.0, content.x1, content.y1),
            None => self.root_system().viewport.to_rect(),
        }
    }

    /// How many decimals computed numbers have.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.decimals.unwrap_or_else(|| {
            let size = self.canvas().size();
            Precision::of_canvas(size.width.max(size.height))
        })
    }

    /// From the system of an element's own attributes, its own transform included, to canvas units.
    #[must_use]
    pub fn inner(&self, id: NodeId) -> Affine {
        if self.nodes.root() == Some(id) {
            return Affine::IDENTITY;
        }
        let outer = self.around(id);
        outer.to_canvas * self.own_transform(id, outer.viewport)
    }

    /// From the system of an element's container to canvas units.
    #[must_use]
    pub fn outer(&self, id: NodeId) -> Affine {
        self.around(id).to_canvas
    }

    /// From the system that an element's children stand in to canvas units: a nested drawing's viewBox included.
    #[must_use]
    pub fn within(&self, id: NodeId) -> Affine {
        self.inside(id).to_canvas
    }

    /// The size that percentages of an element's lengths are of.
    #[must_use]
    pub fn viewport(&self, id: NodeId) -> kurbo::Size {
        self.around(id).viewport
    }

    /// The point that an element's transforms count from, in the system of its container.
    #[must_use]
    pub fn transform_origin(&self, id: NodeId) -> Point {
        self.origin(id, self.around(id).viewport).to_point()
    }

    /// Where an element's transforms stand: the attribute, `style=`, or a rule. Nothing if it has none.
    #[must_use]
    pub fn transforms_stand(&self, id: NodeId) -> Option<Origin> {
        self.said_transforms(id).map(|(_, origin)| origin)
    }

    /// An element's own transforms; none if it has none.
    #[must_use]
    pub fn transforms(&self, id: NodeId) -> TransformList {
        let read = self.read_transforms(id);
        read.unwrap_or_else(|| TransformList::parse("", Syntax::Attribute))
    }

    /// An element's own transforms, if it says any.
    fn read_transforms(&self, id: NodeId) -> Option<TransformList> {
        let (text, origin) = self.said_transforms(id)?;
        let syntax = match origin {
            Origin::Style | Origin::Rule(_) => Syntax::Css,
            _ => Syntax::Attribute,
        };
        Some(TransformList::parse(text, syntax))
    }

    /// The tight box of what an element draws, strokes aside, in canvas units. A group's is that of its displayed
    /// children. A text that has no character is the point where it stands. Nothing if it draws nothing.
    #[must_use]
    pub fn bbox(&self, id: NodeId) -> Option<Rect> {
        self.drawn_box(id, false)
    }

    /// As [`bbox`](Self::bbox), with strokes: their width, joins and caps.
    #[must_use]
    pub fn stroke_box(&self, id: NodeId) -> Option<Rect> {
        self.drawn_box(id, true)
    }

    /// The point where the first character of a text stands, in canvas units.
    #[must_use]
    pub fn text_at(&self, id: NodeId) -> Point {
        self.inner(id) * self.text_point(id, self.around(id))
    }

    /// Which end of a text stands at its point: `middle`, `end`; nothing where it is the start.
    #[must_use]
    pub fn anchor(&self, id: NodeId) -> Option<&'static str> {
        let anchor = self.inherited(id, "text-anchor", drawn::Drawn::IN_PLACE)?;
        ["middle", "end"]
            .into_iter()
            .find(|word| *word == anchor.trim())
    }

    /// What an element says of a property, or has from what it stands in. Nothing where nothing says it.
    pub(crate) fn inherited_word(&self, id: NodeId, property: &str) -> Option<Cow<'_, str>> {
        self.inherited(id, property, drawn::Drawn::IN_PLACE)
    }

    /// What a shape draws, stroke aside, in the system of its own attributes. Nothing for what is no shape or draws
    /// nothing.
    #[must_use]
    pub fn outline(&self, id: NodeId) -> Option<BezPath> {
        let kind = self.kind(id)?;
        self.lengths(id, self.around(id).viewport).outline(kind)
    }

    /// The box and the radii of the corners of a rectangle, in its own system; nothing if it draws nothing.
    #[must_use]
    pub fn rounded_frame(&self, id: NodeId) -> Option<(Rect, Vec2)> {
        self.lengths(id, self.around(id).viewport).rounded_frame()
    }

    /// The centre and the radii of a circle or an ellipse, in its own system; nothing if it draws nothing.
    #[must_use]
    pub fn ellipse(&self, id: NodeId) -> Option<(Point, Vec2)> {
        let kind = self.kind(id)?;
        self.lengths(id, self.around(id).viewport).ellipse(kind)
    }

    /// The ends of a line, in its own system.
    #[must_use]
    pub fn ends(&self, id: NodeId) -> [Point; 2] {
        let lengths = self.lengths(id, self.around(id).viewport);
        [lengths.point("x1", "y1"), lengths.point("x2", "y2")]
    }

    /// An element's list of transforms as it is written, and where. Styles beat the attribute.
    fn said_transforms(&self, id: NodeId) -> Option<(Cow<'_, str>, Origin)> {
        if let Some(said) = self.styles.specified(id, "transform") {
            return Some((said.value, said.origin));
        }
        Some((self.nodes.attr(id, "transform")?, Origin::Attribute))
    }

    /// What an element itself says of a property.
    fn said(&self, id: NodeId, property: &str) -> Option<Cow<'_, str>> {
        self.styles.specified(id, property).map(|said| said.value)
    }

    /// An SVG element's local name.
    fn kind(&self, id: NodeId) -> Option<&str> {
        let element = self.nodes.element(id)?;
        let own = self.nodes.is_own(id, element);
        own.then(|| element.local_name())
    }

    /// The system that an element stands in.
    fn around(&self, id: NodeId) -> System {
        match self.nodes.tree().parent(id) {
            Some(parent) if self.nodes.element(parent).is_some() => self.inside(parent),
            _ => self.root_system(),
        }
    }

    /// The system that an element's children stand in.
    fn inside(&self, id: NodeId) -> System {
        let known = |id: &NodeId| self.systems.borrow().get(id).copied();
        let root = self.nodes.root();
        let mut pending = Vec::new();
        let mut system = None;
        let chain = std::iter::once(id).chain(self.nodes.tree().ancestors(id));
        for id in chain.filter(|id| self.nodes.element(*id).is_some()) {
            system = known(&id);
            if system.is_some() {
                break;
            }
            pending.push(id);
        }
        let mut system = system.unwrap_or_else(|| self.root_system());
        for id in pending.into_iter().rev() {
            if Some(id) != root {
                let kind = self.kind(id).unwrap_or_default();
                system = self.content(id, kind, system, GivenSize::default());
            }
            self.systems.borrow_mut().insert(id, system);
        }
        system
    }
}
