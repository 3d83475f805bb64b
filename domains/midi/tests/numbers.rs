//! Numbers out of range are rejected at once and change nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::time::{Duration, Instant};

use fcp::endpoint::Endpoint;
use fcp::testing::Server;
use serde_json::json;
use tempfile::{TempDir, tempdir};

use crate::support::{Desk, smf_build};

/// A generous time limit for rejecting an op on any machine and build; the slowest is printed.
const BOUND: Duration = Duration::from_secs(1);

const BAD: &[&str] = &[
    "note Keys C4 at:99999999999.1",
    "note Keys C4 at:999999.1 dur:999999999bar",
    "note Keys C4 at:1.99999999999",
    "note Keys C4 at:1.1.99999999999",
    "note Keys C4 at:0",
    "note Keys C4 at:1.0",
    "note Keys C4 at:tick:-5",
    "note Keys C4 at:tick:268435456",
    "note Keys C4 at:99999999999999999999999999s",
    "note Keys C4 at:-99s",
    "note Keys C4 at:NaNs",
    "note Keys C4 dur:0",
    "note Keys C4 dur:-q",
    "note Keys C4 dur:1/0",
    "note Keys C4 dur:0/4",
    "note Keys C4 dur:99999999999999999999",
    "note Keys C4 dur:ticks:0",
    "note Keys C4 dur:ticks:268435456",
    "note Keys C4 dur:e0",
    "note Keys C4 vel:0",
    "note Keys C4 vel:128",
    "note Keys C4 vel:-1",
    "note Keys C4 vel:1e3",
    "note Keys C4 ch:0",
    "note Keys C4 ch:17",
    "note Keys 128",
    "note Keys C99999999999",
    "note Keys G#9",
    "note Keys Cb-1",
    "chord Keys Am oct:99",
    "chord Keys Am inv:99",
    "chord Keys Am99999999999",
    "progression Keys \"I V\" dur:0",
    "arp Keys Am7 span:999999999",
    "arp Keys Am7 step:0",
    "arp Keys Am7 gate:999999999",
    "phrase Keys \"C4\" times:999999999",
    "phrase Keys \"C4\" times:0",
    "phrase Keys \"(C4)*999999999\"",
    "phrase Keys \"((((C4)*9999)*9999)*9999)*9999\"",
    "phrase Keys \"C4/0\"",
    "phrase Keys \"v0 C4\"",
    "phrase Keys C4 swing:100",
    "grid Keys C4 x times:999999999",
    "grid Keys C4 x step:0",
    "program Keys program:128",
    "program Keys piano bank:128",
    "cc Keys volume 128",
    "cc Keys 128 1",
    "cc Keys volume -1",
    "bend Keys 8192",
    "bend Keys +99st",
    "touch Keys 128",
    "rpn Keys 128.0 1",
    "rpn Keys bend-range 99999999",
    "pedal Keys 1-999999999",
    "pedal Keys 8-5",
    "pedal Keys 1-2 every:0",
    "ramp Keys volume from:0 to:128 at:1 until:2",
    "ramp Keys volume from:0 to:9 at:2 until:2",
    "ramp Keys volume from:0 to:9 at:1 until:2 step:0",
    "tempo NaN",
    "tempo inf",
    "tempo 0",
    "tempo -90",
    "tempo 3.9",
    "tempo 1000",
    "tempo 1e9",
    "time-sig 0/4",
    "time-sig 4/3",
    "time-sig 4/0",
    "time-sig 65/4",
    "time-sig 4/128",
    "time-sig -4/4",
    "time-sig 99999999999/4",
    "track add More ch:17",
    "track add More volume:128",
    "track move Keys to:0",
    "track move Keys to:99999999999",
    "modify @all vel:128",
    "modify @all at:tick:-5",
    "modify @all dur:0",
    "move @all by:-9999999bar",
    "move @all to:99999999999.1",
    "copy @all to:2 times:999999999",
    "repeat @all times:0",
    "repeat @all times:999999999",
    "repeat @all times:9999 every:999999bar",
    "transpose @all +128",
    "transpose @all +99999999999",
    "transpose @all NaN",
    "velocity @all 0",
    "velocity @all 128",
    "velocity @all 40-200",
    "velocity @all NaN%",
    "quantize @all grid:0",
    "quantize @all strength:101",
    "quantize @all swing:100",
    "humanize @all time:-1",
    "humanize @all vel:999",
    "humanize @all seed:-1",
    "length @all 0",
    "length @all 0%",
    "length @all legato gap:-1",
    "stretch @all 0%",
    "stretch @all 99999999999%",
    "stretch @all NaN%",
    "invert @all about:128",
    "crescendo @all from:0 to:200",
    "bars insert 0 at:1",
    "bars insert 999999999 at:1",
    "bars delete 8-5",
    "bars delete 99999999999",
    "bars copy 1 to:99999999999",
    "bars copy 1 to:2 times:999999999",
    "retime ppqn:0",
    "retime ppqn:23",
    "retime ppqn:32768",
    "retime tempo:NaN",
    "remove @range:8-5",
    "remove @range:99999999999",
    "remove @pitch:128",
    "remove @velocity:0-200",
    "remove @channel:17",
    "remove @grid:0",
    "remove @beat:0",
    "remove @voice:0",
    "remove #99999999999",
    "remove @id:99999999999",
];

fn keys() -> (TempDir, Server) {
    let root = tempdir().unwrap();
    let mut server = Server::new(env!("CARGO_BIN_EXE_fcp-midi"), root.path());
    server.act("new tempo:96 key:A-minor");
    server.run(&[
        "track add Keys instrument:piano",
        "phrase Keys \"C4/q E4 G4 B4 | C5/w |\"",
    ]);
    (root, server)
}

/// The state of the session and the song: the digest, and the reach of undo.
fn state(server: &mut Server) -> String {
    server.query("status") + &server.query("events Keys")
}

#[test]
fn numbers_that_no_song_holds_are_refused_at_once_and_change_nothing() {
    let (_root, mut server) = keys();
    let mut before = state(&mut server);
    let mut slowest = (Duration::ZERO, "");
    let mut taken = Vec::new();
    for op in BAD {
        let start = Instant::now();
        let (text, error) = server.call("midi", json!({ "ops": [op] }));
        let time = start.elapsed();
        slowest = slowest.max((time, op));
        if time > Duration::from_millis(10) {
            println!("{time:?}: {op}");
        }
        if !error {
            taken.push(format!("{op}\n{text}"));
            server.act("undo");
            before = state(&mut server);
            continue;
        }
        assert!(text.starts_with("! "), "{op}\n{text}");
        assert!(
            text.contains("\n  try: ") || text.contains("\n  syntax: "),
            "{op} is refused without a way on\n{text}"
        );
        assert_eq!(state(&mut server), before, "{op}");
    }
    assert!(taken.is_empty(), "{}", taken.join("\n"));
    println!(
        "the slowest of {} took {:?}: {}",
        BAD.len(),
        slowest.0,
        slowest.1
    );
    assert!(slowest.0 < BOUND, "{slowest:?}");
}

#[test]
fn numbers_that_no_query_or_file_has_are_refused_too() {
    let (_root, mut server) = keys();
    let before = state(&mut server);
    for query in [
        "events Keys 8-5",
        "events Keys 99999999999",
        "events Keys limit:0",
        "events Keys from:-1",
        "at 99999999999.1",
        "at 0",
        "at tick:-5",
        "bars 8-5",
        "phrase Keys grid:0",
        "grid Keys 1-99999999999",
        "grid Keys 1 step:0",
        "chords 9-1",
    ] {
        server.no_query(query);
    }
    for action in [
        "new tempo:0",
        "new tempo:NaN",
        "new time-sig:0/4",
        "new time-sig:4/3",
        "new ppqn:0",
        "new ppqn:32768",
        "new smf:3",
        "save as:x.mid smf:2",
    ] {
        server.no_act(action);
    }
    assert_eq!(state(&mut server), before);
}

#[test]
fn a_phrase_of_a_mebibyte_is_done_or_refused_without_harm() {
    let (_root, mut server) = keys();
    let before = state(&mut server);
    let items = [
        "C4 ",
        "(C4)*9 ",
        "| ",
        "x ",
        "C4+",
        "((",
        "_ ",
        "v1 ",
        "C4/99999 ",
    ];
    // The longest possible op is a mebibyte including its verb.
    for (items, room) in items
        .into_iter()
        .flat_map(|items| [(items, 1 << 20), (items, 1_048_000)])
    {
        let line = items.repeat(room / items.len());
        for op in [
            format!("phrase Keys \"{line}\" at:9"),
            format!("phrase Keys {line}"),
        ] {
            let start = Instant::now();
            let (text, error) = server.call("midi", json!({ "ops": [op] }));
            println!(
                "{items:?}: {} bytes answered in {:?}",
                text.len(),
                start.elapsed()
            );
            assert!(text.len() <= 16 * 1024, "{items:?}");
            if !error {
                server.act("undo");
            }
            // The undone op can be redone, so only the song is as before.
            let after = state(&mut server).replace("redo: 1 op", "redo: 0 ops");
            assert_eq!(after, before, "{items:?}\n{text}");
        }
    }
    server.run(&["note Keys C4 at:3"]);
}

/// A file of one track, with a note of 1,000 ticks on the last tick that an op can write.
fn far() -> Vec<u8> {
    let note = b"\xff\xff\xff\x7f\x90\x3e\x50\x87\x68\x80\x3e\x40\0\xff\x2f\0";
    smf_build::file(0, 96, &[note])
}

#[test]
fn a_note_beyond_the_last_tick_can_be_shortened_but_not_moved_further() {
    for (op, end) in [
        ("modify @pitch:D4 dur:96", 268_435_551_u64),
        ("length @all 50%", 268_435_955),
        ("modify @all pitch:+1", 268_436_455),
        ("modify @all at:-q", 268_436_359),
        ("stretch @all 50%", 268_435_955),
        ("move @all to:1", 1000),
        ("remove @all", 0),
    ] {
        let mut desk = Desk::on(&far());
        desk.run(op);
        let ends = desk
            .song()
            .notes
            .iter()
            .map(|(_, note)| note.at + note.dur.unwrap());
        assert_eq!(ends.max().unwrap_or(0), end, "{op}");
        desk.settles(op);
        desk.act("undo");
        assert_eq!(desk.bytes(), far(), "{op}");
    }
    for op in [
        "length @all 101%",
        "modify @all dur:+q",
        "modify @all at:+ticks:1",
        "stretch @all 101%",
    ] {
        let mut desk = Desk::on(&far());
        desk.refused(op);
        assert_eq!(desk.bytes(), far(), "{op}");
    }
}

#[test]
fn a_meter_with_fractional_ticks_is_kept_but_not_made() {
    let meter = b"\0\xff\x58\x04\x03\x06\x18\x08\0\x90\x3c\x50\x60\x80\x3c\x40\0\xff\x2f\0";
    let bytes = smf_build::file(0, 24, &[meter]);
    let mut desk = Desk::on(&bytes);
    let text = desk.refused("time-sig 3/64 at:100");
    assert!(text.contains("try: time-sig 3/32 at:100"), "{text}");
    desk.run("note 1 D4 at:tick:6");
    desk.act("undo");
    assert_eq!(desk.bytes(), bytes);
    // It fits no other division worse than its own.
    desk.run("retime ppqn:25");
}

#[test]
fn a_new_song_has_beats_of_whole_ticks() {
    let mut desk = Desk::new();
    for (new, mended) in [
        ("new time-sig:3/64 ppqn:24", "new time-sig:3/32 ppqn:24"),
        ("new time-sig:1/64 ppqn:100", "new time-sig:1/16 ppqn:100"),
    ] {
        let answer = desk.session.act(new);
        assert!(answer.is_error, "{}", answer.text);
        let tried = format!("try: {mended}");
        assert!(answer.text.contains(&tried), "{}", answer.text);
        desk.act(mended);
    }
}
