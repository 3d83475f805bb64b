//! `kit`

use fcp::prelude::*;

use crate::model::{START, Song, Track};
use crate::values::{Channel, Controller, Program, guess_instrument};

/// The banks with kits on channels other than 10: of General MIDI 2 and of XG.
const BANKS: [u8; 2] = [120, 127];

/// A kit that is not on channel 10, or a program there that is not a kit.
#[fcp_lint(weight = 65)]
pub fn kit(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let plays = |channel: Channel| song.notes.index().plays(id, channel);
    let first = |channel: Channel| {
        let first = song.programs.index().of(id, channel).next()?;
        Program::new(song.programs.get(first)?.program)
    };
    let is_kit = |program: &Program| program.kit_name().is_some();
    let struck = first(Channel::DRUMS).filter(|program| !is_kit(program));
    if let Some(program) = struck.filter(|_| plays(Channel::DRUMS)) {
        let name = song.name_of_track(id);
        return Some(format!(
            "{name}: ch:10 is for drums, and {} is not a kit",
            program.name()
        ));
    }
    let channel = track
        .channel
        .filter(|own| plays(*own) && *own != Channel::DRUMS)?;
    let is_kit = first(channel).as_ref().is_none_or(is_kit);
    let banks = (id, channel);
    let banks = song
        .controls
        .index()
        .since(banks, Controller::BANK.get(), START);
    let mut banks = banks.filter_map(|(_, id)| song.controls.get(id));
    let in_bank = banks.any(|bank| BANKS.contains(&bank.value));
    let kit = |name: &str| name == "standard-kit";
    let named = || {
        let name = track.name.to_lowercase();
        let hints = ["drum", "kit", "perc"];
        hints.iter().any(|hint| name.contains(hint)) && guess_instrument(&name).is_some_and(kit)
    };
    (in_bank || (is_kit && named())).then(|| {
        let name = song.name_of_track(id);
        format!("{name}: a kit on ch:{channel}; drums are on ch:10")
    })
}
