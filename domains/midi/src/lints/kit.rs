//! `kit`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Song, Track};
use crate::values::{Channel, Controller, Program, guess_instrument};

/// The banks in which other channels than 10 play kits: of General MIDI 2 and of XG.
const BANKS: [u8; 2] = [120, 127];

/// A kit that is not on channel 10, or a program there that is no kit.
#[fcp_lint(weight = 65)]
pub fn kit(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    if song.notes.index().count(id) == 0 {
        return None;
    }
    let channel = track.channel?;
    let number = song.first_program(id);
    let program = number.and_then(Program::new);
    let is_kit = program.is_none_or(|program| program.kit_name().is_some());
    if channel == Channel::DRUMS {
        let program = program.filter(|_| !is_kit)?;
        let name = lines::name(song, id);
        return Some(format!(
            "{name}: ch:10 is for drums, and {} is no kit",
            program.name()
        ));
    }
    let banks = song.controls.index().of(id, Controller::BANK.get());
    let mut banks = banks.filter_map(|id| song.controls.get(id));
    let in_bank = banks.any(|bank| BANKS.contains(&bank.value));
    let kit = |name: &str| name == "standard-kit";
    let named = || {
        let name = track.name.to_lowercase();
        let hints = ["drum", "kit", "perc"];
        hints.iter().any(|hint| name.contains(hint)) && guess_instrument(&name).is_some_and(kit)
    };
    (in_bank || (is_kit && named())).then(|| {
        let name = lines::name(song, id);
        format!("{name}: a kit on ch:{channel}; drums are on ch:10")
    })
}
