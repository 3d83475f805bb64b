//! `legato`

use fcp::prelude::*;

use crate::edit::notes::length;
use crate::model::{Note, Song};
use crate::values::{Gap, Length};

/// Make notes last up to the next onset of their track: `length SEL legato`.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/e r D4/q r E4/h"
/// legato @track:Keys
/// > @ Length of 3 notes on Keys: legato
/// legato @track:Keys gap:0
/// > = the length of 3 notes on Keys is unchanged
/// legato @track:Keys gap:s
/// > @ Length of 3 notes on Keys: legato
/// legato @track:Keys gap:q
/// > @ Length of 3 notes on Keys: legato (1 kept at 1 tick)
/// ```
#[fcp_verb(category = "Shape")]
pub fn legato(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// The gap before the next onset.
    gap: Option<Spanned<Gap>>,
) -> Result<Reply> {
    length::set(song, &notes, &Length::Legato, gap.as_ref(), |error| {
        Diagnostic::new(error.about("legato"))
    })
}
