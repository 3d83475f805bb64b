//! The same ops give the same song, in either of their forms, every time.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{Desk, smf_build};
use fcp_midi::smf;

/// A song made by ops: the replies, the bytes, and the digest.
fn made(ops: &[&str]) -> (Vec<String>, Vec<u8>, String) {
    let mut desk = Desk::new();
    desk.act("new tempo:96 key:A-minor");
    let replies = ops.iter().map(|op| desk.run(op)).collect();
    (replies, desk.bytes(), desk.digest())
}

#[test]
fn the_same_ops_give_the_same_replies_and_bytes() {
    let ops = [
        "track add Keys instrument:rhodes",
        "track add Drums instrument:standard-kit",
        "progression Keys \"i | VI | III | VII\" rhythm:\"q. e h\" lead:on",
        "arp Keys Am7 pattern:random seed:3",
        "grid Drums kick x...x... snare ..x...x. step:e times:4",
        "humanize @track:Keys seed:9",
        "track copy Keys as:Pad instrument:warm-pad",
        "bars copy 1-2 to:end",
        "track split Keys by:voice as:Top,Rest",
        "retime ppqn:960",
    ];
    let first = made(&ops);
    assert_eq!(made(&ops), first);
}

/// Plays a transcript in a folder of its own: the output of the program, and the file it saved.
fn played(session: &str, saved: &str) -> (String, Vec<u8>) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let root = tempfile::tempdir().unwrap();
    for file in ["files/foreign.mid", &format!("sessions/{session}")] {
        let name = Path::new(file).file_name().unwrap();
        fs::copy(tests.join(file), root.path().join(name)).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_fcp-midi"))
        .args(["run", "--root"])
        .arg(root.path())
        .arg(root.path().join(session))
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}");
    (printed, fs::read(root.path().join(saved)).unwrap())
}

#[test]
fn a_session_played_twice_prints_and_saves_the_same() {
    for (session, saved) in [
        ("compose.fcp", "harbor.mid"),
        ("harbor.fcp", "harbor.mid"),
        ("foreign.fcp", "edited.mid"),
    ] {
        let first = played(session, saved);
        assert!(first == played(session, saved), "{session}");
    }
}

#[test]
fn saving_a_foreign_file_changes_only_named_rows() {
    let foreign = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/foreign.mid");
    let events = |bytes: &[u8]| smf::export_events(&smf::read(bytes).unwrap());
    let before = events(&fs::read(foreign).unwrap());
    let (_, bytes) = played("foreign.fcp", "edited.mid");
    let (gone, new) = crate::support::differences(&before, &events(&bytes));
    let without_chunk = |lines: Vec<String>| {
        let mut lines: Vec<String> = lines
            .iter()
            .map(|line| line.strip_prefix("0 ").unwrap().to_owned())
            .collect();
        lines.sort();
        lines
    };
    let sorted = |lines: &[&str]| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        lines.sort();
        lines
    };
    // The E5 of each bar, with its end; the bend range; a tempo; three lyrics.
    let named = [
        "192 904c64",
        "288 904c00",
        "480 904c64",
        "576 904c00",
        "768 904c64",
        "864 904c00",
        "1056 904c64",
        "1152 904c00",
        "0 b0060c",
        "576 ff51030a2c2b",
        "864 ff05026c61",
        "960 ff05026c61",
        "1056 ff05026c61",
    ];
    // Their replacements: a closed hat, and the end of the stuck G3.
    let instead = [
        "192 904c70",
        "240 904c00",
        "480 904c70",
        "528 904c00",
        "768 904c70",
        "816 904c00",
        "1056 904c70",
        "1104 904c00",
        "0 b00602",
        "576 ff5103098968",
        "1056 992a50",
        "1104 892a40",
        "1152 813740",
    ];
    assert_eq!(without_chunk(gone), sorted(&named));
    assert_eq!(without_chunk(new), sorted(&instead));
    let mut unknown = bytes.windows(8).filter(|eight| eight.starts_with(b"XFIH"));
    assert!(unknown.next().is_some() && unknown.next().is_none());
}

#[test]
fn the_short_and_the_long_form_of_an_op_are_one() {
    let forms = [
        (
            "note Keys C4 at:2 dur:e vel:90",
            "add note C4 on:track:Keys at:2 duration:eighth velocity:90",
        ),
        ("chord Keys Am7 at:2", "add chord Am7 on:Keys at:2"),
        ("tempo 140 at:5", "add tempo 140 at:5"),
        ("time-sig 3/4 at:5", "add meter 3/4 at:5"),
        ("key-sig Am at:5", "add key Am at:5"),
        (
            "program Keys violin at:2",
            "add instrument violin on:Keys at:2",
        ),
        ("cc Keys volume 9", "add cc 7 9 on:Keys"),
        ("bend Keys +1st", "add bend +1st on:Keys"),
        ("touch Keys 9", "add touch 9 on:Keys"),
        ("rpn Keys bend-range 2", "add rpn 0.0 2 on:Keys"),
        ("lyric Keys la", "add lyric la on:Keys"),
        ("text song so", "add text so on:song"),
        ("raw song \"F0 7E F7\"", "add sysex f07ef7 on:song"),
        ("marker Chorus at:3", "add marker Chorus at:3"),
        ("phrase Keys \"C4/q E\"", "add phrase C4/q E on:Keys"),
        ("grid Keys C4 x.x.", "add grid C4 x.x. on:Keys"),
        (
            "progression Keys \"C | F\"",
            "add progression C | F on:Keys",
        ),
        ("arp Keys C", "add arp C on:Keys"),
        ("track add Bass", "add track Bass"),
    ];
    for (short, long) in forms {
        let (_, bytes, digest) = made(&["track add Keys", short]);
        assert_eq!(made(&["track add Keys", long]).1, bytes, "{short}");
        assert_eq!(made(&["track add Keys", long]).2, digest, "{short}");
    }
}

#[test]
fn muting_does_not_change_content() {
    let mut desk = Desk::blank();
    desk.run("track add Keys");
    desk.run("note Keys C4");
    let (bytes, digest) = (desk.bytes(), desk.digest());
    desk.run("mute Keys");
    desk.run("solo Keys");
    assert_eq!((desk.bytes(), desk.digest()), (bytes, digest));
    let track = desk.song().tracks.iter().next().unwrap().0;
    assert!(!desk.song().is_heard(track));
    desk.act("undo 2");
    assert!(desk.song().is_heard(track));
    desk.run("track add Bass");
    desk.run("solo Bass");
    assert!(!desk.song().is_heard(track));
    // A removed track is no longer solo.
    desk.run("track remove Bass");
    assert!(desk.song().is_heard(track));
}

#[test]
fn a_track_that_moves_takes_everything_with_it_and_comes_back() {
    let mut desk = Desk::blank();
    for track in ["A", "B", "C"] {
        desk.run(&format!("track add {track} instrument:piano"));
        desk.run(&format!("phrase {track} \"C4/q E4 G4 C5\""));
        desk.run(&format!("cc {track} volume 50 at:1.2"));
    }
    desk.run("transpose @track:B +1");
    let before = desk.events();
    desk.act("checkpoint here");
    for op in [
        "track move C to:1",
        "track move A after:C",
        "track move B before:A",
    ] {
        desk.run(op);
        desk.settles(op);
    }
    desk.act("undo to:here");
    assert_eq!(desk.events(), before);
    desk.run("track move A to:3");
    let tracks = desk.ask("tracks");
    let names: Vec<&str> = tracks
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    assert_eq!(names, ["B", "C", "A"]);
}

#[test]
fn events_put_on_the_song_stay_in_place_when_the_file_is_opened_again() {
    let track: &[u8] = &[
        0x00, 0xff, 0x03, 0x04, b'K', b'e', b'y', b's', 0x00, 0x90, 60, 80, 0x60, 0x80, 60, 64,
        0x00, 0xff, 0x2f, 0x00,
    ];
    for format in [0, 1] {
        let mut desk = Desk::on(&smf_build::file(format, 96, &[track]));
        let on = if format == 0 { "" } else { " on Keys" };
        let reply = desk.run("lyric song la");
        assert!(
            reply.starts_with(&format!("+ Lyric \"la\"{on} at 1.1\n")),
            "{reply}"
        );
        desk.run("text song hello at:1.2");
        desk.run("raw song \"F0 01 F7\" at:1.3");
        let seen = |desk: &mut Desk| {
            let rows = ["tracks", "map", "list @type:any"].map(|query| desk.ask(query));
            (desk.digest(), rows.map(|rows| without_ids(&rows)))
        };
        let before = seen(&mut desk);
        let bytes = desk.bytes();
        desk.open(&bytes);
        assert_eq!(seen(&mut desk), before, "format {format}");
    }
}

/// Rows without the ids they have in a session.
fn without_ids(rows: &str) -> String {
    let words = rows.split(' ').filter(|word| !word.starts_with('#'));
    words.collect::<Vec<_>>().join(" ")
}
