//! `tracks`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Song, Track};

/// List the tracks: channel, instrument, how many notes, their pitches and bars.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # note Bass A1,G2 at:1.1 vel:96
/// ? tracks
/// > 1. Bass ch:1 electric-bass-finger | 2 notes A1-G2 vel 96-96 | bars 1-1
/// ```
#[fcp_query]
pub fn tracks(song: &Song) -> Result<Listing<'_>> {
    let lines = song
        .tracks
        .iter()
        .enumerate()
        .map(|(ix, (id, row))| line(song, ix + 1, id, row));
    Ok(Listing::lines(song.tracks.len(), lines))
}

fn line(song: &Song, number: usize, id: Id<Track>, row: &Track) -> String {
    let mut parts = vec![format!("{number}. {}", lines::name(song, id))];
    if let Some(channel) = row.channel {
        parts[0].push_str(&format!(" ch:{channel}"));
    }
    parts[0].push_str(&format!(" {}", lines::instrument(song, id, row)));
    let spots = song
        .notes
        .index()
        .time
        .range(row.chunk, 0, u64::MAX)
        .filter(|(_, spot)| !spot.off);
    let notes = || {
        spots
            .clone()
            .filter_map(|(_, spot)| song.notes.get(Id::new(spot.id)))
            .filter(|note| note.track == id)
    };
    let low = notes().min_by_key(|note| note.pitch);
    let high = notes().max_by_key(|note| note.pitch);
    let count = song.notes.index().count(id);
    match (low, high) {
        (Some(low), Some(high)) => {
            let soft = notes()
                .map(|note| note.velocity)
                .min()
                .unwrap_or(crate::values::Velocity::MF);
            let loud = notes()
                .map(|note| note.velocity)
                .max()
                .unwrap_or(crate::values::Velocity::MF);
            let noun = if count == 1 { "note" } else { "notes" };
            let (low, high) = (lines::pitch(song, low), lines::pitch(song, high));
            parts.push(format!("{count} {noun} {low}-{high} vel {soft}-{loud}"));
        }
        _ => parts.push("0 notes".to_owned()),
    }
    let controls = song.controls.index().count(id);
    if controls > 0 {
        parts.push(format!("{controls} cc"));
    }
    if let (Some(first), true) = (notes().map(|note| note.at).min(), song.has_bars()) {
        let end = notes()
            .map(|note| note.at + note.dur.unwrap_or(0))
            .max()
            .unwrap_or(first);
        let bars = song.bars(row.chunk);
        let (first, last) = (
            bars.place(first).bar,
            bars.place(end.saturating_sub(1).max(first)).bar,
        );
        parts.push(format!("bars {first}-{last}"));
    }
    parts.join(" | ")
}
