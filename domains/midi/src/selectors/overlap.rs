//! `@overlap`

use fcp::prelude::*;

use crate::model::{Flaw, Song};

/// Notes that sound on when the next of their pitch begins: those that `fix overlaps` cuts.
#[fcp_selector]
pub fn overlap(song: &Song) -> Pick<'_> {
    Pick::Rows(song.flawed(Flaw::Overlap))
}
