//! Replies claim no more than is true, are ordered for reading, and suggest other queries.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;
use crate::support::smf_build::{END, file};
use fcp::endpoint::Endpoint;

/// The reply to a query that is rejected.
fn refused(desk: &mut Desk, query: &str) -> String {
    let answer = desk.session.query(query);
    assert!(answer.is_error, "{query}\n{}", answer.text);
    answer.text
}

/// The repair of a query that is rejected, which must succeed.
fn repaired(desk: &mut Desk, query: &str) -> String {
    let reply = refused(desk, query);
    let (_, instead) = reply.split_once("try: ").unwrap();
    desk.ask(instead);
    instead.to_owned()
}

/// Events of a chunk with its name.
fn chunk(name: &[u8], events: &[u8]) -> Vec<u8> {
    let length = u8::try_from(name.len()).unwrap();
    [&[0, 0xff, 3, length], name, events, END].concat()
}

#[test]
fn the_map_lists_sections_and_changes_in_the_order_of_the_song() {
    let mut desk = Desk::blank();
    for op in [
        "time-sig 3/4 at:5",
        "marker Chorus at:9",
        "marker Verse at:2",
        "tempo 90 at:7",
        "key-sig Am at:3",
        "tempo 100 at:3",
    ] {
        desk.run(op);
    }
    let map = desk.ask("map");
    assert!(map.contains("Sections: Verse 2.1, Chorus 9.1\n"), "{map}");
    let changes = "Changes: tempo 100 at 3.1, A-minor at 3.1, 3/4 at 5.1, tempo 90 at 7.1\n";
    assert!(map.contains(changes), "{map}");
    let many: Vec<String> = (20..40)
        .map(|bar| format!("marker M{bar} at:{bar}"))
        .collect();
    desk.session.run(&many, None);
    let map = desk.ask("map");
    assert!(map.contains("M29 29.1, and 10 more\n"), "{map}");
}

#[test]
fn long_texts_are_shown_by_their_beginning() {
    let long = "x".repeat(5000);
    let mut desk = Desk::blank();
    desk.run(&format!("title {long}"));
    desk.run(&format!("marker {long} at:2"));
    for query in ["map", "tempo-map", "list @type:marker", "bars"] {
        let reply = desk.ask(query);
        assert!(reply.len() < 1000, "{query}: {} bytes", reply.len());
    }
}

#[test]
fn one_long_name_does_not_widen_every_line_of_bars() {
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    let long = chunk(&[b'n'; 120], note);
    let short = chunk(b"Keys", note);
    let mut desk = Desk::on(&file(1, 96, &[END, &long, &short]));
    let bars = desk.ask("bars");
    let line = bars.lines().find(|line| line.starts_with("Keys")).unwrap();
    assert!(line.len() < 40, "{line}");
}

#[test]
fn channels_and_controllers_of_a_track_are_listed_in_order_and_all_are_counted() {
    let mut desk = Desk::blank();
    desk.run("track add Keys ch:1");
    for channel in [10, 2, 1] {
        desk.run(&format!("note Keys C4 at:{channel} ch:{channel}"));
    }
    for number in 20..50 {
        desk.run(&format!("cc Keys {number} 1"));
    }
    let reply = desk.ask("describe Keys");
    assert!(reply.contains("channels: 1, 2, 10\n"), "{reply}");
    let controllers = reply.lines().find(|line| line.contains("  cc: ")).unwrap();
    assert!(controllers.ends_with(", 6 more"), "{controllers}");
}

#[test]
fn only_a_named_track_is_shown_at_a_place() {
    let mut desk = Desk::blank();
    for track in ["Keys", "Bass"] {
        desk.run(&format!("track add {track}"));
    }
    desk.run("note Keys C5,E5,G5 at:1 dur:w");
    desk.run("note Bass C2 at:1 dur:w");
    desk.run("cc Bass volume 70");
    let reply = desk.ask("at 1.2 on:Bass");
    assert!(
        reply.ends_with("\n  Sounding: Bass C2\n  CC: Bass volume 70"),
        "{reply}"
    );
    let reply = desk.ask("at 1.2 on:Keys");
    assert!(
        reply.contains("\n  Sounding: Keys C5 E5 G5\n  Chord: C"),
        "{reply}"
    );
    assert!(!reply.contains("Bass"), "{reply}");
}

#[test]
fn a_query_that_asks_for_too_much_suggests_one_that_works() {
    let mut desk = Desk::blank();
    desk.run("track add Keys");
    desk.run("note Keys C4,E4,G4 at:1 dur:w");
    desk.run("note Keys C4,E4,G4 at:20000 dur:w");
    assert_eq!(
        repaired(&mut desk, "grid Keys 1-300 step:s"),
        "grid Keys 1-128 step:s"
    );
    assert_eq!(
        repaired(&mut desk, "grid Keys 3.2-300 step:s"),
        "grid Keys 3-130 step:s"
    );
    desk.run("time-sig 3/4 at:9");
    assert_eq!(
        repaired(&mut desk, "grid Keys 1-300 step:s"),
        "grid Keys 1-168 step:s"
    );
    assert_eq!(repaired(&mut desk, "chords"), "chords range:1-10000");
    assert_eq!(
        repaired(&mut desk, "chords Keys"),
        "chords Keys range:1-10000"
    );
    assert_eq!(repaired(&mut desk, "chords 2-20000"), "chords 2-10001");
    assert_eq!(
        repaired(&mut desk, "chords Keys 2-20000"),
        "chords Keys 2-10001"
    );
}

#[test]
fn a_suggested_query_is_valid() {
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    let mut bytes = file(1, 96, &[&chunk(b"Keys", note)]);
    // SMPTE frames, 25 a second in 40 parts.
    bytes[12..14].copy_from_slice(&0xe728_u16.to_be_bytes());
    let mut desk = Desk::on(&bytes);
    assert_eq!(repaired(&mut desk, "bars"), "stats");
    assert_eq!(repaired(&mut desk, "chords"), "stats");
    let mut desk = Desk::on(&file(1, 96, &[END, &chunk(b"Keys", note)]));
    assert_eq!(repaired(&mut desk, "grid Keys 1 step:1/1024"), "bars");
}

#[test]
fn a_query_for_a_missing_track_does_not_suggest_adding_it() {
    let mut desk = Desk::blank();
    desk.run("track add Piano");
    for query in ["events Nobody", "phrase Nobody 1-2", "list @track:Nobody"] {
        assert_eq!(repaired(&mut desk, query), "map", "{query}");
    }
    assert_eq!(repaired(&mut desk, "events Pinao"), "events Piano");
}

#[test]
fn no_chords_are_none() {
    let mut desk = Desk::blank();
    desk.run("track add Drums instrument:standard-kit");
    desk.run("note Drums kick,snare at:1");
    assert_eq!(desk.ask("chords"), "no chords");
    assert_eq!(desk.ask("chords Drums"), "no chords");
}

#[test]
fn a_note_of_no_length_is_drawn_where_it_starts() {
    let note = b"\x30\x90\x3c\x40\0\x80\x3c\x40";
    let mut desk = Desk::on(&file(1, 96, &[END, &chunk(b"Keys", note)]));
    let reply = desk.ask("grid Keys 1 step:e");
    assert!(reply.ends_with("C4 .x......|"), "{reply}");
}

#[test]
fn a_track_has_the_first_of_its_names() {
    let names = [
        &chunk(b"One", b"\0\xf0\x01\xf7")[..7],
        b"\x60\xff\x03\x03Two",
    ]
    .concat();
    let notes = [&names[..], b"\0\x90\x3c\x40\x60\x80\x3c\x40", END].concat();
    let mut desk = Desk::on(&file(1, 96, &[END, &notes]));
    let first = desk.ask("events One");
    let first = first
        .lines()
        .find(|line| line.contains("track-name"))
        .unwrap();
    let (_, id) = first.rsplit_once(' ').unwrap();
    desk.run(&format!("remove {id}"));
    assert!(
        desk.ask("tracks").starts_with("1. Two "),
        "{}",
        desk.ask("tracks")
    );
    desk.act("undo");
    assert!(
        desk.ask("tracks").starts_with("1. One "),
        "{}",
        desk.ask("tracks")
    );
}

#[test]
fn bars_of_a_pattern_show_its_own_sections() {
    let marked = |meter: u8, name: &[u8]| {
        let meter = [0, 0xff, 0x58, 4, meter, 2, 24, 8];
        // Six beats later.
        let marker = [&[0x84, 0x40, 0xff, 6, 1][..], name].concat();
        let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
        [&meter[..], &marker, note, END].concat()
    };
    let mut desk = Desk::on(&file(2, 96, &[&marked(3, b"A"), &marked(2, b"B")]));
    let bars = desk.ask("bars");
    assert!(bars.starts_with("bars 1-4: A 3, B 4\n"), "{bars}");
}

#[test]
fn grids_of_many_tracks_page_by_the_line() {
    let mut desk = Desk::blank();
    for track in 0..60 {
        desk.run(&format!("track add T{track} ch:1"));
        desk.run(&format!("note T{track} C4,E4 at:1"));
    }
    let reply = desk.ask("grid * 1");
    assert!(reply.contains("… 80 more"), "{reply}");
    let reply = desk.ask("grid * 1 from:101");
    assert!(
        reply.starts_with("E4 x...|\nC4 x...|\ngrid T34 "),
        "{reply}"
    );
    assert!(reply.ends_with("C4 x...|"), "{reply}");
}
