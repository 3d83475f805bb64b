//! Uniform access to the tables of a song: places and owners of rows of any kind.

use fcp::prelude::*;
use fcp::work;

use super::index::event_places::{Key as Place, Mark, Placed, Rank, Timeline};
use super::rows::kinds::{
    Chunk, ControlChange, Key, Marker, Meter, Note, Program, RawEvent, Tempo, Track,
};
use super::rows::row_ref::{IsKind, RowRef, part, row_of};
use super::rows::voice::{Aftertouch, PitchBend};
use super::rows::words::{Lyric, TextEvent};
use super::song::Song;
use crate::smf::Body;
use crate::values::Channel;

/// The new owner of a row: a track, and its channel if it has one.
pub type Owner = (Id<Track>, Option<Channel>);

/// A row of one event, which can be moved.
trait Single: Placed {
    /// Its place.
    fn spot(&mut self) -> Spot<'_>;
    /// Its owner.
    fn owner(&mut self) -> Owned<'_>;

    /// Moves it to a place, with its spelling.
    fn put(&mut self, chunk: Id<Chunk>, at: u64, mark: Mark) {
        let spot = self.spot();
        let mark = mark.spelled_as(*spot.mark);
        (*spot.chunk, *spot.at, *spot.mark) = (chunk, at, mark);
    }

    /// Gives it to a track. Song rows stay with the song.
    fn give(&mut self, (track, channel): Owner) {
        match self.owner() {
            Owned::Track(own) => *own = track,
            Owned::Either(own) => *own = own.map(|_| track),
            Owned::Song => {}
        }
        if let Some(channel) = channel {
            self.play_on(channel);
        }
    }

    /// Sets its track; `None` for the song, for rows that may belong to it.
    fn assign(&mut self, track: Option<Id<Track>>) {
        match (self.owner(), track) {
            (Owned::Track(own), Some(track)) => *own = track,
            (Owned::Either(own), track) => *own = track,
            _ => {}
        }
    }

    /// Its channel, if it has one.
    fn channel(&self) -> Option<Channel>;
    /// Changes its channel, if it has one.
    fn play_on(&mut self, channel: Channel);
}

/// The place of a row.
struct Spot<'r> {
    chunk: &'r mut Id<Chunk>,
    at: &'r mut u64,
    mark: &'r mut Mark,
}

/// The owner of a row.
enum Owned<'r> {
    Track(&'r mut Id<Track>),
    /// A track's, or the song's.
    Either(&'r mut Option<Id<Track>>),
    Song,
}

/// Rows of one event, with the rank and the owner of each kind.
macro_rules! single {
    ($($row:ty => $rank:expr, $owner:ident);* $(;)?) => {$(
        impl Placed for $row {
            fn chunk(&self) -> Id<Chunk> {
                self.chunk
            }
            fn start(&self) -> (u64, Mark, Rank) {
                let rank: fn(&$row) -> Rank = $rank;
                (self.at, self.mark, rank(self))
            }
        }

        impl Single for $row {
            fn spot(&mut self) -> Spot<'_> {
                Spot { chunk: &mut self.chunk, at: &mut self.at, mark: &mut self.mark }
            }
            $owner!();
        }
    )*};
}

/// Channel messages belong to a track and have a channel.
macro_rules! played {
    () => {
        fn owner(&mut self) -> Owned<'_> {
            Owned::Track(&mut self.track)
        }
        fn channel(&self) -> Option<Channel> {
            Some(self.channel)
        }
        fn play_on(&mut self, channel: Channel) {
            self.channel = channel;
        }
    };
}

/// Texts belong to a track or the song, and have no channel.
macro_rules! text {
    () => {
        fn owner(&mut self) -> Owned<'_> {
            Owned::Either(&mut self.track)
        }
        fn channel(&self) -> Option<Channel> {
            None
        }
        fn play_on(&mut self, _: Channel) {}
    };
}

/// Rows that apply to all tracks belong to the song.
macro_rules! shared {
    () => {
        fn owner(&mut self) -> Owned<'_> {
            Owned::Song
        }
        fn channel(&self) -> Option<Channel> {
            None
        }
        fn play_on(&mut self, _: Channel) {}
    };
}

/// Other events may be of any kind.
macro_rules! other {
    () => {
        fn owner(&mut self) -> Owned<'_> {
            Owned::Either(&mut self.track)
        }
        fn channel(&self) -> Option<Channel> {
            Self::channel(self)
        }
        fn play_on(&mut self, channel: Channel) {
            if let Body::Channel { status, .. } = &mut self.body {
                *status = *status & 0xf0 | channel.get();
            }
        }
    };
}

single! {
    ControlChange => |row| control_rank(row.number), played;
    Program => |_| Rank::Program, played;
    PitchBend => |_| Rank::Bend, played;
    Aftertouch => |_| Rank::Bend, played;
    Lyric => |_| Rank::Text, text;
    TextEvent => TextEvent::rank, text;
    Tempo => |_| Rank::Song, shared;
    Meter => |_| Rank::Song, shared;
    Key => |_| Rank::Song, shared;
    Marker => |_| Rank::Song, shared;
    RawEvent => RawEvent::rank, other;
}

/// The rank of a control change within a tick: a bank is selected before its program.
#[must_use]
pub const fn control_rank(number: u8) -> Rank {
    if matches!(number, 0 | 32) {
        Rank::Bank
    } else {
        Rank::Control
    }
}

/// Matches a row of one event and calls a macro with its table; the other kinds give a last value.
macro_rules! each_single {
    ($song:ident, $row:ident, $call:ident, $other:expr) => {
        match $song.row_ref($row) {
            Some(RowRef::Control(_)) => $call!(controls),
            Some(RowRef::Program(_)) => $call!(programs),
            Some(RowRef::Bend(_)) => $call!(bends),
            Some(RowRef::Touch(_)) => $call!(touches),
            Some(RowRef::Lyric(_)) => $call!(lyrics),
            Some(RowRef::Text(_)) => $call!(texts),
            Some(RowRef::Tempo(_)) => $call!(tempos),
            Some(RowRef::Meter(_)) => $call!(meters),
            Some(RowRef::Key(_)) => $call!(keys),
            Some(RowRef::Marker(_)) => $call!(markers),
            Some(RowRef::Raw(_)) => $call!(others),
            Some(RowRef::Chunk(_) | RowRef::Track(_) | RowRef::Note(_)) | None => $other,
        }
    };
}

impl Song {
    /// The rows of every table in the order of the file, with the index of the table.
    pub(crate) fn timelines(&self) -> [(usize, &Timeline); 12] {
        [
            (part::<Note>(), &self.notes.index().time),
            (part::<ControlChange>(), &self.controls.index().time),
            (part::<Program>(), &self.programs.index().time),
            (part::<PitchBend>(), &self.bends.index().time),
            (part::<Aftertouch>(), self.touches.index()),
            (part::<Lyric>(), self.lyrics.index()),
            (part::<TextEvent>(), self.texts.index()),
            (part::<Tempo>(), &self.tempos.index().time),
            (part::<Meter>(), &self.meters.index().time),
            (part::<Key>(), &self.keys.index().time),
            (part::<Marker>(), self.markers.index()),
            (part::<RawEvent>(), &self.others.index().time),
        ]
    }

    /// A row of one event.
    fn single(&self, row: Row) -> Option<&dyn Single> {
        Some(match self.row_ref(row)? {
            RowRef::Control(row) => row,
            RowRef::Program(row) => row,
            RowRef::Bend(row) => row,
            RowRef::Touch(row) => row,
            RowRef::Lyric(row) => row,
            RowRef::Text(row) => row,
            RowRef::Tempo(row) => row,
            RowRef::Meter(row) => row,
            RowRef::Key(row) => row,
            RowRef::Marker(row) => row,
            RowRef::Raw(row) => row,
            RowRef::Chunk(_) | RowRef::Track(_) | RowRef::Note(_) => return None,
        })
    }

    /// Changes a row of one event.
    fn alter(&mut self, row: Row, change: impl FnOnce(&mut dyn Single)) {
        macro_rules! changed {
            ($table:ident) => {
                self.$table.modify(row.of(), |row| change(row))
            };
        }
        each_single!(self, row, changed, false);
    }

    /// Whether rows of a table belong to the song, not to a track.
    #[must_use]
    pub fn is_of_song(&self, part_of_row: usize) -> bool {
        [
            part::<Tempo>(),
            part::<Meter>(),
            part::<Key>(),
            part::<Marker>(),
        ]
        .contains(&part_of_row)
    }

    /// The rows of all kinds but tracks that start in a chunk in `from..to`, with their places.
    pub fn starting(&self, chunk: Id<Chunk>, from: u64, to: u64, rows: &mut Vec<(Place, Row)>) {
        let Some(last) = to.checked_sub(1).filter(|last| *last >= from) else {
            return;
        };
        for (part, timeline) in self.timelines() {
            let starts = timeline
                .range(chunk, from, last)
                .filter(|(_, spot)| !spot.off);
            let before = rows.len();
            rows.extend(starts.map(|(key, spot)| (key, Row::new(part, spot.id))));
            let _ = work::spend(rows.len() - before);
        }
    }

    /// The row at a tick that has no place among the others yet.
    #[must_use]
    pub fn without_place(&self, chunk: Id<Chunk>, at: u64) -> Option<Row> {
        self.timelines().into_iter().find_map(|(part, timeline)| {
            // The first of all at the tick, so the others are not passed.
            let first = timeline.range(chunk, at, at);
            let mut first = first.take_while(|(key, _)| (key.pos, key.seq) == (0, 0));
            let (_, spot) = first.find(|(_, spot)| !spot.off)?;
            Some(Row::new(part, spot.id))
        })
    }

    /// The chunk of a row.
    #[must_use]
    pub fn chunk_of(&self, row: Row) -> Option<Id<Chunk>> {
        self.rows(row.part())
            .and_then(|rows| rows.parent(row.id()))
            .map(Id::new)
    }

    /// The track that a row belongs to.
    #[must_use]
    pub fn track_of(&self, row: Row) -> Option<Id<Track>> {
        let table = self.rows(row.part())?;
        let field = table.shape().field("track")?;
        table.reference(row.id(), field).map(Id::new)
    }

    /// The start of a row of any kind but a track.
    #[must_use]
    pub fn starts(&self, row: Row) -> Option<(Id<Chunk>, u64)> {
        if let Some(note) = self.row_as::<Note>(row) {
            return Some((note.chunk, note.at));
        }
        let (at, _) = self.tick_and_rank(row)?;
        Some((self.chunk_of(row)?, at))
    }

    /// The place in the file of a row of any kind but a track.
    #[must_use]
    pub fn key_of(&self, row: Row) -> Option<Place> {
        let row: &dyn Placed = match self.row_as::<Note>(row) {
            Some(note) => note,
            None => self.single(row)?,
        };
        let (tick, mark, _) = row.start();
        Some(Place {
            chunk: row.chunk().number(),
            tick,
            pos: mark.pos,
            seq: mark.seq,
        })
    }

    /// The tick and rank of a row of one event.
    #[must_use]
    pub fn tick_and_rank(&self, row: Row) -> Option<(u64, Rank)> {
        let (at, _, rank) = self.single(row)?.start();
        Some((at, rank))
    }

    /// Moves a row of one event.
    pub(crate) fn put(&mut self, row: Row, chunk: Id<Chunk>, at: u64) {
        let Some((_, rank)) = self.tick_and_rank(row) else {
            return;
        };
        let mark = self.place(chunk, at, rank, None);
        self.alter(row, |row| row.put(chunk, at, mark));
    }

    /// Moves a row of one event inside its tick, behind those of a rank.
    pub(crate) fn put_among(&mut self, row: Row, rank: Rank) {
        let Some((chunk, at)) = self.starts(row) else {
            return;
        };
        let mark = self.place(chunk, at, rank, None);
        self.alter(row, |row| row.put(chunk, at, mark));
    }

    /// Copies a row of one event, for its own track or another. Returns the copy.
    pub(crate) fn copy_row(
        &mut self,
        row: Row,
        chunk: Id<Chunk>,
        at: u64,
        owner: Option<Owner>,
    ) -> Option<Row> {
        let (_, rank) = self.tick_and_rank(row)?;
        let mark = self.place(chunk, at, rank, None);
        macro_rules! copied {
            ($table:ident) => {{
                let mut copy = self.$table.get(row.of())?.clone();
                let mark = mark.copied_from(copy.mark);
                (copy.chunk, copy.at, copy.mark) = (chunk, at, mark);
                if let Some(owner) = owner {
                    copy.give(owner);
                }
                Some(row_of(self.$table.insert(copy)))
            }};
        }
        each_single!(self, row, copied, None)
    }

    /// Moves a row of one event to a track, at a tick of its chunk.
    pub(crate) fn give_row(&mut self, row: Row, chunk: Id<Chunk>, at: u64, owner: Owner) {
        let Some((_, rank)) = self.tick_and_rank(row) else {
            return;
        };
        let mark = self.place(chunk, at, rank, None);
        self.alter(row, |row| {
            row.put(chunk, at, mark);
            row.give(owner);
        });
    }

    /// Moves a row into another chunk, at the same place.
    pub(super) fn rehome(&mut self, row: Row, chunk: Id<Chunk>) {
        if row.is::<Note>() {
            self.notes.modify(row.of(), |note| note.chunk = chunk);
            return;
        }
        self.alter(row, |row| *row.spot().chunk = chunk);
    }

    /// Sets the tick of a row of one event, and its place in that tick.
    pub(crate) fn set_place(&mut self, row: Row, (at, pos, seq): (u64, u32, u32)) {
        self.alter(row, |row| {
            let spot = row.spot();
            *spot.at = at;
            (spot.mark.pos, spot.mark.seq) = (pos, seq);
        });
    }

    /// Sets the tick of a row, and, if given, the places of its start and of a note's end in their
    /// ticks. A note keeps its length.
    pub(crate) fn set_tick_at(&mut self, row: Row, at: u64, [start, end]: [Option<(u32, u32)>; 2]) {
        let put = |mark: &mut Mark, place: Option<(u32, u32)>| {
            (mark.pos, mark.seq) = place.unwrap_or((mark.pos, mark.seq));
        };
        if row.is::<Note>() {
            self.notes.modify(row.of(), |note| {
                note.at = at;
                put(&mut note.on_mark, start);
                put(&mut note.off_mark, end);
            });
            return;
        }
        self.alter(row, |row| {
            let spot = row.spot();
            *spot.at = at;
            put(spot.mark, start);
        });
    }

    /// Moves a row of one event to a place in another chunk, at its own tick.
    pub(super) fn seat(&mut self, row: Row, chunk: Id<Chunk>, mark: Mark) {
        self.alter(row, |row| {
            let spot = row.spot();
            (*spot.chunk, *spot.mark) = (chunk, mark);
        });
    }

    /// The place and spelling of a row of one event.
    pub(super) fn mark_of(&self, row: Row) -> Option<Mark> {
        self.single(row).map(|row| row.start().1)
    }

    /// Sets the track of a row of one event; `None` for the song, for rows that may belong to it.
    pub(super) fn assign(&mut self, row: Row, track: Option<Id<Track>>) {
        self.alter(row, |row| row.assign(track));
    }

    /// Changes the channel of a row of one event, if it has one.
    pub(crate) fn put_channel(&mut self, row: Row, channel: Channel) {
        self.alter(row, |row| row.play_on(channel));
    }

    /// The channel of a row that has one.
    #[must_use]
    pub fn channel_of(&self, row: Row) -> Option<Channel> {
        match self.row_as::<Note>(row) {
            Some(note) => Some(note.channel),
            None => self.single(row)?.channel(),
        }
    }
}
