//! Positions of new objects.

use fcp::prelude::*;
use fcp::value::Point as Pair;
use kurbo::Point;

use super::Place;
use crate::model::Drawing;

/// A position: numbers are in the container's system, anything else is a point on the canvas.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// In the container's system, as spelled.
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
