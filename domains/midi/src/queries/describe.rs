//! `describe`

use std::collections::BTreeSet;

use fcp::prelude::*;

use super::tracks;
use crate::display::track_size::{describe_chunk, polyphony};
use crate::display::{event_text, raw_bytes, row_line};
use crate::model::{Note, Song, Track};
use crate::resolve::query_scope::Described;
use crate::smf::Body;
use crate::values::{Channel, Controller};

/// Number of controllers to list for a track.
const CONTROLLERS: usize = 24;

/// Describe tracks or rows in full.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # note Bass A1,G2 at:1.1 vel:96
/// # cc Bass volume 90
/// ? describe Bass
/// > 1. Bass ch:1 electric-bass-finger | 2 notes A1-G2 vel 96-96 | 1 cc | bars 1-1
/// >   notes: first 1.1, last end 1.2, 2 at once at most
/// >   channels: 1
/// >   cc: volume 1
/// >   name: "Bass" (42 61 73 73)
/// >   chunk: 2 of 2, events 7, end tick 480
/// ? describe @pitch:G2
/// > 1.1 G2 q v96 Bass #9
/// >   tick: 0
/// >   dur: 480
/// >   off: 64
/// >   ch: 1
/// >   seconds: 0:00.0
/// ```
#[fcp_query]
pub fn describe(
    song: &Song,
    /// The tracks or rows; or `song`.
    #[fcp(positional)]
    rows: Described,
) -> Result<Listing<'_>> {
    let rows = rows.rows();
    Ok(Listing::rows(
        rows.len(),
        rows.into_iter().map(move |row| describe_row(song, row)),
    ))
}

fn describe_row(song: &Song, row: Row) -> Vec<String> {
    if let Some(track) = song.row_as::<Track>(row) {
        return describe_track(song, row.of(), track);
    }
    let owner = song.track_of(row).map(|track| song.name_of_track(track));
    let mut lines = vec![event_text::line(song, row, owner.as_deref())];
    let Some((chunk, tick)) = song.starts(row) else {
        return lines;
    };
    lines.push(format!("  tick: {tick}"));
    if let Some(note) = song.row_as::<Note>(row) {
        let dur = note
            .dur
            .map_or_else(|| "open".to_owned(), |dur| dur.to_string());
        lines.push(format!("  dur: {dur}"));
        lines.push(format!("  off: {}", note.off));
    }
    if let Some(channel) = song.channel_of(row) {
        lines.push(format!("  ch: {channel}"));
    }
    lines.push(format!(
        "  seconds: {}",
        row_line::clock(song.seconds(chunk, tick))
    ));
    lines.extend(raw_bytes::describe_bytes(song, row));
    lines
}

fn describe_track(song: &Song, id: Id<Track>, row: &Track) -> Vec<String> {
    let number = song.ordered().position(|(other, _)| other == id);
    let mut lines = vec![tracks::line(song, number.map_or(1, |ix| ix + 1), id, row)];
    let ids = song.sounding(row.chunk, id, 0, u64::MAX);
    let notes: Vec<&Note> = ids
        .into_iter()
        .filter_map(|id| song.notes.get(id))
        .collect();
    let end = |note: &Note| note.at + note.dur.unwrap_or(0);
    let ends = notes.iter().map(|note| end(note)).max();
    if let Some((first, last)) = notes.first().map(|note| note.at).zip(ends) {
        let (first, last) = (song.shown(row.chunk, first), song.shown(row.chunk, last));
        let most = polyphony(&notes);
        lines.push(format!(
            "  notes: first {first}, last end {last}, {most} at once at most"
        ));
    }
    let mut channels: BTreeSet<Channel> = notes.iter().map(|note| note.channel).collect();
    if channels.is_empty() {
        channels.extend(row.channel);
    }
    let channels: Vec<String> = channels.iter().map(ToString::to_string).collect();
    lines.push(format!("  channels: {}", channels.join(", ")));
    let counts = (0..128).filter_map(|number| {
        let count = song.controls.index().of(id, number).count();
        let name = Controller::new(number)?;
        (count > 0).then(|| format!("{name} {count}"))
    });
    let mut counts: Vec<String> = counts.collect();
    if counts.len() > CONTROLLERS {
        let more = counts.len() - CONTROLLERS;
        counts.truncate(CONTROLLERS);
        counts.push(format!("{more} more"));
    }
    if !counts.is_empty() {
        lines.push(format!("  cc: {}", counts.join(", ")));
    }
    let name = song.track_name_event(id).and_then(|id| song.others.get(id));
    if let Some(Body::Meta { bytes, .. }) = name.map(|row| &row.body) {
        let text = row_line::brief(&song.encoding().shown(bytes));
        let text: String = text.chars().take(60).collect();
        lines.push(format!("  name: \"{text}\" ({})", raw_bytes::hex(bytes)));
    }
    lines.push(describe_chunk(song, row));
    lines
}
