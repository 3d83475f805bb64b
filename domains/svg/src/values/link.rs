//! Where a hyperlink leads.

use std::fmt;

use fcp::prelude::*;

/// An address that runs no script.
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
        // Browsers leave out what is not seen before they look for the scheme.
        let seen = text
            .chars()
            .filter(|c| !c.is_whitespace() && !c.is_control());
        let scheme: String = seen.take("javascript:".len()).collect();
        if scheme.eq_ignore_ascii_case("javascript:") {
            return Err(ValueError::sentence("href: runs no script").fix("#"));
        }
        Ok(Self(text.into()))
    }
}
