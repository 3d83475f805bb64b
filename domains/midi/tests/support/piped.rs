//! The program over pipes, and its files as read by another reader.

use std::fs;
use std::path::Path;

use super::smf_build::{END, single};
use fcp::testing::Server;
use midly::{MidiMessage, Smf, TrackEventKind};
use tempfile::{TempDir, tempdir};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-midi");
pub const NOTE: &[u8] = b"\0\x90\x3c\x40\x60\x3c\0\0\xff\x2f\0";

pub fn server() -> (TempDir, Server) {
    let root = tempdir().unwrap();
    let server = Server::new(PROGRAM, root.path());
    (root, server)
}

/// A file of one track of this many notes, each of seven bytes.
pub fn many_notes(count: u32) -> Vec<u8> {
    let note = |n: u32| {
        let key = u8::try_from(n % 128).unwrap();
        [1, 0x90, key, 64, 1, key, 0]
    };
    let mut track: Vec<u8> = (0..count).flat_map(note).collect();
    track.extend(END);
    single(&track)
}

/// The notes of a file as read by another reader: track, tick, key, velocity.
pub fn notes(path: &Path) -> Vec<(usize, u32, u8, u8)> {
    let bytes = fs::read(path).unwrap();
    let smf = Smf::parse(&bytes).unwrap();
    let mut notes = Vec::new();
    for (number, track) in smf.tracks.iter().enumerate() {
        let mut tick = 0;
        for event in track {
            tick += event.delta.as_int();
            if let TrackEventKind::Midi {
                message: MidiMessage::NoteOn { key, vel },
                ..
            } = event.kind
                && vel > 0
            {
                notes.push((number, tick, key.as_int(), vel.as_int()));
            }
        }
    }
    notes
}

pub fn digest(text: &str) -> &str {
    let last = text.lines().last().unwrap();
    assert!(last.starts_with('[') && last.ends_with(']'), "{text}");
    last
}
