//! Finds the next note of a track.

use fcp::prelude::*;

use crate::model::{Moment, Note, Song};
use crate::values::Pitch;

/// Number of note-ons and note-offs after a note to check before looking up its channel.
const NEAR: usize = 64;

/// Number of note-ons and note-offs before a silence to check for a note that still sounds, and of
/// notes that start on one tick.
const LOOK_BACK: usize = 1024;

/// The next event after a note.
pub enum Next {
    /// Another note ends, so it sounds until then.
    Sounds,
    /// A note starts.
    Start(u64),
    /// Nothing.
    Nothing,
}

/// The next event after the end of a note on its track.
#[must_use]
pub fn next_start(song: &Song, note: &Note) -> Next {
    let own = note.ending();
    let spots = song.notes.index().time.after(note.chunk, own);
    let mut looked = 0;
    for (key, spot) in spots.take(NEAR) {
        let other = song.notes.get(Id::new(spot.id));
        if other.is_some_and(|other| other.track == note.track) {
            return match spot.off {
                true => Next::Sounds,
                false => Next::Start(key.tick),
            };
        }
        looked += 1;
    }
    match looked {
        // Only shared chunks have that many notes of other tracks, and there a track is a channel.
        NEAR => next_of_channel(song, note, own),
        _ => Next::Nothing,
    }
}

/// The next event after a place on the channel of a note.
fn next_of_channel(song: &Song, note: &Note, place: Moment) -> Next {
    let notes = song.pitches();
    let (chunk, channel) = (note.chunk, note.channel);
    let mut next: Option<u64> = None;
    for pitch in (0..128).filter_map(Pitch::new) {
        let row = |id: Id<Note>| song.notes.get(id);
        let from = |tick| notes.from(chunk, channel, pitch, tick).filter_map(row);
        let mut near = from(place.0).take(LOOK_BACK).map(Note::onset);
        let later = || from(place.0.saturating_add(1)).map(Note::onset).next();
        let start = near.find(|onset| *onset > place).or_else(later);
        next = start.map(|(at, ..)| at).into_iter().chain(next).min();
        let before = notes.before(chunk, channel, pitch, place.0.saturating_add(1));
        let mut before = before.take(LOOK_BACK).filter_map(row);
        let last = before.find(|other| other.onset() < place);
        if last.is_some_and(|last| last.ending() > place) {
            return Next::Sounds;
        }
    }
    next.map_or(Next::Nothing, Next::Start)
}

/// Whether an earlier note still sounds.
#[must_use]
pub fn sounds_on(song: &Song, note: &Note, end: u64) -> bool {
    let before = song.notes.index().time.back_from(note.chunk, end);
    let mut before = before.take(LOOK_BACK).filter(|(_, spot)| !spot.off);
    before.any(|(_, spot)| {
        let other = song.notes.get(Id::new(spot.id));
        other.is_some_and(|other| {
            let ends = other
                .dur
                .map_or(u64::MAX, |dur| other.at.saturating_add(dur));
            other.track == note.track && ends > end
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{NewNote, Release, Track};
    use crate::values::{Channel, Velocity};

    /// Reference for [`next_start`], by a scan of all later events: the start of the next note, if
    /// there is one and none sounds until then.
    fn plain(song: &Song, note: &Note, end: u64) -> Option<Option<u64>> {
        let own = (end, note.off_mark.pos, note.off_mark.seq);
        let mut spots = song.notes.index().time.iter();
        let next = spots.find(|(key, spot)| {
            let other = song.notes.get(Id::new(spot.id)).unwrap();
            (key.tick, key.pos, key.seq) > own && other.track == note.track
        });
        match next {
            Some((_, spot)) if spot.off => None,
            next => Some(next.map(|(key, _)| key.tick)),
        }
    }

    fn start_of(next: &Next) -> Option<Option<u64>> {
        match next {
            Next::Sounds => None,
            Next::Start(tick) => Some(Some(*tick)),
            Next::Nothing => Some(None),
        }
    }

    proptest! {
        #[test]
        fn the_channel_index_finds_the_next_note_of_a_track(
            notes in proptest::collection::vec((0_u8..2, 60_u8..64, 0_u64..40, 1_u64..9), 1..30),
        ) {
            let mut song = Song::default();
            let chunk = song.conductor();
            let channels = [0, 1].map(|own| Channel::new(own).unwrap());
            let tracks = channels.map(|channel| song.tracks.insert(Track {
                chunk,
                name: String::new(),
                channel: Some(channel),
            }));
            for (own, pitch, at, dur) in notes {
                song.add_note(NewNote {
                    track: tracks[usize::from(own)],
                    channel: channels[usize::from(own)],
                    pitch: Pitch::new(pitch).unwrap(),
                    at,
                    dur,
                    velocity: Velocity::new(80).unwrap(),
                    release: Release::NEUTRAL,
                })
                .unwrap();
            }
            for (_, note) in song.notes.iter() {
                let end = note.at + note.dur.unwrap();
                let place = (end, note.off_mark.pos, note.off_mark.seq);
                let silent = |next| Some(next).filter(|_| !sounds_on(&song, note, end)).flatten();
                let plain = silent(plain(&song, note, end));
                let next = start_of(&next_of_channel(&song, note, place));
                prop_assert_eq!(silent(next), plain);
                prop_assert_eq!(silent(start_of(&next_start(&song, note))), plain);
            }
        }
    }
}
