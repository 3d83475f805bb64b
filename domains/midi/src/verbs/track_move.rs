//! `track move`

use fcp::prelude::*;
use fcp::work;

use crate::edit::bars::seam_reply;
use crate::edit::tracks::setup;
use crate::model::{Song, Track, row_of};

/// The steps that a track counts.
const STEPS_A_TRACK: usize = 8;

/// Move a track among the others.
///
/// ```fcp
/// # track add Piano
/// # track add Bass
/// # track add Drums instrument:standard-kit
/// track move Drums to:1
/// > * Track Drums is number 1; Piano is 2, Bass is 3
/// track move Drums after:Piano
/// > * Track Drums is number 2; Piano is 1
/// track move Drums to:9
/// > ! to:9 is beyond the last track, number 3
/// >   try: track move Drums to:3
/// ```
#[fcp_verb(category = "Tracks", alias = "move track")]
pub fn track_move(
    song: &mut Song,
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
    /// Its new number.
    to: Option<Spanned<Int<1, 65_535>>>,
    /// The track that it comes before.
    before: Option<Ref<Track>>,
    /// The track that it comes after.
    after: Option<Ref<Track>>,
) -> Result<Reply> {
    let mut order: Vec<Id<Track>> = song.ordered().map(|(id, _)| id).collect();
    let count = order.len();
    let place = |id: Id<Track>| order.iter().position(|own| *own == id).unwrap_or(0);
    let from = place(track.id());
    // Places are counted without the moved track.
    let index_of = |other: Ref<Track>| place(other.id()) - usize::from(place(other.id()) > from);
    let target = match (&to, before, after) {
        (Some(to), None, None) => {
            let number = usize::try_from(to.get().get()).unwrap_or(1);
            if number > count {
                let problem = format!("is beyond the last track, number {count}");
                return Err(to.wrong(ValueError::new(problem).fix(count.to_string())));
            }
            number - 1
        }
        (None, Some(before), None) => index_of(before),
        (None, None, Some(after)) if after.id() == track.id() => from,
        (None, None, Some(after)) => index_of(after) + 1,
        (None, None, None) => bail!("track move needs a place"; add: "to:1"),
        _ => bail!("to:, before: and after: set the same thing; give one"),
    };
    let name = song.name_of_track(track.id());
    if target == from {
        return Ok(unchanged!("Track {name} is number {} already", from + 1));
    }
    // Many tracks may be between. The call fails at its next check.
    let _ = work::spend(STEPS_A_TRACK * order.len());
    let moved = order.remove(from);
    order.insert(target, moved);
    setup::reorder(song, &order, moved)?;
    // The tracks between move too, but the reply is not about them.
    let mut others = Vec::new();
    for (ix, id) in order.iter().enumerate() {
        let (low, high) = (from.min(target), from.max(target));
        if (low..=high).contains(&ix) && *id != moved {
            others.push(format!("{} is {}", song.name_of_track(*id), ix + 1));
        }
    }
    // Song rows move with their chunk.
    let chunk = song.tracks.need(moved)?.chunk;
    let mut rows = Vec::new();
    song.starting(chunk, 0, u64::MAX, &mut rows);
    let rows = rows.into_iter().map(|(_, row)| row);
    let rows: Vec<Row> = rows.filter(|row| song.is_of_song(row.part())).collect();
    let with = seam_reply::clause("with it", &song.counted(rows.into_iter()));
    let reply = changed!(
        "Track {name} is number {}; {}{with}",
        target + 1,
        others.join(", ")
    );
    Ok(reply.about([row_of(moved)]))
}
