//! `copy`

use fcp::prelude::*;

use crate::model::{NewNote, Note, Overlaps, Song, Track};
use crate::stamp::{self, Picked};
use crate::values::Pos;

/// Copy notes to another place, another track, or both.
///
/// What starts at the anchor lands on `to:`. The anchor is where `@range` starts, else where the first of the notes
/// does.
///
/// ```fcp
/// # track add Piano
/// # track add Bass
/// # note Piano C4 at:1.1
/// # note Piano E4 at:1.3
/// copy @range:1 to:3
/// > @ Copied 2 notes from 1.1 to 3.1
/// copy @track:Piano to:5 on:Bass transpose:-12
/// > @ Copied 4 notes from 1.1 to 5.1 on Bass
/// copy @pitch:C4 to:7 times:2
/// > @ Copied 2 notes from 1.1 to 7.1, 2 times
/// ```
#[fcp_verb(category = "Edit")]
pub fn copy(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// Where the anchor lands.
    to: Spanned<Pos>,
    /// The track the copies go to; their own if left out.
    on: Option<Ref<Track>>,
    /// Semitones the copies are moved by.
    #[fcp(default = Int::clamped(0))]
    transpose: Int<-127, 127>,
    /// How many copies, one behind the other.
    #[fcp(default = Int::clamped(1))]
    times: Int<1, 10_000>,
) -> Result<Reply> {
    let Picked {
        rows,
        first,
        anchor,
        period,
    } = stamp::picked(song, &notes, "copy")?;
    let chunk = first.chunk;
    let start = song.tick(&to, chunk, Some(first.track))?;
    let times = u64::try_from(times.get()).unwrap_or(1);
    stamp::bounded(rows.len(), times)?;
    let semitones = i32::try_from(transpose.get()).unwrap_or(0);
    let mut overlaps = Overlaps::default();
    for time in 0..times {
        for note in &rows {
            let at = (start + (note.at - anchor)).saturating_add(period.saturating_mul(time));
            let pitch = if semitones == 0 {
                note.pitch
            } else {
                song.shifted(note, semitones)?
            };
            let (track, channel) = match on {
                Some(on) => (
                    on.id(),
                    song.tracks.need(on.id())?.channel.unwrap_or(note.channel),
                ),
                None => (note.track, note.channel),
            };
            let new = NewNote {
                track,
                channel,
                pitch,
                at,
                ..song.like(note)
            };
            overlaps.add(song.add_note(new)?.1);
        }
    }
    let n = rows.len();
    let noun = if n == 1 { "note" } else { "notes" };
    let on = on.map_or(String::new(), |on| {
        format!(" on {}", crate::lines::name(song, on.id()))
    });
    let times = if times > 1 {
        format!(", {times} times")
    } else {
        String::new()
    };
    let (from, to) = (song.shown(chunk, anchor), song.shown(chunk, start));
    Ok(bulk!(
        "Copied {n} {noun} from {from} to {to}{on}{times}{}",
        overlaps.told()
    ))
}
