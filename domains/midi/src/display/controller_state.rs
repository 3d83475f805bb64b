//! Controller state at a tick, grouped by equal tracks.

use fcp::prelude::*;

use crate::model::{Song, Track};
use crate::values::Controller;

/// Groups equal descriptions of tracks: `Keys,Pad A3 C4`, `all but Bass volume 90`.
#[must_use]
pub fn together(texts: &[(String, String)]) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (name, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
        match groups.iter_mut().find(|(own, _)| own == text) {
            Some((_, names)) => names.push(name),
            None => groups.push((text, vec![name])),
        }
    }
    let groups = groups.into_iter().map(|(text, names)| {
        let others = texts.iter().map(|(name, _)| name.as_str());
        let others: Vec<&str> = others.filter(|name| !names.contains(name)).collect();
        if others.len() >= names.len() || names.len() < 3 {
            format!("{} {text}", names.join(","))
        } else if others.is_empty() {
            format!("all {text}")
        } else {
            format!("all but {} {text}", others.join(","))
        }
    });
    groups.collect()
}

/// The controller state of a track's channel, without default values: `volume 90`.
#[must_use]
pub fn held(song: &Song, track: Id<Track>, tick: u64) -> Vec<String> {
    let mut held = Vec::new();
    let own = song.tracks.get(track).and_then(|track| track.channel);
    for number in 0..128 {
        let Some(controller) = Controller::new(number) else {
            continue;
        };
        let last = song.controls.index().last_of(track, own, number, tick);
        let value = last
            .and_then(|id| song.controls.get(id))
            .map(|row| row.value);
        // Controllers that select a parameter are not state of their own.
        let value = value.filter(|_| !(96..=101).contains(&number));
        let value = value.filter(|value| Controller::default_of(number) != Some(*value));
        held.extend(value.map(|value| format!("{controller} {value}")));
    }
    held
}
