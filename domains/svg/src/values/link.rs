//! Targets of hyperlinks.

use std::fmt;

use fcp::prelude::*;

use crate::syntax::scripts;

/// An address that does not run a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link(Box<str>);

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Link {
    const SPEC: ValueSpec = ValueSpec::new("URL", "https://example.com, #dot");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if scripts::in_attribute("href", text).is_some() {
            return Err(ValueError::sentence("href: cannot run a script").fix("#"));
        }
        // A comma or a semicolon that separates words of the op.
        if let Some(address) = text.strip_suffix([',', ';']) {
            return Err(ValueError::new("ends like a list").fix(address));
        }
        // No address begins with a bracket.
        let inner = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        if let Some(address) = inner {
            return Err(ValueError::new("is in brackets").fix(address));
        }
        Ok(Self(text.into()))
    }
}
