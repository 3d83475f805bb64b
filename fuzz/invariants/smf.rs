//! Invariants of any bytes opened as a Standard MIDI File.

// A broken promise is a panic; that is what the tests and the fuzzer look for.
#![allow(clippy::panic, clippy::unwrap_used)]

use fcp_midi::smf::{self, Body, Chunk, Container, Event, File};

/// Panics if the reader or the writer breaks a promise on these bytes. Answers the file if they are one.
pub fn holds(bytes: &[u8]) -> Option<File> {
    let file = smf::read(bytes).ok()?;
    assert!(
        smf::write(&file) == bytes,
        "other bytes come back of {bytes:02x?}"
    );
    for track in file.tracks() {
        assert!(track.events.is_sorted_by_key(|event| event.tick));
        assert!(track.last_tick() <= smf::MAX_TICK);
        assert!(track.end.is_none() || track.claim.is_none() || track.fault.is_some());
    }
    check_mended(&file);
    let kept = kept(&file);
    assert!(
        kept <= 512 + 48 * bytes.len(),
        "{kept} bytes kept of {}: {bytes:02x?}",
        bytes.len()
    );
    Some(file)
}

/// The bytes that `file` keeps in memory; each allocation counts sixteen bytes more.
pub fn kept(file: &File) -> usize {
    let of = |bytes: &[u8]| {
        if bytes.is_empty() {
            0
        } else {
            bytes.len() + 48
        }
    };
    let event = |event: &Event| match &event.body {
        Body::Meta { bytes, .. } | Body::Sysex(bytes) | Body::Escape(bytes) => of(bytes),
        Body::Channel { .. } | Body::System { .. } => 0,
    };
    let chunk = |chunk: &Chunk| match chunk {
        Chunk::Other { bytes, .. } => of(bytes),
        Chunk::Track(track) => {
            let fault = track
                .fault
                .as_ref()
                .map_or(0, |fault| of(fault.message.as_bytes()));
            let end = track.end.as_ref().map_or(0, |end| of(&end.bytes));
            let events: usize = track.events.iter().map(event).sum();
            track.events.capacity() * size_of::<Event>() + events + of(&track.tail) + fault + end
        }
    };
    let chunks: usize = file.chunks.iter().map(chunk).sum();
    let around = match &file.container {
        Container::Bare => 0,
        Container::Riff(riff) => of(&riff.before) + of(&riff.after) + of(&riff.beyond),
    };
    chunks
        + file.chunks.capacity() * size_of::<Chunk>()
        + around
        + of(&file.trailing)
        + of(&file.header.surplus)
}

/// Drops what is damaged in `file`: what is left is sound, and says the same.
fn check_mended(file: &File) {
    let mut mended = file.clone();
    mended.header.claim = None;
    if let Container::Riff(riff) = &mut mended.container {
        (riff.claim, riff.data_claim) = (None, None);
    }
    for chunk in &mut mended.chunks {
        if let Chunk::Track(track) = chunk {
            track.drop_damage();
        }
    }
    let again = smf::read(&smf::write(&mended)).unwrap();
    assert_eq!(again.first_fault(), None, "{file:?}");
    assert_eq!(
        smf::export_events(&again),
        smf::export_events(&mended),
        "{file:?}"
    );
}
