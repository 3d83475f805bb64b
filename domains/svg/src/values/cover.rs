//! What clips or masks.

use fcp::prelude::*;

use crate::Drawing;

/// What clips or masks an object, if anything does.
#[derive(Clone, Copy, Debug)]
pub enum Cover {
    /// Nothing.
    None,
    /// A clip, a mask, or an object that is to become one.
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
