//! Places of new note-ons and note-offs, found tick by tick.

use std::collections::BTreeSet;
use std::iter::Peekable;

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use crate::model::index::event_places::{Key, Mark, Rank, Spot, Timeline};
use crate::model::rows::kinds::{Chunk, Note};
use crate::model::song::Song;

/// A new note-on or note-off at a tick. There may be very many, so it is small.
pub(in crate::model) struct Comes {
    pub(in crate::model) chunk: Id<Chunk>,
    pub(in crate::model) tick: u64,
    /// Its note, by index among the changes.
    pub(in crate::model) of: u32,
    pub(in crate::model) what: What,
}

/// The kind of event, in the order used for one note at one tick.
#[derive(Clone, Copy)]
pub(in crate::model) enum What {
    /// The end of another note that it cuts short, by index among those.
    Cut(u32, Option<Starter>),
    /// Its start.
    On,
    /// Its end.
    Off(Option<Starter>),
    /// Its end, directly after its start: it has no length.
    Zero,
}

impl Comes {
    /// Chunk, tick and note as one number, which is faster to compare.
    fn order(&self) -> u128 {
        let chunk = u128::from(self.chunk.number()) << 96;
        chunk | u128::from(self.tick) << 32 | u128::from(self.of)
    }
}

impl What {
    const fn turn(self) -> u8 {
        match self {
            Self::Cut(..) => 0,
            Self::On => 1,
            Self::Off(_) | Self::Zero => 2,
        }
    }
}

/// The note of a pitch that starts where another ends: a changed one, or another by its place.
#[derive(Clone, Copy)]
pub(in crate::model) enum Starter {
    Shift(u32),
    There(u32, u32),
}

/// The places found: for the starts and ends of changed notes, and for the ends of cut notes, by
/// index.
pub(in crate::model) struct Seats {
    pub(in crate::model) ons: Vec<Option<Mark>>,
    pub(in crate::model) offs: Vec<Option<Mark>>,
    pub(in crate::model) cuts: Vec<Option<Mark>>,
}

/// The place at an index, if there is one.
pub(in crate::model) fn seat(marks: &[Option<Mark>], ix: usize) -> Option<Mark> {
    marks.get(ix).copied().flatten()
}

/// Sets the place at an index.
fn give(marks: &mut [Option<Mark>], ix: usize, mark: Mark) {
    if let Some(own) = marks.get_mut(ix) {
        *own = Some(mark);
    }
}

impl Seats {
    /// Finds the places, tick by tick; events that leave do not count.
    pub(in crate::model) fn find(
        song: &Song,
        mut comes: Vec<Comes>,
        leaves: impl Fn(Spot) -> bool,
        (shifts, cuts): (usize, usize),
    ) -> Self {
        comes.sort_by_key(|comes| (comes.order(), comes.what.turn()));
        let mut seats = Self {
            ons: vec![None; shifts],
            offs: vec![None; shifts],
            cuts: vec![None; cuts],
        };
        let mut stack = Stack::default();
        let mut there = There::new(song, comes.len());
        for tick in comes.chunk_by(|one, next| (one.chunk, one.tick) == (next.chunk, next.tick)) {
            let Some(first) = tick.first() else { continue };
            stack.clear();
            there.at(first.chunk, first.tick, &mut |key, spot, is_note| {
                if !(is_note && leaves(spot)) {
                    stack.put((key.pos, key.seq), spot.rank);
                }
            });
            for comes in tick {
                let starts = |starter: Option<Starter>| match starter? {
                    Starter::There(pos, seq) => Some((pos, seq)),
                    Starter::Shift(ix) => seat(&seats.ons, ix as usize).map(|on| (on.pos, on.seq)),
                };
                let of = comes.of as usize;
                match comes.what {
                    What::On => give(&mut seats.ons, of, stack.push(Rank::On, None)),
                    What::Off(starter) => {
                        let mark = stack.push(Rank::Off, starts(starter));
                        give(&mut seats.offs, of, mark);
                    }
                    What::Zero => give(&mut seats.offs, of, stack.push_last(Rank::Off)),
                    What::Cut(cut, starter) => {
                        let mark = stack.push(Rank::Off, starts(starter));
                        give(&mut seats.cuts, cut as usize, mark);
                    }
                }
            }
        }
        seats
    }
}

/// The events at a tick, as far as they determine the places of note-ons and note-offs; see
/// [`Song::place`].
#[derive(Default)]
struct Stack {
    /// The last place of all events.
    last: Option<(u32, u32)>,
    /// The places of note-offs.
    offs: BTreeSet<(u32, u32)>,
    /// The last new event of a rank after each read event.
    counts: FxHashMap<(u32, u32), u32>,
}

impl Stack {
    fn clear(&mut self) {
        self.last = None;
        self.offs.clear();
        self.counts.clear();
    }

    fn put(&mut self, place: (u32, u32), rank: Rank) {
        self.last = self.last.max(Some(place));
        if rank == Rank::Off {
            self.offs.insert(place);
        }
        let (pos, seq) = place;
        if let Some((rank, count)) = Mark::counted(seq) {
            let last = self.counts.entry((pos, rank)).or_default();
            *last = count.max(*last);
        }
    }

    /// Adds an event after all others, whatever its rank.
    fn push_last(&mut self, rank: Rank) -> Mark {
        let (pos, seq) = Rank::On.after(self.last.unwrap_or_default());
        let mark = Mark {
            pos,
            seq,
            ..Mark::new(pos, rank, 1)
        };
        self.put((pos, seq), rank);
        mark
    }

    /// Adds a note-on or note-off after the last event of its rank or lower; a note-off goes before
    /// `before`, if that is given.
    fn push(&mut self, rank: Rank, before: Option<(u32, u32)>) -> Mark {
        let last = match rank {
            Rank::Off => match before {
                Some(before) => self.offs.range(..before).next_back().copied(),
                None => self.offs.last().copied(),
            },
            _ => self.last,
        };
        let pos = last.map_or(0, |(pos, _)| pos);
        let count = self.counts.get(&(pos, rank as u32));
        let mark = Mark::new(pos, rank, count.map_or(1, |count| count + 1));
        self.put((mark.pos, mark.seq), rank);
        mark
    }
}

/// Looks up the events at ticks, which are requested in order.
struct There<'s> {
    lines: Vec<Line<'s>>,
}

type Events<'s> = Box<dyn Iterator<Item = (Key, Spot)> + 's>;

/// The events of a table, from the last requested tick on.
struct Line<'s> {
    timeline: &'s Timeline,
    is_note: bool,
    /// An iterator if all events are visited; `None` if they are looked up.
    walk: Option<Peekable<Events<'s>>>,
}

impl<'s> There<'s> {
    /// For about this number of look-ups.
    fn new(song: &'s Song, questions: usize) -> Self {
        let lines = song
            .timelines()
            .into_iter()
            .filter(|(_, timeline)| !timeline.is_empty());
        let lines = lines.map(|(part, timeline)| {
            // A look-up costs as much as some steps.
            let walks = timeline.len() < questions.saturating_mul(16);
            let all = || -> Events<'s> { Box::new(timeline.iter()) };
            Line {
                timeline,
                is_note: part == super::super::part::<Note>(),
                walk: walks.then(|| all().peekable()),
            }
        });
        Self {
            lines: lines.collect(),
        }
    }

    fn at(&mut self, chunk: Id<Chunk>, tick: u64, report: &mut dyn FnMut(Key, Spot, bool)) {
        let here = (chunk.number(), tick);
        for line in &mut self.lines {
            match &mut line.walk {
                None => {
                    let range = line.timeline.range(chunk, tick, tick);
                    range.for_each(|(key, spot)| report(key, spot, line.is_note));
                }
                Some(walk) => {
                    while let Some((key, spot)) =
                        walk.next_if(|(key, _)| (key.chunk, key.tick) <= here)
                    {
                        if (key.chunk, key.tick) == here {
                            report(key, spot, line.is_note);
                        }
                    }
                }
            }
        }
    }
}
