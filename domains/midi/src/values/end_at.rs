//! The end of a note, as an op gives it.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::pos::Pos;

/// The end of a note: a position, or the end of the bar in which the note starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EndAt {
    /// The end of the bar in which it starts.
    Bar,
    /// A position.
    Pos(Pos),
}

impl fmt::Display for EndAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bar => f.write_str("bar"),
            Self::Pos(pos) => pos.fmt(f),
        }
    }
}

impl FcpValue for EndAt {
    const SPEC: ValueSpec = ValueSpec {
        unit: Pos::SPEC.unit,
        ..ValueSpec::new("END", "POS, or bar")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text {
            "bar" => Ok(Self::Bar),
            text => Pos::parse(text).map(Self::Pos),
        }
    }
}
