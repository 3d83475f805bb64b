//! Pitches of a channel that move as a whole, with all their notes.

use fcp::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ends::Voice;
use crate::model::index::event_places::Rank;
use crate::model::rows::kinds::{Note, RawEvent};
use crate::model::song::Song;
use crate::smf::Body;
use crate::values::{Channel, Pitch};

/// The target of the notes of a pitch.
#[derive(Clone, Copy)]
struct Way {
    /// `None` if they do not all have the same target.
    to: Option<Voice>,
    count: usize,
}

impl Song {
    /// The stray note-offs of each channel and pitch, with their ticks.
    pub(in crate::model) fn stray_voices(&self) -> FxHashMap<Voice, Vec<(u64, Id<RawEvent>)>> {
        let mut voices: FxHashMap<Voice, Vec<(u64, Id<RawEvent>)>> = FxHashMap::default();
        if self.others.index().strays() == 0 {
            return voices;
        }
        let strays = self
            .others
            .iter()
            .filter(|(_, row)| row.rank() == Rank::Off);
        for (id, row) in strays {
            if let Body::Channel { status, data } = &row.body
                && let (Some(channel), Some(pitch)) =
                    (Channel::new(status & 15), Pitch::new(data[0]))
            {
                let own = voices.entry((row.chunk, channel, pitch)).or_default();
                own.push((row.at, id));
            }
        }
        voices
    }

    /// The pitches whose notes all move to one target that has no other notes; `going` has the
    /// source and target of each note. These notes keep their place and spelling, since the order
    /// of events in each pitch does not change.
    pub(in crate::model) fn whole(
        &self,
        going: impl Iterator<Item = (Option<Voice>, Voice)>,
    ) -> FxHashSet<Voice> {
        let mut ways: FxHashMap<Voice, Way> = FxHashMap::default();
        // The only source pitch of each target; `None` if there are several.
        let mut comers: FxHashMap<Voice, Option<Voice>> = FxHashMap::default();
        for (from, to) in going {
            let only = comers.entry(to).or_insert(from);
            *only = only.filter(|only| Some(*only) == from);
            if let Some(from) = from {
                let way = ways.entry(from).or_insert(Way {
                    to: Some(to),
                    count: 0,
                });
                way.to = way.to.filter(|own| *own == to);
                way.count += 1;
            }
        }
        let strays = self.stray_voices();
        let index = self.notes.index();
        let played = |(chunk, channel, pitch): Voice| index.played(chunk, channel, pitch);
        let mut whole: FxHashMap<Voice, Voice> = FxHashMap::default();
        for (from, way) in ways {
            let to = way.to.filter(|to| {
                let alone = comers.get(to) == Some(&Some(from));
                alone && !strays.contains_key(to) && played(from) == way.count
            });
            whole.extend(to.map(|to| (from, to)));
        }
        // The target may be a pitch that moves away, but stays if it does not move as a whole.
        loop {
            let is_free = |to: &Voice| whole.contains_key(to) || played(*to) == 0;
            let blocked: Vec<Voice> = whole
                .iter()
                .filter(|(_, to)| !is_free(to))
                .map(|(from, _)| *from)
                .collect();
            if blocked.is_empty() {
                return whole.into_keys().collect();
            }
            for from in blocked {
                whole.remove(&from);
            }
        }
    }

    /// Applies changes to pitches that move as a whole; returns the other changes.
    pub(in crate::model) fn change_whole(
        &mut self,
        changes: Vec<(Id<Note>, Note)>,
    ) -> Result<Vec<(Id<Note>, Note)>> {
        let stays = |before: &Note, after: &Note| {
            (before.chunk, before.at, before.dur) == (after.chunk, after.at, after.dur)
        };
        let mut any = false;
        for (id, after) in &changes {
            let before = self.notes.need(*id)?;
            any |= stays(before, after) && before.voice() != after.voice();
        }
        if !any {
            return Ok(changes);
        }
        let mut going = Vec::with_capacity(changes.len());
        for (id, after) in &changes {
            let before = self.notes.need(*id)?;
            going.push((stays(before, after).then(|| before.voice()), after.voice()));
        }
        let whole = self.whole(going.iter().copied());
        let mut rest = Vec::new();
        for ((id, after), (from, _)) in changes.into_iter().zip(going) {
            if from.is_some_and(|from| whole.contains(&from)) {
                self.notes.modify(id, |note| *note = after);
            } else {
                rest.push((id, after));
            }
        }
        Ok(rest)
    }
}
