//! `copy … set`: copies get their new values before they meet other notes.

use crate::support::Desk;
use crate::support::smf_build::{END, file};

/// A song with a C4 in bar 1, and one in bar 2 that lasts longer.
fn two_bars() -> Desk {
    let mut desk = Desk::blank();
    for op in [
        "track add P instrument:piano",
        "note P C4 at:1.1 dur:q vel:100",
        "note P C4 at:2.1 dur:w vel:60",
    ] {
        desk.run(op);
    }
    desk
}

/// Two tracks that start together: C4 and E4, and a longer, softer C4.
fn two_tracks() -> Desk {
    let mut desk = Desk::blank();
    for op in [
        "track add P instrument:piano",
        "track add Q instrument:violin",
        "note P C4,E4 at:1.1 dur:q vel:100",
        "note Q C4 at:1.1 dur:w vel:20",
    ] {
        desk.run(op);
    }
    desk
}

/// The notes, a line each.
fn notes(desk: &mut Desk) -> Vec<String> {
    let notes = desk.ask("SELECT track, name, tick, dur, vel FROM notes ORDER BY 1, 3, pitch");
    let lines = notes.lines().skip(1).map(str::to_owned);
    lines.filter(|line| !line.starts_with('(')).collect()
}

#[test]
fn a_copy_meets_notes_of_its_new_pitch_only() {
    for op in [
        "copy @range:1 to:2.3 set pitch:=pitch+12",
        "copy @range:1 to:2.3 set pitch:C5",
        "copy @range:1 to:2.3 transpose:12",
    ] {
        let mut desk = two_bars();
        let reply = desk.run(op);
        assert!(!reply.contains("shortened"), "{op}: {reply}");
        assert_eq!(
            notes(&mut desk),
            [
                "P | C4 | 0 | 480 | 100",
                "P | C4 | 1920 | 1920 | 60",
                "P | C5 | 2880 | 480 | 100",
            ],
            "{op}"
        );
        desk.settles(op);
    }
}

#[test]
fn a_copy_that_still_meets_a_note_cuts_it() {
    let mut desk = two_bars();
    let reply = desk.run("copy @range:1 to:2.3 set vel:=vel-30");
    assert!(reply.contains("\n  1 shortened"), "{reply}");
    assert_eq!(
        notes(&mut desk)[1..],
        ["P | C4 | 1920 | 960 | 60", "P | C4 | 2880 | 480 | 70"]
    );
    desk.settles("copy");
    desk.act("undo");
    assert_eq!(notes(&mut desk).len(), 2);
}

#[test]
fn a_copy_takes_its_own_touches_only() {
    let mut desk = two_bars();
    desk.run("touch P 40 pitch:C4 at:1.1.10");
    desk.run("touch P 70 pitch:C4 at:2.3.20");
    desk.run("copy @range:1 to:2.3 set pitch:=pitch+12");
    let touches = desk.ask("SELECT at, pitch, value FROM touches ORDER BY 1, 2");
    let touches: Vec<&str> = touches.lines().skip(1).take(3).collect();
    assert_eq!(
        touches,
        ["10 | C4 | 40", "2890 | C5 | 40", "2900 | C4 | 70"]
    );
    desk.settles("copy");
}

#[test]
fn copies_on_another_track_leave_its_notes() {
    let mut desk = two_tracks();
    desk.run("copy @track:P to:1 on:Q set pitch:=pitch+1");
    assert_eq!(
        notes(&mut desk)[2..],
        [
            "Q | C4 | 0 | 1920 | 20",
            "Q | C#4 | 0 | 480 | 100",
            "Q | F4 | 0 | 480 | 100",
        ]
    );
    desk.settles("copy");
}

#[test]
fn a_copy_merges_with_its_new_velocity() {
    let mut desk = two_tracks();
    let reply = desk.run("copy @track:P to:1 on:Q set vel:=vel-90");
    assert!(reply.contains("1 merged"), "{reply}");
    assert_eq!(
        notes(&mut desk)[2..],
        ["Q | C4 | 0 | 1920 | 20", "Q | E4 | 0 | 480 | 10"]
    );
    desk.settles("copy");
}

#[test]
fn copies_are_refused_where_they_end_up() {
    let mut desk = two_bars();
    desk.act("set overlap:refuse");
    let before = desk.digest();
    desk.refused("copy @range:1 to:2.3 set vel:=vel-30");
    assert_eq!(desk.digest(), before);
    desk.run("copy @range:1 to:2.3 set pitch:=pitch+12");
    assert_eq!(notes(&mut desk).len(), 3);
    desk.run("copy @range:1 to:3 set vel:50");
    desk.settles("copy");
}

#[test]
fn a_failed_copy_leaves_new_notes_their_effect() {
    let mut desk = two_bars();
    desk.refused("copy @range:1 to:2.3 set vel:300");
    let reply = desk.run("note P C4 at:2.3 dur:q");
    assert!(reply.contains("1 shortened"), "{reply}");
}

#[test]
fn a_copy_of_a_note_without_a_length_has_none() {
    let track = b"\0\xff\x03\x01A\0\x90\x3c\x50\0\x3c\0\0\x40\x50\x60\x40\0";
    for op in [
        "copy @all to:2",
        "copy @all to:1.1 on:A transpose:12",
        "copy @all to:2 set vel:50",
        "repeat @all times:2",
        "bars copy 1 to:end",
        "bars copy 1 to:2 mode:mix",
        "track copy A as:B",
    ] {
        let mut desk = Desk::on(&file(1, 96, &[&[&track[..], END].concat()]));
        let reply = desk.run(op);
        let rows =
            desk.ask("SELECT pitch % 12, min(dur), max(dur), count(*) > 1 FROM notes GROUP BY 1");
        assert!(
            rows.contains("0 | 0 | 0 | 1\n4 | 96 | 96 | 1"),
            "{reply}\n{rows}"
        );
        desk.settles(op);
    }
}

#[test]
fn the_reply_tells_that_the_copy_of_a_note_without_an_end_has_one() {
    let track = b"\0\xff\x03\x01A\0\x90\x3c\x50\0\x40\x50\x60\x40\0";
    for op in [
        "copy @all to:2",
        "repeat @all times:1",
        "bars copy 1 to:end",
        "track copy A as:B",
    ] {
        let mut desk = Desk::on(&file(1, 96, &[&[&track[..], END].concat()]));
        let reply = desk.run(op);
        assert!(
            reply.contains("1 stuck copied with an end"),
            "{op}: {reply}"
        );
        desk.settles(op);
    }
}

/// The content of the first track of a song with notes, and of a copy of bar 1.
fn with_a_copy(notes: &[u8], op: &str) -> Vec<u8> {
    let track = [notes, END].concat();
    let mut desk = Desk::on(&file(0, 96, &[&track]));
    desk.run(op);
    let bytes = desk.bytes();
    bytes[22..bytes.len() - END.len()].to_vec()
}

#[test]
fn copies_keep_the_form_of_their_source() {
    let written = b"\0\x90\x3c\x40\x60\x90\x3c\0\0\x90\x40\x40\x60\x80\x40\x21";
    let running = b"\0\x90\x3c\x40\x60\x3c\0\0\x40\x40\x60\x40\0";
    for op in [
        "copy @range:1 to:2",
        "repeat @range:1 times:1",
        "bars copy 1 to:2",
    ] {
        let copied = with_a_copy(written, op);
        let copy = [&b"\x81\x40\x90"[..], &written[2..]].concat();
        assert_eq!(
            copied,
            [&written[..], &copy].concat(),
            "{op}: {copied:02x?}"
        );
        let copied = with_a_copy(running, op);
        // The first note of the source has a status byte, and so has its copy.
        let copy = [&b"\x81\x40\x90"[..], &running[2..]].concat();
        assert_eq!(
            copied,
            [&running[..], &copy].concat(),
            "{op}: {copied:02x?}"
        );
    }
}
