//! Notes that change their pitch or channel and not their tick: their events keep their places among
//! the others of the tick, wherever that leaves the pairs of note-ons and note-offs as they are.

use fcp::prelude::*;
use rustc_hash::FxHashSet;

use super::ends::Voice;
use super::shift::{Of, Plan, STUCK, Shift, Stands, Who};
use crate::model::index::event_places::Placed;
use crate::model::rows::kinds::{Note, RawEvent};
use crate::model::song::Song;

/// The index of the note of a stray note-off.
const STRAY: usize = usize::MAX;

/// A note-on or note-off of a pitch.
struct Event {
    tick: u64,
    /// Its note, by index among those of the pitch.
    of: usize,
    off: bool,
    /// Its place among the events of the tick, if it has one already.
    place: Option<(u32, u32)>,
    /// The changed note that it belongs to.
    changed: Option<Id<Note>>,
}

impl Song {
    /// Whether a note starts at the tick where it started before.
    pub(super) fn is_in_place(&self, shift: &Shift) -> bool {
        let before = match shift.of {
            Of::Moved(id) => self.notes.get(id),
            Of::Ended(_) | Of::New(_) => None,
        };
        let start = |note: &Note| (note.chunk, note.at);
        before.is_some_and(|before| start(before) == start(&shift.after))
    }

    /// The target pitches of notes that stay at their tick.
    pub(super) fn in_place(&self, shifts: &[Shift]) -> FxHashSet<Voice> {
        let staying = shifts.iter().filter(|shift| self.is_in_place(shift));
        staying.map(|shift| shift.after.voice()).collect()
    }

    /// Finds the events of changed notes of a pitch that keep their places: those alone at their
    /// tick, and those of a tick that are in the order in which notes start and end.
    pub(super) fn plan_kept(
        &self,
        (stands, strays): (&[Stands], &[(u64, Id<RawEvent>)]),
        ends: &[(u64, Option<&Stands>)],
        shifts: &[Shift],
        plan: &mut Plan,
    ) {
        let mut events = Vec::with_capacity(2 * stands.len());
        for (of, (own, (end, _))) in stands.iter().zip(ends).enumerate() {
            let shift = match own.who {
                Who::Shift(ix) => shifts.get(ix),
                Who::Other(_) => None,
            };
            let (id, starts) = match own.who {
                Who::Other(id) => (Some(id), false),
                Who::Shift(_) => (
                    shift.and_then(|shift| shift.of.id()),
                    shift.is_some_and(|shift| shift.of.starts()),
                ),
            };
            let chunk = self.new_state(own.who, shifts).map(|note| note.chunk);
            let before = id.and_then(|id| self.notes.get(id));
            let before = before.filter(|before| Some(before.chunk) == chunk);
            let changed = id.filter(|_| shift.is_some());
            let on = before.map(Note::onset);
            let off = before.map(Note::ending);
            for (tick, off, before, changed) in [
                (own.at, false, on, changed.filter(|_| starts)),
                (*end, true, off, changed),
            ] {
                let before = before.filter(|(at, ..)| *at == tick && tick < STUCK);
                events.push(Event {
                    tick,
                    of,
                    off,
                    place: before.map(|(_, pos, seq)| (pos, seq)),
                    changed,
                });
            }
        }
        if !events.iter().any(Event::may_stay) {
            return;
        }
        events.extend(strays.iter().filter_map(|(tick, id)| {
            let (_, mark, _) = self.others.get(*id)?.start();
            Some(Event {
                tick: *tick,
                of: STRAY,
                off: true,
                place: Some((mark.pos, mark.seq)),
                changed: None,
            })
        }));
        events.sort_by_key(|event| event.tick);
        for events in events.chunk_by(|one, next| one.tick == next.tick) {
            let stay = match events {
                [_] => true,
                _ if events.iter().any(|own| own.of == STRAY) => after_strays(events),
                [one, other] if one.of != other.of && one.off != other.off => {
                    let (off, on) = if one.off { (one, other) } else { (other, one) };
                    off.place.zip(on.place).is_none_or(|(off, on)| off < on)
                }
                _ => in_order(events),
            };
            for own in events.iter().filter(|own| stay && own.may_stay()) {
                let [ons, offs] = &mut plan.kept;
                let kept = if own.off { offs } else { ons };
                own.changed.into_iter().for_each(|id| kept.insert(id));
            }
        }
    }
}

impl Event {
    fn may_stay(&self) -> bool {
        self.place.is_some() && self.changed.is_some()
    }
}

/// Whether all notes with events at a tick start there, after its stray note-offs.
fn after_strays(events: &[Event]) -> bool {
    let strays = events.iter().filter(|own| own.of == STRAY);
    let last = strays.filter_map(|own| own.place).max();
    let mut others = events.iter().filter(|own| own.of != STRAY);
    others.all(|own| !own.off && own.place > last)
}

/// Whether all events of a tick have places, in which notes start and end in the order of the notes,
/// each after its start.
fn in_order(events: &[Event]) -> bool {
    let mut events: Vec<&Event> = events.iter().collect();
    events.sort_by_key(|own| own.place);
    let of = |off: bool| {
        let own = events.iter().filter(move |own| own.off == off);
        own.map(|own| own.of)
    };
    let sorted = of(false).is_sorted() && of(true).is_sorted();
    if !sorted || events.iter().any(|own| own.place.is_none()) {
        return false;
    }
    // Those that start at this tick are the last notes of all with events here.
    let (first, mut started) = (of(false).next(), None);
    events.iter().all(|own| match own.off {
        true => first.is_none_or(|first| own.of < first) || Some(own.of) <= started,
        false => {
            started = Some(own.of);
            true
        }
    })
}
