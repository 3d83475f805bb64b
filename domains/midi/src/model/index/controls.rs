//! Control changes, sorted by controller.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use super::by_kind::count;
use super::event_places::Timeline;
use crate::model::rows::kinds::{ControlChange, Track};
use crate::values::Channel;

/// A place among the events of a chunk: tick, place, and place among new events there.
pub type Moment = (u64, u32, u32);

/// The control changes in the order of the file, and by controller.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ControlIndex {
    /// All control changes in the order of the file.
    pub time: Timeline,
    numbers: BTreeSet<Entry>,
    /// Number of control changes, by track id and channel.
    counts: BTreeMap<(u32, u8), usize>,
    strays: Strays,
}

/// The first parameter data without a selected parameter, by track and channel. Computed on demand,
/// and dropped when the controllers that select or carry parameters there change.
#[derive(Debug, Default)]
struct Strays(RefCell<FxHashMap<(u32, u8), Option<Moment>>>);

// A cache derived from the rows alone, so two for the same rows are equal.
impl PartialEq for Strays {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Strays {}

impl Strays {
    fn forget(&mut self, row: &ControlChange) {
        if matches!(row.number, 6 | 38 | 96..=101) {
            let voice = (row.track.number(), row.channel.get());
            self.0.get_mut().remove(&voice);
        }
    }
}

/// Track, controller, channel, place, id.
type Entry = (u32, u8, u8, Moment, u32);

/// Before all events of a chunk.
pub const START: Moment = (0, 0, 0);
/// After all events of a chunk.
pub const END: Moment = (u64::MAX, u32::MAX, u32::MAX);

impl ControlIndex {
    fn entry(id: Id<ControlChange>, row: &ControlChange) -> Entry {
        let (track, channel) = (row.track.number(), row.channel.get());
        (track, row.number, channel, row.moment(), id.number())
    }

    /// Number of control changes of a track.
    #[must_use]
    pub fn count(&self, track: Id<Track>) -> usize {
        let track = track.number();
        let own = self.counts.range((track, 0)..=(track, u8::MAX));
        own.map(|(_, count)| count).sum()
    }

    /// All channels with control changes; a channel used by several tracks is repeated.
    pub fn all_channels(&self) -> impl Iterator<Item = Channel> {
        self.counts.keys().filter_map(|(_, own)| Channel::new(*own))
    }

    /// The changes of one controller on a track, channel by channel.
    pub fn of(
        &self,
        track: Id<Track>,
        number: u8,
    ) -> impl Iterator<Item = Id<ControlChange>> + use<'_> {
        let low = (track.number(), number, 0, START, 0);
        let high = (track.number(), number, u8::MAX, END, u32::MAX);
        self.numbers.range(low..=high).map(|entry| Id::new(entry.4))
    }

    /// The channels on which a track changes a controller.
    pub fn channels(&self, track: Id<Track>, number: u8) -> impl Iterator<Item = Channel> {
        let next = move |from: u8| {
            let low = (track.number(), number, from, START, 0);
            let high = (track.number(), number, u8::MAX, END, u32::MAX);
            self.numbers.range(low..=high).next().map(|entry| entry.2)
        };
        let channels = std::iter::successors(next(0), move |channel| next(channel + 1));
        channels.filter_map(Channel::new)
    }

    /// The changes of a controller on a channel of a track at or after a moment, in order.
    pub fn since(
        &self,
        (track, channel): (Id<Track>, Channel),
        number: u8,
        moment: Moment,
    ) -> impl Iterator<Item = (Moment, Id<ControlChange>)> + use<'_> {
        let (track, channel) = (track.number(), channel.get());
        let low = (track, number, channel, moment, 0);
        let high = (track, number, channel, END, u32::MAX);
        let found = self.numbers.range(low..=high);
        found.map(|entry| (entry.3, Id::new(entry.4)))
    }

    /// The changes of a controller on a channel of a track before a moment, the last one first.
    pub fn before(
        &self,
        (track, channel): (Id<Track>, Channel),
        number: u8,
        moment: Moment,
    ) -> impl Iterator<Item = (Moment, Id<ControlChange>)> + use<'_> {
        let (track, channel) = (track.number(), channel.get());
        let low = (track, number, channel, START, 0);
        let high = (track, number, channel, moment, 0);
        let found = self.numbers.range(low..high).rev();
        found.map(|entry| (entry.3, Id::new(entry.4)))
    }

    /// The first parameter data on a channel of a track without a selected parameter; `look`
    /// computes it if it is not known.
    pub fn stray(
        &self,
        (track, channel): (Id<Track>, Channel),
        look: impl FnOnce() -> Option<Moment>,
    ) -> Option<Moment> {
        let voice = (track.number(), channel.get());
        let known = self.strays.0.borrow().get(&voice).copied();
        known.unwrap_or_else(|| {
            let found = look();
            self.strays.0.borrow_mut().insert(voice, found);
            found
        })
    }

    /// The first change of a controller on a track, and on a channel if one is given.
    #[must_use]
    pub fn first_of(
        &self,
        track: Id<Track>,
        own: Option<Channel>,
        number: u8,
    ) -> Option<Id<ControlChange>> {
        let channels = self.channels(track, number);
        let channels = channels.filter(|channel| own.is_none_or(|own| own == *channel));
        let firsts = channels.filter_map(|own| self.since((track, own), number, START).next());
        firsts.min().map(|(_, id)| id)
    }

    /// The last change of a controller on a track up to a tick, and on a channel if one is given.
    #[must_use]
    pub fn last_of(
        &self,
        track: Id<Track>,
        own: Option<Channel>,
        number: u8,
        tick: u64,
    ) -> Option<Id<ControlChange>> {
        let behind = (tick, u32::MAX, u32::MAX);
        let channels = self.channels(track, number);
        let channels = channels.filter(|channel| own.is_none_or(|own| own == *channel));
        let lasts = channels.filter_map(|own| self.before((track, own), number, behind).next());
        lasts.max().map(|(_, id)| id)
    }
}

impl RowIndex<ControlChange> for ControlIndex {
    fn in_file(one: &ControlChange, other: &ControlChange) -> Ordering {
        Timeline::in_file(one, other)
    }
    fn insert(&mut self, id: Id<ControlChange>, row: &ControlChange) {
        self.time.insert(id, row);
        self.numbers.insert(Self::entry(id, row));
        let voice = (row.track.number(), row.channel.get());
        count(&mut self.counts, voice, 1);
        self.strays.forget(row);
    }
    fn remove(&mut self, id: Id<ControlChange>, row: &ControlChange) {
        self.time.remove(id, row);
        self.numbers.remove(&Self::entry(id, row));
        let voice = (row.track.number(), row.channel.get());
        count(&mut self.counts, voice, -1);
        self.strays.forget(row);
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::edit::refused_overlaps::tests::song;
    use crate::model::{Rank, Song};

    /// A song with these control changes: channel, controller, tick.
    fn changed(changes: &[(u8, u8, u64)]) -> (Song, Id<Track>) {
        let mut song = song(&[]);
        let chunk = song.conductor();
        let track = song.tracks.iter().next().unwrap().0;
        for (channel, number, at) in changes {
            let mark = song.place(chunk, *at, Rank::Control, None);
            song.controls.insert(ControlChange {
                chunk,
                track,
                at: *at,
                number: *number,
                value: 0,
                channel: Channel::new(*channel).unwrap(),
                mark,
            });
        }
        (song, track)
    }

    proptest! {
        #[test]
        fn the_changes_of_a_controller_match_a_full_scan(
            changes in proptest::collection::vec((0_u8..4, 5_u8..8, 0_u64..9), 0..24),
            tick in 0_u64..9,
        ) {
            let (song, track) = changed(&changes);
            let index = song.controls.index();
            for number in 5..9 {
                let own = song.controls.iter().filter(|(_, row)| row.number == number);
                let mut own: Vec<_> = own.map(|(id, row)| (row.moment(), id, row.channel)).collect();
                own.sort_unstable();
                let ids = |rows: &[&(Moment, Id<ControlChange>, Channel)]| -> Vec<_> {
                    rows.iter().map(|row| (row.0, row.1)).collect()
                };
                prop_assert_eq!(index.first_of(track, None, number), own.first().map(|row| row.1));
                let last = own.iter().rfind(|row| row.0.0 <= tick);
                prop_assert_eq!(index.last_of(track, None, number, tick), last.map(|row| row.1));
                let channels: BTreeSet<Channel> = own.iter().map(|row| row.2).collect();
                let channels: Vec<Channel> = channels.into_iter().collect();
                prop_assert_eq!(index.channels(track, number).collect::<Vec<_>>(), channels.clone());
                prop_assert_eq!(index.of(track, number).count(), own.len());
                for channel in channels {
                    let first = own.iter().find(|row| row.2 == channel);
                    prop_assert_eq!(index.first_of(track, Some(channel), number), first.map(|row| row.1));
                    let last = own.iter().rfind(|row| row.2 == channel && row.0.0 <= tick);
                    prop_assert_eq!(index.last_of(track, Some(channel), number, tick), last.map(|row| row.1));
                    let here: Vec<_> = own.iter().filter(|row| row.2 == channel).collect();
                    for (place, (moment, ..)) in here.iter().enumerate() {
                        let since = index.since((track, channel), number, *moment);
                        prop_assert_eq!(since.collect::<Vec<_>>(), ids(&here[place..]));
                        let before = index.before((track, channel), number, *moment);
                        let mut before: Vec<_> = before.collect();
                        before.reverse();
                        prop_assert_eq!(before, ids(&here[..place]));
                    }
                }
            }
        }
    }
}
