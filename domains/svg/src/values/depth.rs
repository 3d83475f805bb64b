//! Positions of objects in the painting order of their siblings.

use fcp::prelude::*;

/// The place of an object among its siblings.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Over all of them.
    Front,
    /// Under all of them.
    Back,
    /// Over the next.
    Forward,
    /// Under the one before.
    Backward,
}

impl Depth {
    /// Its description in a reply.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Front => "to the front",
            Self::Back => "to the back",
            Self::Forward => "one forward",
            Self::Backward => "one back",
        }
    }
}
