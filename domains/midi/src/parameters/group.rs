//! Groups of control changes that set parameters.

use std::collections::BTreeSet;

use fcp::prelude::*;

use super::{DATA, NONE, NRPN, RPN, selects};
use crate::model::{ControlChange, Moment, START, Site, Song, Track};
use crate::values::{Channel, Parameter, ParameterValue};

/// The controllers that carry or select parameters.
const NUMBERS: [u8; 6] = [DATA.0, DATA.1, NRPN.0, NRPN.1, RPN.0, RPN.1];

/// A group of control changes that sets a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterChange {
    /// The parameter.
    pub parameter: Parameter,
    /// Its value.
    pub value: ParameterValue,
    /// The place of its value.
    pub site: Site,
    pub(super) coarse: Id<ControlChange>,
    pub(super) fine: Option<Id<ControlChange>>,
    /// Its control changes: those that select it, those of its value, and those that deselect it.
    pub rows: Vec<Id<ControlChange>>,
}

impl ParameterChange {
    /// The coarse half of its value.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.value.coarse
    }

    /// Sets another value, of one half. Returns whether anything changed.
    pub fn set(&self, song: &mut Song, value: u8) -> bool {
        let fine = self
            .fine
            .is_some_and(|id| song.controls.remove(id).is_some());
        song.controls.modify(self.coarse, |row| row.value = value) || fine
    }

    /// The sort key of groups in a song.
    pub fn order(&self, song: &Song) -> (Id<Track>, Channel, Option<Moment>) {
        let value = song.controls.get(self.coarse);
        (
            self.site.track,
            self.site.channel,
            value.map(ControlChange::moment),
        )
    }
}

/// The selected halves of a parameter number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Selected {
    pub registered: bool,
    pub coarse: Option<u8>,
    pub fine: Option<u8>,
}

impl Selected {
    /// The parameter, if both its halves are selected and valid.
    pub fn parameter(self) -> Option<Parameter> {
        let parameter = Parameter {
            coarse: self.coarse?,
            fine: self.fine?,
            registered: self.registered,
        };
        (!parameter.is_none()).then_some(parameter)
    }

    /// Updates the selection after a control change.
    pub fn select(&mut self, row: &ControlChange) {
        let registered = row.number == RPN.0 || row.number == RPN.1;
        if registered != self.registered {
            *self = Self {
                registered,
                ..Self::default()
            };
        }
        let is_coarse = row.number == RPN.0 || row.number == NRPN.0;
        let half = if is_coarse {
            &mut self.coarse
        } else {
            &mut self.fine
        };
        *half = Some(row.value);
    }
}

/// Reads the groups of control changes on a channel of a track, in order.
#[derive(Default)]
pub(super) struct Reader {
    pub selected: Selected,
    /// Selecting control changes, which belong to the next group.
    pub selecting: Vec<Id<ControlChange>>,
    pub groups: Vec<ParameterChange>,
}

impl Reader {
    pub fn read(&mut self, id: Id<ControlChange>, row: &ControlChange) {
        if selects(row.number) {
            self.selected.select(row);
            // A deselection ends the group before.
            match self.groups.last_mut() {
                Some(group) if row.value == NONE && self.selecting.is_empty() => {
                    group.rows.push(id);
                }
                _ => self.selecting.push(id),
            }
            return;
        }
        let Some(parameter) = self.selected.parameter() else {
            return;
        };
        if row.number == DATA.0 {
            let mut rows = std::mem::take(&mut self.selecting);
            rows.push(id);
            self.groups.push(ParameterChange {
                parameter,
                value: ParameterValue {
                    coarse: row.value,
                    fine: None,
                },
                site: Site {
                    track: row.track,
                    chunk: row.chunk,
                    channel: row.channel,
                    at: row.at,
                },
                coarse: id,
                fine: None,
                rows,
            });
        } else if row.number == DATA.1 && self.selecting.is_empty() {
            let last = self.groups.last_mut();
            if let Some(group) = last.filter(|group| group.site.at == row.at) {
                group.value.fine = Some(row.value);
                group.fine = Some(id);
                group.rows.push(id);
            }
        }
    }
}

/// The control changes that carry or select parameters on a channel of a track, at or after a
/// moment, in order.
pub fn events(
    song: &Song,
    voice: (Id<Track>, Channel),
    from: Moment,
) -> impl Iterator<Item = (Id<ControlChange>, &ControlChange)> {
    changes(song, voice, NUMBERS, from)
}

/// The changes of some controllers on a channel of a track, at or after a moment, in order.
pub(super) fn changes<const N: usize>(
    song: &Song,
    voice: (Id<Track>, Channel),
    numbers: [u8; N],
    from: Moment,
) -> impl Iterator<Item = (Id<ControlChange>, &ControlChange)> {
    let index = song.controls.index();
    let mut runs = numbers.map(|number| index.since(voice, number, from).peekable());
    let ids = std::iter::from_fn(move || {
        let runs = runs.iter_mut();
        let heads = runs.filter_map(|run| Some((run.peek()?.0, run)));
        let (_, next) = heads.min_by_key(|(moment, _)| *moment)?;
        next.next()
    });
    ids.filter_map(|(_, id)| Some((id, song.controls.get(id)?)))
}

/// The groups of a track up to and including a tick, channel by channel.
pub fn of_track(song: &Song, track: Id<Track>, at: u64) -> impl Iterator<Item = ParameterChange> {
    let channels = song.controls.index().channels(track, DATA.0);
    channels.flat_map(move |channel| {
        let mut reader = Reader::default();
        events(song, (track, channel), START)
            .take_while(|(_, row)| row.at <= at)
            .for_each(|(id, row)| reader.read(id, row));
        reader.groups
    })
}

/// The number of groups of a track, and the number of their control changes, including
/// deselections.
#[must_use]
pub fn count(song: &Song, track: Id<Track>) -> (usize, usize) {
    let index = song.controls.index();
    if index.channels(track, DATA.0).next().is_none() {
        return (0, 0);
    }
    let none = |row: &&ControlChange| selects(row.number) && row.value == NONE;
    let channels = NUMBERS.iter().flat_map(|own| index.channels(track, *own));
    let channels: BTreeSet<Channel> = channels.collect();
    let rows = channels
        .into_iter()
        .flat_map(|channel| events(song, (track, channel), START));
    let nones = rows.filter(|(_, row)| none(row)).count();
    let groups: Vec<ParameterChange> = of_track(song, track, u64::MAX).collect();
    let own = groups.iter().flat_map(|group| &group.rows);
    let own = own.filter_map(|id| song.controls.get(*id));
    let others = own.filter(|row| !none(row)).count();
    (groups.len(), nones + others)
}
