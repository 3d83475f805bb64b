//! Finds the group of one control change from its neighbours.

use std::cell::Cell;

use fcp::prelude::*;

use super::group::{ParameterChange, Reader, Selected, events};
use super::{DATA, NRPN, RPN, selects};
use crate::model::{ControlChange, Moment, START, Song, Track};
use crate::values::{Channel, Parameter};

/// The controllers that select parameters.
const SELECTING: [u8; 4] = [RPN.0, RPN.1, NRPN.0, NRPN.1];

/// The group of a control change, and the number of steps taken to find it.
///
/// Reading can begin two groups earlier: the parameter selected there can be looked up, and no
/// earlier row belongs to later groups.
#[must_use]
pub fn near(song: &Song, id: Id<ControlChange>) -> (Option<ParameterChange>, usize) {
    let Some(row) = song.controls.get(id) else {
        return (None, 0);
    };
    let around = Around {
        song,
        voice: (row.track, row.channel),
        steps: Cell::new(0),
    };
    let group = around.group(id, row);
    (group, around.steps.get())
}

/// The parameter selected at a moment.
#[must_use]
pub fn selected(song: &Song, voice: (Id<Track>, Channel), moment: Moment) -> Option<Parameter> {
    let steps = Cell::new(0);
    let around = Around { song, voice, steps };
    around.selected(moment).parameter()
}

/// The neighbours of a control change, on its track and channel.
struct Around<'a> {
    song: &'a Song,
    voice: (Id<Track>, Channel),
    steps: Cell<usize>,
}

impl<'a> Around<'a> {
    fn step(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    /// The last change of a controller before a moment.
    fn last(&self, number: u8, moment: Moment) -> Option<(Moment, &'a ControlChange)> {
        self.step();
        let index = self.song.controls.index();
        let (moment, id) = index.before(self.voice, number, moment).next()?;
        Some((moment, self.song.controls.get(id)?))
    }

    /// The last selection before a moment.
    fn last_select(&self, moment: Moment) -> Option<Moment> {
        let lasts = SELECTING.map(|number| self.last(number, moment).map(|(at, _)| at));
        lasts.into_iter().max().flatten()
    }

    /// The first selection.
    fn first_select(&self) -> Option<Moment> {
        let index = self.song.controls.index();
        let firsts = SELECTING.map(|number| index.since(self.voice, number, START).next());
        let ats = firsts.into_iter().flatten().map(|(at, _)| at);
        ats.min()
    }

    /// The selection at a moment.
    fn selected(&self, moment: Moment) -> Selected {
        let halves = |numbers: (u8, u8)| [numbers.0, numbers.1].map(|n| self.last(n, moment));
        let (own, others) = (halves(RPN), halves(NRPN));
        let last = |halves: &[Option<(Moment, &ControlChange)>; 2]| {
            let ats = halves.iter().flatten().map(|(at, _)| *at);
            ats.max()
        };
        let registered = last(&own) > last(&others);
        let (own, others) = if registered {
            (own, others)
        } else {
            (others, own)
        };
        // Selecting one kind of parameter clears the selection of the other kind.
        let over = last(&others);
        let [coarse, fine] = own.map(|half| {
            let (at, row) = half?;
            (Some(at) > over).then_some(row.value)
        });
        Selected {
            registered,
            coarse,
            fine,
        }
    }

    /// The last moment before another at which a parameter was set.
    fn last_set(&self, mut moment: Moment) -> Option<Moment> {
        loop {
            // Between two selections, either all data sets a parameter or none does.
            let (at, _) = self.last(DATA.0, moment)?;
            let select = self.last_select(at)?;
            if self.selected(at).parameter().is_some() {
                return Some(at);
            }
            moment = select;
        }
    }

    /// Whether a control change may belong to a group, judged by the rows before it.
    fn may_be_part(&self, row: &ControlChange) -> bool {
        let moment = row.moment();
        let is_selected = || self.selected(moment).parameter().is_some();
        if row.number == DATA.1 {
            let data = self.last(DATA.0, moment).map(|(at, _)| at);
            let here = data.filter(|(at, ..)| *at == row.at);
            return here.is_some() && here > self.last_select(moment) && is_selected();
        }
        selects(row.number) || (row.number == DATA.0 && is_selected())
    }

    fn group(&self, id: Id<ControlChange>, row: &ControlChange) -> Option<ParameterChange> {
        if !self.may_be_part(row) {
            return None;
        }
        let mut reader = Reader::default();
        let before = self.last_set(row.moment());
        let from = match before.and_then(|before| self.last_set(before)) {
            Some(from) => {
                reader.selected = self.selected(from);
                from
            }
            None => self.first_select()?,
        };
        let mut own = None;
        for (next, row) in events(self.song, self.voice, from) {
            self.step();
            reader.read(next, row);
            let made = reader.groups.len();
            if next == id {
                let last = reader.groups.last();
                own = match last.filter(|group| group.rows.last() == Some(&id)) {
                    Some(_) => made.checked_sub(1),
                    None => Some(made).filter(|_| reader.selecting.last() == Some(&id)),
                };
                own?;
            }
            // Nothing is added to a group once another has begun.
            let begun = made + usize::from(!reader.selecting.is_empty());
            if own.is_some_and(|own| made > own && begun > own + 1) {
                break;
            }
        }
        reader.groups.into_iter().nth(own?)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::Site;
    use crate::model::{Rank, row_of};
    use crate::parameters::{ParameterIndex, folded};
    use crate::parameters::{count, of_track};
    use crate::values::Frac;
    use crate::values::{Parameter, ParameterValue};

    /// Whether two halves deselect.
    fn is_none(coarse: u8, fine: u8, registered: bool) -> bool {
        coarse == 127 || fine == 127 && registered
    }

    /// Reference: the groups of a track and channel up to a tick, from all control changes of the
    /// file in order.
    fn plain(song: &Song, (track, channel): (Id<Track>, Channel), to: u64) -> Vec<ParameterChange> {
        let mut groups: Vec<ParameterChange> = Vec::new();
        let (mut coarse, mut fine, mut registered) = (None, None, true);
        let mut selecting = Vec::new();
        for (_, spot) in song.controls.index().time.iter() {
            let id = Id::new(spot.id);
            let row = song.controls.get(id).unwrap();
            if (row.track, row.channel) != (track, channel) || row.at > to {
                continue;
            }
            match row.number {
                98..=101 => {
                    if (row.number >= 100) != registered {
                        (coarse, fine, registered) = (None, None, !registered);
                    }
                    let half = if row.number % 2 == 1 {
                        &mut coarse
                    } else {
                        &mut fine
                    };
                    *half = Some(row.value);
                    match groups.last_mut() {
                        Some(group) if row.value == 127 && selecting.is_empty() => {
                            group.rows.push(id);
                        }
                        _ => selecting.push(id),
                    }
                }
                6 => {
                    let (Some(coarse), Some(fine)) = (coarse, fine) else {
                        continue;
                    };
                    if is_none(coarse, fine, registered) {
                        continue;
                    }
                    let mut rows = std::mem::take(&mut selecting);
                    rows.push(id);
                    groups.push(ParameterChange {
                        parameter: Parameter {
                            coarse,
                            fine,
                            registered,
                        },
                        value: ParameterValue {
                            coarse: row.value,
                            fine: None,
                        },
                        site: Site {
                            track,
                            chunk: row.chunk,
                            channel,
                            at: row.at,
                        },
                        coarse: id,
                        fine: None,
                        rows,
                    });
                }
                38 => {
                    let selected = coarse.zip(fine);
                    let selected = selected.filter(|(a, b)| !is_none(*a, *b, registered));
                    let is_selected = selecting.is_empty() && selected.is_some();
                    let last = groups.last_mut().filter(|group| group.site.at == row.at);
                    if let Some(group) = last.filter(|_| is_selected) {
                        group.value.fine = Some(row.value);
                        group.fine = Some(id);
                        group.rows.push(id);
                    }
                }
                _ => {}
            }
        }
        groups
    }

    /// Reference: the bend range of a track and channel up to a tick, from all control changes of
    /// the file in order.
    fn plain_reach(song: &Song, (track, channel): (Id<Track>, Channel), to: u64) -> Frac {
        let (mut coarse, mut fine) = (None, None);
        let (mut semitones, mut cents) = (2_u8, 0_u8);
        for (_, spot) in song.controls.index().time.iter() {
            let row = song.controls.get(Id::new(spot.id)).unwrap();
            if (row.track, row.channel) != (track, channel) || row.at > to {
                continue;
            }
            match row.number {
                101 => coarse = Some(row.value),
                100 => fine = Some(row.value),
                98 | 99 => (coarse, fine) = (None, None),
                6 if (coarse, fine) == (Some(0), Some(0)) => semitones = row.value,
                38 if (coarse, fine) == (Some(0), Some(0)) => cents = row.value.min(99),
                _ => {}
            }
        }
        let reach = Frac::new(i128::from(semitones) * 100 + i128::from(cents), 100).unwrap();
        Some(reach)
            .filter(|reach| *reach > Frac::ZERO)
            .unwrap_or(Frac::whole(2))
    }

    /// A control change: track, channel, controller, value, and ticks since the one before it.
    type Change = (usize, u8, u8, u8, u64);

    fn change() -> impl Strategy<Value = Change> {
        let numbers = [6, 6, 38, 98, 99, 100, 100, 101, 101, 7, 96];
        let number = proptest::sample::select(numbers.to_vec());
        let value = proptest::sample::select(vec![0_u8, 0, 1, 5, 127]);
        (0..2_usize, 0..2_u8, number, value, 0..2_u64)
    }

    /// A parameter as programs write it: selection, one half or both, deselection; any may be
    /// missing.
    fn whole() -> impl Strategy<Value = Vec<Change>> {
        let present = proptest::collection::vec(proptest::bool::weighted(0.9), 6);
        (0..2_usize, 0..2_u8, any::<bool>(), present, 0..2_u64).prop_map(
            |(track, channel, registered, present, later)| {
                let (coarse, fine) = if registered { (101, 100) } else { (99, 98) };
                let numbers = [coarse, fine, 6, 38, coarse, fine];
                let values = [0, 0, 12, 64, 127, 127];
                let all = numbers.into_iter().zip(values).zip(present);
                let kept = all.filter(|(_, present)| *present);
                kept.map(|((number, value), _)| (track, channel, number, value, later))
                    .collect()
            },
        )
    }

    fn song(changes: &[Change]) -> Song {
        let mut song = Song::default();
        let chunk = song.conductor();
        let tracks = [(); 2].map(|()| {
            song.tracks.insert(Track {
                chunk,
                name: String::new(),
                channel: Some(Channel::FIRST),
            })
        });
        let mut at = 0;
        for (track, channel, number, value, later) in changes {
            at += later;
            let mark = song.place(chunk, at, Rank::Control, None);
            song.controls.insert(ControlChange {
                chunk,
                track: tracks[*track],
                at,
                number: *number,
                value: *value,
                channel: Channel::new(*channel).unwrap(),
                mark,
            });
        }
        song
    }

    fn check(changes: &[Change]) -> Result<(), TestCaseError> {
        let song = song(changes);
        let end = song.controls.iter().map(|(_, row)| row.at).max();
        let end = end.unwrap_or(0);
        let mut all = Vec::new();
        for (track, _) in song.tracks.iter() {
            for to in [0, end / 2, u64::MAX] {
                let groups = |own| plain(&song, (track, own), to);
                let groups: Vec<ParameterChange> = Channel::all().flat_map(groups).collect();
                prop_assert_eq!(of_track(&song, track, to).collect::<Vec<_>>(), groups);
            }
            for channel in Channel::all().take(2) {
                for at in [0, end / 2, end] {
                    let chunk = song.tracks.get(track).unwrap().chunk;
                    let site = Site {
                        track,
                        chunk,
                        channel,
                        at,
                    };
                    let reach = plain_reach(&song, (track, channel), at);
                    prop_assert_eq!(song.bend_reach(site), reach);
                }
            }
            let own: Vec<ParameterChange> = Channel::all()
                .flat_map(|own| plain(&song, (track, own), u64::MAX))
                .collect();
            let is_made = |id: Id<ControlChange>, row: &ControlChange| {
                let is_none = row.value == 127 && (98..=101).contains(&row.number);
                is_none || own.iter().any(|group| group.rows.contains(&id))
            };
            let rows = song.controls.iter().filter(|(_, row)| row.track == track);
            let sets = rows.clone().any(|(_, row)| row.number == 6);
            let made = rows.filter(|(id, row)| sets && is_made(*id, row)).count();
            prop_assert_eq!(count(&song, track), (own.len(), made));
            all.extend(own);
        }
        let ids: Vec<Id<ControlChange>> = song.controls.iter().map(|(id, _)| id).collect();
        let of = |id: Id<ControlChange>| all.iter().find(|group| group.rows.contains(&id));
        let row = |id: &Id<ControlChange>| row_of(*id);
        // By repeated look-ups, and by one index that has read them all.
        let grouped = ParameterIndex::of(&song);
        for id in &ids {
            prop_assert_eq!(near(&song, *id).0, of(*id).cloned());
            prop_assert_eq!(
                ParameterIndex::of(&song).contains(row(id)),
                of(*id).is_some()
            );
            prop_assert_eq!(grouped.contains(row(id)), of(*id).is_some());
        }
        for ids in [&ids[..], &ids[..ids.len() / 2], &ids[ids.len() / 3..]] {
            let (groups, rest) = folded(&song, ids.iter().map(row).collect());
            let whole = |group: &&ParameterChange| group.rows.iter().all(|id| ids.contains(id));
            prop_assert_eq!(
                &groups,
                &all.iter().filter(whole).cloned().collect::<Vec<_>>()
            );
            let is_rest =
                |id: &&Id<ControlChange>| !groups.iter().any(|group| group.rows.contains(id));
            prop_assert_eq!(
                rest,
                ids.iter().filter(is_rest).map(row).collect::<Vec<_>>()
            );
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn parameters_near_a_change_match_a_full_scan(
            changes in proptest::collection::vec(change(), 0..60),
        ) {
            check(&changes)?;
        }

        #[test]
        fn whole_parameters_are_found_with_parts_missing(
            whole in proptest::collection::vec(whole(), 0..12),
        ) {
            check(&whole.concat())?;
        }
    }

    /// However many groups a track has, one is found in a few steps.
    #[test]
    fn one_group_takes_a_few_steps() {
        let one = [
            (0, 0, 101, 0, 1),
            (0, 0, 100, 0, 0),
            (0, 0, 6, 2, 0),
            (0, 0, 38, 0, 0),
            (0, 0, 101, 127, 0),
            (0, 0, 100, 127, 0),
        ];
        let sweep: Vec<Change> = (0..2000).map(|_| (0, 1, 6, 1, 1)).collect();
        let select = [(0, 1, 99, 1, 0), (0, 1, 98, 8, 0)];
        let song = song(&[one.repeat(500), select.to_vec(), sweep].concat());
        let found = song.controls.iter().map(|(id, _)| near(&song, id));
        let found: Vec<(Option<ParameterChange>, usize)> = found.collect();
        assert!(found.iter().all(|(group, _)| group.is_some()));
        let most = found.iter().map(|(_, steps)| *steps).max().unwrap();
        assert!(most < 100, "{most} steps");
    }
}
