//! `crescendo`

use fcp::prelude::*;

use crate::edit::notes::crescendo::Swell;
use crate::model::{Note, Song};

/// Grow louder from note to note: velocities go from one to another, or the expression of the track does.
///
/// Notes that start together are struck alike.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q D4+F4 E4 G4"
/// crescendo @track:Keys from:p to:ff
/// > @ Crescendo of 5 notes on Keys: 49 to 112
/// ? events Keys 1.2
/// > 1.2 D4 q v70 #*
/// > 1.2 F4 q v70 #*
/// crescendo @track:Keys from:124 to:127 via:expression
/// > @ Crescendo of 5 notes on Keys: expression 124 to 127 (4 points)
/// crescendo @track:Keys from:ff to:p
/// > ! 112 to 49 does not get louder
/// >   try: decrescendo @track:Keys from:ff to:p
/// ```
#[fcp_verb(category = "Shape")]
pub fn crescendo(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    #[fcp(flatten)] swell: Swell,
) -> Result<Reply> {
    if swell.from > *swell.to.get() {
        return swell.misnamed("crescendo", "decrescendo");
    }
    swell.apply(song, &notes, "Crescendo")
}
