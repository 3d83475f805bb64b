//! `clash`

use fcp::prelude::*;

use crate::checks::affected;
use crate::display::row_line;
use crate::model::{Chunk, Song, Track};
use crate::smf::Body;
use crate::values::Channel;

/// Two tracks on one channel with different instruments.
#[fcp_lint(weight = 70)]
pub fn clash(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let programs = song.programs.index();
    let program = |track: Id<Track>, channel: Channel| {
        let first = song.programs.get(programs.of(track, channel).next()?)?;
        Some(first.program)
    };
    // Settings on a channel that no note of the track uses are for other tracks.
    let plays = |id: Id<Track>, track: &Track, channel: Channel| {
        track.channel == Some(channel) || song.notes.index().plays(id, channel)
    };
    let clash = |channel: Channel| {
        let own = program(id, channel).filter(|_| plays(id, track, channel))?;
        // The later of two tracks reports it.
        let mut others = affected::other_tracks(song, id).filter(|(other, row)| {
            *other < id
                && plays(*other, row, channel)
                && port(song, row.chunk) == port(song, track.chunk)
        });
        let (other, program) = others.find_map(|(other, _)| {
            let program = program(other, channel).filter(|program| *program != own)?;
            Some((other, program))
        })?;
        Some(format!(
            "{}: shares ch:{channel} with {}, which plays {}",
            song.name_of_track(id),
            song.name_of_track(other),
            row_line::on_channel(channel, program)
        ))
    };
    track
        .channel
        .and_then(clash)
        .or_else(|| Channel::all().find_map(clash))
}

/// The port of a chunk, from its meta 21.
fn port(song: &Song, chunk: Id<Chunk>) -> Option<u8> {
    let start = song.others.index().time.range(chunk, 0, 0);
    let mut rows = start.filter_map(|(_, spot)| song.others.get(Id::new(spot.id)));
    rows.find_map(|row| match &row.body {
        Body::Meta { kind: 0x21, bytes } => bytes.first().copied(),
        _ => None,
    })
}
