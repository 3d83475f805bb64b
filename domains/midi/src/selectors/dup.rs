//! `@dup`

use fcp::prelude::*;

use crate::model::{Flaw, Song};

/// Notes that start with another of their pitch, all but the first of them.
#[fcp_selector]
pub fn dup(song: &Song) -> Pick<'_> {
    Pick::Rows(song.flawed(Flaw::Dup))
}
