//! `bend`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Bend, Song};

/// A bend that is off its centre when the next note begins.
#[fcp_lint(weight = 40)]
pub fn bend(song: &Song, _id: Id<Bend>, bend: &Bend) -> Option<String> {
    if bend.value == 0 {
        return None;
    }
    let behind = (bend.at, bend.mark.pos, bend.mark.seq);
    let notes = song.notes.index().time.range(bend.chunk, bend.at, u64::MAX);
    let mut notes = notes.filter(|(_, spot)| !spot.off);
    // What is bent as it begins is meant to be; what begins later was likely not.
    let note = notes.find_map(|(key, spot)| {
        let note = song.notes.get(Id::new(spot.id))?;
        (key.tick > bend.at && note.channel == bend.channel).then_some(note)
    })?;
    let bends = song.bends.index().range(bend.chunk, bend.at, note.at);
    let mut bends = bends.filter(|(key, _)| (key.tick, key.pos, key.seq) > behind);
    let is_over = bends.any(|(_, spot)| {
        let other = song.bends.get(Id::new(spot.id));
        other.is_some_and(|other| other.channel == bend.channel)
    });
    if is_over {
        return None;
    }
    let (on, pitch) = (lines::name(song, bend.track), lines::pitch(song, note));
    let (from, at) = (
        song.shown(bend.chunk, bend.at),
        song.shown(note.chunk, note.at),
    );
    Some(format!(
        "{on}: bend {} of {from} still holds for {pitch} at {at}",
        bend.value
    ))
}
