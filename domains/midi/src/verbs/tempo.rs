//! `tempo`

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{Chunk, Rank, Song, Tempo, Track};
use crate::values::{Bpm, Dur, Frac, Pos};

/// Set the tempo from a place on. Events stay where they are.
///
/// ```fcp
/// tempo 96
/// > * Tempo 120 -> 96 at 1.1
/// tempo 140 at:5
/// > + Tempo 140 at 5.1
/// add tempo 140 at:5
/// > = Tempo is 140 at 5.1 already
/// tempo 60 at:9 beat:q.
/// > + Tempo 90 at 9.1
/// tempo 999 beat:w
/// > ! 999 in beats of w is beyond 4 to 999.999 quarters a minute
/// >   try: tempo 249.999 beat:w
/// ```
#[fcp_verb(category = "Song", alias = "add tempo")]
pub fn tempo(
    song: &mut Song,
    /// Quarter notes a minute.
    #[fcp(positional)]
    bpm: Spanned<Bpm>,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The note value that is counted, if not a quarter: `q.` for dotted quarters.
    beat: Option<Spanned<Dur>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so a tempo would change nothing");
    }
    let chunk = song.score(on.as_ref())?;
    let tick = song.song_tick(at.as_ref(), chunk)?;
    let micros = match &beat {
        None => bpm.get().micros(),
        Some(beat) => counted(song, chunk, tick, &bpm, beat)?,
    };
    let bpm = row_line::bpm(micros);
    let place = row_line::spot(song, chunk, tick);
    let there = song.holds_at(song.tempos.index(), chunk, tick);
    match there {
        Some(id) => {
            let before = row_line::bpm(song.tempos.need(id)?.micros);
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

/// Microseconds per quarter for a tempo in another note value.
fn counted(
    song: &Song,
    chunk: Id<Chunk>,
    tick: u64,
    bpm: &Spanned<Bpm>,
    beat: &Spanned<Dur>,
) -> Result<u32> {
    let length = song.period(beat, chunk, Frac::of_tick(tick))?;
    let part = length.over(Frac::of_tick(u64::from(song.ppqn()) * 4));
    let micros = part.and_then(|part| bpm.get().micros_of(part));
    micros.ok_or_else(|| {
        let near = part.and_then(|part| bpm.get().fitting(part));
        let problem = "is beyond 4 to 999.999 quarters a minute";
        match near {
            Some(near) => {
                let problem = format!("in beats of {} {problem}", beat.get());
                bpm.wrong(ValueError::new(problem).fix(near.to_string()))
            }
            None => beat.wrong(ValueError::new(problem).fix("q")),
        }
    })
}
