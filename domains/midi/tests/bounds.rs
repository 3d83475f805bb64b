//! For any input, the program answers in bounded time and with bounded replies.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::time::{Duration, Instant};

use crate::support::piped::{NOTE, server};
use crate::support::smf_build::{END, file};
use serde_json::json;

/// The time limit for an unoptimised build on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A file of format 1 whose tracks all have these bytes.
fn tracks(count: u16, track: &[u8]) -> Vec<u8> {
    let mut bytes = b"MThd\0\0\0\x06\0\x01".to_vec();
    bytes.extend(count.to_be_bytes());
    bytes.extend(480_u16.to_be_bytes());
    for _ in 0..count {
        bytes.extend(b"MTrk");
        bytes.extend(u32::try_from(track.len()).unwrap().to_be_bytes());
        bytes.extend(track);
    }
    bytes
}

/// Tracks of at most 19 bytes with one name, without one, empty ones and ones with a note, and an op that takes long if it sorts them.
const TRACKS: [(&str, &[u8], &str); 4] = [
    (
        "named",
        b"\0\xff\x03\x01A\0\xff\x2f\0",
        "note A~7 C4 at:1.1",
    ),
    ("unnamed", b"\0\xc0\x05\0\xff\x2f\0", "note 7 C4 at:1.1"),
    ("empty", b"\0\xff\x2f\0", "tempo 90 at:2"),
    ("played", NOTE, "note 7 C4 at:1.1"),
];

/// Opens a file of tracks, lists them and makes an edit. Returns the processor time of that.
fn open_and_edit(count: u16, (_, track, op): (&str, &[u8], &str)) -> Duration {
    let (root, mut server) = server();
    fs::write(root.path().join("a.mid"), tracks(count, track)).unwrap();
    let start = server.processor_time();
    server.act("open a.mid");
    server.query("map");
    server.query("list @all limit:100000");
    server.run(&[op]);
    server.act("undo");
    server.processor_time() - start
}

#[test]
fn tens_of_thousands_of_tracks_open_and_are_edited_soon() {
    for kind in TRACKS {
        let (few, many) = (open_and_edit(8_000, kind), open_and_edit(32_000, kind));
        assert!(many < 9 * few, "{}: {few:?}, {many:?}", kind.0);
    }
    let took = open_and_edit(65_000, TRACKS[0]);
    assert!(took < LONG, "{took:?}");
}

#[test]
fn a_call_of_many_ops_that_fail_is_answered_soon_and_shortly() {
    let (_root, mut server) = server();
    server.act("new");
    for policy in ["batch atomic", "batch isolate"] {
        let mut ops = vec![policy.to_owned()];
        ops.extend((0..8_000).map(|n| format!("note Q{n} C4")));
        let start = Instant::now();
        let (reply, is_error) = server.call("midi", json!({ "ops": ops }));
        assert!(is_error && reply.len() <= 64 * 1024, "{}", reply.len());
        let last = reply.lines().next_back().unwrap();
        assert!(last.starts_with('[') && last.ends_with(']'), "{last}");
        assert!(start.elapsed() < LONG, "{policy}: {:?}", start.elapsed());
    }
    let ops = vec!["bogus"; 100_000];
    let (reply, _) = server.call("midi", json!({ "ops": ops }));
    assert!(
        reply.starts_with("! ops 1-100,000: Unknown verb \"bogus\"; "),
        "{reply}"
    );
    assert!(reply.len() < 2_000, "{reply}");
}

#[test]
fn a_long_name_is_cut_in_every_reply() {
    const LENGTH: u32 = 5_000_000;
    let (root, mut server) = server();
    let sevens = [21, 14, 7, 0].map(|place| u8::try_from(LENGTH >> place & 0x7f).unwrap());
    let length = [0x80, 0x80, 0x80, 0].iter().zip(sevens);
    let length: Vec<u8> = length.map(|(more, seven)| more | seven).collect();
    let name = vec![b'n'; LENGTH as usize];
    let track = [b"\0\xff\x03", &length[..], &name, NOTE].concat();
    let marker = [b"\0\xff\x06", &length[..], &name, END].concat();
    let bytes = file(1, 96, &[&marker, &track]);
    fs::write(root.path().join("a.mid"), bytes).unwrap();
    let mut texts = vec![server.act("open a.mid")];
    for query in [
        "map",
        "status",
        "tracks",
        "list",
        "find n",
        "describe 1",
        "warnings",
        "events 1",
    ] {
        texts.push(server.query(query));
    }
    for op in [
        "note 1 C4 at:2.1",
        "track copy 1 as:Copy",
        "track rename 1 Short",
        "remove @type:marker",
    ] {
        texts.push(server.run(&[op]));
    }
    for query in ["diff checkpoint:open", "history", "status"] {
        texts.push(server.query(query));
    }
    for action in ["undo 2", "status"] {
        texts.push(server.act(action));
    }
    for text in texts {
        assert!(text.len() <= 64 * 1024, "{} {text:.200}", text.len());
    }
}

#[test]
fn ops_that_pass_more_notes_each_time_are_counted_and_others_pass_none() {
    let (_root, mut server) = server();
    server.act("new");
    server.run(&[
        "track add Piano",
        "track add Drums instrument:standard-kit",
        "note Piano C4,E4,G4 at:1.1",
        "note Drums kick at:1.2",
    ]);
    server.act("set work-limit:1");
    let refused = server.refused(&["bars copy 1 to:end"; 1_500]);
    assert!(
        refused.contains("takes more than 1 million steps"),
        "{refused:.300}"
    );
    // The other events at the tick are not passed.
    server.run(&["raw song \"F0 43 F7\""; 3_000]);
}
