//! Registered and unregistered parameters, each a group of control changes: selection, value,
//! deselection.
//! Single control changes are in `model`, the names of parameters in `values`.

mod bend_range;
mod fold;
mod group;
mod locate;
mod stray;

use fcp::model::Id;

use crate::model::{ControlChange, Site, Song, channel_state};
use crate::values::{Parameter, ParameterValue};
pub use fold::{ParameterIndex, SelectedRows, folded, rows_of};
pub use group::{ParameterChange, count, of_track};
pub use locate::near;
pub use stray::stray;

/// Controllers for the two halves of a value.
const DATA: (u8, u8) = (6, 38);
/// Controllers that select an unregistered parameter, and a registered one.
const NRPN: (u8, u8) = (99, 98);
const RPN: (u8, u8) = (101, 100);

/// The number that deselects: 127 means none.
const NONE: u8 = Parameter::NONE;

/// Whether a controller carries or selects parameters.
#[must_use]
pub const fn carries(number: u8) -> bool {
    matches!(number, 6 | 38 | 98..=101)
}

/// Whether a controller selects parameters.
const fn selects(number: u8) -> bool {
    matches!(number, 98..=101)
}

/// Sets a parameter at a site: changes the value of the group there that sets it, or writes a new
/// group. Returns the previous value.
pub fn set(
    song: &mut Song,
    site: Site,
    parameter: Parameter,
    value: ParameterValue,
) -> Option<ParameterValue> {
    set_again(song, site, parameter, value, &[])
}

/// [`set`], which restores removed rows of the group that set the parameter, given with their
/// controllers.
pub fn set_again(
    song: &mut Song,
    site: Site,
    parameter: Parameter,
    value: ParameterValue,
    gone: &[(u8, Id<ControlChange>)],
) -> Option<ParameterValue> {
    let there = set_at(song, site, parameter);
    let before = there.as_ref().map(|group| group.value);
    if let Some(group) = there {
        if value.fine.is_none() || group.fine.is_some() {
            song.controls
                .modify(group.coarse, |row| row.value = value.coarse);
            match (group.fine, value.fine) {
                (Some(id), Some(fine)) => {
                    song.controls.modify(id, |row| row.value = fine);
                }
                (Some(id), None) => {
                    song.controls.remove(id);
                }
                _ => {}
            }
            return before;
        }
        // The group has one half of a value and gets two, so it is replaced.
        for id in group.rows {
            if song.controls.get(id).is_some_and(|row| row.at == site.at) {
                song.controls.remove(id);
            }
        }
    }
    let select = if parameter.registered { RPN } else { NRPN };
    let mut rows = vec![
        (select.0, parameter.coarse),
        (select.1, parameter.fine),
        (DATA.0, value.coarse),
    ];
    rows.extend(value.fine.map(|fine| (DATA.1, fine)));
    rows.extend([(select.0, NONE), (select.1, NONE)]);
    let removed = gone
        .iter()
        .filter(|(_, id)| song.controls.get(*id).is_none());
    let mut removed: Vec<_> = removed.copied().collect();
    for (number, value) in rows {
        let own = removed.iter().position(|(own, _)| *own == number);
        let own = own.map(|ix| removed.remove(ix).1);
        channel_state::put_again(song, site.control(number, value), own);
    }
    before
}

/// The last group that sets a parameter at a site.
fn set_at(song: &Song, site: Site, parameter: Parameter) -> Option<ParameterChange> {
    let voice = (site.track, site.channel);
    let behind = (site.at, u32::MAX, u32::MAX);
    let data = song.controls.index().before(voice, DATA.0, behind);
    let mut here = data.take_while(|((at, ..), _)| *at == site.at);
    here.find_map(|(moment, id)| {
        // The selected parameter is faster to find than the whole group.
        let own = locate::selected(song, voice, moment) == Some(parameter);
        let group = own.then(|| near(song, id).0).flatten();
        group.filter(|group| group.parameter == parameter)
    })
}
