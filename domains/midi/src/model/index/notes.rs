//! Index of a song's notes: by the order of the file, and by pitch.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use super::by_kind::count;
use super::event_places::Timeline;
use super::flaws::{Flaws, Voice};
use super::pitches::Pitches;
use crate::model::rows::kinds::{Chunk, Note, Track};
use crate::model::song::Song;
use crate::values::{Channel, Pitch};

/// The notes in the order of the file, and by pitch.
#[derive(Debug, Default)]
pub struct NoteIndex {
    /// Note-ons and note-offs in the order of the file.
    pub time: Timeline,
    /// By pitch; built on demand.
    pitches: OnceCell<Pitches>,
    /// Number of notes, by track id and channel.
    counts: BTreeMap<(u32, u8), usize>,
    /// Number of notes, by chunk, channel and pitch.
    played: FxHashMap<(u32, u8, u8), usize>,
    /// Number of notes shorter than each power of two of ticks, by the power; notes without an end
    /// are not counted.
    lengths: Lengths,
    /// Flaws of notes, evaluated on demand.
    pub(in crate::model) flaws: RefCell<Flaws>,
    missed: Missed,
}

/// Parts that an index no longer keeps up to date; it drops its pitches.
#[derive(Clone, Copy, Debug, Default)]
struct Missed {
    places: bool,
    counts: bool,
    played: bool,
}

impl Missed {
    const ALL: Self = Self {
        places: true,
        counts: true,
        played: true,
    };
}

/// A count for each bit length of a note length.
#[derive(Debug, PartialEq, Eq)]
struct Lengths([usize; 65]);

impl Default for Lengths {
    fn default() -> Self {
        Self([0; 65])
    }
}

impl Lengths {
    fn count(&mut self, dur: Option<u64>, step: isize) {
        let bits = dur.map(|dur| 64 - dur.leading_zeros());
        let count = bits.and_then(|bits| self.0.get_mut(usize::try_from(bits).ok()?));
        if let Some(count) = count {
            *count = count.saturating_add_signed(step);
        }
    }

    /// An upper bound of the lengths of notes with an end.
    fn longest(&self) -> u64 {
        let bits = self.0.iter().rposition(|count| *count > 0).unwrap_or(0);
        1_u64
            .checked_shl(u32::try_from(bits).unwrap_or(64))
            .unwrap_or(u64::MAX)
    }
}

impl NoteIndex {
    /// An upper bound of the lengths of notes with an end.
    #[must_use]
    pub fn longest(&self) -> u64 {
        self.lengths.longest()
    }

    /// Whether any note has an end.
    #[must_use]
    pub fn has_ends(&self) -> bool {
        self.lengths.0.iter().any(|count| *count > 0)
    }

    /// Number of notes of one pitch in a chunk and on a channel.
    #[must_use]
    pub fn played(&self, chunk: Id<Chunk>, channel: Channel, pitch: Pitch) -> usize {
        let voice = (chunk.number(), channel.get(), pitch.get());
        self.played.get(&voice).copied().unwrap_or(0)
    }

    /// The key of counts: track and channel.
    const fn part(note: &Note) -> (u32, u8) {
        (note.track.number(), note.channel.get())
    }

    /// Records that a note was added or removed.
    fn touch(&mut self, voice: Voice, track: Id<Track>) {
        let events = self.time.len();
        self.flaws.get_mut().touch(voice, track, events / 2);
    }

    /// The notes by pitch.
    fn pitches(&self, notes: &Table<Note>) -> &Pitches {
        self.pitches.get_or_init(|| Pitches::of(notes.iter()))
    }

    /// Number of notes of a track.
    #[must_use]
    pub fn count(&self, track: Id<Track>) -> usize {
        let track = track.number();
        let own = self.counts.range((track, 0)..=(track, u8::MAX));
        own.map(|(_, count)| count).sum()
    }

    /// Whether a track has notes on a channel.
    #[must_use]
    pub fn plays(&self, track: Id<Track>, channel: Channel) -> bool {
        self.counts.contains_key(&(track.number(), channel.get()))
    }

    /// The channels with notes of a track.
    pub fn channels(&self, track: Id<Track>) -> impl Iterator<Item = Channel> {
        let track = track.number();
        let own = self.counts.range((track, 0)..=(track, u8::MAX));
        own.filter_map(|((_, channel), _)| Channel::new(*channel))
    }

    /// All channels with notes; a channel used by several tracks is repeated.
    pub fn all_channels(&self) -> impl Iterator<Item = Channel> {
        self.counts.keys().filter_map(|(_, own)| Channel::new(*own))
    }
}

impl RowIndex<Note> for NoteIndex {
    fn of<'r>(rows: impl Iterator<Item = (Id<Note>, &'r Note)> + Clone) -> Self {
        let mut played = FxHashMap::default();
        let pitches = Pitches::counted(rows.clone(), |voice, count| {
            played.insert(voice, count);
        });
        let new = Self {
            missed: Missed {
                played: false,
                ..Missed::ALL
            },
            played,
            // A song that was just read is about to be edited.
            pitches: OnceCell::from(pitches),
            ..Self::default()
        };
        new.renewed(rows)
    }
    fn renewed<'r>(self, rows: impl Iterator<Item = (Id<Note>, &'r Note)> + Clone) -> Self {
        let mut new = self;
        let Missed {
            places,
            counts,
            played,
        } = std::mem::take(&mut new.missed);
        new.flaws = RefCell::default();
        if counts {
            (new.counts, new.lengths) = (BTreeMap::default(), Lengths::default());
            for (_, row) in rows.clone() {
                count(&mut new.counts, Self::part(row), 1);
                new.lengths.count(row.dur, 1);
            }
        }
        if played {
            new.played.clear();
            for (id, row) in rows.clone() {
                count_played(&mut new.played, Pitches::entry(id, row), 1);
            }
        }
        if places {
            new.time = Timeline::of(rows);
        }
        new
    }
    fn miss(&mut self, before: Option<&Note>, after: Option<&Note>) {
        let (Some(before), Some(after)) = (before, after) else {
            self.missed = Missed::ALL;
            self.pitches.take();
            return;
        };
        let voice = |note: &Note| (note.chunk, note.channel, note.pitch);
        self.missed.played |= voice(before) != voice(after);
        if self.missed.played || before.at != after.at {
            self.pitches.take();
        }
        self.missed.places |= Timeline::tells_apart(before, after);
        let counted = |note: &Note| (Self::part(note), note.dur);
        self.missed.counts |= counted(before) != counted(after);
    }
    fn tells_apart(before: &Note, after: &Note) -> bool {
        let is_same = (before.track, before.channel, before.pitch)
            == (after.track, after.channel, after.pitch)
            && !Timeline::tells_apart(before, after);
        !is_same
    }
    fn insert(&mut self, id: Id<Note>, row: &Note) {
        self.time.insert(id, row);
        let entry = Pitches::entry(id, row);
        if let Some(pitches) = self.pitches.get_mut() {
            pitches.insert(entry);
        }
        count(&mut self.counts, Self::part(row), 1);
        count_played(&mut self.played, entry, 1);
        self.lengths.count(row.dur, 1);
        self.touch(entry, row.track);
    }
    fn remove(&mut self, id: Id<Note>, row: &Note) {
        self.time.remove(id, row);
        let entry = Pitches::entry(id, row);
        if let Some(pitches) = self.pitches.get_mut() {
            pitches.remove(entry);
        }
        count(&mut self.counts, Self::part(row), -1);
        count_played(&mut self.played, entry, -1);
        self.lengths.count(row.dur, -1);
        self.touch(entry, row.track);
    }
    fn change(&mut self, id: Id<Note>, before: &Note, after: &Note) {
        self.time.change(id, before, after);
        let entries = (Pitches::entry(id, before), Pitches::entry(id, after));
        if entries.0 != entries.1 {
            count_played(&mut self.played, entries.0, -1);
            count_played(&mut self.played, entries.1, 1);
            if let Some(pitches) = self.pitches.get_mut() {
                pitches.remove(entries.0);
                pitches.insert(entries.1);
            }
        }
        let parts = (Self::part(before), Self::part(after));
        if parts.0 != parts.1 {
            count(&mut self.counts, parts.0, -1);
            count(&mut self.counts, parts.1, 1);
        }
        self.lengths.count(before.dur, -1);
        self.lengths.count(after.dur, 1);
        self.touch(entries.0, before.track);
        self.touch(entries.1, after.track);
    }
    fn agrees(&self, other: &Self) -> bool {
        let pitches = self.pitches.get().zip(other.pitches.get());
        self.time == other.time
            && self.counts == other.counts
            && self.played == other.played
            && self.lengths == other.lengths
            && pitches.is_none_or(|(own, other)| own == other)
    }
}

/// Adds `step` to the number of notes of a pitch.
fn count_played(played: &mut FxHashMap<(u32, u8, u8), usize>, voice: Voice, step: isize) {
    let voice = (voice.0, voice.1, voice.2);
    let count = played.entry(voice).or_default();
    *count = count.saturating_add_signed(step);
    if *count == 0 {
        played.remove(&voice);
    }
}

impl Song {
    /// The notes by pitch.
    #[must_use]
    pub fn pitches(&self) -> &Pitches {
        self.notes.index().pitches(&self.notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::edit::refused_overlaps::tests::song;
    use crate::model::{Song, SongEvent};

    /// Enough for an unused index to stop updating.
    const NOTES: u64 = 4000;

    /// Checks that the index equals one built from the rows.
    fn check(song: &Song, what: &str) {
        let fresh = NoteIndex::of(song.notes.iter());
        assert!(song.notes.index().agrees(&fresh), "{what}");
        assert_eq!(
            *song.pitches(),
            Pitches::of(song.notes.iter()),
            "{what}, by pitch"
        );
    }

    #[test]
    fn an_index_that_follows_no_more_is_made_as_it_should_be() {
        let notes: Vec<(u8, u64, u64)> = (0..NOTES)
            .map(|n| (40 + (n % 7) as u8, n * 10, 5))
            .collect();
        let mut song = song(&notes);
        song.drain();
        let changes: [fn(&mut Note); 4] = [
            |note| note.velocity = crate::values::Velocity::new(1).unwrap(),
            |note| note.pitch = note.pitch.shifted(12).unwrap(),
            |note| note.at += 3,
            |note| (note.dur, note.off) = (Some(2), 1),
        ];
        let ids: Vec<Id<Note>> = song.notes.iter().map(|(id, _)| id).collect();
        let mut done: Vec<Vec<SongEvent>> = Vec::new();
        for (ix, change) in changes.into_iter().enumerate() {
            check(&song, "before");
            // More changes than an unused index follows, some of them to the same note.
            for id in ids[..3000].iter().chain(&ids[..20]) {
                song.notes.modify(*id, change);
            }
            check(&song, &format!("change {ix}"));
            done.push(song.drain());
        }
        for id in &ids[..2500] {
            song.notes.remove(*id);
        }
        check(&song, "removed");
        done.push(song.drain());
        for events in done.iter().rev() {
            events.iter().rev().for_each(|event| song.reverse(event));
            check(&song, "taken back");
        }
        for events in &done {
            events.iter().for_each(|event| song.replay(event));
            check(&song, "done again");
        }
    }
}
