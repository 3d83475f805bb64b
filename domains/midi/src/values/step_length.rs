//! The length of a step, or `auto`.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::dur::Dur;

/// The length of a step, or `auto`.
#[derive(Clone, Debug)]
pub struct StepLength(pub Option<Dur>);

impl fmt::Display for StepLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(dur) => dur.fmt(f),
            None => f.write_str("auto"),
        }
    }
}

impl FcpValue for StepLength {
    const SPEC: ValueSpec = ValueSpec::new("STEP", "auto, or a length like s");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text {
            "auto" => Ok(Self(None)),
            _ => Dur::parse(text).map(|dur| Self(Some(dur))),
        }
    }
}
