//! `tempo`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Rank, Song, Tempo, Track};
use crate::values::{Bpm, Pos};

/// Set the tempo from a place on. Events stay where they are.
///
/// ```fcp
/// tempo 96
/// > * Tempo 120 -> 96 at 1.1
/// tempo 140 at:5
/// > + Tempo 140 at 5.1
/// add tempo 140 at:5
/// > = Tempo is 140 at 5.1 already
/// ```
#[fcp_verb(category = "Song", alias = "add tempo")]
pub fn tempo(
    song: &mut Song,
    /// Quarter notes a minute.
    #[fcp(positional)]
    bpm: Bpm,
    /// Where; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so a tempo would change nothing");
    }
    let chunk = song.score(on.as_ref())?;
    let tick = song.song_tick(at.as_ref(), chunk)?;
    let micros = bpm.micros();
    let place = lines::spot(song, chunk, tick);
    let there = song.holds_at(&song.tempos.index().time, chunk, tick);
    match there {
        Some(id) => {
            let before = lines::bpm(song.tempos.need(id)?.micros);
            song.writable(song.tempos.need(id)?.chunk)?;
            Ok(
                if song
                    .tempos
                    .modify(id, |row: &mut Tempo| row.micros = micros)
                {
                    changed!("Tempo {before} -> {bpm} {place}")
                } else {
                    unchanged!("Tempo is {bpm} {place} already")
                },
            )
        }
        None => {
            let mark = song.place(chunk, tick, Rank::Song, None);
            song.tempos.insert(Tempo {
                chunk,
                at: tick,
                micros,
                mark,
            });
            Ok(created!("Tempo {bpm} {place}"))
        }
    }
}
