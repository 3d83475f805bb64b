//! `clash`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Chunk, Song, Track};
use crate::smf::Body;
use crate::warned;

/// Two tracks on one channel with different instruments.
#[fcp_lint(weight = 70)]
pub fn clash(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let channel = track.channel?;
    let own = song.first_program(id)?;
    let port = port(song, track.chunk);
    // The later of two says so.
    let mut others = warned::beside(song, id).filter(|(other, row)| {
        *other < id && row.channel == Some(channel) && self::port(song, row.chunk) == port
    });
    let (other, program) = others.find_map(|(other, _)| {
        let program = song.first_program(other)?;
        (program != own).then_some((other, program))
    })?;
    Some(format!(
        "{}: shares ch:{channel} with {}, which plays {}",
        lines::name(song, id),
        lines::name(song, other),
        lines::on_channel(channel, program)
    ))
}

/// The port that a chunk is for, by its meta 21.
fn port(song: &Song, chunk: Id<Chunk>) -> Option<u8> {
    let start = song.others.index().time.range(chunk, 0, 0);
    let mut rows = start.filter_map(|(_, spot)| song.others.get(Id::new(spot.id)));
    rows.find_map(|row| match &row.body {
        Body::Meta { kind: 0x21, bytes } => bytes.first().copied(),
        _ => None,
    })
}
