//! SQL functions for songs: pitches by name, and positions as ticks.

use std::sync::Arc;

use fcp::domain::SqlFunction;
use fcp::prelude::*;
use fcp::value::Cell;

use crate::model::Song;
use crate::resolve::position::tick_in;
use crate::time::MeterMap;
use crate::values::{Base, Pitch, PitchWord, Pos};

/// The functions for the present state of a song.
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
                let pitch = number.ok_or_else(|| format!("{word} is not a pitch, 0 to 127"))?;
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
                    (Base::Tick(tick), None, _) => u64::from(*tick),
                    (Base::Place(place), None, Some(bars)) => {
                        tick_in(bars, *place).map_err(|error| error.about(&word))?
                    }
                    (Base::Place(_), None, None) => {
                        return Err("this file counts SMPTE frames, so it has no bars".to_owned());
                    }
                    _ => {
                        return Err(format!(
                            "{word} is not a bar and beat: tick('9.1'), tick('9.1.240')"
                        ));
                    }
                };
                Ok(Cell::Integer(super::placed::whole(tick)))
            }),
        },
    ]
}
