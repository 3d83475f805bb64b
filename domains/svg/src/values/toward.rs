//! What a key means that is a point for one object and names another for the next.

use fcp::prelude::*;

use super::Spot;
use crate::model::{Drawing, NodeId};

/// A word that is read when it is known what has it: the end of a line is a point, a text goes along a path, and a
/// gradient's end is a part of a box.
#[derive(Clone, Debug)]
pub struct Toward {
    keyed: Keyed,
    spot: Result<Spot, ValueError>,
    row: Result<Row, ValueError>,
}

impl Toward {
    /// The word as it is written.
    #[must_use]
    pub const fn keyed(&self) -> &Keyed {
        &self.keyed
    }

    /// A point.
    ///
    /// # Errors
    /// It is none.
    pub fn spot(&self) -> Result<&Spot> {
        let spot = self.spot.as_ref();
        spot.map_err(|error| self.keyed.wrong(error.clone()))
    }

    /// An object.
    ///
    /// # Errors
    /// It names none.
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
