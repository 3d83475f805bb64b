//! `text`

use fcp::prelude::*;

use crate::model::{RawEvent, Song};
use crate::smf::Body;

/// Text with bytes invalid in its encoding.
#[fcp_lint(weight = -20)]
pub fn text(song: &Song, rows: &[Row]) -> Vec<(Row, String)> {
    let bytes = |row: Row| {
        let text = song.text_of(row).map(|(_, bytes)| bytes);
        match song.row_as::<RawEvent>(row).map(|row| &row.body) {
            Some(Body::Meta { kind: 3, bytes }) => Some(bytes),
            _ => text,
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
