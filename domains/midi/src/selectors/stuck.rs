//! `@stuck`

use fcp::prelude::*;

use crate::model::{Flaw, Song};

/// Notes that nothing ends.
#[fcp_selector]
pub fn stuck(song: &Song) -> Pick<'_> {
    Pick::Rows(song.flawed(Flaw::Stuck))
}
