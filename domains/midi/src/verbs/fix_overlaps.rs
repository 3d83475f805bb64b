//! `fix overlaps`

use fcp::prelude::*;

use crate::edit::notes::repair;
use crate::model::{Note, Song};

/// End notes where the next of their pitch and channel starts.
///
/// Notes that ops add never overlap; those in files stay as they are until this.
///
/// ```fcp
/// # track add Keys
/// # note Keys C4
/// fix overlaps
/// > = no notes of a pitch overlap
/// ```
#[fcp_verb(category = "Song")]
pub fn fix_overlaps(
    song: &mut Song,
    /// The notes to check; all if left out.
    notes: Option<Selection<Note>>,
) -> Result<Reply> {
    let chosen = repair::chosen(notes.as_ref());
    let mut changes = Vec::new();
    for voice in repair::voices(song).into_values() {
        for (id, note) in &voice {
            // Many notes may start at one place.
            let next = voice.get(voice.partition_point(|(_, other)| other.at <= note.at));
            let Some((_, next)) = next.filter(|_| repair::is_chosen(chosen.as_ref(), *id)) else {
                continue;
            };
            // Stuck notes are another fault.
            if note.dur.is_some_and(|dur| note.at + dur > next.at) {
                let after = Note {
                    dur: Some(next.at - note.at),
                    ..note.clone()
                };
                changes.push((*id, after));
            }
        }
    }
    if changes.is_empty() {
        return Ok(unchanged!("no notes of a pitch overlap"));
    }
    song.change_notes_only(changes.clone())?;
    Ok(repair::reply(song, "overlapping", &changes))
}
