//! `pedal`

use fcp::prelude::*;

use crate::checks::flaw_text;
use crate::model::{END, Song, Track};
use crate::values::Controller;

/// A sustain pedal that is never let go.
#[fcp_lint(weight = 45)]
pub fn pedal(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    if flaw_text::is_cut(song, id) {
        return None;
    }
    let sustain = Controller::SUSTAIN.get();
    let index = song.controls.index();
    let mut channels = index.channels(id, sustain);
    let (channel, at) = channels.find_map(|channel| {
        // The pedal is down from 64 on (RP-001). Find when it last went down, if it stays down.
        let changes = index.before((id, channel), sustain, END);
        let is_down = |id: Id<_>| song.controls.get(id).is_some_and(|row| row.value >= 64);
        let downs = changes.take_while(|(_, id)| is_down(*id));
        downs.last().map(|((at, ..), _)| (channel, at))
    })?;
    let channel = match track.channel == Some(channel) {
        true => String::new(),
        false => format!(" on ch:{channel}"),
    };
    let (name, at) = (song.name_of_track(id), song.shown(track.chunk, at));
    Some(format!(
        "{name}: sustain down at {at}{channel}, never released"
    ))
}
