//! Selectors pick the rows worked out by hand, and never more than they say.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;
use crate::support::smf_build::{END, file};
use fcp::endpoint::Endpoint;

/// Forty notes, numbered in the order they are added: 1 to 16 Keys, a quarter each in bars 1 to 4,
/// C4 E4 G4 Bb4 at 70, 80, 90, 100; 17 to 28 Flute, four eighths at the start of bars 1 to 3, C5 D5
/// E5 F#5 at 50; 29 to 36 Drums, kick and snare in turn on the beats of bars 1 and 2, sixteenths at
/// 100; 37 to 40 Bass, A1 through bars 1 to 4 at 64.
fn fixture() -> (Desk, u32) {
    let mut desk = Desk::new();
    desk.act("new key:C-major");
    for op in [
        "track add Keys instrument:piano",
        "track add Flute instrument:flute",
        "track add Drums instrument:standard-kit",
        "track add Bass instrument:bass",
    ] {
        desk.run(op);
    }
    let mut ops = Vec::new();
    for bar in 1..=4 {
        for (beat, pitch) in (1..).zip(["C4", "E4", "G4", "Bb4"]) {
            let vel = 60 + 10 * beat;
            ops.push(format!("note Keys {pitch} at:{bar}.{beat} dur:q vel:{vel}"));
        }
    }
    for bar in 1..=3 {
        for (at, pitch) in [("1", "C5"), ("1+e", "D5"), ("2", "E5"), ("2+e", "F#5")] {
            ops.push(format!("note Flute {pitch} at:{bar}.{at} dur:e vel:50"));
        }
    }
    for bar in 1..=2 {
        for (beat, drum) in (1..).zip(["kick", "snare", "kick", "snare"]) {
            ops.push(format!("note Drums {drum} at:{bar}.{beat} dur:s vel:100"));
        }
    }
    for bar in 1..=4 {
        ops.push(format!("note Bass A1 at:{bar} dur:w vel:64"));
    }
    assert_eq!(ops.len(), 40);
    let answer = desk.session.run(&ops, None);
    assert!(!answer.is_error, "{}", answer.text);
    let newest = desk.ask("list @recent");
    let newest: u32 = newest.rsplit_once('#').unwrap().1.parse().unwrap();
    for op in [
        "marker Verse at:1",
        "marker Chorus at:3",
        "cc Keys volume 90",
        "cc Keys expression 50 at:2",
        "lyric Flute Ave at:1",
        "text Keys \"slower, Ave\" at:2",
    ] {
        desk.run(op);
    }
    (desk, newest - 40)
}

/// `1-3,7` as numbers.
fn numbers(text: &str) -> Vec<u32> {
    let spans = text.split(',').filter(|span| !span.is_empty());
    let ends = spans.map(|span| match span.split_once('-') {
        Some((low, high)) => (low.parse().unwrap(), high.parse().unwrap()),
        None => (span.parse().unwrap(), span.parse().unwrap()),
    });
    ends.flat_map(|(low, high): (u32, u32)| low..=high)
        .collect()
}

const FORMS: &[(&str, &str)] = &[
    ("@all", "1-40"),
    ("@track:Keys", "1-16"),
    ("@track:keys|BASS", "1-16,37-40"),
    ("@not:track:Keys", "17-40"),
    ("@channel:10", "29-36"),
    ("@channel:1,2", "1-28"),
    ("@channel:1-2", "1-28"),
    ("@channel:1|10", "1-16,29-36"),
    ("@channel:>=3", "29-40"),
    ("@range:2", "5-8,21-24,33-36,38"),
    ("@bar:4", "13-16,40"),
    ("@range:2-2", "5-8,21-24,33-36,38"),
    ("@range:1.2", "2,19-20,30"),
    ("@range:1.2.240", "20"),
    ("@range:1.2-1.3", "2-3,19-20,30-31"),
    ("@range:1.4..2.1+e", "4-5,21-22,32-33,38"),
    ("@range:Chorus", "9-16,25-28,39-40"),
    ("@range:0s-0.4s", "1,17-18,29,37"),
    ("@section:Chorus", "9-16,25-28,39-40"),
    ("@section:verse", "1-8,17-24,29-38"),
    (
        "@beat:2,4",
        "2,4,6,8,10,12,14,16,19-20,23-24,27-28,30,32,34,36",
    ),
    ("@beat:1.0", "1,5,9,13,17,21,25,29,33,37-40"),
    ("@beat:1.240", "18,22,26"),
    ("@beat:>=4", "4,8,12,16,32,36"),
    ("@beat:3-4", "3-4,7-8,11-12,15-16,31-32,35-36"),
    ("@grid:q", "1-17,19,21,23,25,27,29-40"),
    ("@grid:h", "1,3,5,7,9,11,13,15,17,21,25,29,31,33,35,37-40"),
    ("@grid:e", "1-40"),
    ("@pitch:C4", "1,5,9,13"),
    ("@pitch:60", "1,5,9,13"),
    ("@pitch:C4-G4", "1-3,5-7,9-11,13-15"),
    (
        "@pitch:C,E",
        "1-2,5-6,9-10,13-14,17,19,21,23,25,27,29,31,33,35",
    ),
    ("@pitch:kick", "29,31,33,35"),
    ("@pitch:<A2", "29-40"),
    ("@pitch:>D5", "19-20,23-24,27-28"),
    ("@velocity:80-127", "2-4,6-8,10-12,14-16,29-36"),
    ("@vel:<60", "17-28"),
    ("@vel:mp", "37-40"),
    ("@vel:50,64", "17-28,37-40"),
    ("@dur:e", "17-28"),
    ("@dur:<e", "29-36"),
    ("@dur:q-w", "1-16,37-40"),
    ("@dur:>=h", "37-40"),
    ("@dur:e,s", "17-36"),
    ("@scale", "1-3,5-7,9-11,13-15,17-19,21-23,25-27,37-40"),
    ("@scale:F", "1-16,17-19,21-23,25-27,37-40"),
    ("@scale:D-blues @track:Flute", "17-18,21-22,25-26"),
    ("@track:Keys|Flute @voice:top", "3-4,7-8,11-28"),
    ("@voice:top @track:Keys|Flute", "3-4,7-8,11-28"),
    ("@track:Keys|Flute @voice:bottom", "1-16,18,20,22,24,26,28"),
    ("@track:Keys|Flute @voice:2", "1-2,5-6,9-10"),
    ("@track:Keys|Flute @not:voice:top", "1-2,5-6,9-10"),
    ("@track:Keys|Flute @voice:top @vel:<60", "17-28"),
    ("@type:note", "1-40"),
    ("@track:Keys @range:2 @vel:>70", "6-8"),
    ("@not:track:Keys|Flute|Drums", "37-40"),
    ("@not:pitch:C4 @track:Keys @range:1-2", "2-4,6-8"),
    ("@recent:2ops @type:note", ""),
    ("@pitch:C4 @pitch:E4", ""),
];

#[test]
fn every_form_picks_its_set() {
    let (mut desk, first) = fixture();
    for (form, wanted) in FORMS {
        let text = desk.ask(&format!("list {form}"));
        let ids = text.lines().filter_map(|line| line.rsplit_once('#'));
        let mut found: Vec<u32> = ids
            .map(|(_, id)| id.parse::<u32>().unwrap() - first)
            .collect();
        found.sort_unstable();
        assert_eq!(found, numbers(wanted), "{form}\n{text}");
    }
    let id = format!("list @id:{},{}-{}", first + 1, first + 3, first + 4);
    assert_eq!(desk.ask(&id).lines().count(), 3);
}

#[test]
fn other_rows_are_picked_by_their_type() {
    let (mut desk, _) = fixture();
    for (form, wanted) in [
        ("@cc:volume", "1.1 cc volume 90 Keys"),
        ("@cc:7,expression @range:2", "2.1 cc expression 50 Keys"),
        ("@type:lyric", "1.1 lyric \"Ave\" Flute"),
        ("@text:Ave @range:2", "2.1 text \"slower, Ave\" Keys"),
        ("@type:tempo", "1.1 tempo 120"),
        ("@type:key|meter @not:type:meter", "1.1 key C-major"),
        ("@type:marker @range:3", "3.1 marker \"Chorus\""),
        (
            "@type:any @range:2 @track:Keys @not:type:note|cc",
            "2.1 text \"slower, Ave\" Keys",
        ),
        ("@type:program @channel:2", "1.1 program 73 flute Flute"),
        (
            "@type:track-name @track:Bass",
            "1.1 track-name \"Bass\" Bass",
        ),
    ] {
        let text = desk.ask(&format!("list {form}"));
        let (row, _) = text.rsplit_once(" #").unwrap_or((&text, ""));
        assert_eq!(row, wanted, "{form}");
    }
    assert_eq!(desk.ask("list @text:Ave").lines().count(), 2);
    assert_eq!(desk.ask("list @text:ave"), "nothing matches");
}

#[test]
fn flaws_of_a_file_are_picked() {
    // C4 twice at once, a C4 that sounds into the next, an E4 without an end.
    let track = b"\0\x90\x3c\x40\0\x90\x3c\x50\x30\x80\x3c\x40\0\x80\x3c\x40\
        \x30\x90\x3c\x40\x18\x90\x3c\x40\x18\x80\x3c\x40\x18\x80\x3c\x40\0\x90\x40\x40";
    let mut desk = Desk::on(&file(1, 96, &[END, &[&track[..], END].concat()]));
    let mut picked = |form: &str| {
        let text = desk.ask(&format!("list {form}"));
        let lines = text
            .lines()
            .map(|line| line.rsplit_once(" v").unwrap().0.to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(picked("@dup"), ["1.1 C4 e"]);
    assert_eq!(picked("@overlap"), ["1.2 C4 e"]);
    assert_eq!(picked("@stuck"), ["1.2.72 E4 open"]);
    assert_eq!(picked("@not:stuck @not:dup @not:overlap").len(), 2);
    desk.run("remove @dup");
    assert_eq!(desk.ask("list @dup"), "nothing matches");
    desk.act("undo");
    assert_eq!(desk.ask("list @dup").lines().count(), 1);
}

#[test]
fn invalid_selectors_are_rejected_and_change_nothing() {
    let (mut desk, _) = fixture();
    let digest = desk.digest();
    let mut wrong: Vec<String> = Vec::new();
    for (selector, part) in [
        ("@measure:2", "no selector @measure"),
        ("@trck:flute", "try: remove @track:flute"),
        ("@track:", "has a colon and no value"),
        ("@pitch:H", "H is not a pitch"),
        ("@range:8-5", "8-5 is reversed"),
        ("@velocity:x", "not a velocity"),
        ("@velocity:100-80", "try: remove @velocity:80-100"),
        ("@channel:17", "17 is above 16"),
        ("@beat:0", "beats count from 1"),
        ("@beat:x", "not a beat"),
        ("@grid:0", "remove"),
        ("@dur:qq", "remove"),
        ("@dur:w-q", "try: remove @dur:q-w"),
        ("@scale:D-dorain", "try: remove @scale:D-dorian"),
        ("@section:Korus", "\"Korus\" not found"),
        ("@voice:tpo", "try: remove @voice:top"),
        ("@voice:0", "is below 1"),
        ("@cc:volum", "try: remove @cc:volume"),
        ("@type:nott", "try: remove @type:note"),
        ("@stuck", "@stuck matches nothing"),
        (
            "@pitch:C4 @pitch:E4",
            "@pitch:E4 matches nothing; the selectors before it match 4 notes",
        ),
        ("@not", "remove"),
        ("@all:Keys", "remove"),
        ("@stuck:x", "remove"),
    ] {
        let text = desk.refused(&format!("remove {selector}"));
        wrong.extend((!text.contains(part)).then_some(text));
        assert_eq!(desk.digest(), digest, "{selector}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    desk.run("modify @track:Keys|Flute @voice:top vel:1");
    assert_eq!(desk.ask("list @vel:1").lines().count(), 22);
}

#[test]
fn faults_are_fixed_where_they_are_selected() {
    // Both tracks are truncated; A has a note and a stray note-off, B has no notes.
    let cut = [0, 0x90, 0x3c];
    let stray = [0, 0x90, 60, 80, 96, 0x80, 60, 64, 0, 0x80, 62, 64];
    let named = |name: u8| [0, 0xff, 3, 1, name];
    let first = [&named(b'A')[..], &stray, &cut].concat();
    let second = [&named(b'B')[..], &cut].concat();
    let mut desk = Desk::on(&file(1, 96, &[END, &first, &second]));
    let check = |desk: &mut Desk, op: &str, wanted: &str| {
        let text = desk.run(op);
        assert!(text.contains(wanted), "{op}\n{text}");
    };
    desk.refused("modify track:A volume:80");
    check(&mut desk, "fix damage track:A", "from 1 track");
    check(&mut desk, "modify track:A volume:80", "volume");
    desk.refused("modify track:B volume:80");
    check(&mut desk, "fix damage @track:A", "no track of these");
    check(&mut desk, "fix damage @track:B", "from 1 track");
    check(&mut desk, "modify track:B volume:80", "volume");
    let text = desk.refused("fix damage @track:C");
    assert!(text.contains("Track \"C\" not found"), "{text}");
    check(&mut desk, "fix offs track:B", "every note-off");
    check(&mut desk, "fix offs @pitch:C4", "every note-off");
    check(&mut desk, "fix offs @range:1", "Removed 1 note-off");
    desk.act("undo");
    check(&mut desk, "fix offs track:A", "Removed 1 note-off");
}
