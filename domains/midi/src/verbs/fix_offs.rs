//! `fix offs`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Rank, Song};

/// Remove note-offs that end no note.
///
/// ```fcp
/// # track add Keys
/// # note Keys C4
/// fix offs
/// > = every note-off ends a note
/// ```
#[fcp_verb(category = "Song", deletes)]
pub fn fix_offs(song: &mut Song) -> Result<Reply> {
    let spots = song.others.index().time.iter();
    let strays = spots.filter(|(_, spot)| spot.rank == Rank::Off);
    let ids: Vec<u32> = strays.map(|(_, spot)| spot.id).collect();
    for id in &ids {
        let row = song.others.need(Id::new(*id))?;
        song.writable(row.chunk)?;
        song.others.remove(Id::new(*id));
    }
    if ids.is_empty() {
        return Ok(unchanged!("every note-off ends a note"));
    }
    let n = lines::count(ids.len(), "note-off", "note-offs");
    Ok(removed!("Removed {n} that ended no note"))
}
