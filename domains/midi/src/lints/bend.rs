//! `bend`

use fcp::prelude::*;

use crate::model::{Note, PitchBend, Song};

/// Number of note-ons and note-offs after a bend to check before looking up its channel.
const NEAR: usize = 64;

/// A bend that is off its centre when the next note begins.
#[fcp_lint(weight = 40)]
pub fn bend(song: &Song, _id: Id<PitchBend>, bend: &PitchBend) -> Option<String> {
    if bend.value == 0 {
        return None;
    }
    let index = song.bends.index();
    let over = index.next(bend.chunk, bend.channel, bend.moment());
    let over = over.and_then(|id| Some(song.bends.get(id)?.at));
    let note = next(song, bend)?;
    if over.is_some_and(|over| over <= note.at) {
        return None;
    }
    let (on, pitch) = (song.name_of_track(bend.track), song.pitch_of(note));
    let (from, at) = (
        song.shown(bend.chunk, bend.at),
        song.shown(note.chunk, note.at),
    );
    Some(format!(
        "{on}: bend {} of {from} still holds for {pitch} at {at}",
        bend.value
    ))
}

/// The first note of its channel that starts later. A note that starts with the bend is meant to be
/// bent; a later one probably is not.
fn next<'a>(song: &'a Song, bend: &PitchBend) -> Option<&'a Note> {
    let later = bend.at.checked_add(1)?;
    let notes = song.notes.index();
    let mut looked = 0;
    for (_, spot) in notes.time.range(bend.chunk, later, u64::MAX).take(NEAR) {
        let note = song.notes.get(Id::new(spot.id)).filter(|_| !spot.off);
        let own = note.filter(|note| note.channel == bend.channel);
        if own.is_some() {
            return own;
        }
        looked += 1;
    }
    let more = (looked == NEAR).then(|| song.pitches().nexts(bend.chunk, bend.channel, later));
    let nexts = more.into_iter().flatten();
    let nexts = nexts.filter_map(|id| song.notes.get(id));
    nexts.min_by_key(|note| note.onset())
}
