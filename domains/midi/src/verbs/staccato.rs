//! `staccato`

use fcp::prelude::*;

use crate::edit::notes::length;
use crate::model::{Note, Song};
use crate::values::Length;

/// Make notes half as long: `length SEL staccato`.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q D4/h"
/// staccato @track:Keys
/// > @ Length of 2 notes on Keys: 50%
/// ```
#[fcp_verb(category = "Shape")]
pub fn staccato(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
) -> Result<Reply> {
    length::set(song, &notes, &Length::STACCATO, None, |error| {
        Diagnostic::new(error.about("staccato"))
    })
}
