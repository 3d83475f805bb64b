//! `fix duplicates`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::notes::repair;
use crate::model::{Note, Song};

/// Merge notes of a pitch and channel that start together: as long as the longest, as loud as the loudest.
///
/// ```fcp
/// # track add Keys
/// # note Keys C4
/// fix duplicates
/// > = no notes of a pitch start together
/// ```
#[fcp_verb(category = "Song", deletes)]
pub fn fix_duplicates(
    song: &mut Song,
    /// The notes to check; all if left out.
    notes: Option<Selection<Note>>,
) -> Result<Reply> {
    let chosen = repair::chosen(notes.as_ref());
    let mut kept = Vec::new();
    let mut gone = Vec::new();
    for mut voice in repair::voices(song).into_values() {
        voice.retain(|(id, _)| repair::is_chosen(chosen.as_ref(), *id));
        for twins in voice.chunk_by(|(_, one), (_, other)| one.at == other.at) {
            let [(id, first), others @ ..] = twins else {
                continue;
            };
            if others.is_empty() {
                continue;
            }
            let longest = twins.iter().filter_map(|(_, note)| note.dur).max();
            let loudest = twins.iter().map(|(_, note)| note.velocity).max();
            kept.push((
                *id,
                Note {
                    dur: longest,
                    velocity: loudest.unwrap_or(first.velocity),
                    ..first.clone()
                },
            ));
            gone.extend(others.iter().map(|(id, note)| (*id, note.chunk)));
        }
    }
    if gone.is_empty() {
        return Ok(unchanged!("no notes of a pitch start together"));
    }
    for (id, chunk) in &gone {
        song.writable(*chunk)?;
        song.notes.remove(*id);
    }
    song.change_notes_only(kept)?;
    let n = count(gone.len(), "duplicate note");
    Ok(removed!("Removed {n}"))
}
