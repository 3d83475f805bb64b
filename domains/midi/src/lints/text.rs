//! `text`

use fcp::prelude::*;

use crate::model::{Lyric, Marker, RawEvent, Song, TextEvent, part};
use crate::smf::Body;

/// Text with bytes invalid in its encoding.
#[fcp_lint(weight = -20)]
pub fn text(song: &Song, rows: &[Row]) -> Vec<(Row, String)> {
    let bytes = |row: Row| {
        if row.part() == part::<Lyric>() {
            song.lyrics.get(row.of()).map(|row| &row.bytes)
        } else if row.part() == part::<TextEvent>() {
            song.texts.get(row.of()).map(|row| &row.bytes)
        } else if row.part() == part::<Marker>() {
            song.markers.get(row.of()).map(|row| &row.bytes)
        } else {
            let name = Some(row).filter(|row| row.part() == part::<RawEvent>());
            let name = name.and_then(|row| song.others.get(row.of()));
            match name.map(|row| &row.body) {
                Some(Body::Meta { kind: 3, bytes }) => Some(bytes),
                _ => None,
            }
        }
    };
    let wrong = |row: &Row| {
        let bytes = bytes(*row)?;
        let encoding = song.encoding();
        if encoding.reads(bytes) {
            return None;
        }
        let (chunk, tick) = song.starts(*row)?;
        let at = song.shown(chunk, tick);
        let problem = format!("text at {at} is not {encoding} (set encoding:)");
        Some((*row, problem))
    };
    rows.iter().filter_map(wrong).collect()
}
