//! `invert`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Note, Song, Track};
use crate::transform;
use crate::values::Pitch;

/// Turn a melody upside down about a pitch. Drum notes stay.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q E4 G4"
/// invert @track:Keys
/// > @ Inverted 3 notes on Keys about C4
/// invert @track:Keys about:G4
/// > @ Inverted 3 notes on Keys about G4
/// ```
#[fcp_verb(category = "Shape")]
pub fn invert(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// The pitch that stays; that of the first note if left out.
    about: Option<Pitch>,
) -> Result<Reply> {
    let mut rows = transform::chosen(song, &notes)?;
    let all = rows.len();
    rows.retain(|(_, note)| !song.tracks.get(note.track).is_some_and(Track::is_drums));
    let left = match all - rows.len() {
        0 => String::new(),
        n => format!(" ({n} drum notes left)"),
    };
    let Some((_, first)) = rows.first() else {
        return Ok(unchanged!("nothing inverted{left}"));
    };
    let about = about.unwrap_or(first.pitch);
    let name = lines::pitch_name(song, first.track, about);
    let mut moving = Vec::with_capacity(rows.len());
    for (id, note) in &rows {
        let by = 2 * (i32::from(about.get()) - i32::from(note.pitch.get()));
        moving.push((*id, song.shifted(note, by)?));
    }
    let overlaps = song.repitch(&moving)?;
    Ok(bulk!(
        "Inverted {} about {name}{left}{}",
        transform::told(song, &rows),
        overlaps.told()
    ))
}
