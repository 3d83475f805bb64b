//! Notes of one pitch that would overlap, where a setting refuses that.

use std::collections::{BTreeMap, HashSet};

use fcp::prelude::*;

use super::ends::Voice;
use crate::model::manner::Overlapping;
use crate::model::rows::kinds::{Chunk, Note, Track};
use crate::model::rows::note::NewNote;
use crate::model::song::Song;
use crate::values::{Dur, Pitch};

/// Two notes of a pitch, channel and chunk, of which one would sound when the other starts.
#[derive(Clone, Copy, Debug)]
pub struct Clash {
    chunk: Id<Chunk>,
    track: Id<Track>,
    pitch: Pitch,
    /// Where the earlier one starts.
    from: u64,
    /// Where it ends, if anything ends it.
    to: Option<u64>,
    /// Where the later one starts.
    at: u64,
}

/// Where a note of a pitch is.
#[derive(Clone, Copy)]
struct Sounds<'n> {
    track: Id<Track>,
    at: u64,
    end: Option<u64>,
    /// What it was before, if it changes.
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

    /// Whether another one that does not start before this one starts while it sounds.
    fn covers(self, later: Self) -> bool {
        self.at == later.at || self.end.is_none_or(|end| later.at < end)
    }

    /// Whether it overlapped another one before that changes too.
    fn overlapped(self, other: Self) -> bool {
        let both = self.before.zip(other.before);
        both.is_some_and(|(one, other)| one.overlaps(other))
    }
}

impl Song {
    /// The note that a new one would overlap, if that is refused.
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

    /// The first two notes that would overlap when some have another place or length, if that is refused.
    ///
    /// # Errors
    /// A note is gone.
    pub fn clash_among(&self, changes: &[(Id<Note>, Note)]) -> Result<Option<Clash>> {
        if self.manner.overlap == Overlapping::Cut {
            return Ok(None);
        }
        let mut changing = HashSet::new();
        let mut voices: BTreeMap<Voice, Vec<Sounds<'_>>> = BTreeMap::new();
        for (id, after) in changes {
            let before = self.notes.need(*id)?;
            let place = |note: &Note| (note.chunk, note.channel, note.pitch, note.at, note.dur);
            if place(before) == place(after) {
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

    /// The first two notes of a pitch that would overlap, of which one at least is among `own`, which are in order.
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
                // Of two that start together the one that is there is the earlier.
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
    /// Two notes, of which the later one starts while the earlier one sounds, or with it.
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

    /// What is wrong.
    fn told(self, song: &Song) -> String {
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
        Diagnostic::new(self.told(song)).or_try("! set overlap:cut")
    }

    /// The error of an op that puts notes together from `start` on, with what makes room: a start behind the note that
    /// sounds, or an end before the one that follows.
    #[must_use]
    pub fn refused_at<P, D>(
        self,
        song: &Song,
        start: u64,
        at: Option<&Spanned<P>>,
        dur: Option<&Spanned<D>>,
    ) -> Diagnostic {
        let told = self.told(song);
        let room = self.at.checked_sub(start).filter(|room| *room > 0);
        let room = room.filter(|_| self.from >= start && self.at > self.from);
        if let Some(room) = room {
            let ppqn = song.has_bars().then(|| song.ppqn());
            let Some(room) = Dur::of_ticks(room, ppqn) else {
                return self.refused(song);
            };
            return match dur {
                Some(dur) => dur.wrong(ValueError::sentence(told).fix(room.to_string())),
                None => Diagnostic::new(told).or_add(format!("dur:{room}")),
            };
        }
        match self.to.map(|to| song.spelled(self.chunk, to)) {
            None => self.refused(song),
            Some(free) => match at {
                Some(at) => at.wrong(ValueError::sentence(told).fix(free)),
                None => Diagnostic::new(told).or_add(format!("at:{free}")),
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

    /// A song of one track with these notes: pitch, where it starts, how long it is.
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

    /// Where the notes are, by their ids.
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
        fn what_is_refused_is_what_would_not_come_out_as_asked(
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
