//! `fix offs`

use std::collections::BTreeSet;

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{IsKind, Rank, RawEvent, Song, Track};
use crate::resolve::any_rows::AnyRows;

/// Remove note-offs that end no note.
///
/// ```fcp
/// # track add Keys
/// # note Keys C4
/// fix offs
/// > = every note-off ends a note
/// ```
#[fcp_verb(category = "Song", deletes)]
pub fn fix_offs(
    song: &mut Song,
    /// The tracks, or rows of them, to check; all if left out.
    #[fcp(positional)]
    rows: Option<AnyRows>,
) -> Result<Reply> {
    let spots = song.others.index().time.iter();
    let strays = spots.filter(|(_, spot)| spot.rank == Rank::Off);
    let mut ids: Vec<u32> = strays.map(|(_, spot)| spot.id).collect();
    if let Some(rows) = &rows {
        let (mut tracks, mut chosen) = (BTreeSet::new(), BTreeSet::new());
        for row in rows.0.iter() {
            if row.is::<Track>() {
                tracks.insert(row.id());
            } else if row.is::<RawEvent>() {
                chosen.insert(row.id());
            }
        }
        ids.retain(|id| {
            let track = song.others.get(Id::new(*id)).and_then(|row| row.track);
            chosen.contains(id) || track.is_some_and(|track| tracks.contains(&track.number()))
        });
    }
    for id in &ids {
        let row = song.others.need(Id::new(*id))?;
        song.writable(row.chunk)?;
        song.others.remove(Id::new(*id));
    }
    if ids.is_empty() {
        return Ok(unchanged!("every note-off ends a note"));
    }
    let n = count(ids.len(), "note-off");
    Ok(removed!("Removed {n} that ended no note"))
}
