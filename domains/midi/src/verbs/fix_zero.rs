//! `fix zero`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::notes::repair;
use crate::model::{Note, Song};

/// Remove notes of no length.
///
/// ```fcp
/// # track add Keys
/// # note Keys C4
/// fix zero
/// > = every note has a length
/// ```
#[fcp_verb(category = "Song", deletes)]
pub fn fix_zero(
    song: &mut Song,
    /// The notes to check; all if left out.
    notes: Option<Selection<Note>>,
) -> Result<Reply> {
    let chosen = repair::chosen(notes.as_ref());
    let found = song
        .notes
        .iter()
        .filter(|(id, note)| note.dur == Some(0) && repair::is_chosen(chosen.as_ref(), *id));
    let found: Vec<_> = found.map(|(id, note)| (id, note.chunk)).collect();
    for (id, chunk) in &found {
        song.writable(*chunk)?;
        song.notes.remove(*id);
    }
    if found.is_empty() {
        return Ok(unchanged!("every note has a length"));
    }
    let n = count(found.len(), "note");
    Ok(removed!("Removed {n} of no length"))
}
