//! `decrescendo`

use fcp::prelude::*;

use crate::edit::notes::crescendo::Swell;
use crate::model::{Note, Song};

/// Grow softer from note to note: velocities go from one to another, or the expression of the track does.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q D4+F4 E4 G4"
/// decrescendo @track:Keys from:ff to:p curve:sine
/// > @ Decrescendo of 5 notes on Keys: 112 to 49
/// ? events Keys 1.2
/// > 1.2 D4 q v96 #*
/// > 1.2 F4 q v96 #*
/// decrescendo @track:Keys from:p to:ff
/// > ! 49 to 112 does not get softer
/// >   try: crescendo @track:Keys from:p to:ff
/// ```
#[fcp_verb(category = "Shape", alias = "diminuendo")]
pub fn decrescendo(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    #[fcp(flatten)] swell: Swell,
) -> Result<Reply> {
    if swell.from < *swell.to.get() {
        return swell.misnamed("decrescendo", "crescendo");
    }
    swell.apply(song, &notes, "Decrescendo")
}
