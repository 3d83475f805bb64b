//! Coordinate systems: the transforms from elements to canvas units.

use kurbo::{Affine, Rect, Size, Vec2};

use super::Geometry;
use super::outline::Lengths;
use super::viewport::{self, Axis};
use crate::model::NodeId;
use crate::syntax::number::{skip_blanks, skip_separator};
use crate::syntax::view_box::view_box;

/// The size for percentages if a drawing has no size at all, as in renderers.
const FALLBACK: Size = Size::new(100.0, 100.0);

/// A coordinate system.
#[derive(Clone, Copy, Debug)]
pub(super) struct System {
    /// The transform from it to canvas units.
    pub(super) to_canvas: Affine,
    /// The size that percentages refer to.
    pub(super) viewport: Size,
}

impl System {
    pub(super) fn then(self, inner: Affine) -> Self {
        Self {
            to_canvas: self.to_canvas * inner,
            ..self
        }
    }
}

/// The width and height that a `use` sets for its target.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GivenSize {
    pub(super) width: Option<f64>,
    pub(super) height: Option<f64>,
}

impl Geometry<'_> {
    pub(super) fn lengths(&self, id: NodeId, viewport: Size) -> Lengths<'_> {
        Lengths {
            nodes: self.nodes,
            id,
            styles: &self.styles,
            viewport,
        }
    }

    /// The canvas that the root sets; `None` if it has neither a viewBox nor both width and height.
    pub(super) fn given_canvas(&self) -> Option<Rect> {
        let root = self.nodes.root()?;
        if let Some(text) = self.nodes.attr(root, "viewBox")
            && let Some(view) = view_box(&text)
        {
            return Some(view);
        }
        let absolute = |name| {
            self.nodes
                .attr(root, name)
                .filter(|text| !text.contains('%'))
        };
        let (_, _) = (absolute("width")?, absolute("height")?);
        let size = self.root_size(root);
        (size.width > 0.0 && size.height > 0.0).then(|| size.to_rect())
    }

    /// The coordinate system of the root's children.
    pub(super) fn root_system(&self) -> System {
        let viewport = match (self.given_canvas(), self.nodes.root()) {
            (Some(canvas), _) => canvas.size(),
            (None, Some(root)) => self.root_size(root),
            (None, None) => FALLBACK,
        };
        System {
            to_canvas: Affine::IDENTITY,
            viewport,
        }
    }

    fn root_size(&self, root: NodeId) -> Size {
        let lengths = self.lengths(root, FALLBACK);
        let side = |name, axis| lengths.get(name, axis).filter(|side| *side > 0.0);
        Size::new(
            side("width", Axis::X).unwrap_or(FALLBACK.width),
            side("height", Axis::Y).unwrap_or(FALLBACK.height),
        )
    }

    /// An element's own transform, including its origin.
    pub(super) fn own_transform(&self, id: NodeId, viewport: Size) -> Affine {
        let list = self.read_transforms(id);
        let Some(list) = list.filter(|list| !list.items().is_empty()) else {
            return Affine::IDENTITY;
        };
        let origin = self.origin(id, viewport);
        Affine::translate(origin) * list.affine() * Affine::translate(-origin)
    }

    /// The origin of an element's transform, in the system around it.
    pub(super) fn origin(&self, id: NodeId, viewport: Size) -> Vec2 {
        let Some(text) = self.specified(id, "transform-origin") else {
            return Vec2::ZERO;
        };
        origin(&text, || self.styles.font_size(id), viewport)
    }

    /// The coordinate system of an element's children; `outer` is the one around the element.
    pub(super) fn content(
        &self,
        id: NodeId,
        kind: &str,
        outer: System,
        given: GivenSize,
    ) -> System {
        let system = outer.then(self.own_transform(id, outer.viewport));
        if kind == "svg" {
            self.nested(id, system, given)
        } else {
            system
        }
    }

    /// The coordinate system inside a nested drawing or an instance of a symbol; `system` is that
    /// of its own attributes.
    pub(super) fn nested(&self, id: NodeId, system: System, given: GivenSize) -> System {
        let lengths = self.lengths(id, system.viewport);
        let side = |name, axis: Axis| lengths.get(name, axis).unwrap_or(axis.of(system.viewport));
        let size = Size::new(
            given.width.unwrap_or_else(|| side("width", Axis::X)),
            given.height.unwrap_or_else(|| side("height", Axis::Y)),
        );
        let corner = lengths.point("x", "y").to_vec2();
        self.framed(id, system.then(Affine::translate(corner)), size)
    }

    /// The coordinate system inside an element's `viewBox`, if it has one, in a frame of this size.
    pub(super) fn framed(&self, id: NodeId, system: System, size: Size) -> System {
        let whole = size.width > 0.0 && size.height > 0.0;
        let view = self.nodes.attr(id, "viewBox");
        match view.and_then(|text| view_box(&text)) {
            Some(view) if whole => {
                let ratio = self
                    .nodes
                    .attr(id, "preserveAspectRatio")
                    .unwrap_or_default();
                System {
                    viewport: view.size(),
                    ..system.then(viewport::fit(view, size, &ratio))
                }
            }
            Some(view) => System {
                viewport: view.size(),
                ..system
            },
            None if whole => System {
                viewport: size,
                ..system
            },
            None => system,
        }
    }
}

/// A `transform-origin`: keywords for sides, or lengths. A single value that fits both axes is x,
/// with y in the middle.
fn origin(text: &str, font_size: impl Fn() -> f64, viewport: Size) -> Vec2 {
    let side = |word: &str, axis: Axis| match word {
        "left" | "top" => Some(0.0),
        "center" => Some(axis.of(viewport) / 2.0),
        "right" | "bottom" => Some(axis.of(viewport)),
        _ => viewport::length(word, &font_size, axis.of(viewport)),
    };
    let mut words = Vec::with_capacity(2);
    let mut at = skip_blanks(text, 0);
    while at < text.len() && words.len() < 2 {
        let rest = text.get(at..).unwrap_or_default();
        let word = rest
            .split([' ', ',', '\t', '\n', '\r'])
            .next()
            .unwrap_or(rest);
        if word.is_empty() {
            break;
        }
        words.push(word);
        at = skip_separator(text, at + word.len());
    }
    let (x, y) = match words.as_slice() {
        [y @ ("top" | "bottom")] => ("center", *y),
        [x] => (*x, "center"),
        [y @ ("top" | "bottom"), x] | [y, x @ ("left" | "right")] => (*x, *y),
        [x, y, ..] => (*x, *y),
        [] => return Vec2::ZERO,
    };
    match (side(x, Axis::X), side(y, Axis::Y)) {
        (Some(x), Some(y)) => Vec2::new(x, y),
        _ => Vec2::ZERO,
    }
}
