//! Calls on songs that are large in one way: many notes on one pitch, many tracks, keys, meters or
//! bars. They take about as many steps as there are rows, or end at the limit of steps.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::endpoint::Endpoint;

use crate::support::Desk;
use crate::support::smf_build::{END, file};

/// A session on these tracks, with a million steps for a call.
fn bounded(tracks: &[Vec<u8>]) -> Desk {
    let tracks: Vec<&[u8]> = tracks.iter().map(Vec::as_slice).collect();
    let mut desk = Desk::on(&file(1, 480, &tracks));
    desk.act("set work-limit:1");
    desk
}

fn track(events: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let events: Vec<u8> = events.into_iter().flatten().collect();
    [&events, END].concat()
}

fn on(delta: u8) -> Vec<u8> {
    vec![delta, 0x90, 60, 80]
}

fn off(delta: u8) -> Vec<u8> {
    vec![delta, 0x80, 60, 64]
}

/// Each note starts before all earlier ones end.
fn nested(notes: usize) -> Vec<u8> {
    let ons = std::iter::repeat_n(on(1), notes);
    track(ons.chain(std::iter::repeat_n(off(1), notes)))
}

/// Notes that nothing ends.
fn stuck(notes: usize) -> Vec<u8> {
    track(std::iter::repeat_n(on(1), notes))
}

/// Notes that start together, and end together.
fn together(notes: usize) -> Vec<u8> {
    let ons = std::iter::repeat_n(on(0), notes);
    let offs = std::iter::repeat_n(off(0), notes - 1);
    track(ons.chain([off(96)]).chain(offs))
}

fn named(number: usize) -> Vec<u8> {
    let name = format!("T{number}").into_bytes();
    let length = u8::try_from(name.len()).unwrap();
    let name = [vec![0, 0xff, 3, length], name].concat();
    track([name, on(0), off(96)])
}

/// Runs a query, which must end at the limit.
fn ends(desk: &mut Desk, query: &str) {
    let answer = desk.session.query(query);
    assert!(answer.is_error, "{query}\n{}", answer.text);
    assert!(
        answer.text.contains("takes more than 1 million steps"),
        "{query}\n{}",
        answer.text
    );
}

#[test]
fn a_note_that_lasts_for_millions_of_bars_ends_the_query() {
    let meter = vec![0, 0xff, 0x58, 4, 1, 6, 24, 8];
    let last = |kind| vec![0xff, 0xff, 0xff, 0x7f, kind, 60, 64];
    let mut desk = bounded(&[track([meter, last(0x90), last(0x80)])]);
    ends(&mut desk, "phrase *");
    ends(&mut desk, "phrase * grid:exact");
    // Queries that make no text for each bar are answered.
    for query in ["map", "stats", "list", "bars", "grid * 1"] {
        desk.ask(query);
    }
}

#[test]
fn many_notes_of_one_pitch_are_changed_in_one_call() {
    for op in ["staccato @all", "length @all 33%", "copy @all to:end"] {
        bounded(&[nested(6_000)]).run(op);
    }
    for op in [
        "legato @all",
        "modify @all dur:w",
        "copy @all to:end",
        "repeat @all times:1",
        "bars insert 2 at:1",
    ] {
        bounded(&[stuck(6_000)]).run(op);
    }
    for op in ["humanize @all", "repeat @all times:2 every:e"] {
        bounded(&[together(4_000)]).run(op);
    }
}

#[test]
fn a_voice_is_found_for_each_of_many_notes_that_sound_together() {
    let mut desk = bounded(&[nested(300)]);
    let phrase = desk.ask("phrase * grid:exact");
    let first: Vec<&str> = phrase.lines().take(2).collect();
    assert_eq!(
        first,
        [
            r#"phrase ch-1 "C4/300" at:1.1.1 vel:80"#,
            r#"phrase ch-1 "C4/300" at:1.1.2 vel:80"#
        ]
    );
}

#[test]
fn the_key_at_a_note_is_looked_up() {
    let keys = (0..4_000_u16).map(|n| vec![1, 0xff, 0x59, 2, (n % 5) as u8, 0]);
    let notes = (0..2_000).flat_map(|_| [on(3), off(3)]);
    let mut desk = bounded(&[track(keys), track(notes)]);
    desk.ask("phrase *");
    desk.ask("list @scale limit:3");
    let op = "INSERT INTO notes(track,pitch,tick) SELECT track,pitch+1,tick FROM notes";
    desk.run(op);
}

#[test]
fn many_tracks_are_listed_imported_and_joined() {
    let tracks: Vec<Vec<u8>> = (0..4_000).map(named).collect();
    let mut desk = bounded(&tracks);
    let count = desk.ask("SELECT count(*) FROM events");
    assert!(count.contains("8000"), "{count}");
    desk.ask("tables");
    desk.act("save as:one.mid smf:0");
    let mut desk = bounded(&[nested(1)]);
    let all: Vec<&[u8]> = tracks.iter().map(Vec::as_slice).collect();
    std::fs::write(desk.root.path().join("many.mid"), file(1, 480, &all)).unwrap();
    let reply = desk.act("import many.mid");
    assert!(reply.contains("4000 tracks, 4000 notes"), "{reply}");
}

#[test]
fn the_meter_map_of_each_of_many_meters_counts() {
    let mut desk = bounded(&[nested(1)]);
    let before = desk.digest();
    let ops = (1..3_500).map(|bar| format!("time-sig {}/4 at:{bar}", 1 + bar % 7));
    let ops: Vec<String> = ops.collect();
    let answer = desk.session.run(&ops, None);
    assert!(answer.text.contains("million steps"), "{}", answer.text);
    assert_eq!(desk.digest(), before);
    desk.session.run(&ops[..100], None);
    assert_ne!(desk.digest(), before);
}

#[test]
fn many_selectors_and_long_lists_in_them_count() {
    let notes = (0..1_000).flat_map(|_| [on(3), off(3)]);
    let text = [vec![0, 0xff, 1, 0x84, 0x58], vec![b'x'; 600]].concat();
    let words = std::iter::repeat_n(text, 1_000);
    let mut desk = bounded(&[track(notes.chain(words))]);
    ends(&mut desk, &format!("list {}", "@voice:top ".repeat(400)));
    let many = |value: &str| vec![value; 1_000].join(",");
    ends(&mut desk, &format!("list @dur:{}", many("q")));
    ends(
        &mut desk,
        &format!(
            "list @pitch:{0}|{0}|{0}|{0}|{0}|{0}|{0}|{0}|{0}",
            many("C5")
        ),
    );
    let texts = vec!["ab"; 200].join("|");
    ends(&mut desk, &format!("list @type:text @text:{texts}"));
}
