//! Lines to align objects with.

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// The target of an alignment.
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
        Row::from_arg(arg, scope).map(|row| Self::Of(NodeId::new(row.id())))
    }
}
