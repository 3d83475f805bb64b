//! The bytes of texts and events, in hex.

use fcp::prelude::*;

use crate::model::{RawEvent, Song};
use crate::smf::Body;
use crate::values::Encoding;

/// `  bytes: 4d fc 6c (windows-1252)`: the bytes of a text that is not ASCII, or of an event
/// without a kind of its own.
#[must_use]
pub fn describe_bytes(song: &Song, row: Row) -> Option<String> {
    let bytes = match song.row_as::<RawEvent>(row).map(|other| &other.body) {
        Some(Body::Meta { kind: 3, bytes }) => bytes,
        Some(body) => return Some(format!("  bytes: {}", hex(&body.bytes()))),
        None => song.text_of(row)?.1,
    };
    if bytes.is_ascii() {
        return None;
    }
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
