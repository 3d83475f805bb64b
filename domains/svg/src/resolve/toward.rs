//! Values that are a point for some objects and the name of an object for others.

use fcp::prelude::*;

use super::Spot;
use crate::model::{Drawing, NodeId};

/// A value that is read once its object is known: the end of a line is a point, a text follows a
/// path, and a gradient's end is a part of a box.
#[derive(Clone, Debug)]
pub struct Toward {
    keyed: Keyed,
    spot: Result<Spot, ValueError>,
    row: Result<Row, ValueError>,
}

impl Toward {
    /// The value as it is written.
    #[must_use]
    pub const fn keyed(&self) -> &Keyed {
        &self.keyed
    }

    /// The value as a point.
    ///
    /// # Errors
    /// If it is not a point.
    pub fn spot(&self) -> Result<&Spot> {
        let spot = self.spot.as_ref();
        spot.map_err(|error| self.keyed.wrong(error.clone()))
    }

    /// The value as an object.
    ///
    /// # Errors
    /// If it names no object.
    pub fn row(&self) -> Result<NodeId> {
        match &self.row {
            Ok(row) => Ok(NodeId::new(row.id())),
            Err(error) => Err(self.keyed.wrong(error.clone())),
        }
    }
}

impl FromArg<Drawing> for Toward {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "POINT|REF",
            "a point of a line or a gradient, or the path of a text",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        Ok(Self {
            keyed: Keyed::from_arg(arg, scope)?,
            spot: Spot::from_arg(arg, scope),
            row: Row::from_arg(arg, scope),
        })
    }
}
