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
    let more = if bytes.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", spaced(&bytes[..bytes.len().min(SHOWN)]))
}

/// `f0 43 10`
fn spaced(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    shown.join(" ")
}

/// The first place of some bytes in others.
#[must_use]
pub fn place_in(bytes: &[u8], part: &[u8]) -> Option<usize> {
    let mut parts = bytes.windows(part.len().max(1));
    parts.position(|own| own == part)
}

/// `; bytes f0 05 [43 10 4c] 00 f7`: found bytes with those around them.
#[must_use]
pub fn found_bytes(bytes: &[u8], part: &[u8]) -> Option<String> {
    const AROUND: usize = 8;
    let at = place_in(bytes, part)?;
    let (before, rest) = bytes.split_at(at);
    let (found, after) = rest.split_at(part.len());
    let from = before.len().saturating_sub(AROUND);
    let to = after.len().min(AROUND);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let words = [
        cut(from > 0).to_owned(),
        spaced(&before[from..]),
        format!("[{}]", spaced(found)),
        spaced(&after[..to]),
        cut(to < after.len()).to_owned(),
    ];
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    Some(format!("; bytes {}", words.join(" ")))
}

/// The text of a RIFF chunk, if it holds one.
#[must_use]
pub fn riff_text(song: &Song, bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let is_text = |byte: &u8| *byte >= b' ' || b"\t\r\n".contains(byte);
    let text = song.encoding().shown(bytes);
    if !bytes.iter().all(is_text) || text.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    Some(match std::str::from_utf8(bytes) {
        Ok(_) => text,
        Err(_) => format!("{text} ({})", song.encoding().name()),
    })
}
