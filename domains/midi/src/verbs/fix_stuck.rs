//! `fix stuck`

use fcp::prelude::*;

use crate::edit::notes::repair;
use crate::model::{Note, Song};
use crate::values::Until;

/// End notes that nothing ends: where the next of their pitch starts, else where their track ends.
///
/// ```fcp
/// # track add Keys
/// # note Keys C4
/// fix stuck
/// > = no note is stuck
/// ```
///
/// The end takes the form and the release velocity of the notes before it on the track.
#[fcp_verb(category = "Song")]
pub fn fix_stuck(
    song: &mut Song,
    /// The notes to check; all if left out.
    notes: Option<Selection<Note>>,
    /// `bar` ends them with their bar, `track` with their track, if no note of their pitch starts before.
    #[fcp(default = Until::Track)]
    until: Until,
) -> Result<Reply> {
    if until == Until::Bar && !song.has_bars() {
        bail!("this file counts SMPTE frames, so it has no bars");
    }
    let chosen = repair::chosen(notes.as_ref());
    let mut changes = Vec::new();
    for ((chunk, ..), voice) in repair::voices(song) {
        for (id, note) in &voice {
            if note.dur.is_some() || !repair::is_chosen(chosen.as_ref(), *id) {
                continue;
            }
            // Many notes may start at one place.
            let next = voice.get(voice.partition_point(|(_, other)| other.at <= note.at));
            let end = song.chunks.get(chunk).and_then(|chunk| chunk.end.as_ref());
            let end = end.map_or(0, |end| end.tick).max(song.last_tick(chunk));
            // A note that starts at the end of its track gets a quarter.
            let end = Some(end).filter(|end| *end > note.at);
            let end = end.unwrap_or(note.at + u64::from(song.ppqn()));
            let bar = (until == Until::Bar).then(|| song.bar_end(note.chunk, note.at));
            let end = bar.unwrap_or(end);
            let end = next.map_or(end, |(_, next)| next.at.min(bar.unwrap_or(next.at)));
            let after = Note {
                dur: Some(end - note.at),
                ..note.clone()
            };
            changes.push((*id, after));
        }
    }
    if changes.is_empty() {
        return Ok(unchanged!("no note is stuck"));
    }
    song.change_notes_only(changes.clone())?;
    Ok(repair::reply(song, "stuck", &changes))
}
