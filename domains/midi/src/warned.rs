//! What warnings say alike, and which rows they hang on besides those that a change touched.

use fcp::prelude::*;

use crate::lines;
use crate::model::{Bend, Chunk, Flaw, MeterChange, Note, Program, Song, SongEvent, Track, part};
use crate::values::Channel;

/// The most tracks that are looked at for one of them.
const MOST: usize = 64;

/// So many changes at least, and more than this part of the notes, and all notes are looked at.
const ALL: usize = 1024;
const PART: usize = 8;

/// How far back a note of a track is looked for among those of others that share its chunk.
const LOOK_BACK: usize = 512;

/// `ch-2: 1 stuck note, G3 at 4.1 (fix stuck)`
pub fn flawed(
    song: &Song,
    track: Id<Track>,
    flaw: Flaw,
    [one, many]: [&str; 2],
    cure: &str,
) -> Option<String> {
    let (count, first) = song.flaws_on(flaw, track)?;
    let note = song.notes.get(first)?;
    let noun = if count == 1 { one } else { many };
    let first = if count == 1 { "" } else { "first " };
    let (on, pitch) = (lines::name(song, track), lines::pitch(song, note));
    let at = song.shown(note.chunk, note.at);
    Some(format!(
        "{on}: {count} {noun}, {first}{pitch} at {at} ({cure})"
    ))
}

/// The tracks that sound together with one.
pub fn beside(song: &Song, id: Id<Track>) -> impl Iterator<Item = (Id<Track>, &Track)> {
    let others = song.tracks.iter().filter(move |(other, _)| *other != id);
    let alone = song.is_patterns();
    others.filter(move |_| !alone).take(MOST)
}

/// The last note of a track that starts before a tick, or at it if that is `within`.
#[must_use]
fn note_before(song: &Song, id: Id<Track>, tick: u64, within: bool) -> Option<Id<Note>> {
    let chunk = song.tracks.get(id)?.chunk;
    let to = if within { tick } else { tick.checked_sub(1)? };
    let spots = song.notes.index().time.range(chunk, 0, to).rev();
    let mut notes = spots.take(LOOK_BACK).filter(|(_, spot)| !spot.off);
    notes
        .find(|(_, spot)| {
            let note = song.notes.get(Id::new(spot.id));
            note.is_some_and(|note| note.track == id)
        })
        .map(|(_, spot)| Id::new(spot.id))
}

/// Whether a note or bend came, went, or has another time.
fn moves(change: &SongEvent) -> bool {
    match change {
        SongEvent::Notes(change) => {
            let (before, after) = change.images();
            let time = |note: &Note| (note.chunk, note.track, note.channel, note.at, note.dur);
            before.map(time) != after.map(time)
        }
        SongEvent::Bends(_) => true,
        _ => false,
    }
}

impl Song {
    /// The notes and bends whose warnings hang on notes or bends that came, went, or have another time.
    pub(crate) fn next_to(&self, changes: &[SongEvent]) -> Vec<Row> {
        let mut rows = Vec::new();
        let moving = || changes.iter().filter(|change| moves(change));
        let most = ALL.max(self.notes.len() / PART);
        if changes.len() > most && moving().count() > most {
            // To look at all is less work than to look for those beside each.
            let notes = self.notes.iter();
            rows.extend(notes.map(|(id, _)| Row::new(part::<Note>(), id.number())));
            let bends = self.bends.iter();
            rows.extend(bends.map(|(id, _)| Row::new(part::<Bend>(), id.number())));
            return rows;
        }
        moving().for_each(|change| self.next_to_one(change, &mut rows));
        rows
    }

    fn next_to_one(&self, change: &SongEvent, rows: &mut Vec<Row>) {
        match change {
            SongEvent::Notes(change) => {
                let (before, after) = change.images();
                let both = before.into_iter().chain(after);
                both.for_each(|note| self.hanging_on(note, rows));
            }
            SongEvent::Bends(change) => {
                let (before, after) = change.images();
                for bend in before.into_iter().chain(after) {
                    let found = self.bend_before(bend.chunk, bend.channel, bend.at);
                    rows.extend(found);
                }
            }
            _ => {}
        }
    }

    /// The last two bends of a channel up to a tick.
    fn bend_before(&self, chunk: Id<Chunk>, channel: Channel, tick: u64) -> Vec<Row> {
        let before = self.bends.index().up_to(chunk, channel, tick);
        let rows = before.map(|id| Row::new(part::<Bend>(), id.number()));
        rows.take(2).collect()
    }

    /// The last note of its track that starts before a note, if so many of others stand between that it is not found
    /// among them.
    fn far_before(&self, note: &Note) -> Option<Id<Note>> {
        let spots = self.notes.index().time.range(note.chunk, 0, note.at);
        if spots.rev().take(LOOK_BACK).count() < LOOK_BACK {
            return None;
        }
        // Where tracks share a chunk, a track is a channel.
        let lasts = self.notes.index().lasts(note.chunk, note.channel, note.at);
        lasts.max_by_key(|id| self.notes.get(*id).map(Note::onset))
    }

    fn hanging_on(&self, note: &Note, rows: &mut Vec<Row>) {
        let end = note.at.saturating_add(note.dur.unwrap_or(0));
        let mut add = |found: Option<Id<Note>>| {
            rows.extend(found.map(|id| Row::new(part::<Note>(), id.number())));
        };
        for within in [false, true] {
            let found = note_before(self, note.track, note.at, within);
            add(found.or_else(|| self.far_before(note)));
        }
        // Where others are silent hangs on whether this plays; how long the song is, on where the last one ends.
        for (other, _) in beside(self, note.track) {
            add(note_before(self, other, end, true));
        }
        rows.extend(self.bend_before(note.chunk, note.channel, note.at));
    }

    /// The rows whose warnings hang on rows that were touched: of tracks the other tracks, of meters all behind them.
    pub(crate) fn leaning_on(&self, touched: &[Row]) -> Vec<Row> {
        let any = |part: usize| touched.iter().any(|row| row.part() == part);
        let tracks = part::<Track>();
        let meters = part::<MeterChange>();
        let mut rows = Vec::new();
        if any(tracks) || any(part::<Program>()) {
            let all = self.tracks.iter().take(MOST);
            rows.extend(all.map(|(id, _)| Row::new(tracks, id.number())));
        }
        if any(part::<Chunk>()) || any(meters) {
            let all = self.meters.iter();
            rows.extend(all.map(|(id, _)| Row::new(meters, id.number())));
        }
        rows
    }
}
