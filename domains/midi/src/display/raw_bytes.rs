//! The bytes of texts and events, in hex.

use fcp::prelude::*;

use crate::model::{Lyric, Marker, RawEvent, Song, TextEvent, part};
use crate::smf::Body;
use crate::values::Encoding;

/// `  bytes: 4d fc 6c (windows-1252)`: the bytes of a text that is not ASCII, or of an event
/// without a kind of its own.
#[must_use]
pub fn describe_bytes(song: &Song, row: Row) -> Option<String> {
    let text = if row.part() == part::<Lyric>() {
        song.lyrics.get(row.of()).map(|row| &row.bytes)
    } else if row.part() == part::<TextEvent>() {
        song.texts.get(row.of()).map(|row| &row.bytes)
    } else if row.part() == part::<Marker>() {
        song.markers.get(row.of()).map(|row| &row.bytes)
    } else if row.part() == part::<RawEvent>() {
        let other = song.others.get(row.of())?;
        match &other.body {
            Body::Meta { bytes, .. } if other.is_name() => Some(bytes),
            body => return Some(format!("  bytes: {}", hex(&body.bytes()))),
        }
    } else {
        None
    };
    let bytes = text.filter(|bytes| !bytes.is_ascii())?;
    let encoding = match std::str::from_utf8(bytes) {
        Ok(_) => Encoding::utf8(),
        Err(_) => song.encoding(),
    };
    Some(format!("  bytes: {} ({})", hex(bytes), encoding.name()))
}

/// The first bytes in hex.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const SHOWN: usize = 32;
    let shown = bytes.iter().take(SHOWN);
    let shown: Vec<String> = shown.map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}
