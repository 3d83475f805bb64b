//! `ramp tempo`

use std::collections::HashMap;

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::rows::ramp;
use crate::model::{Rank, Song, Tempo, Track};
use crate::values::{Bpm, Curve, Dur, Pos};

/// Change the tempo gradually: a ritardando, an accelerando.
///
/// ```fcp
/// # tempo 96
/// ramp tempo from:96 to:72 at:8.3 until:9 step:e
/// > + Ramp tempo 96 to 72 from 8.3 to 9.1 (4 points)
/// ```
#[fcp_verb(category = "Song")]
pub fn ramp_tempo(
    song: &mut Song,
    /// The tempo at the start.
    from: Bpm,
    /// The tempo at the end.
    to: Bpm,
    /// Its start.
    at: Spanned<Pos>,
    /// Its end.
    until: Spanned<Pos>,
    /// The curve in between.
    #[fcp(default = Curve::Lin)]
    curve: Curve,
    /// The distance of the points; a sixteenth if left out.
    step: Option<Spanned<Dur>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so a tempo would change nothing");
    }
    let chunk = song.score(on.as_ref())?;
    let start = song.song_tick(Some(&at), chunk)?;
    let (start, end) = ramp::ends(song, chunk, start, &until)?;
    let ticks = ramp::ticks(song, chunk, start, end, step.as_ref())?;
    let spots = song.tempos.index().time.iter();
    let replaced: Vec<Id<Tempo>> = spots
        .filter(|(key, _)| {
            let tick = key.tick;
            (start..=end).contains(&tick) && song.shares(chunk, Id::new(key.chunk))
        })
        .map(|(_, spot)| Id::new(spot.id))
        .collect();
    let mut gone = HashMap::new();
    for id in replaced {
        song.writable(song.tempos.need(id)?.chunk)?;
        if let Some(row) = song.tempos.remove(id) {
            gone.insert((row.at, row.micros), (id, row));
        }
    }
    let mut points = 0_usize;
    // A default tempo is no longer in effect once a tempo is set before it.
    let holds = |row: &Tempo| row.at <= start && song.shares(chunk, row.chunk);
    let is_set = song.tempos.iter().any(|(_, row)| holds(row));
    let mut written = is_set.then(|| song.tempo_map(chunk).micros(start));
    for tick in ticks {
        // Linear in beats per minute, which is heard as even.
        let bpm = curve.between(from.to_f64(), to.to_f64(), tick - start, end - start);
        let Some(micros) = Bpm::near(bpm).map(Bpm::micros) else {
            continue;
        };
        if written != Some(micros) {
            match gone.remove(&(tick, micros)) {
                Some((id, row)) => song.tempos.resume(id, row),
                None => {
                    let mark = song.place(chunk, tick, Rank::Song, None);
                    song.tempos.insert(Tempo {
                        chunk,
                        at: tick,
                        micros,
                        mark,
                    })
                }
            };
            (written, points) = (Some(micros), points + 1);
        }
    }
    let (start, end) = (song.shown(chunk, start), song.shown(chunk, end));
    let points = count(points, "point");
    Ok(created!(
        "Ramp tempo {from} to {to} from {start} to {end} ({points})"
    ))
}
