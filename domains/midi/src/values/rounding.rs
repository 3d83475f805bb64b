//! Rounding of notes in output.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::dur::Dur;

/// The rounding of notes in output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To a suitable grid, if they are not on one already.
    Auto,
    /// No rounding.
    Exact,
    /// To a given grid.
    Grid(Dur),
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Exact => f.write_str("exact"),
            Self::Grid(dur) => dur.fmt(f),
        }
    }
}

impl FcpValue for Rounding {
    const SPEC: ValueSpec = ValueSpec::new("GRID", "auto, exact, or a length like s");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match &*text.to_ascii_lowercase() {
            "auto" => Ok(Self::Auto),
            "exact" => Ok(Self::Exact),
            _ => Dur::parse(text).map(Self::Grid).map_err(|error| {
                let near = fcp::value::nearest_word(text, ["auto", "exact"]);
                let near = error.fix.clone().or(near.map(Into::into));
                ValueError::new("is not auto, exact or a length").maybe_fix(near)
            }),
        }
    }
}
