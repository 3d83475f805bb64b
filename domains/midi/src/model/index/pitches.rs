//! The notes of a song by pitch.

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use super::flaws::Voice;
use super::paged::Paged;
use crate::model::rows::kinds::{Chunk, Note};
use crate::values::{Channel, Pitch};

/// The notes by pitch: chunk, channel, pitch, onset, id.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pitches(Paged<Voice, ()>);

impl Pitches {
    /// The key of a note.
    pub(in crate::model) fn entry(id: Id<Note>, note: &Note) -> Voice {
        (
            note.chunk.number(),
            note.channel.get(),
            note.pitch.get(),
            note.at,
            id.number(),
        )
    }

    pub(in crate::model) fn of<'r>(rows: impl Iterator<Item = (Id<Note>, &'r Note)>) -> Self {
        Self::counted(rows, |_, _| {})
    }

    /// [`Self::of`], which also reports the number of notes of each chunk, channel and pitch.
    pub(in crate::model) fn counted<'r>(
        rows: impl Iterator<Item = (Id<Note>, &'r Note)>,
        mut count: impl FnMut((u32, u8, u8), usize),
    ) -> Self {
        // They are ordered by time, with few distinct pitches.
        let mut voices: FxHashMap<(u32, u8, u8), Vec<(u64, u32)>> = FxHashMap::default();
        for (id, row) in rows {
            let (chunk, channel, pitch, at, id) = Self::entry(id, row);
            let voice = voices.entry((chunk, channel, pitch)).or_default();
            voice.push((at, id));
        }
        let mut voices: Vec<_> = voices.into_iter().collect();
        voices.sort_unstable_by_key(|(voice, _)| *voice);
        let entries =
            voices
                .into_iter()
                .flat_map(|(voice @ (chunk, channel, pitch), mut notes)| {
                    count(voice, notes.len());
                    notes.sort();
                    let notes = notes.into_iter();
                    notes.map(move |(at, id)| ((chunk, channel, pitch, at, id), ()))
                });
        Self(Paged::of_sorted(entries))
    }

    pub(in crate::model) fn insert(&mut self, voice: Voice) {
        self.0.insert(voice, ());
    }

    pub(in crate::model) fn remove(&mut self, voice: Voice) {
        self.0.remove(&voice, &());
    }

    /// For each pitch, the first note in a chunk and on a channel that starts at `from` or later.
    pub fn nexts(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        from: u64,
    ) -> impl Iterator<Item = Id<Note>> + use<'_> {
        let pitches = (0..128).filter_map(Pitch::new);
        pitches.filter_map(move |pitch| self.from(chunk, channel, pitch, from).next())
    }

    /// For each pitch, the last note in a chunk and on a channel that starts before `to`.
    pub fn lasts(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        to: u64,
    ) -> impl Iterator<Item = Id<Note>> + use<'_> {
        let pitches = (0..128).filter_map(Pitch::new);
        pitches.filter_map(move |pitch| self.before(chunk, channel, pitch, to).next())
    }

    /// All notes by chunk, channel, pitch and onset.
    pub(in crate::model) fn voices(&self) -> impl Iterator<Item = Voice> + use<'_> {
        self.0.iter().map(|(voice, ())| voice)
    }

    /// The notes of a chunk, channel and pitch up to an onset, the latest first.
    pub(in crate::model) fn up_to(&self, voice: Voice) -> impl Iterator<Item = Voice> + use<'_> {
        let (chunk, channel, pitch, at, _) = voice;
        let range = (chunk, channel, pitch, 0, 0)..=(chunk, channel, pitch, at, u32::MAX);
        self.0.range(range).rev().map(|(voice, ())| voice)
    }

    /// The notes of a chunk, channel and pitch from an onset on, the earliest first.
    pub(in crate::model) fn since(&self, voice: Voice) -> impl Iterator<Item = Voice> + use<'_> {
        let (chunk, channel, pitch, at, _) = voice;
        let range = (chunk, channel, pitch, at, 0)..=(chunk, channel, pitch, u64::MAX, u32::MAX);
        self.0.range(range).map(|(voice, ())| voice)
    }

    /// The notes of one pitch in a chunk and on a channel that start before `to`, the latest first.
    pub fn before(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        pitch: Pitch,
        to: u64,
    ) -> impl Iterator<Item = Id<Note>> + use<'_> {
        let (chunk, channel, pitch) = (chunk.number(), channel.get(), pitch.get());
        let range = (chunk, channel, pitch, 0, 0)..(chunk, channel, pitch, to, 0);
        self.0
            .range(range)
            .rev()
            .map(|(voice, ())| Id::new(voice.4))
    }

    /// The notes of one pitch in a chunk and on a channel that start at `from` or later, the earliest first.
    pub fn from(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        pitch: Pitch,
        from: u64,
    ) -> impl Iterator<Item = Id<Note>> + use<'_> {
        let (chunk, channel, pitch) = (chunk.number(), channel.get(), pitch.get());
        let range = (chunk, channel, pitch, from, 0)..=(chunk, channel, pitch, u64::MAX, u32::MAX);
        self.0.range(range).map(|(voice, ())| Id::new(voice.4))
    }
}
