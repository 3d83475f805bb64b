//! Verdicts of proofs.

use std::fmt;

/// The verdict of a row's proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The rule holds.
    Pass,
    /// The rule is broken.
    Fail(String),
    /// The server lacks what the rule is about.
    NotApplicable(String),
    /// The server shows no ops that could prove the rule.
    NotProvable(String),
}

impl Verdict {
    /// One word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail(_) => "FAIL",
            Self::NotApplicable(_) => "n/a",
            Self::NotProvable(_) => "unproved",
        }
    }

    /// The reason, unless it is a pass.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Pass => None,
            Self::Fail(why) | Self::NotApplicable(why) | Self::NotProvable(why) => Some(why),
        }
    }
}

/// The verdict that ends a proof early.
pub(super) type Stop = Verdict;

/// The result of a proof.
pub(super) type Proved = Result<(), Stop>;

/// The rule is broken.
pub(super) fn fail(why: impl fmt::Display) -> Stop {
    Verdict::Fail(why.to_string())
}

/// The server lacks what the rule is about.
pub(super) fn none(why: impl fmt::Display) -> Stop {
    Verdict::NotApplicable(why.to_string())
}

/// There is nothing to prove it with.
pub(super) fn unproved(why: impl fmt::Display) -> Stop {
    Verdict::NotProvable(why.to_string())
}

/// Fails the proof unless this condition holds.
macro_rules! holds {
    ($what:expr, $($why:tt)+) => {
        if !$what {
            return Err($crate::testing::contract::verdict::fail(format!($($why)+)));
        }
    };
}
pub(super) use holds;
