//! Lengths and positions: every form, their ticks, and the errors of others.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::result_large_err,
    reason = "a test stops at the first surprise"
)]

use std::time::{Duration, Instant};

use fcp::value::FcpValue;
use fcp_midi::values::{Base, Clock, Dur, Frac, Gap, Meter, Place, Pos, Shift, Span, Steady};

fn steady(ppqn: u32, meter: &str) -> Steady {
    Steady {
        ppqn,
        meter: Meter::parse(meter).unwrap(),
        micros: 500_000,
    }
}

fn ticks(text: &str, ppqn: u32) -> u64 {
    let length = Dur::parse(text).unwrap_or_else(|error| panic!("{}", error.about(text)));
    length.ticks(&steady(ppqn, "4/4"), 0).unwrap()
}

#[test]
fn every_form_of_a_length_has_its_ticks() {
    let table = [
        ("w", 1920),
        ("h", 960),
        ("q", 480),
        ("e", 240),
        ("s", 120),
        ("t", 60),
        ("x", 30),
        ("Q", 480),
        ("q.", 720),
        ("q..", 840),
        ("e3", 160),
        ("q3", 320),
        ("e5", 192),
        ("s7", 69),
        ("e3.", 240),
        ("whole", 1920),
        ("half-note", 960),
        ("quarter", 480),
        ("quarter-note", 480),
        ("Quarter_Note", 480),
        ("quarter.", 720),
        ("dotted-quarter", 720),
        ("dotted-eighth-note", 360),
        ("double-dotted-half", 1680),
        ("triplet-eighth", 160),
        ("eighth-triplet", 160),
        ("eighth", 240),
        ("sixteenth", 120),
        ("thirty-second", 60),
        ("sixty-fourth-note", 30),
        ("dotted-8th", 360),
        ("8th", 240),
        ("16th", 120),
        ("32nd", 60),
        ("64th", 30),
        ("8n", 240),
        ("8n.", 360),
        ("8t", 160),
        ("1/8", 240),
        ("3/16", 360),
        ("1/12", 160),
        ("5/4", 2400),
        ("2b", 960),
        ("1.5b", 720),
        ("1bar", 1920),
        ("bar", 1920),
        ("2bars", 3840),
        ("480", 480),
        ("ticks:5", 5),
        ("7ticks", 7),
        ("0.5s", 480),
        ("250ms", 240),
        ("16s", 15360),
        ("h+e", 1200),
        ("q+q.+e3", 1360),
        ("dotted-quarter+e", 960),
        ("1bar+ticks:1", 1921),
    ];
    for (text, wanted) in table {
        assert_eq!(ticks(text, 480), wanted, "{text}");
        let length = Dur::parse(text).unwrap();
        assert_eq!(Dur::parse(&length.to_string()), Ok(length), "{text}");
    }
    assert_eq!(
        Dur::parse("2b").unwrap().ticks(&steady(480, "6/8"), 0),
        Ok(480)
    );
    assert_eq!(
        Dur::parse("1bar").unwrap().ticks(&steady(480, "7/8"), 0),
        Ok(1680)
    );
}

#[test]
fn lengths_are_shown_in_their_shortest_form() {
    let table = [
        ("dotted-quarter-note", "q."),
        ("8n.", "e."),
        ("3/16", "e."),
        ("1/12", "e3"),
        ("7/8", "h.."),
        ("5/8", "5/8"),
        ("2/1", "2/1"),
        ("2.50b", "2.5b"),
        ("250ms", "0.25s"),
        ("ticks:480", "ticks:480"),
        ("half + e", "h+e"),
        ("half+e", "h+e"),
        ("q5..", "q5.."),
        ("x7", "x7"),
    ];
    for (text, wanted) in table {
        match Dur::parse(text) {
            Ok(length) => assert_eq!(length.to_string(), wanted),
            Err(_) => assert_eq!(wanted, "?", "{text}"),
        }
    }
}

#[test]
fn tuplets_fill_their_span_whatever_the_division() {
    for ppqn in [24, 96, 100, 480, 32_767] {
        let clock = steady(ppqn, "4/4");
        for (part, count, whole) in [
            ("e3", 3, "q"),
            ("e5", 5, "h"),
            ("e7", 7, "h"),
            ("s3.", 4, "q"),
        ] {
            let part = Dur::parse(part).unwrap();
            let mut place = Frac::ZERO;
            let mut ends = Vec::new();
            for _ in 0..count {
                place = place.plus(part.exact(&clock, place).unwrap()).unwrap();
                ends.push(place.round());
            }
            let whole = Dur::parse(whole)
                .unwrap()
                .exact(&clock, Frac::ZERO)
                .unwrap();
            assert_eq!(place, whole, "{count} {part} at {ppqn}");
            assert!(ends.is_sorted());
        }
    }
}

#[test]
fn few_ticks_must_be_meant() {
    let clock = steady(480, "4/4");
    // A fraction of a whole note gets its letter; a 1 may be a beat, and other numbers anything.
    for (text, fix) in [
        ("16", Some("s")),
        ("8", Some("e")),
        ("2", Some("h")),
        ("h+8", Some("h+e")),
        ("8+16", Some("e+16")),
        ("29", None),
        ("7", None),
        ("1", None),
    ] {
        let error = Dur::parse(text).unwrap().ticks(&clock, 0).unwrap_err();
        assert_eq!(error.fix.as_deref(), fix, "{text}");
    }
    assert_eq!(Dur::parse("30").unwrap().ticks(&clock, 0), Ok(30));
    let error = Dur::parse("ticks:1").unwrap();
    assert_eq!(error.ticks(&clock, 0), Ok(1));
    let error = Dur::parse("0.0001s").unwrap().ticks(&clock, 0).unwrap_err();
    assert_eq!(error.fix.as_deref(), Some("ticks:1"));
}

/// A division by frames: 25 by 40, a thousand ticks a second.
struct Frames;

impl Clock for Frames {
    fn ppqn(&self) -> Option<u32> {
        None
    }
    fn beat_ticks(&self, _: Frac) -> Option<Frac> {
        None
    }
    fn bar_ticks(&self, _: Frac) -> Option<Frac> {
        None
    }
    fn seconds_to_ticks(&self, _: Frac, seconds: Frac) -> Option<Frac> {
        seconds.times(Frac::whole(1000))
    }
}

#[test]
fn frames_have_no_notes() {
    let ticks = |text: &str| Dur::parse(text).unwrap().ticks(&Frames, 0);
    assert_eq!(ticks("12.5s"), Ok(12_500));
    assert_eq!(ticks("5"), Ok(5));
    for (text, fix) in [
        ("q", "0.5s"),
        ("1bar", "2s"),
        ("3b", "1.5s"),
        ("e3", "0.167s"),
    ] {
        assert_eq!(ticks(text).unwrap_err().fix.as_deref(), Some(fix), "{text}");
    }
}

#[test]
fn invalid_lengths_are_repaired() {
    // A length of 0 is not made another length.
    let table = [
        ("0", None),
        ("ticks:0", None),
        ("0b", None),
        ("0s", None),
        ("0/4", None),
        ("1/0", Some("1/1")),
        ("1/11", Some("1/10")),
        ("-e", Some("e")),
        ("+e", Some("e")),
        ("+++e", Some("e")),
        ("quater", Some("quarter")),
        ("doted-quarter", Some("dotted-quarter")),
        ("h+quater", Some("h+quarter")),
        ("quater+h", Some("quarter+h")),
        ("crotchet", Some("q")),
        ("quavers", None),
        ("e6", Some("e3")),
        ("q.3", Some("q3.")),
        ("q...", Some("q..")),
        ("qt", Some("q3")),
        ("h-e", None),
        ("h+", None),
        ("tick:5", Some("ticks:5")),
        ("99999999999", None),
        ("ticks:268435456", None),
        ("99999999999999999bar", None),
        ("1000000b", None),
        ("2.12345b", Some("2.123b")),
        ("z", None),
        ("", None),
        ("/", None),
    ];
    for (text, wanted) in table {
        match Dur::parse(text) {
            Ok(length) => panic!("{text} is {length}"),
            Err(error) if wanted.is_some() => assert_eq!(error.fix.as_deref(), wanted, "{text}"),
            Err(_) => {}
        }
    }
    let error = Dur::parse("999999bar")
        .unwrap()
        .ticks(&steady(480, "4/4"), 0);
    assert!(error.unwrap_err().about("").contains("268,435,455"));
}

#[test]
fn ticks_are_shown_as_the_note_that_is_as_long() {
    let shown = |ticks, ppqn| Dur::of_ticks(ticks, ppqn).unwrap().to_string();
    assert_eq!(shown(480, Some(480)), "q");
    assert_eq!(shown(720, Some(480)), "q.");
    assert_eq!(shown(160, Some(480)), "e3");
    assert_eq!(shown(481, Some(480)), "481");
    assert_eq!(shown(7, Some(480)), "ticks:7");
    assert_eq!(shown(480, None), "480");
    assert_eq!(Dur::of_ticks(0, None), None);
    assert_eq!(Dur::of_ticks(u64::MAX, None), None);
    for ticks in 1..5000 {
        for ppqn in [96, 100, 480] {
            let length = Dur::of_ticks(ticks, Some(ppqn)).unwrap();
            let back = Dur::parse(&length.to_string()).unwrap();
            assert_eq!(back.ticks(&steady(ppqn, "4/4"), 0), Ok(ticks));
        }
    }
    assert_eq!(Dur::note(3, 8).unwrap().to_string(), "q.");
    assert_eq!(Dur::note(0, 8), None);
}

#[test]
fn parts_of_shifts_apply_in_sequence() {
    let clock = steady(480, "4/4");
    let from = |text: &str, at| {
        let shift = Shift::parse(text).unwrap();
        assert_eq!(Shift::parse(&shift.to_string()), Ok(shift.clone()));
        shift.from_tick(&clock, Frac::whole(at)).unwrap().round()
    };
    assert_eq!(from("+e", 960), 1200);
    assert_eq!(from("-s", 960), 840);
    assert_eq!(from("+1bar-e", 0), 1680);
    assert_eq!(from("-1bar", 0), -1920);
    assert_eq!(from("-0.5s", 960), 480);
    assert_eq!(from("-2b+ticks:1", 960), 1);
    assert_eq!(Shift::parse("e").unwrap_err().fix.as_deref(), Some("+e"));
    assert_eq!(
        Shift::parse("+quater").unwrap_err().fix.as_deref(),
        Some("+quarter")
    );
    for text in ["", "+", "-", "+-e", "++"] {
        assert!(Shift::parse(text).is_err(), "{text}");
    }
    assert_eq!(Gap::parse("0"), Ok(Gap(None)));
    assert_eq!(Gap::parse("s").unwrap().to_string(), "s");
}

fn pos(text: &str) -> Pos {
    Pos::parse(text).unwrap_or_else(|error| panic!("{}", error.about(text)))
}

#[test]
fn every_form_of_a_position_reads_back() {
    for text in [
        "5",
        "5.3",
        "5.3.240",
        "5.3.0",
        "999999",
        "5.3+e",
        "5-s",
        "5.3.240+h+e",
        "5+1bar-e",
        "Chorus",
        "Chorus:2.1",
        "Chorus:2",
        "Chorus~2:1.1+e",
        "marker:end",
        "marker:5",
        "Pre-Chorus",
        "Verse two",
        "Part:A",
        "Überleitung",
        "12.5s",
        "0s",
        "1:02.5",
        "61:00",
        "tick:0",
        "tick:268435455",
        "tick:480+e",
        "end",
        "end-1bar",
        "next",
        "next+q",
        "+",
        "+q",
        "-e",
        "+dotted-quarter",
    ] {
        let read = pos(text);
        let shown = read.to_string();
        assert_eq!(pos(&shown), read, "{text} shown as {shown}");
    }
    assert_eq!(pos("62.5s").to_string(), "1:02.5");
    assert_eq!(pos("5.3+dotted-quarter").to_string(), "5.3+q.");
    assert_eq!(pos("12.5").base, place(12, Some(5), None));
    assert_eq!(pos("7"), Pos::bar(7).unwrap());
    assert_eq!(Pos::bar(0), None);
    assert_eq!(Pos::bar(1_000_000), None);
}

fn place(bar: u32, beat: Option<u32>, ticks: Option<u32>) -> Base {
    Base::Place(Place { bar, beat, ticks })
}

#[test]
fn names_keep_the_whole_of_what_was_written() {
    let Base::Named {
        name,
        place,
        marker,
        whole,
        strict: false,
    } = pos("Chorus~2:2.1+e").base
    else {
        panic!("no name");
    };
    assert_eq!(
        (name.as_str(), whole.as_str(), marker),
        ("Chorus~2", "Chorus~2:2.1+e", false)
    );
    assert_eq!(place.unwrap().to_string(), "2.1");
    let dotted = pos("Verse-e");
    assert_eq!(dotted.whole_name(), Some("Verse-e"));
    assert_eq!(dotted.shift.unwrap().to_string(), "-e");
    assert_eq!(pos("Pre-Chorus").shift, None);
    assert!(matches!(
        pos("marker:end").base,
        Base::Named { marker: true, .. }
    ));
    assert_eq!(pos("end").whole_name(), None);
}

#[test]
fn invalid_positions_are_repaired() {
    let table = [
        ("1.0", Some("1.1")),
        ("0", Some("1")),
        ("0.0.5", Some("1.1.5")),
        ("5.", Some("5")),
        ("5.3.240.1", Some("5.3.240")),
        ("5.x", Some("5")),
        ("5.3%", Some("5.3")),
        ("5%", Some("5")),
        ("5.x3", None),
        ("5:3", Some("5.3")),
        ("1:75", Some("2:15")),
        ("tick:-5", Some("tick:0")),
        ("tick:5.4", Some("tick:5")),
        ("tick:", None),
        ("tick:268435456", None),
        ("ticks:480", Some("tick:480")),
        ("12.5sec", Some("12.5s")),
        ("2nd verse", Some("marker:2nd verse")),
        ("5.3+quater", Some("5.3+quarter")),
        ("1.0+e", Some("1.1+e")),
        ("+5.3", Some("5.3")),
        ("Chorus:2.0", Some("Chorus:2.1")),
        ("marker:Chorus:0+e", Some("marker:Chorus:1+e")),
        ("99999999999.1", None),
        ("1000000", None),
        ("1.256", None),
        ("1.1.268435456", None),
        ("10000000s", None),
        ("99999999999999999999:00", None),
        ("marker:", None),
        ("5+", None),
        ("", None),
        (" ", None),
        (".", None),
    ];
    for (text, wanted) in table {
        let error = Pos::parse(text).unwrap_err();
        assert_eq!(error.fix.as_deref(), wanted, "{text}");
        if let Some(fix) = wanted {
            assert!(Pos::parse(fix).is_ok(), "{fix}");
        }
    }
    for (text, limit) in [
        ("99999999999.1", "999,999"),
        ("tick:268435456", "268,435,455"),
        ("1.1.999999999", "268,435,455"),
        ("99999999s", "9,999,999"),
    ] {
        let problem = Pos::parse(text).unwrap_err().about(text);
        assert!(problem.contains(limit), "{problem}");
    }
}

#[test]
fn long_texts_are_refused_at_once() {
    let big = 1 << 20;
    let texts = [
        "9".repeat(big),
        "+e".repeat(big / 2),
        "-".repeat(big),
        "a-e".repeat(big / 3),
        "5.".repeat(big / 2),
        "h+".repeat(500),
        "-e".repeat(511),
        format!("A{}", "-e".repeat(500)),
        format!("A{}x", "-".repeat(1000)),
        "+".repeat(1024),
        "q.".repeat(500),
        "dotted-".repeat(140),
    ];
    for text in texts {
        let start = Instant::now();
        let _ = Dur::parse(&text);
        let _ = Pos::parse(&text);
        let _ = Shift::parse(&text);
        let _ = Span::parse(&text);
        assert!(start.elapsed() < Duration::from_secs(2), "{}", &text[..12]);
    }
}
