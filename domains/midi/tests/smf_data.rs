//! Files by other people: each opens and comes back byte for byte, or is rejected as its notes
//! require, and matches its manifest and another reader.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

use crate::support::data;

use data::files;
use fcp::testing::{data as folder, say};
use fcp_midi::smf::{self, Body, Chunk, Event, File};
use midly::{MetaMessage, MidiMessage, TrackEventKind};
use serde_json::{Value, json};

/// Files outside of `nasty/` that are not MIDI files, according to their notes; nor are `*.midi2`.
const NO_MIDI: [&str; 4] = [
    "jazz-soft/test-empty-file.mid",
    "jazz-soft/test-not-a-midi-file.mid",
    "own/empty.mid",
    "own/garbage.mid",
];

/// Files outside of `nasty/` that are damaged.
const DAMAGED: [&str; 2] = [
    "jazz-soft/test-corrupt-file-missing-byte.mid",
    "own/trunc.mid",
];

fn events(file: &File) -> impl Iterator<Item = &Event> {
    file.tracks().flat_map(|track| &track.events)
}

fn metas(file: &File, wanted: u8, length: usize) -> Vec<(u64, &[u8])> {
    let meta = |event| match event {
        &Event {
            tick,
            body: Body::Meta { kind, ref bytes },
            ..
        } if kind == wanted && bytes.len() >= length => Some((tick, &bytes[..])),
        _ => None,
    };
    events(file).filter_map(meta).collect()
}

fn count(file: &File, wanted: impl Fn(&Body) -> bool) -> usize {
    events(file).filter(|event| wanted(&event.body)).count()
}

fn is_on(body: &Body) -> bool {
    matches!(body, Body::Channel { status: 0x90..=0x9f, data } if data[1] > 0)
}

fn is_off(body: &Body) -> bool {
    match body {
        Body::Channel {
            status: 0x90..=0x9f,
            data,
        } => data[1] == 0,
        Body::Channel { status, .. } => status >> 4 == 8,
        _ => false,
    }
}

/// The facts in the manifest.
fn facts(file: &File) -> Value {
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let tempos: Vec<_> = metas(file, 0x51, 3)
        .iter()
        .map(|(tick, bytes)| (*tick, number(bytes)))
        .collect();
    let meters: Vec<_> = metas(file, 0x58, 2)
        .iter()
        .map(|(tick, bytes)| (*tick, bytes[0], bytes[1]))
        .collect();
    let hex = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let lyrics: Vec<_> = metas(file, 5, 0)
        .iter()
        .map(|(_, bytes)| hex(bytes))
        .collect();
    json!({
        "format": file.header.format,
        "division": file.header.division,
        "tracks": file.tracks().count(),
        "messages": events(file).count(),
        "note_ons": count(file, is_on),
        "note_offs": count(file, is_off),
        "sysex": count(file, |body| matches!(body, Body::Sysex(_) | Body::Escape(_))),
        "tempos": tempos,
        "meters": meters,
        "lyrics_hex": lyrics,
        "last_tick": file.tracks().map(smf::TrackChunk::last_tick).max().unwrap_or(0),
        "unknown_chunks": file.chunks.iter().filter(|chunk| matches!(chunk, Chunk::Other { .. })).count(),
    })
}

/// Opens `bytes`, which must come back, or returns the reason why they do not open.
fn open(name: &str, bytes: &[u8]) -> Result<File, String> {
    let file = smf::read(bytes).map_err(|error| {
        assert!(
            error.message.starts_with("not a MIDI file: "),
            "{name}: {error}"
        );
        assert!(error.offset <= bytes.len() as u64, "{name}: {error}");
        error.message
    })?;
    assert!(smf::write(&file) == bytes, "{name}: other bytes come back");
    Ok(file)
}

#[test]
fn files_of_other_people_come_back() {
    let Some(folder) = folder("midi") else { return };
    let (mut opened, mut refused) = (0, 0);
    for (name, bytes) in files(&folder)
        .iter()
        .filter(|(name, _)| !name.starts_with("nasty/"))
    {
        let no_midi = NO_MIDI.contains(&name.as_str()) || name.ends_with(".midi2");
        match open(name, bytes) {
            Ok(file) => {
                assert!(!no_midi, "{name} opens");
                assert_eq!(
                    file.first_fault().is_some(),
                    DAMAGED.contains(&name.as_str()),
                    "{name}"
                );
                opened += 1;
            }
            Err(error) => {
                assert!(no_midi, "{name}: {error}");
                refused += 1;
            }
        }
    }
    say(&format!(
        "{} files: {opened} opened and came back, {refused} refused",
        opened + refused
    ));
    assert!(opened > 0);
}

#[test]
fn nasty_files_come_back_with_their_facts() {
    let Some(folder) = folder("midi") else { return };
    let manifest = std::fs::read_to_string(folder.join("nasty/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let mut files = files(&folder);
    files.retain(|name, _| name.starts_with("nasty/"));
    let (mut opened, mut refused, mut counted) = (0, 0, 0);
    for row in manifest["files"].as_array().unwrap() {
        if row.get("left_out").is_some() {
            continue;
        }
        let name = format!("nasty/{}", row["file"].as_str().unwrap());
        let bytes = files
            .remove(&name)
            .unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(row["bytes"], bytes.len(), "{name}");
        let verdict = row["verdict"].as_str().unwrap();
        match open(&name, &bytes) {
            Ok(file) => {
                assert_ne!(verdict, "reject", "{name} opens");
                if verdict == "accept" {
                    assert_eq!(file.first_fault(), None, "{name}");
                }
                if let Some(expected) = row["facts"].as_object() {
                    let found = facts(&file);
                    for (fact, value) in expected {
                        assert_eq!(&found[fact], value, "{name}: {fact}");
                    }
                    counted += 1;
                }
                opened += 1;
            }
            Err(error) => {
                assert_ne!(verdict, "accept", "{name}: {error}");
                refused += 1;
            }
        }
    }
    say(&format!(
        "{} nasty files: {opened} opened and came back, {refused} refused, {counted} with facts",
        opened + refused
    ));
    assert!(files.is_empty(), "not in the manifest: {:?}", files.keys());
}

/// Whether midly drops a track because of a bare system message, a delta time of more than four
/// bytes or a key signature of one byte, or reads on after an end of track.
fn beyond_midly(file: &File) -> bool {
    file.tracks().any(|track| {
        let mut now = 0;
        !track.tail.is_empty()
            || track.events.iter().any(|event| {
                let delta = event.tick - std::mem::replace(&mut now, event.tick);
                let body = match &event.body {
                    Body::System { .. } => true,
                    Body::Meta { kind: 0x59, bytes } => bytes.len() < 2,
                    _ => false,
                };
                body || event.spelling.delta_width > 4 || delta >= 1 << 28
            })
    })
}

#[test]
fn counts_agree_with_midly() {
    let Some(folder) = folder("midi") else { return };
    let (mut compared, mut aside) = (0, 0);
    for (name, bytes) in &files(&folder) {
        let (Ok(file), Ok(theirs)) = (smf::read(bytes), midly::Smf::parse(bytes)) else {
            continue;
        };
        if file.first_fault().is_some() || beyond_midly(&file) {
            aside += 1;
            continue;
        }
        let events = || theirs.tracks.iter().flatten();
        let of_kind = |wanted: &dyn Fn(&TrackEventKind<'_>) -> bool| {
            events().filter(|event| wanted(&event.kind)).count()
        };
        let note = |wanted: &dyn Fn(&MidiMessage) -> bool| {
            of_kind(&|kind| matches!(kind, TrackEventKind::Midi { message, .. } if wanted(message)))
        };
        let ons = note(&|message| matches!(message, MidiMessage::NoteOn { vel, .. } if *vel > 0));
        let offs = note(&|message| match message {
            MidiMessage::NoteOn { vel, .. } => *vel == 0,
            message => matches!(message, MidiMessage::NoteOff { .. }),
        });
        let tempos = of_kind(&|kind| matches!(kind, TrackEventKind::Meta(MetaMessage::Tempo(_))));
        let meters =
            of_kind(&|kind| matches!(kind, TrackEventKind::Meta(MetaMessage::TimeSignature(..))));
        assert_eq!(count(&file, is_on), ons, "{name}: note-ons");
        assert_eq!(count(&file, is_off), offs, "{name}: note-offs");
        assert_eq!(metas(&file, 0x51, 3).len(), tempos, "{name}: tempos");
        assert_eq!(metas(&file, 0x58, 4).len(), meters, "{name}: meters");
        assert_eq!(file.tracks().count(), theirs.tracks.len(), "{name}: tracks");
        compared += 1;
    }
    say(&format!(
        "{compared} files hold what midly counts in them, {aside} damaged or beyond it"
    ));
    assert!(compared > 0);
}
