//! `range`

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{Song, Track};
use crate::values::{Pitch, Program, sounding};

/// Notes that the instrument of their track cannot sound.
#[fcp_lint(weight = 30)]
pub fn range(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let channel = track.channel?;
    // With two instruments on a channel, the instrument of a note is not known.
    let programs = song.programs.index().of(id, channel);
    if track.is_drums() || programs.take(2).count() != 1 {
        return None;
    }
    let program = song.first_program(id).and_then(Program::new)?;
    let (low, high) = sounding(program)?;
    let notes = song.notes.index();
    let beyond = |pitches: std::ops::Range<u8>| -> usize {
        let pitches = pitches.filter_map(Pitch::new);
        let counts = pitches.map(|pitch| notes.played(track.chunk, channel, pitch));
        counts.sum()
    };
    let below = beyond(0..low.get());
    let above = beyond(high.get() + 1..128);
    let describe = |n: usize, side: &str, limit| {
        let limit = song.pitch_name(id, limit);
        (n > 0).then(|| format!("{} {side} {limit}", count(n, "note")))
    };
    let parts = [
        describe(below, "below", low),
        describe(above, "above", high),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let name = song.name_of_track(id);
    (!parts.is_empty()).then(|| format!("{name}: {}", parts.join(", ")))
}
