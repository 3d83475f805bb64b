//! `pedal`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Song, Track};
use crate::values::{Channel, Controller};

/// A sustain pedal that is never let go.
#[fcp_lint(weight = 45)]
pub fn pedal(song: &Song, id: Id<Track>, _track: &Track) -> Option<String> {
    let mut down: [Option<u64>; 16] = [None; 16];
    for id in song.controls.index().of(id, Controller::SUSTAIN.get()) {
        let Some(row) = song.controls.get(id) else {
            continue;
        };
        let own = down.get_mut(usize::from(row.channel.get()))?;
        // From 64 on it is down (RP-001).
        *own = (row.value >= 64).then(|| own.unwrap_or(row.at));
    }
    let chunk = song.tracks.get(id)?.chunk;
    let (channel, at) =
        (Channel::all().zip(down)).find_map(|(channel, at)| Some((channel, at?)))?;
    let own = song.tracks.get(id)?.channel == Some(channel);
    let channel = if own {
        String::new()
    } else {
        format!(" on ch:{channel}")
    };
    let (name, at) = (lines::name(song, id), song.shown(chunk, at));
    Some(format!(
        "{name}: sustain down at {at}{channel}, never released"
    ))
}
