//! `reverse`

use fcp::prelude::*;

use crate::edit::notes::selection;
use crate::edit::rows::copy::{self, NoteSource};
use crate::model::{Note, Song};

/// Play notes backwards: what ended last starts first. Lengths stay.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q D4 E4/h"
/// reverse @track:Keys
/// > @ Reversed 3 notes on Keys from 1.1 to 2.1
/// ? events Keys 1.3
/// > 1.3 D4 q v80 #*
/// ```
#[fcp_verb(category = "Shape")]
pub fn reverse(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
) -> Result<Reply> {
    let NoteSource { anchor, first, .. } = copy::picked(song, &notes, "reverse")?;
    let rows = selection::chosen(song, &notes)?;
    let end_of = |note: &Note| note.at + note.dur.unwrap_or(0);
    let end = rows.iter().map(|(_, note)| end_of(note)).max();
    let end = end.unwrap_or(anchor);
    let mut changes = selection::changed(&rows, |note| {
        let at = anchor.min(note.at) + (end - end_of(note));
        Ok(Note { at, ..note.clone() })
    })?;
    // In the new order: notes of a pitch that overlap in the file end in the order they start.
    changes.sort_by_key(|(_, note)| (note.at, note.dur));
    let summary = selection::describe_notes(song, &rows);
    let overlaps = song.change_notes(changes)?;
    let (from, to) = (
        song.shown(first.chunk, anchor),
        song.shown(first.chunk, end),
    );
    Ok(bulk!(
        "Reversed {summary} from {from} to {to}{}",
        overlaps.describe()
    ))
}
