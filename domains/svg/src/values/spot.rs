//! Where a new object stands.

use fcp::prelude::*;
use fcp::value::Point as Pair;
use kurbo::Point;

use super::Place;
use crate::model::Drawing;

/// Where an object stands: numbers are of the system of its container, all else is a point of the canvas.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// In the system of the container, as spelled.
    Local(Pair),
    /// On the canvas.
    Canvas(Point),
}

impl FromArg<Drawing> for Spot {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "POINT",
            "X,Y of the container; or of the canvas: 50%,50%, center, top-left, REF.right; each with +DX,DY",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        match Pair::parse(arg.text) {
            Ok(pair) if arg.kind.is_none() && !arg.text.contains('%') => Ok(Self::Local(pair)),
            _ => Place::from_arg(arg, scope).map(|place| Self::Canvas(place.0)),
        }
    }
}
