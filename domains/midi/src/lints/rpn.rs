//! `rpn`

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::lines;
use crate::model::{Song, Track};
use crate::values::Channel;

/// Data of a parameter before one is selected, which changes whatever was selected last.
#[fcp_lint(weight = 55)]
pub fn rpn(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    // Data, steps up and down, and what selects (MIDI 1.0, registered and non-registered parameters).
    let numbers = [6, 38, 96, 97, 98, 99, 100, 101];
    let ids = numbers
        .iter()
        .flat_map(|number| song.controls.index().of(id, *number));
    let mut rows: Vec<_> = ids.filter_map(|id| song.controls.get(id)).collect();
    rows.sort_unstable_by_key(|row| (row.at, row.mark.pos, row.mark.seq));
    let mut selected: BTreeMap<Channel, (bool, bool)> = BTreeMap::new();
    let stray = rows.iter().find(|row| {
        let own = selected.entry(row.channel).or_default();
        match row.number {
            // 127 selects nothing.
            99 | 101 => own.0 = row.value < 127,
            98 | 100 => own.1 = row.value < 127,
            _ => return !(own.0 && own.1),
        }
        false
    })?;
    let (name, at) = (lines::name(song, id), song.shown(track.chunk, stray.at));
    let told = format!("{name}: parameter data at {at}, and none is selected");
    Some(told)
}
