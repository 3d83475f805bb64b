//! What SQL has beside SQLite's functions: pitches by name, and places as ticks.

use std::sync::Arc;

use fcp::domain::SqlFunction;
use fcp::prelude::*;
use fcp::value::Cell;

use crate::clock::MeterMap;
use crate::model::{LAST_TICK, Song};
use crate::values::{Base, Pitch, PitchWord, Place, Pos};

/// The functions for a song as it is.
pub fn functions(song: &Song) -> Vec<SqlFunction> {
    let chunk = song.first_chunk().filter(|_| song.has_bars());
    let bars: Option<Arc<MeterMap>> = chunk.map(|chunk| song.bars(chunk));
    vec![
        SqlFunction {
            name: "pitch",
            args: 1,
            doc: "pitch('C4'): the number of a pitch, 60",
            call: Box::new(|cells| {
                let Some(word) = cells.first().and_then(Cell::word) else {
                    return Ok(Cell::Null);
                };
                let pitch = PitchWord::parse(&word).map_err(|error| error.about(&word))?;
                Ok(Cell::Integer(i64::from(u8::from(pitch.pitch))))
            }),
        },
        SqlFunction {
            name: "pitch_name",
            args: 1,
            doc: "pitch_name(60): the name of a pitch, 'C4'",
            call: Box::new(|cells| {
                let Some(word) = cells.first().and_then(Cell::word) else {
                    return Ok(Cell::Null);
                };
                let number = word.parse::<u8>().ok().and_then(Pitch::new);
                let pitch = number.ok_or_else(|| format!("{word} is no pitch, 0 to 127"))?;
                Ok(Cell::Text(pitch.name_sharp()))
            }),
        },
        SqlFunction {
            name: "tick",
            args: 1,
            doc: "tick('9.1'): the tick of a place, bar.beat.sub",
            call: Box::new(move |cells| {
                let Some(word) = cells.first().and_then(Cell::word) else {
                    return Ok(Cell::Null);
                };
                let pos = Pos::parse(&word).map_err(|error| error.about(&word))?;
                let tick = match (&pos.base, &pos.shift, &bars) {
                    (Base::Tick(tick), None, _) => Some(u64::from(*tick)),
                    (Base::Place(place), None, Some(bars)) => tick_of(bars, *place),
                    (Base::Place(_), None, None) => {
                        return Err("this file counts SMPTE frames, so it has no bars".to_owned());
                    }
                    _ => {
                        return Err(format!(
                            "{word} is no bar and beat: tick('9.1'), tick('9.1.240')"
                        ));
                    }
                };
                let tick = tick.ok_or_else(|| format!("there is no place {word} in this song"))?;
                Ok(Cell::Integer(super::placed::whole(tick)))
            }),
        },
    ]
}

/// The tick of a bar and beat, if the bar has that beat.
fn tick_of(bars: &MeterMap, place: Place) -> Option<u64> {
    let (start, length) = (
        bars.bar(place.bar.into()),
        bars.bar_length(place.bar.into()),
    );
    let beat = bars.at(start).beat;
    let into = (u64::from(place.beat.unwrap_or(1)) - 1).saturating_mul(beat);
    let sub = u64::from(place.ticks.unwrap_or(0));
    let inside = (into < length || into == 0) && (sub < beat || sub == 0);
    let tick = start.saturating_add(into).saturating_add(sub);
    (inside && tick <= LAST_TICK).then_some(tick)
}
