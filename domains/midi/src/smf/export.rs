//! Events as lines of text, for comparing files.

use data_encoding::HEXLOWER;

use super::event::Body;
use super::file::{End, File};

/// One line for each event of `file`, including ends of track: its track number from 0, its tick,
/// and its bytes in hex with an explicit status.
#[must_use]
pub fn export_events(file: &File) -> String {
    let mut text = String::new();
    for (number, track) in file.tracks().enumerate() {
        let events = track.events.iter().map(|event| (event.tick, &event.body));
        export_track(number, events, track.end.as_ref(), &mut text);
    }
    text
}

/// Appends the lines of one track to `text`.
pub fn export_track<'a>(
    number: usize,
    events: impl IntoIterator<Item = (u64, &'a Body)>,
    end: Option<&End>,
    text: &mut String,
) {
    let mut last = 0;
    for (tick, body) in events {
        last = last.max(tick);
        line(number, last, &body.bytes(), text);
    }
    if let Some(end) = end {
        let body = Body::Meta {
            kind: 0x2f,
            bytes: end.bytes.clone(),
        };
        line(number, last.max(end.tick), &body.bytes(), text);
    }
}

fn line(number: usize, tick: u64, bytes: &[u8], text: &mut String) {
    text.push_str(&format!("{number} {tick} "));
    HEXLOWER.encode_append(bytes, text);
    text.push('\n');
}
