//! Lists of transforms.

use std::fmt;

use fcp::prelude::*;

use crate::transform::{Syntax, TransformList};

/// A list of transforms without a fault, as spelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transforms(Box<str>);

impl fmt::Display for Transforms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Transforms {
    const SPEC: ValueSpec = ValueSpec::new("TRANSFORMS", "\"translate(5,5) rotate(45)\"");

    fn parse(text: &str) -> Result<Self, ValueError> {
        TransformList::checked(text, Syntax::Attribute)
            .map(|_| Self(text.into()))
            .map_err(|fault| {
                ValueError::sentence(format!("transform: {fault}")).maybe_fix(fault.fix)
            })
    }
}
