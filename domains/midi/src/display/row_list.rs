//! Rows as queries list them, read on demand.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use fcp::prelude::*;
use fcp::verb::Clause;
use fcp::work;

use crate::display::event_text;
use crate::display::raw_bytes::found_bytes;
use crate::format::bodies;
use crate::model::{Chunk, Key, Lyric, Note, RawEvent, Song, Spot, TextEvent, Track, part};
use crate::parameters::{ParameterChange, ParameterIndex, rows_of};

/// Whether lines name the owners of rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Never: the query names it.
    Never,
    /// Only where the owner changes.
    Changes,
    /// For each row of a track.
    Always,
}

/// Rows listed one per line.
pub struct Listed<'a> {
    song: &'a Song,
    rows: Box<dyn Iterator<Item = Row> + 'a>,
    naming: Naming,
    /// The owner of the previous row, if there was one.
    last: Option<Option<Id<Track>>>,
    /// The parameters set by control changes, if these are listed as one row.
    grouped: Option<ParameterIndex<'a>>,
    /// Rows of listed parameters, to be skipped.
    seen: HashSet<Row>,
    /// The bytes after each row that contains them.
    sought: Option<Vec<u8>>,
}

impl<'a> Listed<'a> {
    /// Rows in the order in which they come.
    pub fn new(song: &'a Song, naming: Naming, rows: impl Iterator<Item = Row> + 'a) -> Self {
        Self {
            song,
            rows: Box::new(rows),
            naming,
            last: None,
            grouped: Some(ParameterIndex::of(song)),
            seen: HashSet::new(),
            sought: None,
        }
    }

    /// Adds to each row that contains some bytes the event that they are in. Each control change is
    /// a row of its own.
    #[must_use]
    pub fn with_bytes(mut self, sought: Option<Vec<u8>>) -> Self {
        self.grouped = self.grouped.filter(|_| sought.is_none());
        self.sought = sought;
        self
    }

    /// Adapts the list to selectors: if they name controllers, each control change is a row of its
    /// own.
    #[must_use]
    pub fn asked_by(mut self, clauses: &[Clause]) -> Self {
        if clauses.iter().any(|clause| clause.name == "cc") {
            self.grouped = None;
        }
        self
    }

    /// The next row, and the parameter that it represents.
    fn next_row(&mut self) -> Option<(Row, Option<ParameterChange>)> {
        loop {
            let row = self.rows.next()?;
            if self.seen.remove(&row) {
                continue;
            }
            let group = self.grouped.as_ref().and_then(|own| own.begun_by(row));
            self.seen.extend(group.iter().flat_map(rows_of).skip(1));
            return Some((row, group));
        }
    }

    /// Rows in the order of the file. With [`Naming::Changes`] the rows of each track are together,
    /// after those of the song.
    pub fn picked(song: &'a Song, naming: Naming, rows: impl IntoIterator<Item = Row>) -> Self {
        let tracks = song.ordered().zip(1_usize..);
        let numbers: HashMap<Id<Track>, usize> = match naming {
            Naming::Changes => tracks.map(|((id, _), n)| (id, n)).collect(),
            Naming::Never | Naming::Always => HashMap::new(),
        };
        let keyed = rows.into_iter().map(|row| {
            let track = song.track_of(row).and_then(|id| numbers.get(&id));
            let place = song.key_of(row).map(in_song);
            // Tracks are in the order of their chunks.
            let chunk = song.row_as::<Track>(row).map(|own| own.chunk);
            Reverse((track.copied(), place, row.part(), chunk, row.id()))
        });
        // Rows that no page shows need not be sorted.
        let mut heap: BinaryHeap<_> = keyed.collect();
        let next = move || {
            let Reverse((_, _, part, _, id)) = heap.pop()?;
            Some(Row::new(part, id))
        };
        Self::new(song, naming, std::iter::from_fn(next))
    }

    /// The reply of a query.
    #[must_use]
    pub fn listing(self) -> Listing<'a> {
        Listing::found(self)
    }
}

impl Lines for Listed<'_> {
    fn next(&mut self) -> Option<String> {
        let (row, group) = self.next_row()?;
        let track = self.song.track_of(row);
        let named = match self.naming {
            Naming::Never => false,
            Naming::Always => track.is_some(),
            // A list that begins with rows of the song begins without a name.
            Naming::Changes => self.last.unwrap_or_default() != track,
        };
        self.last = self.song.starts(row).map(|_| track);
        let owner = named.then(|| match track {
            Some(track) => self.song.name_of_track(track),
            None => "song".to_owned(),
        });
        let owner = owner.as_deref();
        let mut line = match group {
            Some(group) => event_text::parameter(self.song, row, &group, owner),
            None => event_text::line(self.song, row, owner),
        };
        if let Some(sought) = &self.sought {
            let bodies = bodies(self.song, row).into_iter();
            let mut found = bodies.filter_map(|body| found_bytes(&body.bytes(), sought));
            line.extend(found.next());
        }
        Some(line)
    }

    fn pass(&mut self, n: usize) -> usize {
        self.last = None;
        (0..n).take_while(|_| self.next_row().is_some()).count()
    }
}

/// All rows in tracks of the file, in the order of their ticks.
pub fn everything(song: &Song) -> impl Iterator<Item = Row> {
    let chunks = song.chunks.iter();
    let sources = chunks.flat_map(|(chunk, _)| {
        let timelines = song.timelines().into_iter();
        timelines.map(move |(part, timeline)| (part, timeline.range(chunk, 0, u64::MAX)))
    });
    merged(sources)
}

/// The rows of a track that start in `from..to`, in the order of the file.
pub fn of_track(
    song: &Song,
    track: Id<Track>,
    chunk: Id<Chunk>,
    (from, to): (u64, u64),
) -> impl Iterator<Item = Row> + use<'_> {
    let timelines = song.timelines().into_iter();
    let timelines = timelines.filter(|(part, _)| !song.is_of_song(*part));
    let sources = timelines.filter_map(move |(part, timeline)| {
        let last = to.checked_sub(1).filter(|last| *last >= from)?;
        Some((part, timeline.range(chunk, from, last)))
    });
    merged(sources).filter(move |row| match song.row_as::<Note>(*row) {
        Some(note) => note.track == track,
        None => song.track_of(*row) == Some(track),
    })
}

/// The song rows that start in the given spans of chunks, the ends excluded, in the order of their
/// ticks.
pub fn of_song(
    song: &Song,
    chunks: impl Iterator<Item = (Id<Chunk>, (u64, u64))>,
) -> impl Iterator<Item = Row> {
    let either = [part::<Lyric>(), part::<TextEvent>(), part::<RawEvent>()];
    let timelines = song.timelines().into_iter();
    let timelines: Vec<_> = timelines
        .filter(|(part, _)| song.is_of_song(*part) || either.contains(part))
        .collect();
    let sources = chunks.flat_map(move |(chunk, (from, to))| {
        let last = to.checked_sub(1).filter(|last| *last >= from);
        let timelines = timelines.clone().into_iter();
        timelines
            .filter_map(move |(part, timeline)| Some((part, timeline.range(chunk, from, last?))))
    });
    merged(sources).filter(|row| song.track_of(*row).is_none())
}

/// Sort key across chunks: the earlier tick first.
fn in_song(key: Key) -> (u64, u32, u32, u32) {
    (key.tick, key.chunk, key.pos, key.seq)
}

/// Merges the starts of rows of several tables, each in order.
fn merged<I: Iterator<Item = (Key, Spot)>>(
    sources: impl Iterator<Item = (usize, I)>,
) -> impl Iterator<Item = Row> {
    let sources = sources.map(|(part, spots)| (part, spots.filter(|(_, spot)| !spot.off)));
    let mut sources: Vec<_> = sources.collect();
    // The query fails if that is too many.
    let _ = work::spend(sources.len());
    let head = |of: usize, spots: &mut dyn Iterator<Item = (Key, Spot)>| {
        let (key, spot) = spots.next()?;
        Some(Reverse((in_song(key), of, spot.id)))
    };
    let heads = sources.iter_mut().enumerate();
    let mut heads: BinaryHeap<_> = heads
        .filter_map(|(of, (_, spots))| head(of, spots))
        .collect();
    std::iter::from_fn(move || {
        let Reverse((_, of, id)) = heads.pop()?;
        let (part, spots) = sources.get_mut(of)?;
        heads.extend(head(of, spots));
        Some(Row::new(*part, id))
    })
}
