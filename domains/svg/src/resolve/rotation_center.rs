//! Centres of rotations.

use fcp::prelude::*;

use super::Place;
use crate::model::Drawing;

/// The centre for rotating or scaling objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum About {
    /// Each about its own centre.
    Own,
    /// All about the centre of the box around them.
    Selection,
    /// All about a point.
    Point(Place),
}

impl FromArg<Drawing> for About {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "ABOUT",
            "center, which is each one's own; selection, the centre of all; a point; REF, its centre",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        match (arg.kind, arg.text) {
            (None, "center") => Ok(Self::Own),
            (None, "selection") => Ok(Self::Selection),
            _ => Place::from_arg(arg, scope).map(Self::Point),
        }
    }
}
