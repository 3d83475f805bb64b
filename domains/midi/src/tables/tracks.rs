//! `tracks`

use std::collections::HashMap;

use fcp::prelude::*;

use super::notes::number;
use super::placed::whole;
use crate::model::{Song, Track};

/// A track with what it holds.
#[derive(FcpRow)]
#[fcp(model = Song)]
pub struct TrackRow {
    pub row: Id<Track>,
    /// Its name; `track NR` if the file has none.
    pub track: String,
    /// Its number in the file, from 1.
    pub nr: i64,
    /// Its channel, 1 to 16; NULL if it has none.
    pub ch: Option<i64>,
    /// The program of its first program change, 0 to 127.
    pub program: Option<i64>,
    /// How many notes it has.
    pub notes: i64,
    /// Its lowest pitch.
    pub low: Option<i64>,
    /// Its highest pitch.
    pub high: Option<i64>,
    /// The tick of its end.
    pub end_tick: Option<i64>,
}

/// Tracks in the order of the file.
#[fcp_table(entity)]
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
        let chunk = song.chunks.get(track.chunk);
        TrackRow {
            row: id,
            track: crate::lines::name(song, id),
            nr,
            ch: track.channel.as_ref().map(number),
            program: song.first_program(id).map(i64::from),
            notes: own.map_or(0, |own| own.0),
            low: own.map(|own| own.1),
            high: own.map(|own| own.2),
            end_tick: chunk.and_then(|chunk| Some(whole(chunk.end.as_ref()?.tick))),
        }
    });
    rows.collect()
}
