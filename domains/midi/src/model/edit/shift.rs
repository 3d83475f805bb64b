//! Adds or changes many notes at once, visiting each pitch and each tick once.
//!
//! The result is that of [`Song::add_note`] and [`Song::change_notes`] one by one in the given
//! order, which would look everything up for each note. Pitches with anything unusual, in the file
//! or by the change, are left to those functions: notes that start together, have no end, or
//! overlapped before.
//!
//! Notes that overlapped before and move together are the exception. One by one they would block
//! each other, so they are always placed here, and their overlap is kept.

use fcp::prelude::*;
use fcp::work;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ends::Voice;
use super::note_places::{Comes, Seats, Starter, What, seat};
use crate::model::index::event_places::{Mark, Spot};
use crate::model::index::numbers::Numbers;
use crate::model::rows::kinds::{Note, RawEvent};
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;

/// The new state of a note.
pub(in crate::model) struct Shift {
    pub(in crate::model) of: Of,
    pub(in crate::model) after: Note,
}

/// The note of a shift.
#[derive(Clone, Copy)]
pub(in crate::model) enum Of {
    /// A new note; the source of the copy, if it is copied with others.
    New(Option<Id<Note>>),
    /// A note with a new start.
    Moved(Id<Note>),
    /// A note with only a new end.
    Ended(Id<Note>),
}

impl Of {
    pub(super) const fn id(self) -> Option<Id<Note>> {
        match self {
            Self::New(_) => None,
            Self::Moved(id) | Self::Ended(id) => Some(id),
        }
    }

    /// Its previous state, or the source of a copy.
    pub(super) fn source(self, song: &Song) -> Option<&Note> {
        match self {
            Self::New(of) => song.notes.get(of?),
            Self::Moved(id) | Self::Ended(id) => song.notes.get(id),
        }
    }

    /// Whether its start gets a new place.
    pub(super) const fn starts(self) -> bool {
        matches!(self, Self::New(_) | Self::Moved(_))
    }
}

/// If changes affect more than one in this many notes, all notes are visited.
const MOST: usize = 8;

/// The end of a note that nothing ends.
pub(super) const STUCK: u64 = u64::MAX;

/// A note of a pitch in its new state: its start, and its identity.
#[derive(Clone, Copy)]
pub(super) struct Stands {
    pub(super) at: u64,
    pub(super) who: Who,
}

/// A changed note, by index, or another.
#[derive(Clone, Copy)]
pub(super) enum Who {
    Shift(usize),
    Other(Id<Note>),
}

/// The new ends of notes, and those of the notes that they cut.
#[derive(Default)]
pub(super) struct Plan {
    comes: Vec<Comes>,
    cuts: Vec<(Id<Note>, u64)>,
    /// The ends of changed notes, if planned; that of a stuck note is [`STUCK`].
    ends: Vec<Option<u64>>,
    shortened: usize,
    /// Stray note-offs where a note now ends.
    pub(super) dropped: Vec<Id<RawEvent>>,
    /// The changed notes whose note-ons keep their places, and those whose note-offs do.
    pub(super) kept: [Numbers; 2],
}

impl Song {
    /// Adds and changes as many of the notes as possible together, if there are at least `many`.
    /// Returns the others, in their order. Copies are added to `made`, each after its source.
    pub(in crate::model) fn shift(
        &mut self,
        shifts: Vec<Shift>,
        many: usize,
        overlaps: &mut Overlaps,
        made: &mut Vec<(Id<Note>, Id<Note>)>,
    ) -> Vec<Shift> {
        let few = (shifts.len() < many).then(|| {
            let mut voices = self.tangled(&shifts);
            voices.extend(self.in_place(&shifts));
            voices
        });
        if few.as_ref().is_some_and(FxHashSet::is_empty) {
            return shifts;
        }
        let mut plan = self.plan(&shifts, few.as_ref());
        let comes = std::mem::take(&mut plan.comes);
        let leaves = Leaves::of(&shifts, &plan);
        let is_left = |spot| leaves.has(spot);
        let seats = Seats::find(self, comes, is_left, (shifts.len(), plan.cuts.len()));
        let mut left = Vec::new();
        self.notes.brace(shifts.len());
        for (ix, shift) in shifts.into_iter().enumerate() {
            let Some(end) = plan.ends.get(ix).copied().flatten() else {
                left.push(shift);
                continue;
            };
            let mut after = shift.after;
            after.dur = (end < STUCK).then(|| end - after.at);
            let spelled = |mark: Mark, own: Mark| match shift.of {
                Of::New(_) => mark.of_new(own),
                Of::Moved(_) | Of::Ended(_) => mark.spelled_as(own),
            };
            if let Some(mark) = seat(&seats.ons, ix) {
                after.on_mark = spelled(mark, after.on_mark);
            }
            if let Some(mark) = seat(&seats.offs, ix) {
                after.off_mark = spelled(mark, after.off_mark);
            }
            match shift.of.id() {
                Some(id) => {
                    self.notes.modify(id, |note| *note = after);
                }
                None => {
                    let id = self.notes.insert(after);
                    if let Of::New(Some(source)) = shift.of {
                        made.push((source, id));
                    }
                }
            }
        }
        for (cut, (id, end)) in plan.cuts.into_iter().enumerate() {
            let mark = seat(&seats.cuts, cut);
            self.notes.modify(id, |note| {
                note.dur = Some(end - note.at);
                note.off_mark = mark.map_or(note.off_mark, |mark| mark.spelled_as(note.off_mark));
            });
        }
        overlaps.shortened += plan.shortened;
        overlaps.dropped += plan.dropped.len();
        for stray in plan.dropped {
            self.others.remove(stray);
        }
        left
    }

    /// The new states of notes, pitch by pitch: of all pitches, or only the given ones.
    fn plan(&self, shifts: &[Shift], only: Option<&FxHashSet<Voice>>) -> Plan {
        let strays = self.stray_voices();
        let changed: Numbers = shifts.iter().filter_map(|shift| shift.of.id()).collect();
        let mut plan = Plan {
            ends: vec![None; shifts.len()],
            comes: Vec::with_capacity(2 * shifts.len()),
            ..Plan::default()
        };
        let mut voices: FxHashMap<Voice, Vec<Stands>> = FxHashMap::default();
        for (ix, Shift { after, .. }) in shifts.iter().enumerate() {
            let voice = after.voice();
            if only.is_some_and(|only| !only.contains(&voice)) {
                continue;
            }
            let (at, who) = (after.at, Who::Shift(ix));
            voices.entry(voice).or_default().push(Stands { at, who });
        }
        // If many notes change, visiting all notes is less work than looking them up by pitch.
        let most = shifts.len() > self.notes.len() / MOST;
        if most {
            let others = self.notes.iter();
            for (id, note) in others.filter(|(id, _)| !changed.contains(id.number())) {
                let voice = note.voice();
                if let Some(stands) = voices.get_mut(&voice) {
                    let (at, who) = (note.at, Who::Other(id));
                    stands.push(Stands { at, who });
                }
            }
        }
        let mut voices: Vec<(Voice, Vec<Stands>)> = voices.into_iter().collect();
        voices.sort_unstable_by_key(|(voice, _)| *voice);
        let copies = shifts
            .iter()
            .any(|shift| matches!(shift.of, Of::New(Some(_))));
        for (voice, mut stands) in voices {
            stands.sort_by_key(|stands| stands.at);
            let in_place = coming(&stands, shifts).all(|shift| self.is_in_place(shift));
            if !most {
                let apart = !copies && (changed.is_empty() || in_place);
                let mut others = if apart && !self.is_tangled(coming(&stands, shifts)) {
                    self.neighbors(voice, &stands, &changed)
                } else {
                    let (chunk, channel, pitch) = voice;
                    self.pitches().from(chunk, channel, pitch, 0).collect()
                };
                others.retain(|id| !changed.contains(id.number()));
                stands.extend(others.into_iter().map(|id| Stands {
                    at: self.notes.get(id).map_or(0, |note| note.at),
                    who: Who::Other(id),
                }));
                stands.sort_by_key(|stands| stands.at);
            }
            // Past the limit, the op fails when it is done.
            let _ = work::spend(stands.len());
            let strays = strays.get(&voice).map_or(&[][..], Vec::as_slice);
            // Unusual pitches get no plan.
            let is_tangled = self.meet(&stands, shifts) && self.is_tangled(coming(&stands, shifts));
            let is_plain = !is_tangled && strays.is_empty();
            let planned = is_plain.then(|| self.plan_voice(&stands, shifts, &mut plan));
            if is_tangled || in_place && planned.flatten().is_none() {
                self.plan_tangled(stands, strays, shifts, &mut plan);
            }
        }
        plan
    }

    /// The notes of a pitch that may affect new ones, which are in order: the next before and after
    /// each, and one more, which shows whether those are regular.
    fn neighbors(
        &self,
        (chunk, channel, pitch): Voice,
        new: &[Stands],
        changed: &Numbers,
    ) -> Vec<Id<Note>> {
        let index = self.pitches();
        let stays = |id: &Id<Note>| !changed.contains(id.number());
        let before = |at| {
            index
                .before(chunk, channel, pitch, at)
                .filter(stays)
                .take(2)
        };
        let from = |at| index.from(chunk, channel, pitch, at).filter(stays);
        let (Some(first), Some(last)) = (new.first(), new.last()) else {
            return Vec::new();
        };
        // Most are close together, with few others between them.
        let most = 4 * new.len();
        let mut near: Vec<Id<Note>> = before(first.at).collect();
        let mut behind = 0;
        for id in from(first.at).take(most + 1) {
            if self.notes.get(id).is_some_and(|note| note.at >= last.at) {
                behind += 1;
            }
            near.push(id);
            if behind == 2 {
                break;
            }
        }
        if near.len() > most {
            let near_one = |new: &Stands| before(new.at).chain(from(new.at).take(2));
            near = new.iter().flat_map(near_one).collect();
            near.sort_unstable();
            near.dedup();
        }
        near
    }

    /// Whether any two notes of a pitch overlap.
    fn meet(&self, stands: &[Stands], shifts: &[Shift]) -> bool {
        let mut pairs = stands.iter().zip(stands.iter().skip(1));
        pairs.any(|(own, next)| {
            let dur = self.new_state(own.who, shifts).and_then(|note| note.dur);
            own.at == next.at || dur.is_none_or(|dur| own.at + dur > next.at)
        })
    }

    /// Plans the notes of a pitch; `None` if anything is unusual.
    fn plan_voice(&self, stands: &[Stands], shifts: &[Shift], plan: &mut Plan) -> Option<()> {
        let note = |stands: &Stands| self.new_state(stands.who, shifts);
        // A note with an unchanged start may have overlapped the same notes before.
        let stood = |stands: &Stands| match stands.who {
            Who::Shift(ix) => match shifts.get(ix)?.of {
                Of::Ended(id) => self.notes.get(id),
                Of::New(_) | Of::Moved(_) => None,
            },
            Who::Other(id) => self.notes.get(id),
        };
        let nexts = stands.iter().skip(1).map(Some).chain([None]);
        for (own, next) in stands.iter().zip(nexts.clone()) {
            let dur = note(own)?.dur.filter(|dur| *dur > 0)?;
            let Some(next) = next else { continue };
            let overlapped = own.at + dur > next.at
                && stood(next).is_some()
                && stood(own).is_some_and(|before| before.ending().0 > next.at);
            if own.at == next.at || overlapped {
                return None;
            }
        }
        let ends = stands.iter().zip(nexts).map(|(own, next)| {
            let whole = own.at + note(own)?.dur?;
            let next = next.filter(|next| next.at <= whole);
            Some((next.map_or(whole, |next| next.at), next))
        });
        let ends: Vec<_> = ends.collect::<Option<_>>()?;
        self.plan_ends((stands, &[]), &ends, shifts, plan)
    }

    /// A note of a pitch in its new state.
    pub(super) fn new_state<'r>(&'r self, who: Who, shifts: &'r [Shift]) -> Option<&'r Note> {
        match who {
            Who::Shift(ix) => shifts.get(ix).map(|shift| &shift.after),
            Who::Other(id) => self.notes.get(id),
        }
    }

    /// Plans the ends of notes of a pitch with stray note-offs, each with the note that starts there,
    /// if any.
    pub(super) fn plan_ends(
        &self,
        (stands, strays): (&[Stands], &[(u64, Id<RawEvent>)]),
        ends: &[(u64, Option<&Stands>)],
        shifts: &[Shift],
        plan: &mut Plan,
    ) -> Option<()> {
        self.plan_kept((stands, strays), ends, shifts, plan);
        for (own, (end, next)) in stands.iter().zip(ends.iter().copied()) {
            let row = self.new_state(own.who, shifts)?;
            let whole = row.dur.map_or(STUCK, |dur| own.at + dur);
            plan.shortened += usize::from(end < whole);
            let starter = next.and_then(|next| {
                if let Who::Shift(ix) = next.who
                    && shifts.get(ix)?.of.starts()
                    && !plan.keeps(next.who, shifts, false)
                {
                    return Some(Starter::Shift(narrow(ix)?));
                }
                let mark = self.new_state(next.who, shifts)?.on_mark;
                Some(Starter::There(mark.pos, mark.seq))
            });
            let (chunk, tick) = (row.chunk, end);
            let keeps = [false, true].map(|off| plan.keeps(own.who, shifts, off));
            let mut comes = |tick, of, what| {
                plan.comes.push(Comes {
                    chunk,
                    tick,
                    of,
                    what,
                });
            };
            match own.who {
                Who::Shift(ix) => {
                    if shifts.get(ix)?.of.starts() && !keeps[0] {
                        comes(own.at, narrow(ix)?, What::On);
                    }
                    let off = match end > own.at {
                        true => What::Off(starter),
                        false => What::Zero,
                    };
                    if end < STUCK && !keeps[1] {
                        comes(tick, narrow(ix)?, off);
                    }
                    *plan.ends.get_mut(ix)? = Some(end);
                }
                Who::Other(id) if end < whole => {
                    let Who::Shift(by) = next?.who else {
                        return None;
                    };
                    let cut = narrow(plan.cuts.len())?;
                    comes(tick, narrow(by)?, What::Cut(cut, starter));
                    plan.cuts.push((id, end));
                }
                Who::Other(_) => {}
            }
        }
        Some(())
    }
}

impl Plan {
    /// Whether an event of a changed note keeps its place.
    fn keeps(&self, who: Who, shifts: &[Shift], off: bool) -> bool {
        let id = match who {
            Who::Shift(ix) => shifts.get(ix).and_then(|shift| shift.of.id()),
            Who::Other(_) => None,
        };
        let [ons, offs] = &self.kept;
        let kept = if off { offs } else { ons };
        id.is_some_and(|id| kept.contains(id.number()))
    }
}

/// The changes among the notes of a pitch.
fn coming<'r>(stands: &'r [Stands], shifts: &'r [Shift]) -> impl Iterator<Item = &'r Shift> {
    stands.iter().filter_map(|stands| match stands.who {
        Who::Shift(ix) => shifts.get(ix),
        Who::Other(_) => None,
    })
}

/// An index among the changes: there are fewer than ids.
fn narrow(ix: usize) -> Option<u32> {
    u32::try_from(ix).ok()
}

/// The notes whose note-ons and note-offs leave their places, and those of which only the note-offs
/// do.
struct Leaves<'r> {
    whole: Numbers,
    ends: Numbers,
    kept: &'r [Numbers; 2],
}

impl<'r> Leaves<'r> {
    fn of(shifts: &[Shift], plan: &'r Plan) -> Self {
        let ended = shifts.iter().zip(&plan.ends);
        let ended = ended.filter_map(|(shift, end)| match shift.of {
            Of::Ended(id) if end.is_some() => Some(id),
            _ => None,
        });
        let moved = shifts.iter().filter_map(|shift| match shift.of {
            Of::Moved(id) => Some(id),
            _ => None,
        });
        Self {
            whole: moved.collect(),
            ends: ended.collect(),
            kept: &plan.kept,
        }
    }

    fn has(&self, spot: Spot) -> bool {
        let [ons, offs] = self.kept;
        let kept = if spot.off { offs } else { ons };
        let leaves = self.whole.contains(spot.id) || spot.off && self.ends.contains(spot.id);
        leaves && !kept.contains(spot.id)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::model::edit::refused_overlaps::tests::song;
    use crate::model::{NewNote, Rank};
    use crate::values::Pitch;

    /// The audible events of each pitch, in order. Which of two that start together is written
    /// first may differ.
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
        fn batched_changes_equal_single_ones(
            notes in proptest::collection::vec((60_u8..64, 0_u64..40, 1_u64..12), 1..60),
            changes in proptest::collection::vec((-1_i8..=1, -6_i64..=6, -6_i64..=6), 60),
            every in 1_usize..16,
        ) {
            let mut together = song(&notes);
            let mut apart = song(&notes);
            let mut rows: Vec<(Id<Note>, Note)> = together.notes.iter().map(|(id, row)| (id, row.clone())).collect();
            rows.sort_by_key(|(_, note)| note.onset());
            let changed = rows.into_iter().zip(changes).step_by(every).map(|((id, note), (up, later, longer))| {
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

        #[test]
        fn batched_additions_equal_single_ones(
            notes in proptest::collection::vec((60_u8..64, 0_u64..120, 1_u64..12), 1..120),
            new in proptest::collection::vec((60_u8..66, 0_u64..124, 1_u64..12), 1..40),
        ) {
            let mut together = song(&notes);
            let mut apart = song(&notes);
            let like = together.notes.iter().next().map(|(_, note)| together.like(note)).unwrap();
            let new = new.into_iter().map(|(pitch, at, dur)| NewNote {
                pitch: Pitch::new(pitch).unwrap(), at, dur, ..like
            });
            let new: Vec<NewNote> = new.collect();
            let many = together.add_notes_by(new.clone(), 1).unwrap();
            let few = apart.add_notes_by(new, usize::MAX).unwrap();
            prop_assert_eq!(events(&together), events(&apart));
            prop_assert_eq!(many.merged, few.merged);
            let pairs = |song: &Song| {
                let pairs = song.notes.iter().map(|(_, note)| (note.pitch, note.at, note.dur, note.velocity));
                pairs.collect::<std::collections::BTreeSet<_>>()
            };
            prop_assert_eq!(pairs(&together), pairs(&apart));
        }
    }
}
