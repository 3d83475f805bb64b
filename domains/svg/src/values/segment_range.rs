//! Ranges of a path's segments.

use std::fmt;

use fcp::prelude::*;

/// One segment or several consecutive ones, counted from 1: `3`, `2-4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRange {
    /// The first.
    pub first: usize,
    /// The last, which may equal the first.
    pub last: usize,
}

impl fmt::Display for SegmentRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { first, last } if first == last => first.fmt(f),
            Self { first, last } => write!(f, "{first}-{last}"),
        }
    }
}

impl FcpValue for SegmentRange {
    const SPEC: ValueSpec = ValueSpec::new("N", "a segment, or N-M: 3, 2-4");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse().ok().filter(|n: &usize| *n > 0);
        match (number(first), number(last)) {
            (Some(first), Some(last)) => Ok(Self {
                first: first.min(last),
                last: first.max(last),
            }),
            _ => Err(ValueError::new("is not a segment").fix("1")),
        }
    }
}
