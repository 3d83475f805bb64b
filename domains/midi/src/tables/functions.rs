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
        function("pitch", "pitch('C4'): the number of a pitch, 60", |word| {
            let pitch = PitchWord::parse(word).map_err(|error| error.about(word))?;
            Ok(Cell::Integer(i64::from(u8::from(pitch.pitch))))
        }),
        function(
            "pitch_name",
            "pitch_name(60): the name of a pitch, 'C4'",
            |word| {
                let number = word.parse::<u8>().ok().and_then(Pitch::new);
                let pitch = number.ok_or_else(|| format!("{word} is not a pitch, 0 to 127"))?;
                Ok(Cell::Text(pitch.name_sharp()))
            },
        ),
        function(
            "tick",
            "tick('9.1'): the tick of a place, bar.beat.sub",
            move |word| {
                let pos = Pos::parse(word).map_err(|error| error.about(word))?;
                let tick = match (&pos.base, &pos.shift, &bars) {
                    (Base::Tick(tick), None, _) => u64::from(*tick),
                    (Base::Place(place), None, Some(bars)) => {
                        tick_in(bars, *place).map_err(|error| error.about(word))?
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
            },
        ),
    ]
}

/// A function of one argument; that of NULL is NULL.
fn function(
    name: &'static str,
    doc: &'static str,
    call: impl Fn(&str) -> Result<Cell, String> + Send + 'static,
) -> SqlFunction {
    SqlFunction {
        name,
        args: 1,
        doc,
        call: Box::new(move |cells| match cells.first().and_then(Cell::word) {
            Some(word) => call(&word),
            None => Ok(Cell::Null),
        }),
    }
}
