//! Positions of elements: boxes and outlines in canvas units.
//! Nothing here changes an element; moves are in `moving`.
//!
//! Canvas units are the units of the root's viewBox, y down. A box is the tight box of the filled
//! area, after all transforms; strokes, clips, masks and filters do not count. A text's box is as
//! wide as its characters and as high as their fonts, in the renderer's layout.

mod copied;
mod covered;
mod drawn;
mod local_point;
mod outline;
mod stroked;
mod system;
mod text;
pub mod viewport;

pub use local_point::LocalPoint;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use fcp::format::picture::{Fonts, Library};
use kurbo::{Affine, BezPath, Point, Rect, Vec2};
use rustc_hash::FxHashMap;

use crate::model::{Drawing, NodeId, Nodes};
use crate::style::{Origin, Styles};
use crate::syntax::number::Precision;
use crate::transform::{Syntax, TransformList};
use system::{GivenSize, System};

/// The maximum number of element copies by all `use` together; beyond it, elements have no box.
pub const MOST_COPIES: usize = 1_000_000;

/// The geometry of a drawing. It is made for one op or query, and caches its results.
pub struct Geometry<'d> {
    nodes: &'d Nodes,
    fonts: &'d Fonts,
    /// The decimals of computed numbers, if the session sets them.
    decimals: Option<Precision>,
    /// The fonts, loaded for the first text.
    library: OnceCell<Option<Arc<Library>>>,
    styles: Styles<'d>,
    /// The coordinate systems inside containers.
    systems: RefCell<FxHashMap<NodeId, System>>,
    /// Boxes without and with strokes, if they are not cached in the drawing.
    boxes: [RefCell<FxHashMap<NodeId, Option<Rect>>>; 2],
    /// The ancestor that sets an inherited property, `None` if none does, for ancestors that many
    /// elements share.
    sources: RefCell<FxHashMap<(NodeId, &'static str), Option<NodeId>>>,
    copies: Cell<usize>,
    /// The number of elements drawn with each counted one, including copies.
    sizes: RefCell<FxHashMap<NodeId, Option<u64>>>,
}

impl Drawing {
    /// The geometry of the drawing.
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
            sources: RefCell::default(),
            copies: Cell::new(0),
            sizes: RefCell::default(),
        }
    }
}

impl Geometry<'_> {
    /// The canvas: the root's viewBox, or else its width and height, or else the area from the
    /// origin to the end of the content.
    #[must_use]
    pub fn canvas(&self) -> Rect {
        if let Some(canvas) = self.given_canvas() {
            return canvas;
        }
        let content = self.nodes.root().and_then(|root| self.bbox(root));
        match content.filter(|content| content.x1 > 0.0 && content.y1 > 0.0) {
            Some(content) => Rect::new(0.0, 0.0, content.x1, content.y1),
            None => self.root_system().viewport.to_rect(),
        }
    }

    /// The number of decimals of computed numbers.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.decimals.unwrap_or_else(|| {
            let size = self.canvas().size();
            Precision::of_canvas(size.width.max(size.height))
        })
    }

    /// The transform from the system of an element's own attributes, after its own transform, to
    /// canvas units.
    #[must_use]
    pub fn inner(&self, id: NodeId) -> Affine {
        if self.nodes.root() == Some(id) {
            return Affine::IDENTITY;
        }
        let outer = self.around(id);
        outer.to_canvas * self.own_transform(id, outer.viewport)
    }

    /// The transform from the system of an element's container to canvas units.
    #[must_use]
    pub fn outer(&self, id: NodeId) -> Affine {
        self.around(id).to_canvas
    }

    /// The transform from the system of an element's children to canvas units, including a nested
    /// drawing's viewBox.
    #[must_use]
    pub fn within(&self, id: NodeId) -> Affine {
        self.inside(id).to_canvas
    }

    /// The size that an element's percentages refer to.
    #[must_use]
    pub fn viewport(&self, id: NodeId) -> kurbo::Size {
        self.around(id).viewport
    }

    /// The size that percentages inside a container refer to.
    #[must_use]
    pub fn viewport_in(&self, container: NodeId) -> kurbo::Size {
        self.inside(container).viewport
    }

    /// The origin of an element's transforms, in the system of its container.
    #[must_use]
    pub fn transform_origin(&self, id: NodeId) -> Point {
        self.origin(id, self.around(id).viewport).to_point()
    }

    /// The place of an element's transforms: the attribute, `style=`, or a rule. `None` if it has
    /// none.
    #[must_use]
    pub fn transform_source(&self, id: NodeId) -> Option<Origin> {
        self.written_transforms(id).map(|(_, origin)| origin)
    }

    /// An element's own transforms; an empty list if it has none.
    #[must_use]
    pub fn transforms(&self, id: NodeId) -> TransformList {
        let read = self.read_transforms(id);
        read.unwrap_or_else(|| TransformList::parse("", Syntax::Attribute))
    }

    /// An element's own transforms, if it has any.
    fn read_transforms(&self, id: NodeId) -> Option<TransformList> {
        let (text, origin) = self.written_transforms(id)?;
        let syntax = match origin {
            Origin::Style | Origin::Rule(_) => Syntax::Css,
            _ => Syntax::Attribute,
        };
        Some(TransformList::parse(text, syntax))
    }

    /// The tight box of an element's drawing without strokes, in canvas units. A group's box is
    /// that of its displayed children. A text without characters has a box at its point only.
    /// `None` if it draws nothing.
    #[must_use]
    pub fn bbox(&self, id: NodeId) -> Option<Rect> {
        self.drawn_box(id, false)
    }

    /// Like [`bbox`](Self::bbox), with strokes: their widths, joins and caps.
    #[must_use]
    pub fn stroke_box(&self, id: NodeId) -> Option<Rect> {
        self.drawn_box(id, true)
    }

    /// The position of a text's first character, in canvas units.
    #[must_use]
    pub fn text_at(&self, id: NodeId) -> Point {
        self.inner(id) * self.text_point(id, self.around(id))
    }

    /// The end of a text at its point: `middle`, `end`; `None` for the start.
    #[must_use]
    pub fn anchor(&self, id: NodeId) -> Option<&'static str> {
        let anchor = self.inherited(id, "text-anchor", drawn::Drawn::IN_PLACE)?;
        ["middle", "end"]
            .into_iter()
            .find(|word| *word == anchor.trim())
    }

    /// The value of a property set on an element or inherited by it; `None` if it is not set.
    pub(crate) fn inherited_word(
        &self,
        id: NodeId,
        property: &'static str,
    ) -> Option<Cow<'_, str>> {
        self.inherited(id, property, drawn::Drawn::IN_PLACE)
    }

    /// The value of a property set on an element itself, as it is written.
    pub(crate) fn own_word(&self, id: NodeId, property: &str) -> Option<Cow<'_, str>> {
        self.specified(id, property)
    }

    /// The outline of a shape without its stroke, in the system of its own attributes. `None` if
    /// the element is not a shape or draws nothing.
    #[must_use]
    pub fn outline(&self, id: NodeId) -> Option<BezPath> {
        let kind = self.kind(id)?;
        self.lengths(id, self.around(id).viewport).outline(kind)
    }

    /// The frame of a rectangle and the radii of its corners, in its own system; `None` if it draws
    /// nothing.
    #[must_use]
    pub fn rounded_frame(&self, id: NodeId) -> Option<(Rect, Vec2)> {
        self.lengths(id, self.around(id).viewport).rounded_frame()
    }

    /// The centre and the radii of a circle or an ellipse, in its own system; `None` if it draws
    /// nothing.
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

    /// An element's list of transforms as written, and its place. Styles override the attribute.
    fn written_transforms(&self, id: NodeId) -> Option<(Cow<'_, str>, Origin)> {
        if let Some(specified) = self.styles.specified(id, "transform") {
            return Some((specified.value, specified.origin));
        }
        Some((self.nodes.attr(id, "transform")?, Origin::Attribute))
    }

    /// The value of a property set on an element itself.
    fn specified(&self, id: NodeId, property: &str) -> Option<Cow<'_, str>> {
        self.styles
            .specified(id, property)
            .map(|specified| specified.value)
    }

    /// An SVG element's local name.
    fn kind(&self, id: NodeId) -> Option<&str> {
        let element = self.nodes.element(id)?;
        let own = self.nodes.is_own(id, element);
        own.then(|| element.local_name())
    }

    /// The coordinate system around an element.
    fn around(&self, id: NodeId) -> System {
        match self.nodes.tree().parent(id) {
            Some(parent) if self.nodes.element(parent).is_some() => self.inside(parent),
            _ => self.root_system(),
        }
    }

    /// The coordinate system of an element's children.
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
