//! Detects overlapping notes of one pitch, when a setting refuses them.

use std::collections::{BTreeMap, HashSet};

use fcp::prelude::*;

use super::ends::Voice;
use crate::model::rows::kinds::{Chunk, Note, Track};
use crate::model::rows::note::NewNote;
use crate::model::song::Song;
use crate::model::song_settings::Overlapping;
use crate::values::{Dur, Pitch};

/// Two notes of a pitch, channel and chunk, one of which would sound when the other starts.
#[derive(Clone, Copy, Debug)]
pub struct Clash {
    chunk: Id<Chunk>,
    track: Id<Track>,
    pitch: Pitch,
    /// The start of the earlier one.
    from: u64,
    /// Its end, if it has one.
    to: Option<u64>,
    /// The start of the later one.
    at: u64,
}

/// The span of a note.
#[derive(Clone, Copy)]
struct Sounds<'n> {
    track: Id<Track>,
    at: u64,
    end: Option<u64>,
    /// Its previous state, if it changes.
    before: Option<&'n Note>,
}

impl<'n> Sounds<'n> {
    fn of(note: &Note, before: Option<&'n Note>) -> Self {
        Self {
            track: note.track,
            at: note.at,
            end: note.dur.map(|dur| note.at.saturating_add(dur)),
            before,
        }
    }

    /// Whether another note, which does not start earlier, starts while this one sounds.
    fn covers(self, later: Self) -> bool {
        self.at == later.at || self.end.is_none_or(|end| later.at < end)
    }

    /// Whether it already overlapped another note that changes too.
    fn overlapped(self, other: Self) -> bool {
        let both = self.before.zip(other.before);
        both.is_some_and(|(one, other)| one.overlaps(other))
    }
}

impl Song {
    /// The overlap that a new note would cause, if overlaps are refused.
    #[must_use]
    pub fn clash_of(&self, chunk: Id<Chunk>, new: &NewNote) -> Option<Clash> {
        if self.manner.overlap == Overlapping::Cut {
            return None;
        }
        let own = Sounds {
            track: new.track,
            at: new.at,
            end: Some(new.at.saturating_add(new.dur)),
            before: None,
        };
        self.first_clash((chunk, new.channel, new.pitch), &[own], &HashSet::new())
    }

    /// The first two notes that would overlap after changes of place or length, if overlaps are
    /// refused.
    ///
    /// # Errors
    /// A note is missing.
    pub fn clash_among(&self, changes: &[(Id<Note>, Note)]) -> Result<Option<Clash>> {
        if self.manner.overlap == Overlapping::Cut {
            return Ok(None);
        }
        let mut changing = HashSet::new();
        let mut voices: BTreeMap<Voice, Vec<Sounds<'_>>> = BTreeMap::new();
        for (id, after) in changes {
            let before = self.notes.need(*id)?;
            let place = |note: &Note| (note.chunk, note.channel, note.pitch, note.at, note.dur);
            if place(before) == place(after) || self.is_apart(*id) {
                continue;
            }
            changing.insert(*id);
            voices
                .entry(after.voice())
                .or_default()
                .push(Sounds::of(after, Some(before)));
        }
        let clashes = voices.into_iter().filter_map(|(voice, mut own)| {
            own.sort_by_key(|note| note.at);
            self.first_clash(voice, &own, &changing)
        });
        Ok(clashes.min_by_key(|clash| clash.at))
    }

    /// The first two notes of a pitch that would overlap, at least one of them in `own`, which is
    /// in order.
    fn first_clash<'n>(
        &'n self,
        (chunk, channel, pitch): Voice,
        own: &[Sounds<'n>],
        changing: &HashSet<Id<Note>>,
    ) -> Option<Clash> {
        let index = self.pitches();
        let there = |id: &Id<Note>| {
            let stays = !changing.contains(id);
            let note = self.notes.get(*id).filter(|_| stays);
            note.map(|note| Sounds::of(note, None))
        };
        let mut found: Option<(Sounds<'n>, Sounds<'n>)> = None;
        let mut meets = |earlier: Sounds<'n>, later: Sounds<'n>| {
            let sooner = found.is_none_or(|(_, first)| later.at < first.at);
            if sooner && earlier.covers(later) && !earlier.overlapped(later) {
                found = Some((earlier, later));
            }
        };
        let mut longest: Option<Sounds<'n>> = None;
        for note in own {
            if let Some(earlier) = longest {
                meets(earlier, *note);
            }
            let ends_later = |earlier: Sounds<'_>| {
                let end = |note: Sounds<'_>| note.end.unwrap_or(u64::MAX);
                end(*note) >= end(earlier)
            };
            if longest.is_none_or(ends_later) {
                longest = Some(*note);
            }
            let mut before = index.before(chunk, channel, pitch, note.at);
            if let Some(earlier) = before.find_map(|id| there(&id)) {
                meets(earlier, *note);
            }
            let mut behind = index.from(chunk, channel, pitch, note.at);
            if let Some(later) = behind.find_map(|id| there(&id)) {
                // Of two that start together, the existing one counts as the earlier.
                match later.at == note.at {
                    true => meets(later, *note),
                    false => meets(*note, later),
                }
            }
        }
        found.map(|(earlier, later)| Clash {
            chunk,
            track: later.track,
            pitch,
            from: earlier.at,
            to: earlier.end,
            at: later.at,
        })
    }
}

impl Clash {
    /// Two notes, the later of which starts while the earlier sounds, or together with it.
    #[must_use]
    pub fn between(earlier: &Note, later: &Note) -> Self {
        Self {
            chunk: later.chunk,
            track: later.track,
            pitch: later.pitch,
            from: earlier.at,
            to: earlier.dur.map(|dur| earlier.at.saturating_add(dur)),
            at: later.at,
        }
    }

    /// Describes the error.
    fn describe(self, song: &Song) -> String {
        let name = song.pitch_name(self.track, self.pitch);
        let on = song.name_of_track(self.track);
        let at = song.shown(self.chunk, self.at);
        if self.from == self.at {
            return format!("{name} on {on} would start twice at {at}, and overlap:refuse is set");
        }
        let from = song.shown(self.chunk, self.from);
        format!(
            "{name} on {on} would still sound from {from} when it starts again at {at}, and overlap:refuse is set"
        )
    }

    /// The error.
    #[must_use]
    pub fn refused(self, song: &Song) -> Diagnostic {
        Diagnostic::new(self.describe(song)).or_try("! set overlap:cut")
    }

    /// The error of an op that places notes from `start` on. The repair makes room: a start after
    /// the sounding note, or an end before the next one.
    #[must_use]
    pub fn refused_at<P, D>(
        self,
        song: &Song,
        start: u64,
        at: Option<&Spanned<P>>,
        dur: Option<&Spanned<D>>,
    ) -> Diagnostic {
        let problem = self.describe(song);
        let room = self.at.checked_sub(start).filter(|room| *room > 0);
        let room = room.filter(|_| self.from >= start && self.at > self.from);
        if let Some(room) = room {
            let ppqn = song.has_bars().then(|| song.ppqn());
            let Some(room) = Dur::of_ticks(room, ppqn) else {
                return self.refused(song);
            };
            return match dur {
                Some(dur) => dur.wrong(ValueError::sentence(problem).fix(room.to_string())),
                None => Diagnostic::new(problem).or_add(format!("dur:{room}")),
            };
        }
        match self.to.map(|to| song.spelled(self.chunk, to)) {
            None => self.refused(song),
            Some(free) => match at {
                Some(at) => at.wrong(ValueError::sentence(problem).fix(free)),
                None => Diagnostic::new(problem).or_add(format!("at:{free}")),
            },
        }
    }
}

#[cfg(test)]
pub(in crate::model) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::Release;
    use crate::values::{Channel, Velocity};

    /// A song of one track with these notes: pitch, start, length.
    pub fn song(notes: &[(u8, u64, u64)]) -> Song {
        let mut song = Song::default();
        let chunk = song.conductor();
        let track = song.tracks.insert(Track {
            chunk,
            name: String::new(),
            channel: Some(Channel::FIRST),
        });
        for (pitch, at, dur) in notes {
            let new = NewNote {
                track,
                channel: Channel::FIRST,
                pitch: Pitch::new(*pitch).unwrap(),
                at: *at,
                dur: *dur,
                velocity: Velocity::new(80).unwrap(),
                release: Release::NEUTRAL,
            };
            song.add_note(new).unwrap();
        }
        song
    }

    /// The ids, pitches, starts and lengths of notes, sorted.
    fn places<'a>(
        notes: impl Iterator<Item = (Id<Note>, &'a Note)>,
    ) -> Vec<(u32, u8, u64, Option<u64>)> {
        let place =
            |(id, note): (Id<Note>, &Note)| (id.number(), note.pitch.get(), note.at, note.dur);
        let mut places: Vec<_> = notes.map(place).collect();
        places.sort_unstable();
        places
    }

    proptest! {
        #[test]
        fn only_changes_with_side_effects_are_refused(
            notes in proptest::collection::vec((60_u8..63, 0_u64..60, 1_u64..9), 1..24),
            changes in proptest::collection::vec((any::<bool>(), -1_i8..=1, -6_i64..=6, -4_i64..=4), 24),
        ) {
            let mut song = song(&notes);
            let mut asked: Vec<(Id<Note>, Note)> = song.notes.iter().map(|(id, row)| (id, row.clone())).collect();
            let mut changed = Vec::new();
            for ((id, note), (_, up, later, longer)) in asked.iter_mut().zip(changes).filter(|(_, change)| change.0) {
                note.pitch = note.pitch.shifted(up.into()).unwrap();
                note.at = note.at.saturating_add_signed(later);
                note.dur = note.dur.map(|dur| dur.saturating_add_signed(longer).max(1));
                changed.push((*id, note.clone()));
            }
            song.manner.adjust(|manner| manner.overlap = Overlapping::Refuse);
            let before = places(song.notes.iter());
            let refused = song.change_notes(changed.clone()).is_err();
            if refused {
                prop_assert_eq!(places(song.notes.iter()), before);
            }
            song.manner.adjust(|manner| manner.overlap = Overlapping::Cut);
            song.change_notes(changed).unwrap();
            let as_asked = places(song.notes.iter()) == places(asked.iter().map(|(id, note)| (*id, note)));
            prop_assert_eq!(refused, !as_asked);
        }
    }
}
