//! Common parts of warnings, and the rows whose warnings depend on a change.

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::model::{
    Chunk, IsKind, KeyChange, MeterChange, Note, Program, Song, SongEvent, Track, row_of,
};
use crate::values::{Channel, Pitch};

/// The most other tracks to check for one.
const MOST: usize = 64;

/// With at least this many changes, and more than this fraction of the notes, all notes are
/// checked.
const ALL: usize = 1024;
const PART: usize = 8;

/// Cost, in checks of notes, of finding one of a track that shares its chunk.
const FAR: usize = 64;

/// Number of notes to go back for a note of a track among others that share its chunk.
const LOOK_BACK: usize = 512;

/// The tracks that sound together with one.
pub fn other_tracks(song: &Song, id: Id<Track>) -> impl Iterator<Item = (Id<Track>, &Track)> {
    let others = song.ordered().filter(move |(other, _)| *other != id);
    let alone = song.is_patterns();
    others.filter(move |_| !alone).take(MOST)
}

/// The earlier notes of a track that warnings about the time from a tick on may depend on: the last
/// to start at or before it, the last to start before it, and the last to end.
fn notes_before(song: &Song, id: Id<Track>, tick: u64) -> impl Iterator<Item = Id<Note>> + use<> {
    let Some(track) = song.tracks.get(id) else {
        return [None; 3].into_iter().flatten();
    };
    let (mut within, mut before, mut ended) = (None, None, None);
    let spots = song.notes.index().time.back_from(track.chunk, tick);
    let mut looked = 0;
    for (key, spot) in spots.take(LOOK_BACK) {
        looked += 1;
        let note = Id::new(spot.id);
        if song.notes.get(note).is_none_or(|note| note.track != id) {
            continue;
        }
        if spot.off {
            ended.get_or_insert(note);
        } else {
            within.get_or_insert(note);
            if key.tick < tick {
                before.get_or_insert(note);
            }
        }
        if before.is_some() && ended.is_some() {
            break;
        }
    }
    if looked == LOOK_BACK
        && (before.is_none() || ended.is_none())
        && let Some(channel) = track.channel
    {
        // In a shared chunk a track is a channel, and many notes of others may come between.
        [within, before, ended] = far_before(song, track.chunk, channel, tick);
    }
    [within, before, ended].into_iter().flatten()
}

/// The same three notes of a channel, found pitch by pitch: the last to start at or before a tick
/// and before it, and the last to end.
fn far_before(song: &Song, chunk: Id<Chunk>, channel: Channel, tick: u64) -> [Option<Id<Note>>; 3] {
    let notes = song.pitches();
    let onset = |id: &Id<Note>| song.notes.get(*id).map(Note::onset);
    let end = |id: &Id<Note>| {
        let note = song.notes.get(*id)?;
        Some(note.at.saturating_add(note.dur?)).filter(|end| *end <= tick)
    };
    let within = notes.lasts(chunk, channel, tick.saturating_add(1));
    let before = notes.lasts(chunk, channel, tick);
    let pitches = (0..128).filter_map(Pitch::new);
    // Notes of a pitch end in the order they start, except those of one onset.
    let ended = pitches.filter_map(|pitch| {
        let started = notes.before(chunk, channel, pitch, tick.saturating_add(1));
        started.take(LOOK_BACK).find(|id| end(id).is_some())
    });
    [
        within.max_by_key(onset),
        before.max_by_key(onset),
        ended.max_by_key(end),
    ]
}

/// A range of ticks.
type Span = (u64, u64);

/// Merges adjacent spans, which are in order, into `(from, to, count)`.
fn runs(spans: &[Span]) -> Vec<(u64, u64, usize)> {
    let mut runs: Vec<(u64, u64, usize)> = Vec::new();
    for (from, to) in spans {
        match runs.last_mut() {
            Some((_, end, count)) if *from <= *end => {
                *end = (*end).max(*to);
                *count += 1;
            }
            _ => runs.push((*from, *to, 1)),
        }
    }
    runs
}

/// Whether a note or bend was added, removed, or has another time.
fn moves(change: &SongEvent) -> bool {
    match change {
        SongEvent::Notes(change) => {
            let (before, after) = change.images();
            // The order in the file decides which of several ends at a tick is the last.
            let time = |note: &Note| {
                let place = (note.chunk, note.track, note.channel);
                (place, note.at, note.dur, note.on_mark, note.off_mark)
            };
            before.map(time) != after.map(time)
        }
        SongEvent::Bends(_) => true,
        _ => false,
    }
}

impl Song {
    /// The notes and bends whose warnings depend on notes or bends that were added, removed, or
    /// have another time.
    pub(crate) fn next_to(&self, changes: &[SongEvent]) -> Vec<Row> {
        let mut rows = Vec::new();
        let most = ALL.max(self.notes.len() / PART);
        let moving = changes.iter().filter(|change| moves(change));
        let moving: Vec<&SongEvent> = moving.take(most + 1).collect();
        if moving.len() > most {
            return self.notes_and_bends();
        }
        let mut spans: BTreeMap<(Id<Chunk>, Id<Track>), Vec<Span>> = BTreeMap::new();
        for change in moving {
            match change {
                SongEvent::Notes(change) => {
                    let (before, after) = change.images();
                    for note in before.into_iter().chain(after) {
                        let end = note.dur.map_or(u64::MAX, |dur| note.at.saturating_add(dur));
                        let own = spans.entry((note.chunk, note.track)).or_default();
                        own.push((note.at, end));
                        rows.extend(self.bends_before(note.chunk, note.channel, note.at));
                    }
                }
                SongEvent::Bends(change) => {
                    let (before, after) = change.images();
                    for bend in before.into_iter().chain(after) {
                        rows.extend(self.bends_before(bend.chunk, bend.channel, bend.at));
                    }
                }
                _ => {}
            }
        }
        // In a shared chunk, many notes of other tracks come between those of one.
        let dear = match self.file.header.format {
            0 => FAR,
            _ => 1,
        };
        let ticks: usize = spans.values().map(|spans| 2 * spans.len()).sum();
        let others = self.tracks.len().saturating_sub(1).min(MOST);
        if ticks.saturating_mul(others).saturating_mul(dear) > most {
            return self.notes_and_bends();
        }
        let mut add = |id: Id<Note>| rows.push(row_of(id));
        for ((chunk, track), mut spans) in spans {
            spans.sort_unstable();
            for run in runs(&spans) {
                self.own_in(chunk, track, run).for_each(&mut add);
            }
            // Silence of other tracks depends on whether this one plays there, and on the length of
            // the song.
            let mut ticks: Vec<u64> = Vec::new();
            if other_tracks(self, track).next().is_some() {
                ticks.extend(spans.iter().flat_map(|(at, end)| [*at, *end]));
                ticks.sort_unstable();
                ticks.dedup();
            }
            for tick in ticks {
                for (other, _) in other_tracks(self, track) {
                    notes_before(self, other, tick).for_each(&mut add);
                }
            }
        }
        rows
    }

    /// All of them: checking all may be less work than searching around each change.
    fn notes_and_bends(&self) -> Vec<Row> {
        let notes = self.notes.iter();
        let notes = notes.map(|(id, _)| row_of(id));
        let bends = self.bends.iter();
        let bends = bends.map(|(id, _)| row_of(id));
        notes.chain(bends).collect()
    }

    /// The notes of a track that depend on changes in a span: those before it, and those in it.
    fn own_in(
        &self,
        chunk: Id<Chunk>,
        track: Id<Track>,
        (from, to, count): (u64, u64, usize),
    ) -> impl Iterator<Item = Id<Note>> + use<'_> {
        let spots = self.notes.index().time.range(chunk, from, to);
        let spots = spots.take(LOOK_BACK + 4 * count);
        let here = spots.filter_map(move |(_, spot)| {
            let id = Id::new(spot.id);
            let own = self.notes.get(id).is_some_and(|note| note.track == track);
            (own && spot.off).then_some(id)
        });
        notes_before(self, track, from).chain(here)
    }

    /// The last two bends of a channel up to a tick.
    fn bends_before(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        tick: u64,
    ) -> impl Iterator<Item = Row> + use<'_> {
        let before = self.bends.index().up_to(chunk, channel, tick).take(2);
        before.map(row_of)
    }

    /// The tracks whose warnings depend on changed rows: other tracks, and their programs.
    pub(crate) fn dependent_tracks(&self, touched: &[Row]) -> Vec<Row> {
        let renames = |row: &Row| row.is::<Track>() || row.is::<Program>();
        if !touched.iter().any(renames) {
            return Vec::new();
        }
        let all = self.tracks.iter();
        all.map(|(id, _)| row_of(id)).collect()
    }

    /// Whether touched rows may change how bars are counted or pitches are spelled.
    pub(crate) fn changes_names(&self, touched: &[Row]) -> bool {
        let does =
            |row: &Row| row.is::<Chunk>() || row.is::<MeterChange>() || row.is::<KeyChange>();
        touched.iter().any(does)
    }
}
