//! `length`

use fcp::prelude::*;

use crate::edit::notes::length;
use crate::model::{Note, Song};
use crate::values::{Gap, Length};

/// Make notes longer or shorter: a length, a part of their own, up to the next onset, or detached.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/e r D4/q r E4/h"
/// length @track:Keys legato
/// > @ Length of 3 notes on Keys: legato
/// length @track:Keys staccato
/// > @ Length of 3 notes on Keys: 50%
/// length @track:Keys e.
/// > @ Length of 3 notes on Keys: e.
/// length @track:Keys e gap:t
/// > ! gap:t is for legato only
/// >   syntax: length SEL LENGTH [gap:DUR]
/// ```
#[fcp_verb(category = "Shape")]
pub fn length(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// A length, per cent of their own, `legato` or `staccato`.
    #[fcp(positional)]
    to: Spanned<Length>,
    /// The gap of legato before the next onset.
    gap: Option<Spanned<Gap>>,
) -> Result<Reply> {
    length::set(song, &notes, to.get(), gap.as_ref(), |error| {
        to.wrong(error)
    })
}
