//! The account of a save matches the files on disk, through the real program.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;

use fcp::testing::Proof;

use crate::support::piped::server;

fn file(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/files")
        .join(name)
}

/// Calls on a song, each of which results in a different file.
const CALLS: &[&[&str]] = &[
    &[],
    &["modify @range:2 vel:+3"],
    &["note Piano C4 at:2.1", "remove @range:3"],
    &["transpose @all +2"],
    &["bars insert 1 at:3"],
    &["UPDATE notes SET vel=round(vel*0.8)"],
    &["track rename Piano \"Grand piano\"", "tempo 84 at:5"],
];

#[test]
fn the_account_of_a_save_agrees_with_the_files() {
    for name in ["waltz.mid", "patterns.mid"] {
        let (root, mut server) = server();
        let path = |name: &str| root.path().join(name);
        fs::copy(file(name), path("in.mid")).unwrap();
        for (ix, ops) in CALLS.iter().enumerate() {
            server.act("open in.mid");
            let out = format!("out{ix}.mid");
            if !ops.is_empty() {
                let (text, error) = server.call("midi", serde_json::json!({ "ops": ops }));
                if error {
                    assert_eq!(name, "patterns.mid", "{text}");
                    continue;
                }
            }
            let saved = server.act(&format!("save as:{out}"));
            Proof::of(&saved).holds(&path("in.mid"), &path(&out));
            // The account has the content of `diff`, in fewer lines.
            if ops.is_empty() {
                assert!(saved.contains("\n  nothing changed: all "), "{saved}");
            } else {
                assert!(
                    saved.contains("\n  changed since in.mid was opened:\n"),
                    "{saved}"
                );
            }
        }
    }
}

#[test]
fn one_velocity_is_one_byte_and_is_shown_whole() {
    let (root, mut server) = server();
    let path = |name: &str| root.path().join(name);
    fs::copy(file("waltz.mid"), path("in.mid")).unwrap();
    server.act("open in.mid");
    let first = server.query("SELECT ref, vel FROM notes LIMIT 1");
    let row = first.lines().nth(1).unwrap().to_owned();
    let (name, vel) = row.split_once(" | ").unwrap();
    server.run(&[&format!("modify {name} vel:101")]);
    let saved = server.act("save as:out.mid");
    let proof = Proof::of(&saved);
    proof.holds(&path("in.mid"), &path("out.mid"));
    assert_eq!((proof.gone, proof.new), (1, 1), "{saved}");
    assert!(saved.contains(&format!(": vel {vel} -> 101\n")), "{saved}");
    let (old, new) = (
        fs::read(path("in.mid")).unwrap(),
        fs::read(path("out.mid")).unwrap(),
    );
    let differ = old
        .iter()
        .zip(&new)
        .filter(|(one, other)| one != other)
        .count();
    assert_eq!((differ, old.len()), (1, new.len()));
    // An undo restores the same bytes, and the reply says so.
    server.act("undo");
    let saved = server.act("save as:same.mid");
    assert!(saved.contains("\n  nothing changed: all "), "{saved}");
    assert_eq!(fs::read(path("same.mid")).unwrap(), old);
}

#[test]
fn equal_rows_that_exchange_their_places_change_no_byte() {
    let (_root, mut server) = server();
    server.act("new Same");
    server.run(&[
        "track add Lead",
        "note Lead C4 at:1.1 dur:quarter",
        "note Lead C4 at:1.4 dur:quarter",
    ]);
    server.act("save as:same.mid");
    server.act("open same.mid");
    server.run(&["reverse @range:1"]);
    let diff = server.query("diff open");
    assert!(diff.contains(": at 1.1 -> 1.4\n"), "{diff}");
    assert!(diff.contains("\nbytes: none changed, "), "{diff}");
    let saved = server.act("save");
    assert!(saved.contains("\n  nothing changed: all "), "{saved}");
}

#[test]
fn a_failed_edit_answers_no_account() {
    let (root, mut server) = server();
    fs::copy(file("waltz.mid"), root.path().join("in.mid")).unwrap();
    let text = server.refused(&["! open in.mid", "modify Nobody vel:3", "! save as:out.mid"]);
    assert!(text.contains("1 line not run"), "{text}");
    assert!(
        !text.contains("Saved") && !root.path().join("out.mid").exists(),
        "{text}"
    );
}

#[test]
fn many_changes_are_folded_into_twenty_lines_and_paged() {
    let (root, mut server) = server();
    let path = |name: &str| root.path().join(name);
    fs::copy(file("waltz.mid"), path("in.mid")).unwrap();
    let text = server.run(&[
        "! open in.mid",
        "UPDATE notes SET vel = 1 + (tick * 7 + pitch) % 120",
        "! save as:out.mid",
    ]);
    let saved = text.split("* Saved").nth(1).unwrap();
    Proof::of(saved).holds(&path("in.mid"), &path("out.mid"));
    assert!(
        saved.contains("each row on its line: ? diff open rows:on"),
        "{saved}"
    );
    let paged = server.query("diff open rows:on limit:5");
    assert!(
        paged
            .lines()
            .last()
            .unwrap()
            .contains("more (diff open rows:on limit:5 from:6)"),
        "{paged}"
    );
}

#[test]
fn the_lines_for_the_most_rows_are_shown() {
    let (root, mut server) = server();
    server.act("new");
    let mut notes = vec!["track add Keys".to_owned()];
    notes.extend((1..=116).map(|bar| format!("note Keys C4 at:{bar} dur:q vel:80")));
    server.call("midi", serde_json::json!({ "ops": notes }));
    server.act("save as:in.mid");
    server.act("open in.mid");
    // A change of its own kind in each of the first 15 bars, and one of all later notes.
    let keys = ["vel:90", "pitch:D4", "dur:e", "off:20"];
    let mut ops: Vec<String> = (1..16)
        .map(|set: usize| {
            let keys = keys.iter().enumerate();
            let own = keys
                .filter(|(ix, _)| set >> ix & 1 == 1)
                .map(|(_, key)| *key);
            format!("modify @range:{set} {}", own.collect::<Vec<_>>().join(" "))
        })
        .collect();
    ops.push("UPDATE notes SET tick=tick+10 WHERE bar>16".to_owned());
    let (text, error) = server.call("midi", serde_json::json!({ "ops": ops }));
    assert!(!error, "{text}");
    let saved = server.act("save as:out.mid");
    assert!(
        saved.contains("\n  ~ 100 notes: at +10 ticks, 17.1 to 116.1;"),
        "{saved}"
    );
    assert!(
        saved.contains("\n  … 3 more lines: ? diff open rows:on\n"),
        "{saved}"
    );
    Proof::of(&saved).holds(&root.path().join("in.mid"), &root.path().join("out.mid"));
}

#[test]
fn a_new_track_before_others_changes_none_of_them() {
    let (root, mut server) = server();
    fs::copy(file("waltz.mid"), root.path().join("in.mid")).unwrap();
    for op in [
        "INSERT INTO tracks(track,nr) VALUES ('A',2)",
        "track add A to:2",
    ] {
        server.act("open in.mid");
        server.run(&[op]);
        let saved = server.act("save as:out.mid force");
        assert!(
            saved.contains("\n  + chunk 3 MTrk\n") && !saved.contains("\n  ~ "),
            "{op}: {saved}"
        );
        assert!(
            saved.contains("in 2 places 1 byte became 18"),
            "{op}: {saved}"
        );
        Proof::of(&saved).holds(&root.path().join("in.mid"), &root.path().join("out.mid"));
    }
}

#[test]
fn rows_that_moved_in_a_copy_are_paired_with_those_they_were() {
    let (root, mut server) = server();
    fs::copy(file("waltz.mid"), root.path().join("in.mid")).unwrap();
    fs::copy(file("waltz.mid"), root.path().join("first.mid")).unwrap();
    for (ops, changed) in [
        (&["bars insert 2 at:2"][..], "notes: at +2 bars"),
        (&["transpose @all -2"][..], "notes: pitch -2"),
        (
            &["transpose @all -2", "bars insert 2 at:2"][..],
            "notes: at +2 bars, pitch -2",
        ),
    ] {
        server.act("open in.mid");
        server.run(ops);
        let shown = server.query("diff first.mid");
        assert!(shown.contains(changed), "{ops:?}: {shown}");
        assert!(
            !shown.contains("\n- ") && !shown.contains("\n+ "),
            "{ops:?}: {shown}"
        );
    }
}

fn chunk(name: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap();
    [&name[..], &length.to_be_bytes(), bytes].concat()
}

/// A file of one track with the given events, each with its delta time.
fn song_of(events: &[&[u8]]) -> Vec<u8> {
    let header = chunk(b"MThd", &[0, 1, 0, 1, 1, 0xe0]);
    [header, chunk(b"MTrk", &events.concat())].concat()
}

const NAME: &[u8] = b"\0\xff\x03\x05Piano";
const VOLUME: &[u8] = b"\0\xb0\x07\x64";
const PAN: &[u8] = b"\0\xb0\x0a\x40";
const LOW: &[u8] = b"\0\x90\x3c\x50";
const HIGH: &[u8] = b"\0\x90\x40\x50";
const LOW_ENDS: &[u8] = b"\x83\x60\x80\x3c\x40";
const HIGH_ENDS: &[u8] = b"\0\x80\x40\x40";
const END: &[u8] = b"\0\xff\x2f\0";

const EVENTS: [&[u8]; 8] = [NAME, VOLUME, PAN, LOW, HIGH, LOW_ENDS, HIGH_ENDS, END];

#[test]
fn the_header_and_the_ends_of_chunks_are_compared() {
    let plain = song_of(&EVENTS);
    let patched = |at: usize, byte: u8| {
        let mut file = plain.clone();
        file[at] = byte;
        file
    };
    let inserted = |at: usize, bytes: &[u8]| [&plain[..at], bytes, &plain[at..]].concat();
    let surplus = {
        let mut file = inserted(14, &[1, 2]);
        file[7] = 8;
        file
    };
    let length = u32::try_from(plain.len()).unwrap();
    let riff = [
        b"RIFF",
        &(length + 12).to_le_bytes()[..],
        b"RMIDdata",
        &length.to_le_bytes(),
        &plain,
    ]
    .concat();
    let files = [
        (patched(11, 3), "~ file of the song: tracks 3 -> 1"),
        (
            surplus,
            "~ file of the song: header surplus 01 02 -> nothing",
        ),
        (
            patched(7, 7),
            "~ file of the song: claimed header length 7 for 6 bytes -> nothing",
        ),
        (
            inserted(plain.len(), &[0, 0]),
            "~ file of the song: trailing 00 00 -> nothing",
        ),
        (
            patched(21, 90),
            "~ chunk 1 MTrk: claimed length 90 for 38 bytes -> nothing",
        ),
        (riff, "~ file of the song: container RIFF RMID -> none"),
        (inserted(14, &chunk(b"XFIH", b"abcd")), "- chunk 1 XFIH"),
    ];
    differ_in(&plain, &files);
}

#[test]
fn the_order_and_the_form_of_events_on_a_tick_are_compared() {
    let pan_first = [NAME, PAN, VOLUME, LOW, HIGH, LOW_ENDS, HIGH_ENDS, END];
    let high_first = [NAME, VOLUME, PAN, HIGH, LOW, LOW_ENDS, HIGH_ENDS, END];
    let high_ends: &[u8] = b"\x83\x60\x80\x40\x40";
    let low_ends: &[u8] = b"\0\x80\x3c\x40";
    let ends = [NAME, VOLUME, PAN, LOW, HIGH, high_ends, low_ends, END];
    let high: &[u8] = b"\0\x40\x50";
    let running = [NAME, VOLUME, PAN, LOW, high, LOW_ENDS, HIGH_ENDS, END];
    let long: &[u8] = b"\x80\0\xb0\x07\x64";
    let louder_running = [0, 0x40, 0x60];
    let louder = [0, 0x90, 0x40, 0x60];
    let right = [0, 0xb0, 0x0a, 0x50];
    let padded = [NAME, long, PAN, LOW, HIGH, LOW_ENDS, HIGH_ENDS, END];
    let files = [
        (song_of(&pan_first), "~ cc pan on Piano at 1.1: moved"),
        (song_of(&high_first), "~ note E4 on Piano at 1.1: moved"),
        (song_of(&ends), "~ note E4 on Piano at 1.1: moved"),
        (
            song_of(&running),
            "~ note E4 on Piano at 1.1: bytes 00 40 50 -> 00 90 40 50",
        ),
        (
            song_of(&[
                NAME,
                VOLUME,
                PAN,
                LOW,
                &louder_running,
                LOW_ENDS,
                HIGH_ENDS,
                END,
            ]),
            "~ note E4 on Piano at 1.1: vel 96 -> 80, status byte written",
        ),
        (
            song_of(&[NAME, VOLUME, PAN, &louder, LOW, LOW_ENDS, HIGH_ENDS, END]),
            "~ note E4 on Piano at 1.1: vel 96 -> 80, moved",
        ),
        (
            song_of(&[NAME, &right, VOLUME, LOW, HIGH, LOW_ENDS, HIGH_ENDS, END]),
            "~ cc pan on Piano at 1.1: pan 80 -> 64, moved",
        ),
        (
            song_of(&padded),
            "~ cc volume on Piano at 1.1: bytes 80 00 b0 07 64 -> 00 b0 07 64",
        ),
    ];
    differ_in(&song_of(&EVENTS), &files);
}

#[test]
fn lengths_and_channels_are_compared_although_the_bytes_of_their_notes_are_the_same() {
    let half: &[u8] = b"\x81\x70\x80\x3c\x40";
    let later: &[u8] = b"\x81\x70\x80\x40\x40";
    let shorter = [NAME, VOLUME, PAN, LOW, HIGH, half, later, END];
    let crossing: &[u8] = b"\x83\x60\x80\x40\x40";
    let low_later: &[u8] = b"\x81\x70\x80\x3c\x40";
    let longer = [NAME, VOLUME, PAN, LOW, HIGH, crossing, low_later, END];
    let on: &[u8] = b"\0\x92\x3c\x50";
    let off: &[u8] = b"\x83\x60\x82\x3c\x40";
    let third = [NAME, VOLUME, PAN, on, HIGH, off, HIGH_ENDS, END];
    let files = [
        (song_of(&shorter), "~ note C4 on Piano at 1.1: dur e -> q"),
        (song_of(&third), "~ note C4 on Piano at 1.1: ch 3 -> 1"),
    ];
    differ_in(&song_of(&EVENTS), &files);
    // The end of the longer note is behind that of the other.
    let (root, mut server) = server();
    fs::write(root.path().join("own.mid"), song_of(&EVENTS)).unwrap();
    fs::write(root.path().join("other.mid"), song_of(&longer)).unwrap();
    server.act("open own.mid");
    let shown = server.query("diff other.mid");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(
        lines[1], "~ note C4 on Piano at 1.1: dur q. -> q",
        "{shown}"
    );
    assert!(lines[0].starts_with("~ chunk 1 MTrk: end "), "{shown}");
    assert_eq!(lines.len(), 3, "{shown}");
}

/// Checks the first line of `diff` with each of some files.
fn differ_in(own: &[u8], others: &[(Vec<u8>, &str)]) {
    let (root, mut server) = server();
    fs::write(root.path().join("own.mid"), own).unwrap();
    server.act("open own.mid");
    for (other, line) in others {
        fs::write(root.path().join("other.mid"), other).unwrap();
        let shown = server.query("diff other.mid");
        assert_eq!(shown.lines().next(), Some(*line), "{shown}");
        assert_eq!(shown.lines().count(), 2, "{shown}");
    }
}

#[test]
fn each_change_of_a_long_text_is_told() {
    let (root, mut server) = server();
    let long = "lorem ipsum dolor sit amet ".repeat(60);
    server.run(&[
        "! new",
        "track add A",
        &format!("text A \"{long}\""),
        "! save as:in.mid",
    ]);
    server.act("open in.mid");
    server.run(&[
        "UPDATE texts SET text='A'||substr(text, 2, 1000)||'middle'||substr(text, 1002)||'end'",
    ]);
    let saved = server.act("save as:out.mid");
    Proof::of(&saved).holds(&root.path().join("in.mid"), &root.path().join("out.mid"));
    let listed = server.query("diff open rows:on");
    for shown in [&saved, &listed] {
        let line = shown
            .lines()
            .find(|line| line.contains("~ text on A"))
            .unwrap();
        for word in ["lorem", "Aorem", "middle", "end"] {
            assert!(line.contains(word), "{word}: {shown}");
        }
    }
}

/// A saved song of twelve tracks with eight notes each, open again.
fn twelve_tracks() -> (tempfile::TempDir, fcp::testing::Server) {
    let (root, mut server) = server();
    let mut ops = vec!["! new".to_owned()];
    for track in 1..=12 {
        ops.push(format!("track add T{track}"));
        let notes = (0..8).map(|note| format!("note T{track} {} at:{}.1", 40 + track, note + 1));
        ops.extend(notes);
    }
    ops.push("! save as:in.mid".to_owned());
    ops.push("! open in.mid".to_owned());
    let ops: Vec<&str> = ops.iter().map(String::as_str).collect();
    server.run(&ops);
    (root, server)
}

#[test]
fn a_moved_track_is_one_line_of_the_account() {
    for (op, line, changes) in [
        (
            "track move T11 to:5",
            "~ track T11: number 11 -> 5; T5..T10 follow",
            "tracks | T11 | nr | changed | 11 | 5",
        ),
        (
            "track move T2 to:12",
            "~ track T2: number 2 -> 12; T3..T12 follow",
            "tracks | T2 | nr | changed | 2 | 12",
        ),
        (
            "track move T4 before:T3",
            "~ track T4: number 4 -> 3; T3 follows",
            "tracks | T4 | nr | changed | 4 | 3",
        ),
        (
            "track move T4 after:T6",
            "~ track T4: number 4 -> 6; T5, T6 follow",
            "tracks | T4 | nr | changed | 4 | 6",
        ),
    ] {
        let (root, mut server) = twelve_tracks();
        server.run(&[op]);
        let saved = server.act("save as:out.mid");
        let proof = Proof::of(&saved);
        proof.holds(&root.path().join("in.mid"), &root.path().join("out.mid"));
        let lines: Vec<&str> = saved.lines().skip(2).map(str::trim).collect();
        assert_eq!(lines[0], line, "{saved}");
        assert!(lines[1].contains("; in 2 places "), "{saved}");
        // One chunk of the file.
        assert_eq!(proof.gone, proof.new, "{saved}");
        assert!(proof.gone < proof.had / 10, "{saved}");
        let shown = server.query("diff checkpoint:open");
        assert_eq!(shown.lines().next(), Some(line), "{shown}");
        assert_eq!(shown.lines().count(), 2, "{shown}");
        let shown = server.query("SELECT tbl, ref, field, kind, before, after FROM changes");
        assert_eq!(shown.lines().nth(1), Some(changes), "{shown}");
        assert!(shown.contains("(1 row)"), "{shown}");
    }
}

/// A song whose last track is one byte short of what its head says, and lacks its end.
fn a_short_last_track() -> (tempfile::TempDir, fcp::testing::Server) {
    let (root, server) = twelve_tracks();
    let path = root.path().join("in.mid");
    let mut bytes = fs::read(&path).unwrap();
    assert!(bytes.ends_with(&[0xff, 0x2f, 0]));
    bytes.truncate(bytes.len() - 4);
    fs::write(path, bytes).unwrap();
    (root, server)
}

#[test]
fn a_repaired_track_can_move() {
    for to in [2, 11] {
        let (root, mut server) = a_short_last_track();
        server.run(&[
            "! open in.mid",
            "fix damage",
            &format!("track move T12 to:{to}"),
        ]);
        let saved = server.act("save as:out.mid");
        Proof::of(&saved).holds(&root.path().join("in.mid"), &root.path().join("out.mid"));
        let shown = server.query("diff open");
        assert!(!shown.contains("changed by no op"), "{shown}");
        assert!(
            shown.starts_with(&format!("~ track T12: number 12 -> {to}")),
            "{shown}"
        );
    }
}

#[test]
fn differences_in_moved_tracks_are_told_besides() {
    let (root, mut server) = twelve_tracks();
    server.run(&[
        "track move T11 to:5",
        "modify @track:T11 @range:2 vel:99",
        "modify @track:T7 @range:3 vel:98",
        "note T8 C4 at:12",
        "remove @track:T9 @range:4",
        "track move T2 to:3",
    ]);
    let saved = server.act("save as:out.mid");
    Proof::of(&saved).holds(&root.path().join("in.mid"), &root.path().join("out.mid"));
    let lines: Vec<&str> = saved.lines().skip(2).map(str::trim).collect();
    for line in [
        "~ track T11: number 11 -> 5",
        "~ track T3: number 3 -> 2",
        "~ note D#3 on T11 at 2.1: vel 80 -> 99",
        "~ note B2 on T7 at 3.1: vel 80 -> 98",
        "~ chunk 9 MTrk: end 8.2 -> 12.2",
    ] {
        assert!(lines.contains(&line), "{line}: {saved}");
    }
    assert!(
        !saved.contains("moved") && !saved.contains("bytes 8"),
        "{saved}"
    );
}

#[test]
fn changes_that_are_too_many_to_compare_in_a_call_are_counted_by_kind() {
    let (_root, mut server) = server();
    server.act("new");
    server.run(&["track add Piano", "note Piano C4 at:1.1 dur:e"]);
    server.run(&["repeat @all times:6999 every:e"]);
    server.act("save as:in.mid");
    for (op, wanted) in [
        ("modify @pitch:C4 vel:+1", "\n  ~ 7,000 notes\n"),
        ("remove @pitch:C4", "\n  ~ 7,000 removed rows\n"),
    ] {
        server.act("set work-limit:20");
        server.act("open in.mid");
        server.run(&[op]);
        server.act("set work-limit:1");
        let saved = server.act("save as:out.mid force");
        let many = "  too many to list in this call (set work-limit:MILLIONS, then ? diff open)\n";
        assert!(saved.contains(&format!("{wanted}{many}")), "{saved}");
    }
}

#[test]
fn a_file_without_unheard_tracks_has_an_account() {
    let (root, mut server) = server();
    let path = |name: &str| root.path().join(name);
    fs::copy(file("waltz.mid"), path("in.mid")).unwrap();
    let tracks: [(&str, &[&str]); 3] = [
        ("mute 1", &[]),
        ("solo 2", &["modify @range:1-2 vel:+3"]),
        (
            "mute 2",
            &["remove @track:1 @range:3", "transpose @track:2 +2"],
        ),
    ];
    for (op, ops) in tracks {
        server.act("open in.mid");
        server.run(&[op]);
        if !ops.is_empty() {
            server.run(ops);
        }
        let saved = server.act("save as:part.mid audible:on force");
        Proof::of(&saved).holds(&path("in.mid"), &path("part.mid"));
        for part in ["changed since in.mid was opened:", "  - left out: "] {
            assert!(saved.contains(part), "{op}: {saved}");
        }
        // Changes in tracks that the file leaves out are not in it.
        assert!(!saved.contains("pitch "), "{op}: {saved}");
    }
}

#[test]
fn the_form_of_changed_events_is_shown() {
    let high: &[u8] = b"\0\x40\x50";
    let (root, mut server) = server();
    let song = song_of(&[NAME, VOLUME, PAN, LOW, high, LOW_ENDS, HIGH_ENDS, END]);
    fs::write(root.path().join("in.mid"), song).unwrap();
    let form = ", status byte written";
    for (set, line) in [
        ("nth=3", format!("moved{form}")),
        ("nth=3, vel=90", format!("vel 80 -> 90, moved{form}")),
        ("pos='1.2'", format!("at 1.1 -> 1.2{form}")),
        ("vel=90", "vel 80 -> 90".to_owned()),
    ] {
        server.act("open in.mid");
        server.run(&[&format!("UPDATE notes SET {set} WHERE name='E4'")]);
        let line = format!("~ note E4 on Piano at 1.1: {line}");
        let shown = server.query("diff open");
        assert!(shown.lines().any(|own| own == line), "{set}: {shown}");
        let saved = server.act("save as:out.mid force");
        assert!(
            saved.lines().any(|own| own.trim() == line),
            "{set}: {saved}"
        );
        Proof::of(&saved).holds(&root.path().join("in.mid"), &root.path().join("out.mid"));
        let shown = server.query("SELECT field, before, after FROM changes ORDER BY field");
        let told = |row: &str| shown.lines().any(|own| own == row);
        let is_written = line.ends_with(form);
        let row = "form | status byte left out | status byte written";
        assert_eq!(told(row), is_written, "{set}: {shown}");
        assert_eq!(
            told("place | NULL | moved"),
            line.contains("moved"),
            "{set}: {shown}"
        );
    }
}

/// A RIFF file with a song and an INFO list of a title and a comment.
fn riff_of(title: &[u8], comment: &[u8]) -> Vec<u8> {
    let chunk = |id: &[u8], bytes: &[u8]| {
        let length = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        let padding = &[0][..bytes.len() % 2];
        [id, &length, bytes, padding].concat()
    };
    let texts = [
        b"INFO",
        &chunk(b"INAM", title)[..],
        &chunk(b"ICMT", comment),
    ]
    .concat();
    let song = chunk(b"data", &song_of(&EVENTS));
    chunk(
        b"RIFF",
        &[b"RMID", &song[..], &chunk(b"LIST", &texts)].concat(),
    )
}

#[test]
fn texts_around_the_song_are_compared_as_texts() {
    let comment = b"a comment of more than sixteen bytes\0";
    let title = "~ file of the song: INFO/INAM";
    let files = [
        (
            riff_of(b"Waltz\0", comment),
            format!("{title} Waltz -> Old waltz"),
        ),
        (
            riff_of(b"Caf\xe9\0", comment),
            format!("{title} Caf\u{e9} (windows-1252) -> Old waltz"),
        ),
        (
            riff_of(b"Old waltz", comment),
            format!("{title} Old waltz (without a NUL) -> Old waltz"),
        ),
        (
            riff_of(&[1, 2, 3], comment),
            format!("{title} 01 02 03 -> Old waltz"),
        ),
    ];
    let files: Vec<(Vec<u8>, &str)> = files
        .iter()
        .map(|(own, line)| (own.clone(), &**line))
        .collect();
    differ_in(&riff_of(b"Old waltz\0", comment), &files);
}
