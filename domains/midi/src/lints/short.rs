//! `short`

use fcp::op::{OpWord, ParsedOp};
use fcp::prelude::*;
use fcp::reply::count;

use crate::model::Song;
use crate::values::{Base, Dur, Place, Pos, Span};

/// A place a few ticks after a beat, perhaps meant as a part of the beat.
#[fcp_lint(weight = -10)]
pub fn short(song: &Song, op: &ParsedOp<'_>) -> Option<String> {
    let place = op.words.iter().find_map(|word| {
        let text: &str = match word {
            OpWord::Param(param) => &param.value,
            OpWord::Selector(selector) if matches!(&*selector.kind, "range" | "bar") => {
                &selector.value
            }
            _ => return None,
        };
        // Only places with ticks have two dots, and few ops have one.
        if text.matches('.').count() < 2 {
            return None;
        }
        let span = Span::parse(text).ok()?;
        [span.from(), span.to()].into_iter().find_map(few)
    })?;
    let ticks = place.ticks?;
    let chunk = song.first_chunk().unwrap_or(Id::new(0));
    let start = song.pos_tick(&Pos::bar(place.bar)?, chunk, None).ok()?;
    let meter = song.bars(chunk).at(start);
    let half = Dur::note(1, u32::try_from(meter.unit.checked_mul(2)?).ok()?)?;
    let (bar, beat) = (place.bar, place.beat.unwrap_or(1));
    let ticks = count(ticks, "tick");
    Some(format!(
        "{place} is {ticks}; half a beat is {bar}.{beat}+{half}"
    ))
}

/// The place of a position that is a few ticks after a beat.
fn few(pos: &Pos) -> Option<Place> {
    let Base::Place(place) = pos.base else {
        return None;
    };
    let is_few = place.ticks.is_some_and(|ticks| (1..=9).contains(&ticks));
    is_few.then_some(place)
}
