//! Notes of one pitch that overlapped before and change together: their overlap is kept.

use fcp::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ends::Voice;
use super::shift::{Of, Plan, STUCK, Shift, Stands, Who};
use crate::model::rows::kinds::{Note, RawEvent};
use crate::model::song::Song;

/// The most pairs of notes of a pitch to compare: per note, and in addition.
const PAIRS: (usize, usize) = (64, 4096);

impl Song {
    /// Target pitches of notes that overlapped before they moved there together.
    pub(super) fn tangled(&self, shifts: &[Shift]) -> FxHashSet<Voice> {
        let mut voices: FxHashMap<Voice, Vec<&Shift>> = FxHashMap::default();
        for shift in shifts {
            voices.entry(shift.after.voice()).or_default().push(shift);
        }
        voices.retain(|_, shifts| self.is_tangled(shifts.iter().copied()));
        voices.into_keys().collect()
    }

    /// Whether two notes that move to a pitch, at least one with a new start, overlapped before.
    pub(super) fn is_tangled<'r>(&self, shifts: impl Iterator<Item = &'r Shift>) -> bool {
        let sources = shifts.filter_map(|shift| Some((shift.of, shift.of.source(self)?)));
        let mut sources: Vec<(Of, &Note)> = sources.collect();
        sources.sort_by_key(|(_, note)| (note.voice(), note.onset()));
        // They end in the order they start, so if any overlap, some adjacent two do.
        let mut pairs = sources.iter().zip(sources.iter().skip(1));
        pairs.any(|(one, next)| (one.0.starts() || next.0.starts()) && one.1.overlaps(next.1))
    }

    /// Plans the notes of a pitch, some of which overlap as before; `None` if that is impossible.
    pub(super) fn plan_tangled(
        &self,
        mut stands: Vec<Stands>,
        strays: &[(u64, Id<RawEvent>)],
        shifts: &[Shift],
        plan: &mut Plan,
    ) -> Option<()> {
        // In file order; new notes in their given order.
        stands.sort_by_key(|stands| match stands.who {
            Who::Shift(ix) => (stands.at, (0, 0), ix),
            Who::Other(id) => {
                let mark = self.notes.get(id).map(|note| note.on_mark);
                (
                    stands.at,
                    mark.map_or((0, 0), |mark| (mark.pos, mark.seq)),
                    0,
                )
            }
        });
        let mut budget = PAIRS.0.saturating_mul(stands.len()).saturating_add(PAIRS.1);
        let mut ends: Vec<(u64, Option<&Stands>)> = Vec::with_capacity(stands.len());
        let mut last: Option<(u64, Who)> = None;
        for (ix, own) in stands.iter().enumerate() {
            let mut end = match self.new_state(own.who, shifts)?.dur {
                Some(dur) if dur > 0 || self.had_length(own.who, shifts) == Some(0) => own.at + dur,
                None if self.had_length(own.who, shifts).is_none() => STUCK,
                _ => return None,
            };
            for later in stands.get(ix + 1..)? {
                budget = budget.checked_sub(1)?;
                if later.at >= end {
                    break;
                }
                if self.overlapped(own.who, later.who, shifts) {
                    if later.at == own.at && !together(own.who, later.who, shifts) {
                        return None;
                    }
                } else if later.at == own.at || end == STUCK {
                    return None;
                } else {
                    end = later.at;
                }
            }
            // In a file they end in the order they start.
            let in_order = last.is_none_or(|(before, who)| match (who, own.who) {
                (Who::Shift(one), Who::Shift(other)) if before == end => one < other,
                _ => before <= end,
            });
            if !in_order {
                return None;
            }
            last = Some((end, own.who));
            let behind = stands.get(ix + 1..)?;
            let first = behind.partition_point(|later| later.at < end);
            ends.push((end, behind.get(first).filter(|next| next.at == end)));
        }
        // A stray note-off would end a note that sounds there.
        let mut dropped = Vec::new();
        for (tick, id) in strays {
            let mut is_dropped = false;
            for (own, (end, _)) in stands.iter().zip(&ends) {
                budget = budget.checked_sub(1)?;
                match own.who {
                    Who::Shift(_) if own.at < *tick && tick < end => return None,
                    Who::Shift(_) if tick == end && own.at == *end => return None,
                    Who::Shift(_) => is_dropped |= tick == end,
                    Who::Other(_) => {}
                }
            }
            dropped.extend(is_dropped.then_some(*id));
        }
        self.plan_ends((&stands, strays), &ends, shifts, plan)?;
        plan.dropped.append(&mut dropped);
        Some(())
    }

    /// The length of a note before its start changed, if anything ended it.
    fn had_length(&self, who: Who, shifts: &[Shift]) -> Option<u64> {
        let source = match who {
            Who::Shift(ix) => shifts.get(ix).and_then(|shift| shift.of.source(self)),
            Who::Other(id) => self.notes.get(id),
        };
        source?.dur
    }

    /// Whether two notes overlapped before; both change, or neither.
    fn overlapped(&self, one: Who, other: Who, shifts: &[Shift]) -> bool {
        let (one, other) = match (one, other) {
            (Who::Other(_), Who::Other(_)) => return true,
            (Who::Shift(one), Who::Shift(other)) => (shifts.get(one), shifts.get(other)),
            _ => return false,
        };
        let sources = one.zip(other).and_then(|(one, other)| {
            let sources = (one.of.source(self)?, other.of.source(self)?);
            let copied = |shift: &Shift, source: &Note| {
                matches!(shift.of, Of::New(_)).then(|| shift.after.at.wrapping_sub(source.at))
            };
            // Copies of one stamp are at the same distance from their sources.
            (copied(one, sources.0) == copied(other, sources.1)).then_some(sources)
        });
        sources.is_some_and(|(one, other)| one.overlaps(other))
    }
}

/// Whether two notes that start together both get new places, and so keep their given order.
fn together(one: Who, other: Who, shifts: &[Shift]) -> bool {
    let starts = |who| match who {
        Who::Shift(ix) => shifts
            .get(ix)
            .is_some_and(|shift: &Shift| shift.of.starts()),
        Who::Other(_) => true,
    };
    starts(one) && starts(other)
}
