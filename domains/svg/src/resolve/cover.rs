//! Covers: clips and masks of objects.

use fcp::prelude::*;

use crate::model::Drawing;

/// The cover of an object, if it has one.
#[derive(Clone, Copy, Debug)]
pub enum Cover {
    /// No cover.
    None,
    /// A clip, a mask, or an object to turn into one.
    By(Row),
}

impl FromArg<Drawing> for Cover {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "REF|none",
            "a clip or mask, an object that becomes one, or none",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        if arg.text == "none" && arg.kind.is_none() && !arg.quoted {
            return Ok(Self::None);
        }
        Row::from_arg(arg, scope).map(Self::By)
    }
}
