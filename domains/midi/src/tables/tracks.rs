//! `tracks`

use std::collections::HashMap;

use fcp::prelude::*;

use super::notes::number;
use super::placed::whole;
use crate::model::{Song, Track};

/// A track with its content.
#[derive(FcpRow)]
#[fcp(model = Song)]
pub struct TrackRow {
    pub row: Id<Track>,
    /// Its name; its instrument, channel or number if the file has none.
    #[fcp(set_all = renamed, shows = "name")]
    pub track: String,
    /// Its number in the file, from 1.
    #[fcp(by = "track move TRACK to:{value}")]
    pub nr: i64,
    /// Its channel, 1 to 16; NULL if it has none.
    #[fcp(by = "modify track {rows} ch:=({value})")]
    pub ch: Option<i64>,
    /// The program of its first program change, 0 to 127.
    #[fcp(by = "modify track {rows} program:=({value})")]
    pub program: Option<i64>,
    /// Number of its notes.
    #[fcp(by = "INSERT INTO notes and remove")]
    pub notes: i64,
    /// Its lowest pitch.
    #[fcp(by = "transpose {rows} +1")]
    pub low: Option<i64>,
    /// Its highest pitch.
    #[fcp(by = "transpose {rows} -1")]
    pub high: Option<i64>,
    /// The tick of its end, as it is saved: never before its last event.
    #[fcp(by = "UPDATE events SET tick={value} WHERE kind='end' AND track='TRACK'")]
    pub end_tick: Option<i64>,
}

/// Tracks in the order of the file.
#[fcp_table(
    entity,
    insert = "track add {track} ch:{ch} program:{program} to:{nr}",
    insert_by = super::adding::track
)]
pub fn tracks(song: &Song) -> Vec<TrackRow> {
    let mut pitches: HashMap<u32, (i64, i64, i64)> = HashMap::new();
    for (_, note) in song.notes.iter() {
        let pitch = i64::from(u8::from(note.pitch));
        let own = pitches
            .entry(note.track.number())
            .or_insert((0, pitch, pitch));
        *own = (own.0 + 1, own.1.min(pitch), own.2.max(pitch));
    }
    let rows = song.ordered().zip(1_i64..).map(|((id, track), nr)| {
        let own = pitches.get(&id.number());
        TrackRow {
            row: id,
            track: song.name_of_track(id),
            nr,
            ch: track.channel.as_ref().map(number),
            program: song.first_program(id).map(i64::from),
            notes: own.map_or(0, |own| own.0),
            low: own.map(|own| own.1),
            high: own.map(|own| own.2),
            end_tick: song.end_of_chunk(track.chunk).map(whole),
        }
    });
    rows.collect()
}

fn renamed(song: &mut Song, rows: Vec<(&TrackRow, Name)>) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for (row, name) in rows {
        let written = song.instead(&unnumbered(song, row, name.as_str()), None);
        song.rename_track(row.row, &written)?;
        if !written.note.is_empty() && !notes.contains(&written.note) {
            notes.push(written.note.clone());
        }
    }
    Ok(notes)
}

/// A new name without the number that tells apart tracks of one name: only the column shows it.
fn unnumbered(song: &Song, row: &TrackRow, name: &str) -> String {
    let track = song.tracks.get(row.row);
    let own = track.map_or("", |track| track.name.as_str());
    let number = row.track.strip_prefix(own);
    let Some(number) = number.filter(|number| number.starts_with('~')) else {
        return name.to_owned();
    };
    let name = name.replace(&row.track, own);
    name.strip_suffix(number).unwrap_or(&name).to_owned()
}
