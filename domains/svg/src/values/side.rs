//! Sides of boxes, and what they are brought to.

use fcp::prelude::*;
use kurbo::Rect;

use crate::model::{Drawing, NodeId};

/// A side of a box, or its middle along one axis.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
    /// The upper side.
    Top,
    /// The lower side.
    Bottom,
    /// Halfway across.
    Center,
    /// Halfway down.
    Middle,
}

impl Side {
    /// Where it is of a box, along its axis.
    #[must_use]
    pub fn of(self, frame: Rect) -> f64 {
        match self {
            Self::Left => frame.x0,
            Self::Right => frame.x1,
            Self::Top => frame.y0,
            Self::Bottom => frame.y1,
            Self::Center => frame.center().x,
            Self::Middle => frame.center().y,
        }
    }

    /// Whether it is a place along x.
    #[must_use]
    pub const fn is_across(self) -> bool {
        matches!(self, Self::Left | Self::Right | Self::Center)
    }
}

/// What objects are aligned to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line {
    /// The box around all of them.
    Selection,
    /// The canvas.
    Canvas,
    /// The box of an object.
    Of(NodeId),
}

impl FromArg<Drawing> for Line {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "selection|canvas|REF",
            "the box around them, the canvas, or an object",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        match (arg.kind, arg.text) {
            (None, "selection") => return Ok(Self::Selection),
            (None, "canvas") => return Ok(Self::Canvas),
            _ => {}
        }
        let arg = Arg {
            selectors: &[],
            picked: None,
            ..arg.clone()
        };
        let rows = Rows::from_arg(&arg, scope)?;
        let mut rows = rows.iter();
        match (rows.next(), rows.next()) {
            (Some(row), None) => Ok(Self::Of(NodeId::new(row.id()))),
            _ => Err(ValueError::new("is not one object").fix("selection")),
        }
    }
}
