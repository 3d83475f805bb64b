//! Clips, masks and symbols with a single shape.

use fcp::prelude::*;
use fcp::value::Size;

use super::Blueprint;
use crate::geometry::LocalPoint;
use crate::model::{Drawing, NodeId};
use crate::syntax::number::{Precision, scan, spell_given};
use crate::values::ShapeType;

/// The keys of clips, masks and symbols with one shape. `at` is a key of everything that `modify`
/// changes.
pub(super) const KEYS: &[&str] = &["type", "size"];

/// A shape and its box, positioned by the centre of a round shape and the corner of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its kind.
    pub kind: ShapeType,
    at: [String; 2],
    size: [String; 2],
}

impl Shape {
    /// A shape at a point, with a size.
    #[must_use]
    pub fn new(kind: ShapeType, at: [String; 2], size: &Size) -> Self {
        Self {
            kind,
            at,
            size: [size.width.to_string(), size.height.to_string()],
        }
    }

    /// The only shape in a definition; `None` if there are others, or it is of an unknown kind.
    #[must_use]
    pub fn read(drawing: &Drawing, id: NodeId) -> Option<(Self, NodeId)> {
        let nodes = &drawing.nodes;
        let mut inside = nodes
            .tree()
            .children(id)
            .filter(|id| nodes.element(*id).is_some());
        let (Some(only), None) = (inside.next(), inside.next()) else {
            return None;
        };
        let kind = ShapeType::parse(nodes.kind_name(only)).ok()?;
        let attr = |name: &str| nodes.attr(only, name).map_or("0".to_owned(), Into::into);
        let twice = |name: &str| {
            let r = attr(name);
            spell_given(scan(&r, 0).map_or(0.0, |r| r.value) * 2.0)
        };
        let (at, size) = match kind {
            ShapeType::Rect => (["x", "y"], [attr("width"), attr("height")]),
            ShapeType::Circle => (["cx", "cy"], [twice("r"), twice("r")]),
            ShapeType::Ellipse => (["cx", "cy"], [twice("rx"), twice("ry")]),
        };
        let at = at.map(attr);
        Some((Self { kind, at, size }, only))
    }

    /// Applies keys of an op.
    ///
    /// # Errors
    /// If a value is invalid.
    pub fn change(&mut self, keys: &[&Keyed], at: Option<&LocalPoint>) -> Result<()> {
        for keyed in keys {
            match keyed.key() {
                "type" => self.kind = keyed.parse()?,
                _ => {
                    let size: Size = keyed.parse()?;
                    if size.is_empty() {
                        return Err(keyed.wrong(ValueError::new("is empty").fix("100x100")));
                    }
                    self.size = [size.width.to_string(), size.height.to_string()];
                }
            }
        }
        if let Some(at) = at {
            self.at = [at.x.clone(), at.y.clone()];
        }
        Ok(())
    }

    /// The element for it.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let ([x, y], [width, height]) = (self.at.clone(), self.size.clone());
        let half = |side: &str| spelled(number(side) / 2.0);
        match self.kind {
            ShapeType::Rect => Blueprint::new(
                "rect",
                [("x", x), ("y", y), ("width", width), ("height", height)],
            ),
            ShapeType::Circle => {
                let r = spelled(number(&width).min(number(&height)) / 2.0);
                Blueprint::new("circle", [("cx", x), ("cy", y), ("r", r)])
            }
            ShapeType::Ellipse => {
                let (rx, ry) = (half(&width), half(&height));
                Blueprint::new("ellipse", [("cx", x), ("cy", y), ("rx", rx), ("ry", ry)])
            }
        }
    }

    /// Its bounding box, in the format of a `viewBox`.
    #[must_use]
    pub fn view_box(&self) -> String {
        let [x, y] = self.at.each_ref().map(|n| number(n));
        let [width, height] = self.size.each_ref().map(|n| number(n));
        let (x, y) = match self.kind {
            ShapeType::Rect => (x, y),
            ShapeType::Circle | ShapeType::Ellipse => (x - width / 2.0, y - height / 2.0),
        };
        format!(
            "{} {} {} {}",
            spelled(x),
            spelled(y),
            spelled(width),
            spelled(height)
        )
    }

    /// Its kind and geometry: `rect at:0,0 size:100x60`.
    #[must_use]
    pub fn describe(&self) -> String {
        let ([x, y], [width, height]) = (&self.at, &self.size);
        format!("{} at:{x},{y} size:{width}x{height}", self.kind)
    }
}

fn number(text: &str) -> f64 {
    scan(text, 0).map_or(0.0, |read| read.value)
}

fn spelled(value: f64) -> String {
    spell_given(Precision::EXACT.round(value))
}
