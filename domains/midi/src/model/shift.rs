//! Many notes changed at once: each pitch is gone through once, and each tick.
//!
//! What comes of it is what [`Song::change_notes`] makes of them one by one in the order given, but that costs by the
//! size of the song for each note. A pitch at which anything is out of the ordinary, in the file or by the change, is
//! left to that: notes that start together, that nothing ends, or that overlapped before.

use std::iter::Peekable;

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use super::mark::{Key, Mark, Rank, Spot, Timeline};
use super::note::Overlaps;
use super::rows::{Chunk, Note};
use super::song::Song;
use crate::values::{Channel, Pitch};

/// A note that is to have another content.
pub(super) struct Shift {
    pub(super) id: Id<Note>,
    pub(super) after: Note,
    /// It starts elsewhere; else only its end is another.
    pub(super) moves: bool,
}

/// Where the notes of one pitch are.
type Voice = (Id<Chunk>, Channel, Pitch);

/// A note of a pitch as it is to be: where it starts, and which it is.
struct Stands {
    at: u64,
    /// The place among those that change, if it is one of them.
    shift: Option<usize>,
    id: Id<Note>,
}

/// A note-on or note-off that is to come to a tick.
struct Comes {
    chunk: Id<Chunk>,
    tick: u64,
    /// The note that this comes of, and whether it is before, at or behind that one's start.
    turn: (usize, u8),
    what: What,
}

enum What {
    /// The start of a note that changes.
    On(usize),
    /// The end of one, and the note of its pitch that starts at that tick.
    Off(Whose, Option<Starter>),
}

/// Whose end it is.
#[derive(Clone, Copy)]
enum Whose {
    /// A note that changes, by its place among them.
    Shift(usize),
    /// One that another cuts short: by its place among those.
    Cut(usize),
}

/// What starts at a tick: a note that changes, or another by its place.
#[derive(Clone, Copy)]
enum Starter {
    Shift(usize),
    There((u32, u32)),
}

/// What is to be of the notes: where they end, and those that they cut short.
#[derive(Default)]
struct Plan {
    comes: Vec<Comes>,
    cuts: Vec<(Id<Note>, u64)>,
    /// The ends of those that change, where they are known.
    ends: Vec<Option<u64>>,
    shortened: usize,
}

impl Song {
    /// Changes as many of the notes as can be changed together, if they are so many at least. Hands back the others, in their order.
    pub(super) fn shift(
        &mut self,
        shifts: Vec<Shift>,
        many: usize,
        overlaps: &mut Overlaps,
    ) -> Vec<Shift> {
        if shifts.len() < many || self.others.index().strays() > 0 {
            return shifts;
        }
        let ids: Numbers = shifts.iter().map(|shift| shift.id.number()).collect();
        let mut plan = self.plan(&shifts, &ids);
        let leaves = Leaves::of(&shifts, &plan);
        let comes = std::mem::take(&mut plan.comes);
        let marks = Marks::find(self, comes, &leaves, (shifts.len(), plan.cuts.len()));
        let mut left = Vec::new();
        for (ix, shift) in shifts.into_iter().enumerate() {
            let Some(end) = plan.ends.get(ix).copied().flatten() else {
                left.push(shift);
                continue;
            };
            let Shift { id, after, .. } = shift;
            let (on, off) = (at(&marks.ons, ix), at(&marks.offs, ix));
            self.notes.modify(id, |note| {
                let kept = (note.on_mark, note.off_mark);
                *note = after;
                note.dur = Some(end - note.at);
                note.on_mark = on.unwrap_or(kept.0);
                note.off_mark = off.unwrap_or(kept.1);
            });
        }
        for (cut, (id, end)) in plan.cuts.into_iter().enumerate() {
            let mark = at(&marks.cuts, cut);
            self.notes.modify(id, |note| {
                note.dur = Some(end - note.at);
                note.off_mark = mark.unwrap_or(note.off_mark);
            });
        }
        overlaps.shortened += plan.shortened;
        left
    }

    /// What the notes come to, pitch by pitch.
    fn plan(&self, shifts: &[Shift], ids: &Numbers) -> Plan {
        let mut plan = Plan {
            ends: vec![None; shifts.len()],
            ..Plan::default()
        };
        let mut voices: FxHashMap<Voice, Vec<Stands>> = FxHashMap::default();
        for (ix, Shift { id, after, .. }) in shifts.iter().enumerate() {
            let voice = (after.chunk, after.channel, after.pitch);
            voices.entry(voice).or_default().push(Stands {
                at: after.at,
                shift: Some(ix),
                id: *id,
            });
        }
        let mut voices: Vec<(Voice, Vec<Stands>)> = voices.into_iter().collect();
        voices.sort_unstable_by_key(|(voice, _)| *voice);
        for (voice, mut stands) in voices {
            let (chunk, channel, pitch) = voice;
            let there = self.notes.index().from(chunk, channel, pitch, 0);
            for id in there.filter(|id| !ids.contains(id.number())) {
                let at = self.notes.get(id).map_or(0, |note| note.at);
                let shift = None;
                stands.push(Stands { at, shift, id });
            }
            stands.sort_by_key(|stands| stands.at);
            // A pitch that is not plain is left as it is.
            self.plan_voice(&stands, shifts, &mut plan);
        }
        plan
    }

    /// What the notes of a pitch come to; nothing where that is not plain.
    fn plan_voice(&self, stands: &[Stands], shifts: &[Shift], plan: &mut Plan) -> Option<()> {
        let note = |stands: &Stands| match stands.shift {
            Some(ix) => shifts.get(ix).map(|shift| &shift.after),
            None => self.notes.get(stands.id),
        };
        let nexts = stands.iter().skip(1).map(Some).chain([None]);
        for (own, next) in stands.iter().zip(nexts.clone()) {
            let dur = note(own)?.dur.filter(|dur| *dur > 0)?;
            let Some(next) = next else { continue };
            let is_plain = own.shift.is_some() || next.shift.is_some() || own.at + dur <= next.at;
            if own.at == next.at || !is_plain {
                return None;
            }
        }
        for (own, next) in stands.iter().zip(nexts) {
            let row = note(own)?;
            let whole = own.at + row.dur?;
            let end = next.map_or(whole, |next| whole.min(next.at));
            plan.shortened += usize::from(end < whole);
            let starter = next.filter(|next| next.at == end);
            let starter = starter.and_then(|next| match next.shift {
                Some(ix) if shifts.get(ix)?.moves => Some(Starter::Shift(ix)),
                _ => self
                    .notes
                    .get(next.id)
                    .map(|note| Starter::There((note.on_mark.pos, note.on_mark.seq))),
            });
            let (chunk, tick) = (row.chunk, end);
            let mut comes = |tick, turn, what| {
                plan.comes.push(Comes {
                    chunk,
                    tick,
                    turn,
                    what,
                });
            };
            match own.shift {
                Some(ix) => {
                    if shifts.get(ix)?.moves {
                        comes(own.at, (ix, 1), What::On(ix));
                    }
                    comes(tick, (ix, 2), What::Off(Whose::Shift(ix), starter));
                    *plan.ends.get_mut(ix)? = Some(end);
                }
                None if end < whole => {
                    let by = next.and_then(|next| next.shift)?;
                    let cut = plan.cuts.len();
                    comes(tick, (by, 0), What::Off(Whose::Cut(cut), starter));
                    plan.cuts.push((own.id, end));
                }
                None => {}
            }
        }
        Some(())
    }
}

/// The notes whose note-ons and note-offs leave their places, and those whose note-offs alone do.
struct Leaves {
    whole: Numbers,
    ends: Numbers,
}

impl Leaves {
    fn of(shifts: &[Shift], plan: &Plan) -> Self {
        let numbered = shifts.iter().enumerate();
        let known = |ix: usize| plan.ends.get(ix).copied().flatten().is_some();
        let ends = numbered.filter(|(ix, shift)| !shift.moves && known(*ix));
        let whole = shifts.iter().filter(|shift| shift.moves);
        Self {
            whole: whole.map(|shift| shift.id.number()).collect(),
            ends: ends.map(|(_, shift)| shift.id.number()).collect(),
        }
    }

    fn has(&self, spot: Spot) -> bool {
        self.whole.contains(spot.id) || spot.off && self.ends.contains(spot.id)
    }
}

/// A set of numbers that lie close together.
#[derive(Default)]
struct Numbers(Vec<u64>);

impl Numbers {
    fn contains(&self, number: u32) -> bool {
        let bits = self.0.get((number / u64::BITS) as usize);
        bits.is_some_and(|bits| bits & 1 << (number % u64::BITS) != 0)
    }
}

impl FromIterator<u32> for Numbers {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::default();
        for number in numbers {
            let at = (number / u64::BITS) as usize;
            if at >= set.0.len() {
                set.0.resize(at + 1, 0);
            }
            if let Some(bits) = set.0.get_mut(at) {
                *bits |= 1 << (number % u64::BITS);
            }
        }
        set
    }
}

/// The places that what comes gets: of notes that change, by their numbers, and of those that are cut.
struct Marks {
    ons: Vec<Option<Mark>>,
    offs: Vec<Option<Mark>>,
    cuts: Vec<Option<Mark>>,
}

/// The mark of a number, if it has one.
fn at(marks: &[Option<Mark>], ix: usize) -> Option<Mark> {
    marks.get(ix).copied().flatten()
}

/// Gives a number its mark.
fn give(marks: &mut [Option<Mark>], ix: usize, mark: Mark) {
    if let Some(own) = marks.get_mut(ix) {
        *own = Some(mark);
    }
}

impl Marks {
    /// Finds the places, tick by tick.
    fn find(
        song: &Song,
        mut comes: Vec<Comes>,
        leaves: &Leaves,
        (shifts, cuts): (usize, usize),
    ) -> Self {
        comes.sort_by_key(|comes| (comes.chunk, comes.tick, comes.turn));
        let mut marks = Self {
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
                if !(is_note && leaves.has(spot)) {
                    stack.put((key.pos, key.seq), spot.rank);
                }
            });
            for comes in tick {
                match comes.what {
                    What::On(ix) => {
                        give(&mut marks.ons, ix, stack.push(Rank::On, None));
                    }
                    What::Off(whose, starter) => {
                        let starter = starter.and_then(|starter| match starter {
                            Starter::There(place) => Some(place),
                            Starter::Shift(ix) => at(&marks.ons, ix).map(|on| (on.pos, on.seq)),
                        });
                        let mark = stack.push(Rank::Off, starter);
                        match whose {
                            Whose::Shift(ix) => give(&mut marks.offs, ix, mark),
                            Whose::Cut(ix) => give(&mut marks.cuts, ix, mark),
                        }
                    }
                }
            }
        }
        marks
    }
}

/// What stands at a tick, as far as the places of note-ons and note-offs hang on it; see [`Song::place`].
#[derive(Default)]
struct Stack {
    /// The last place of all.
    last: Option<(u32, u32)>,
    /// The places of note-offs.
    offs: Vec<(u32, u32)>,
    /// The last new event of a rank behind the event read at a place.
    counts: Vec<((u32, u32), u32)>,
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
            self.offs.push(place);
        }
        let (pos, seq) = place;
        if let Some((rank, count)) = Mark::counted(seq) {
            let mut counts = self.counts.iter_mut();
            match counts.find(|(own, _)| *own == (pos, rank)) {
                Some((_, last)) => *last = count.max(*last),
                None => self.counts.push(((pos, rank), count)),
            }
        }
    }

    /// Puts a note-on or note-off behind the last event of its rank or lower; a note-off before a place, if one is given.
    fn push(&mut self, rank: Rank, before: Option<(u32, u32)>) -> Mark {
        let last = match rank {
            Rank::Off => {
                let offs = self.offs.iter().copied();
                offs.filter(|off| before.is_none_or(|before| *off < before))
                    .max()
            }
            _ => self.last,
        };
        let pos = last.map_or(0, |(pos, _)| pos);
        let mut counts = self.counts.iter();
        let count = counts.find(|(own, _)| *own == (pos, rank as u32));
        let count = count.map_or(0, |(_, count)| *count);
        let mark = Mark::new(pos, rank, count + 1);
        self.put((mark.pos, mark.seq), rank);
        mark
    }
}

/// Looks up what stands at ticks that come in order.
struct There<'s> {
    lines: Vec<Line<'s>>,
}

type Events<'s> = Box<dyn Iterator<Item = (Key, Spot)> + 's>;

/// The events of a table, from the last tick that was asked for on.
struct Line<'s> {
    timeline: &'s Timeline,
    is_note: bool,
    /// They are gone through one by one; else they are looked up.
    walk: Option<Peekable<Events<'s>>>,
}

impl<'s> There<'s> {
    /// For about so many questions.
    fn new(song: &'s Song, questions: usize) -> Self {
        let lines = song
            .timelines()
            .into_iter()
            .filter(|(_, timeline)| !timeline.is_empty());
        let lines = lines.map(|(part, timeline)| {
            // A look-up is as much work as some steps.
            let walks = timeline.len() < questions.saturating_mul(16);
            let all = || -> Events<'s> { Box::new(timeline.iter()) };
            Line {
                timeline,
                is_note: part == super::tables::part::<Note>(),
                walk: walks.then(|| all().peekable()),
            }
        });
        Self {
            lines: lines.collect(),
        }
    }

    fn at(&mut self, chunk: Id<Chunk>, tick: u64, tell: &mut dyn FnMut(Key, Spot, bool)) {
        let here = (chunk.number(), tick);
        for line in &mut self.lines {
            match &mut line.walk {
                None => {
                    let range = line.timeline.range(chunk, tick, tick);
                    range.for_each(|(key, spot)| tell(key, spot, line.is_note));
                }
                Some(walk) => {
                    while let Some((key, spot)) =
                        walk.next_if(|(key, _)| (key.chunk, key.tick) <= here)
                    {
                        if (key.chunk, key.tick) == here {
                            tell(key, spot, line.is_note);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::model::clash::tests::song;

    /// What is heard of each pitch, in order. Which of two that start together is written first may differ.
    fn events(song: &Song) -> BTreeMap<u8, Vec<(u64, Rank)>> {
        let mut events: BTreeMap<u8, Vec<(u64, Rank)>> = BTreeMap::new();
        for (key, spot) in song.notes.index().time.iter() {
            let note = song.notes.get(Id::new(spot.id)).unwrap();
            let own = events.entry(note.pitch.get()).or_default();
            own.push((key.tick, spot.rank));
        }
        events
    }

    proptest! {
        #[test]
        fn together_is_what_one_by_one_is(
            notes in proptest::collection::vec((60_u8..64, 0_u64..40, 1_u64..12), 1..60),
            changes in proptest::collection::vec((-1_i8..=1, -6_i64..=6, -6_i64..=6), 60),
        ) {
            let mut together = song(&notes);
            let mut apart = song(&notes);
            let mut rows: Vec<(Id<Note>, Note)> = together.notes.iter().map(|(id, row)| (id, row.clone())).collect();
            rows.sort_by_key(|(_, note)| note.onset());
            let changed = rows.into_iter().zip(changes).map(|((id, note), (up, later, longer))| {
                let pitch = note.pitch.shifted(up.into()).unwrap();
                let at = note.at.saturating_add_signed(later);
                let dur = note.dur.map(|dur| dur.saturating_add_signed(longer).max(1));
                (id, Note { pitch, at, dur, ..note })
            });
            let changed: Vec<(Id<Note>, Note)> = changed.collect();
            let many = together.change_notes_by(changed.clone(), 1).unwrap();
            let few = apart.change_notes_by(changed, usize::MAX).unwrap();
            prop_assert_eq!(events(&together), events(&apart));
            prop_assert_eq!(many.merged, few.merged);
            let pairs = |song: &Song| song.notes.iter().map(|(id, note)| (id, note.at, note.dur, note.pitch)).collect::<Vec<_>>();
            prop_assert_eq!(pairs(&together), pairs(&apart));
        }
    }
}
