//! Only what an op names changes in a file: tested through the model, on files of all kinds.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeSet;

use crate::support::corpus::corpus;
use crate::support::data::files;
use crate::support::smf_build::{END, chunk, file, header, single};
use crate::support::{Desk, differences};
use fcp::endpoint::Endpoint;
use fcp::prelude::Id;
use fcp::testing::{data, say};
use fcp_midi::model::{LAST_TICK, Note, Track};
use fcp_midi::smf::{self, Chunk, TrackChunk};
use serde_json::Value;

/// Larger files are only opened and saved; edits are tried on smaller ones, in bytes.
const LARGE: usize = 20_000;

/// The least number of cases: `with_others` if files by other people are available, else one.
fn least(with_others: usize) -> usize {
    data("midi").map_or(0, |_| with_others)
}

/// All files that open: the corpus, then files by other people.
fn all_files() -> Vec<(String, Vec<u8>)> {
    let mut all = corpus();
    if let Some(folder) = data("midi") {
        all.extend(files(&folder));
    }
    all.retain(|(_, bytes)| smf::read(bytes).is_ok());
    all
}

/// All files that open and are small enough to try many edits.
fn small_files() -> Vec<(String, Vec<u8>)> {
    let mut files = all_files();
    files.retain(|(_, bytes)| bytes.len() <= LARGE);
    files
}

/// A pitch without events in a chunk and on a channel, so that nothing is in the way of a note.
fn free_pitch(desk: &Desk, track: &Track) -> Option<u8> {
    let song = desk.song();
    let own: BTreeSet<u8> = song
        .notes
        .iter()
        .filter(|(_, note)| note.chunk == track.chunk)
        .map(|(_, note)| note.pitch.get())
        .collect();
    let orphans: BTreeSet<u8> = song
        .others
        .iter()
        .filter(|(_, row)| row.chunk == track.chunk)
        .filter_map(|(_, row)| match row.body {
            smf::Body::Channel { status, data } if status < 0xa0 => Some(data[0]),
            _ => None,
        })
        .collect();
    (30..128)
        .chain(0..30)
        .find(|pitch| !own.contains(pitch) && !orphans.contains(pitch))
}

fn tracks(desk: &Desk) -> Vec<(Id<Track>, Track)> {
    desk.song()
        .tracks
        .iter()
        .map(|(id, row)| (id, row.clone()))
        .collect()
}

fn damaged(desk: &Desk, track: &Track) -> bool {
    desk.song().chunks.get(track.chunk).unwrap().fault.is_some()
}

#[test]
fn a_file_that_is_opened_and_saved_has_the_bytes_it_had() {
    let all = all_files();
    for (name, bytes) in &all {
        let mut desk = Desk::new();
        desk.open(bytes);
        let digest = desk.digest();
        desk.act("save as:again.mid");
        let saved = std::fs::read(desk.root.path().join("again.mid")).unwrap();
        assert!(saved == *bytes, "{name}: other bytes come back");
        desk.act("open again.mid");
        assert_eq!(desk.digest(), digest, "{name}");
        for query in ["map", "tracks", "stats", "warnings", "status", "list"] {
            desk.ask(query);
        }
    }
    say(&format!("{} files came back byte by byte", all.len()));
}

#[test]
fn a_note_that_is_added_and_taken_away_leaves_no_trace() {
    let (mut notes, mut refused) = (0, 0);
    let all = small_files();
    for (name, bytes) in &all {
        let mut desk = Desk::on(bytes);
        let before = desk.events();
        let digest = desk.digest();
        // Files with a thousand tracks have a test of their own.
        for (id, track) in tracks(&desk).into_iter().take(5) {
            let Some(pitch) = free_pitch(&desk, &track) else {
                continue;
            };
            let last = desk.song().last_tick(track.chunk).min(LAST_TICK - 10);
            for at in [last / 2, last] {
                let op = format!("note {id} {pitch} at:tick:{at} dur:ticks:7");
                if damaged(&desk, &track) {
                    let text = desk.refused(&op);
                    assert!(text.contains("\n  try: fix damage\n"), "{name}\n{text}");
                    refused += 1;
                    break;
                }
                desk.run(&op);
                let after = desk.events();
                let added = desk.bytes();
                let (gone, new) = differences(&before, &after);
                assert!(
                    gone.iter().all(|line| line.contains(" ff2f")) && new.len() == 2 + gone.len(),
                    "{name}: {op}: {gone:?} became {new:?}"
                );
                desk.settles(&format!("{name}: {op}"));
                desk.act("undo");
                assert!(desk.bytes() == *bytes, "{name}: {op}, undone: other bytes");
                desk.act("redo");
                assert!(desk.bytes() == added, "{name}: {op}, redone: other bytes");
                let (note, _) = desk.song().notes.iter().next_back().unwrap();
                desk.run(&format!("remove {note}"));
                assert_eq!(desk.events(), before, "{name}: {op}, then removed");
                assert_eq!(desk.digest(), digest, "{name}: {op}, then removed");
                desk.act("undo 2");
                assert!(desk.bytes() == *bytes, "{name}: {op}, all undone");
                notes += 1;
            }
        }
    }
    say(&format!(
        "{notes} notes were added and taken away in {} files; {refused} damaged tracks refused",
        all.len()
    ));
    assert!(notes > least(1000));
}

#[test]
fn one_velocity_is_one_byte() {
    let mut changed = 0;
    for (name, bytes) in &small_files() {
        let mut desk = Desk::on(bytes);
        let before = desk.events();
        let file = desk.file();
        let notes: Vec<(Id<Note>, Note)> = desk
            .song()
            .notes
            .iter()
            .map(|(id, note)| (id, note.clone()))
            .collect();
        let picked = notes.iter().step_by((notes.len() / 5).max(1));
        for (id, note) in picked {
            if desk.song().chunks.get(note.chunk).unwrap().fault.is_some() {
                continue;
            }
            let vel = if note.velocity.get() == 99 { 98 } else { 99 };
            desk.run(&format!("modify {id} vel:{vel}"));
            let (gone, new) = differences(&before, &desk.events());
            assert!(
                gone.len() == 1 && new.len() == 1,
                "{name}: {gone:?} became {new:?}"
            );
            let after = desk.bytes();
            assert_eq!(after.len(), bytes.len(), "{name}");
            let differing = after.iter().zip(bytes).filter(|(a, b)| a != b).count();
            assert_eq!(differing, 1, "{name}: a velocity is one byte");
            let others = smf::read(&after).unwrap();
            let other = file
                .chunks
                .iter()
                .zip(&others.chunks)
                .filter(|(a, b)| a != b)
                .count();
            assert_eq!(other, 1, "{name}: chunks that differ");
            desk.settles(&format!("{name}: velocity of {id}"));
            desk.act("undo");
            assert!(desk.bytes() == *bytes, "{name}: undone");
            changed += 1;
        }
    }
    say(&format!("{changed} velocities changed one byte each"));
    assert!(changed > least(500));
}

#[test]
fn removing_and_undoing_each_kind_of_row_gives_the_bytes_back() {
    for (name, bytes) in &small_files() {
        let mut desk = Desk::on(bytes);
        for kind in [
            "note", "cc", "program", "tempo", "meter", "key", "marker", "event",
        ] {
            let answer = desk.session.run(&[format!("remove @type:{kind}")], None);
            if answer.is_error {
                let expected = ["matches nothing", "damaged from byte"];
                assert!(
                    expected.iter().any(|part| answer.text.contains(part)),
                    "{name}: {}",
                    answer.text
                );
                continue;
            }
            desk.settles(&format!("{name}: remove @type:{kind}"));
            desk.act("undo");
            assert!(
                desk.bytes() == *bytes,
                "{name}: remove @type:{kind}, undone"
            );
        }
    }
}

#[test]
fn moving_transposing_and_copying_settle_on_every_file() {
    let mut done = 0;
    for (name, bytes) in &small_files() {
        let mut desk = Desk::on(bytes);
        if desk.song().notes.len() > 400 {
            continue;
        }
        for op in [
            "transpose @all +1",
            "transpose @all -1 drums:on",
            "modify @all at:+7t",
            "modify @all at:+ticks:7",
            "modify @all dur:ticks:9",
            "modify @all pitch:60",
            "modify @all ch:3",
            "copy @all to:tick:100000",
            "copy @all to:tick:5",
            "modify @type:cc at:+ticks:7",
            "modify @type:program at:+ticks:7",
            "modify @type:event at:+ticks:7",
            "modify @type:tempo at:+ticks:7",
            "modify @type:meter at:+ticks:7",
        ] {
            let answer = desk.session.run(&[op.to_owned()], None);
            if !answer.is_error && !answer.text.starts_with('=') {
                desk.settles(&format!("{name}: {op}"));
                desk.act("undo");
                done += 1;
            }
            assert!(desk.bytes() == *bytes, "{name}: {op}, undone");
        }
    }
    say(&format!("{done} bulk edits settled"));
    assert!(done > 500);
}

#[test]
fn nasty_files_get_the_verdict_of_their_manifest() {
    let Some(folder) = data("midi") else { return };
    let manifest = std::fs::read_to_string(folder.join("nasty/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let mut counts = [0, 0];
    for row in manifest["files"].as_array().unwrap() {
        if row.get("left_out").is_some() {
            continue;
        }
        let name = row["file"].as_str().unwrap();
        let bytes = std::fs::read(folder.join("nasty").join(name)).unwrap();
        let mut desk = Desk::new();
        std::fs::write(desk.root.path().join("song.mid"), &bytes).unwrap();
        let answer = desk.session.act("open song.mid");
        match row["verdict"].as_str().unwrap() {
            "accept" => assert!(!answer.is_error, "{name}: {}", answer.text),
            "reject" => assert!(answer.is_error, "{name}: {}", answer.text),
            _ => {}
        }
        if answer.is_error {
            assert!(
                answer.text.starts_with("! not a MIDI file: "),
                "{name}: {}",
                answer.text
            );
            assert!(desk.session.model().is_none(), "{name}: refused, and open");
        }
        counts[usize::from(answer.is_error)] += 1;
    }
    say(&format!(
        "{} nasty files opened, {} refused",
        counts[0], counts[1]
    ));
}

#[test]
fn a_file_of_format_0_with_sixteen_channels_has_sixteen_tracks() {
    let events: Vec<u8> = (0..16_u8)
        .flat_map(|channel| [0, 0xc0 | channel, channel])
        .collect();
    let bytes = single(&[&events, END].concat());
    let mut desk = Desk::on(&bytes);
    assert_eq!(desk.song().tracks.len(), 16);
    for (ix, (id, track)) in tracks(&desk).into_iter().enumerate() {
        assert_eq!(usize::from(track.channel.unwrap().get()), ix);
        desk.run(&format!("note {id} {} at:2.1", 40 + ix));
        desk.run(&format!("note {} {} at:3.1", ix + 1, 40 + ix));
    }
    let file = desk.file();
    assert_eq!((file.header.format, file.chunks.len()), (0, 1));
    let text = desk.events();
    for ix in 0..16 {
        for tick in [4 * 96, 8 * 96] {
            let line = format!("0 {tick} {:02x}{:02x}50\n", 0x90 + ix, 40 + ix);
            assert_eq!(text.matches(&line).count(), 1, "{line} in\n{text}");
        }
    }
    let text = desk.refused("track add More");
    assert!(
        text.contains("save smf:1") || text.contains("channel"),
        "{text}"
    );
    desk.settles("sixteen channels");
}

#[test]
fn patterns_of_format_2_keep_their_own_meters() {
    let meter = |beats: u8| [0, 0xff, 0x58, 4, beats, 2, 24, 8];
    let note = b"\0\x90\x3c\x40\x60\x3c\0";
    let three = [&meter(3)[..], note, END].concat();
    let five = [&meter(5)[..], note, END].concat();
    let mut desk = Desk::on(&file(2, 96, &[&three, &five]));
    desk.run("note 1 C5 at:3.1");
    desk.run("note 2 C5 at:3.1");
    let text = desk.events();
    assert!(text.contains(&format!("0 {} 904850\n", 6 * 96)), "{text}");
    assert!(text.contains(&format!("1 {} 904850\n", 10 * 96)), "{text}");
    desk.settles("patterns");
}

#[test]
fn in_smpte_time_a_note_at_twelve_and_a_half_seconds_is_on_its_tick() {
    let mut desk = Desk::on(&file(0, 0xe728, &[b"\0\xc0\0\0\xff\x2f\0"]));
    desk.run("note 1 C4 at:12.5s dur:0.5s");
    let text = desk.events();
    assert!(text.contains("0 12500 903c50\n"), "{text}");
    assert!(text.contains("0 13000 803c40\n"), "{text}");
    for (wrong, tried) in [
        ("note 1 C4 at:3.1 dur:0.5s", "note 1 C4 at:4s dur:0.5s"),
        ("note 1 D4 at:tick:5 dur:q", "s"),
    ] {
        let text = desk.refused(wrong);
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("  try: "))
            .unwrap_or_else(|| panic!("{text}"));
        assert!(line.ends_with(tried), "{text}");
        desk.run(line);
    }
    desk.settles("frames");
}

#[test]
fn damaged_files_refuse_edits_until_they_are_fixed() {
    let mut files: Vec<(String, Vec<u8>)> = small_files();
    files.retain(|(_, bytes)| smf::read(bytes).unwrap().first_fault().is_some());
    assert!(files.len() > 50);
    for (name, bytes) in &files {
        let mut desk = Desk::new();
        let opened = desk.open(bytes);
        if !desk.song().tracks.is_empty() && tracks(&desk).iter().any(|(_, t)| damaged(&desk, t)) {
            assert!(opened.contains("? "), "{name}: {opened}");
            assert!(opened.contains("(fix damage)"), "{name}: {opened}");
        }
        let tail: usize = smf::read(bytes)
            .unwrap()
            .tracks()
            .filter(|track| track.fault.is_some())
            .map(|track| track.tail.len())
            .sum();
        let text = desk.run("fix damage");
        assert!(text.contains(&format!("{tail} byte")), "{name}: {text}");
        for (id, track) in tracks(&desk) {
            if let Some(pitch) = free_pitch(&desk, &track) {
                desk.run(&format!("note {id} {pitch} at:tick:3 dur:ticks:5"));
            }
        }
        assert_eq!(desk.file().first_fault(), None, "{name}");
        desk.settles(name);
        // In a file of patterns a marker belongs to one pattern.
        let first = tracks(&desk).into_iter().next();
        match first.filter(|_| desk.song().is_patterns()) {
            Some((id, _)) => desk.run(&format!("marker After on:{id}")),
            None => desk.run("marker After"),
        };
        let n = desk.ask("history 1000000").lines().count();
        desk.act(&format!("undo {n}"));
        assert!(desk.bytes() == *bytes, "{name}: all undone");
    }
    say(&format!("{} damaged files were fixed", files.len()));
}

#[test]
fn conversion_bytes_after_the_end_and_other_chunks_stay_where_they_are() {
    for (name, bytes) in &small_files() {
        let mut desk = Desk::on(bytes);
        let before = desk.file();
        if before.tracks().next().is_none() {
            continue;
        }
        let text = desk
            .session
            .run(&["marker Here at:tick:0".to_owned()], None);
        if text.is_error {
            continue;
        }
        let after = desk.file();
        assert_eq!(before.header, after.header, "{name}");
        assert_eq!(before.trailing, after.trailing, "{name}");
        let mut differing = 0;
        for (a, b) in before.chunks.iter().zip(&after.chunks) {
            match (a, b) {
                (Chunk::Track(a), Chunk::Track(b)) => {
                    assert_eq!(a.tail, b.tail, "{name}");
                    // The offset of a fault moves with the bytes before it.
                    let whole = |track: &TrackChunk| TrackChunk {
                        fault: None,
                        ..track.clone()
                    };
                    differing += usize::from(whole(a) != whole(b));
                }
                _ => assert_eq!(a, b, "{name}"),
            }
        }
        let new = after.chunks.len() - before.chunks.len();
        assert_eq!(differing + new, 1, "{name}: chunks that differ");
    }
}

#[test]
fn notes_on_a_thousand_tracks_are_undone() {
    let note: &[u8] = b"\0\x90\x3c\x40\x60\x3c\0\0\xff\x2f\0";
    let tracks: Vec<&[u8]> = (0..1000).map(|_| note).collect();
    let bytes = file(1, 96, &tracks);
    let mut desk = Desk::new();
    desk.open(&bytes);
    for track in (1..=1000).step_by(5) {
        desk.run(&format!("note {track} C5 at:3.1"));
    }
    for _ in 0..200 {
        desk.act("undo");
    }
    assert!(desk.bytes() == bytes);
    for query in ["map", "tracks", "list", "stats", "warnings"] {
        desk.ask(query);
    }
    desk.run("remove @all");
    desk.act("undo");
    assert!(desk.bytes() == bytes);
}

/// Unknown chunks stay chunks when the track behind them goes, whatever their types are.
#[test]
fn chunks_of_any_type_stay_chunks() {
    let note = |key: u8| [&[0, 0x90, key, 64, 96, 0x80, key, 64][..], END].concat();
    let unknown: [[&[u8; 4]; 2]; 5] = [
        [&[0, 1, 2, 3], b"CASM"],
        [b"\xffABC", b"CASM"],
        [&[0, 1, 2, 3], &[0, 1, 2, 4]],
        [b"CASM", &[0, 1, 2, 3]],
        [b"AB C", b"CASM"],
    ];
    for names in unknown {
        for trailing in [&b""[..], b"ab"] {
            let parts = [
                header(1, 2, 96),
                chunk(b"MTrk", &note(60)),
                chunk(names[0], b""),
                chunk(names[1], b"abc"),
                chunk(b"MTrk", &note(62)),
                trailing.to_vec(),
            ];
            let bytes = parts.concat();
            let mut desk = Desk::on(&bytes);
            assert!(desk.bytes() == bytes, "{names:?}");
            assert_eq!(desk.song().tracks.len(), 2, "{names:?}");
            for op in ["track remove 1", "track remove 1"] {
                desk.run(op);
                desk.settles(&format!("{op} {names:?} {trailing:?}"));
            }
        }
    }
}
