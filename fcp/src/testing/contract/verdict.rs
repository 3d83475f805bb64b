//! How the proof of a row ends.

use std::fmt;

/// What a row's proof comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The rule holds.
    Pass,
    /// It does not.
    Fail(String),
    /// The server has nothing that the rule is about.
    NotApplicable(String),
    /// The server shows no ops to prove the rule with.
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

    /// Why, if it is no pass.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Pass => None,
            Self::Fail(why) | Self::NotApplicable(why) | Self::NotProvable(why) => Some(why),
        }
    }
}

/// Why a proof stops before its end.
pub(super) type Stop = Verdict;

/// How a proof goes.
pub(super) type Proved = Result<(), Stop>;

/// The rule is broken.
pub(super) fn fail(why: impl fmt::Display) -> Stop {
    Verdict::Fail(why.to_string())
}

/// There is nothing of the kind.
pub(super) fn none(why: impl fmt::Display) -> Stop {
    Verdict::NotApplicable(why.to_string())
}

/// Nothing to prove it with.
pub(super) fn unproved(why: impl fmt::Display) -> Stop {
    Verdict::NotProvable(why.to_string())
}

/// The rule is broken unless this holds.
macro_rules! holds {
    ($what:expr, $($why:tt)+) => {
        if !$what {
            return Err($crate::testing::contract::verdict::fail(format!($($why)+)));
        }
    };
}
pub(super) use holds;
