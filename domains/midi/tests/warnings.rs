//! Every warning is shown once when it arises, is listed by `warnings` while it lasts, and
//! disappears when it is repaired.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;
use crate::support::smf_build::{END, file, single};
use fcp::endpoint::Endpoint;

/// A case of a warning code: its cause, its text, and its repair.
struct Case {
    code: &'static str,
    /// The file that has it; `None` for a new song.
    bytes: Option<Vec<u8>>,
    /// Ops before it, which cause no warning.
    before: &'static [&'static str],
    /// The op that causes it; `None` if the file has it already.
    op: &'static str,
    warning: &'static str,
    cure: &'static [&'static str],
}

/// A track of format 1 on channel 1, with 96 ticks per quarter.
fn track(events: &[u8]) -> Vec<u8> {
    let named = b"\0\xff\x03\x04Keys\0\xc0\x04";
    file(1, 96, &[END, &[&named[..], events, END].concat()])
}

fn cases() -> Vec<Case> {
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    vec![
        Case {
            code: "damage",
            bytes: Some(single(&[&note[..], b"\0\x90\xff"].concat())),
            before: &[],
            op: "",
            warning: "ch-1: chunk 1 is damaged from byte …",
            cure: &["fix damage"],
        },
        Case {
            code: "stuck",
            bytes: Some(track(b"\0\x90\x3c\x40\x30\x90\x43\x40")),
            before: &[],
            op: "",
            warning: "Keys: 2 stuck notes, first C4 at 1.1 (fix stuck)",
            cure: &["modify @stuck dur:q"],
        },
        Case {
            code: "overlap",
            bytes: Some(track(
                b"\0\x90\x3c\x40\x30\x90\x3c\x50\x30\x80\x3c\x40\x30\x80\x3c\x40",
            )),
            before: &[],
            op: "",
            warning: "Keys: 1 overlapping note, C4 at 1.1 (fix overlaps)",
            cure: &["modify @overlap dur:e"],
        },
        Case {
            code: "dup",
            bytes: Some(track(
                b"\0\x90\x3c\x40\0\x90\x3c\x50\x30\x80\x3c\x40\0\x80\x3c\x40",
            )),
            before: &[],
            op: "",
            warning: "Keys: 1 duplicate note, C4 at 1.1 (fix duplicates)",
            cure: &["remove @dup"],
        },
        Case {
            code: "zero",
            bytes: Some(track(b"\0\x90\x3c\x40\0\x80\x3c\x40")),
            before: &[],
            op: "",
            warning: "Keys: 1 note of no length, C4 at 1.1 (fix zero)",
            cure: &["modify @all dur:e"],
        },
        Case {
            code: "clash",
            bytes: None,
            before: &["track add Keys instrument:piano ch:3"],
            op: "track add Lead instrument:violin ch:3",
            warning: "Lead: shares ch:3 with Keys, which plays acoustic-grand-piano",
            cure: &["program Lead piano"],
        },
        Case {
            code: "kit",
            bytes: None,
            before: &["track add Lead ch:10", "note Lead snare at:1.1"],
            op: "program Lead program:73",
            warning: "Lead: ch:10 is for drums, and flute is not a kit",
            cure: &["program Lead standard-kit"],
        },
        Case {
            code: "rpn",
            bytes: None,
            before: &["track add Keys instrument:piano"],
            op: "cc Keys data-entry 12 at:2",
            warning: "Keys: parameter data at 2.1, but none is selected",
            cure: &["remove @cc:data-entry"],
        },
        Case {
            code: "pedal",
            bytes: None,
            before: &["track add Keys instrument:piano"],
            op: "cc Keys sustain on at:2.3",
            warning: "Keys: sustain down at 2.3, never released",
            cure: &["cc Keys sustain off at:4"],
        },
        Case {
            code: "bend",
            bytes: None,
            before: &[
                "track add Lead instrument:violin",
                "note Lead A4 at:1.1 dur:h",
                "note Lead B4 at:2.1",
            ],
            op: "bend Lead 4096 at:1.2",
            warning: "Lead: bend 4096 of 1.2 still holds for B4 at 2.1",
            cure: &["bend Lead center at:1.4"],
        },
        Case {
            code: "meter",
            bytes: Some(file(
                1,
                96,
                &[&[
                    b"\0\xff\x58\x04\x04\x02\x18\x08\x81\x40\xff\x58\x04\x03\x02\x18\x08",
                    END,
                ]
                .concat()],
            )),
            before: &[],
            op: "",
            warning: "song: meter 3/4 at 2.1 ends bar 1 early, in 4/4",
            cure: &["remove @type:meter @range:2.1"],
        },
        Case {
            code: "range",
            bytes: None,
            before: &["track add Flute instrument:flute", "note Flute C5 at:1.1"],
            op: "note Flute A2,Bb3,A3 at:2.1",
            warning: "Flute: 3 notes below B3",
            cure: &["transpose @pitch:<B3 +15"],
        },
        Case {
            code: "empty",
            bytes: None,
            before: &[
                "track add Strings instrument:strings",
                "track add Bass instrument:bass",
                "phrase Bass \"(C2/q C2 C2 C2)*12\"",
                "phrase Strings \"C4/w D4 E4 F4\"",
            ],
            op: "phrase Strings \"G4/w A4 B4 C5\" at:9",
            warning: "Strings: empty at measures 5-8",
            cure: &["phrase Strings \"C4/w D4 E4 F4\" at:5"],
        },
        Case {
            code: "noinst",
            bytes: Some(single(&[&note[..], END].concat())),
            before: &[],
            op: "",
            warning: "ch-1: no instrument",
            cure: &["program ch-1 piano"],
        },
        Case {
            code: "text",
            bytes: Some(file(
                1,
                96,
                &[END, &[b"\0\xff\x03\x02\x81\xe9", &note[..], END].concat()],
            )),
            before: &[],
            op: "",
            warning: "text at 1.1 is not windows-1252 (set encoding:)",
            cure: &["track rename 1 Keys"],
        },
    ]
}

/// Whether a line matches the expected text.
fn shows(line: &str, warning: &str) -> bool {
    match warning.strip_suffix('…') {
        Some(start) => line.starts_with(start),
        None => line == warning,
    }
}

#[test]
fn every_warning_is_shown_once_and_disappears_when_repaired() {
    for case in cases() {
        let code = case.code;
        let mut desk = match &case.bytes {
            Some(_) => Desk::new(),
            None => Desk::blank(),
        };
        let mut first = case
            .bytes
            .as_ref()
            .map_or(String::new(), |bytes| desk.open(bytes));
        for op in case.before {
            let text = desk.run(op);
            assert!(!text.contains("\n? "), "{code}: {op}\n{text}");
        }
        if !case.op.is_empty() {
            first = desk.run(case.op);
        }
        let shown = first.lines().filter_map(|line| line.strip_prefix("? "));
        let shown: Vec<&str> = shown.filter(|line| shows(line, case.warning)).collect();
        assert_eq!(shown.len(), 1, "{code}:\n{first}");
        let of_code = format!("warnings {code}");
        let all = desk.ask(&of_code);
        let line = all.strip_prefix("? ").unwrap_or(&all);
        let line = line.strip_suffix(&format!(" ({code})")).unwrap_or(line);
        assert!(shows(line, case.warning), "{code}: {all}");
        // Another op does not show it again.
        if code != "damage" {
            let again = desk.run("marker Somewhere at:1");
            assert!(!again.contains("\n? "), "{code}: {again}");
        }
        for op in case.cure {
            let text = desk.run(op);
            assert!(!text.contains("\n? "), "{code}: {op}\n{text}");
        }
        let all = desk.ask(&of_code);
        assert!(!all.contains("? "), "{code} stays: {all}");
        // After undo it is there again.
        let undone = desk.act(&format!("undo {}", case.cure.len()));
        assert!(
            desk.ask(&of_code).contains("? "),
            "{code} is lost: {undone}"
        );
    }
}

#[test]
fn faults_of_a_file_are_repaired_for_any_overlap_setting() {
    for (code, fix) in [
        ("stuck", "fix stuck"),
        ("overlap", "fix overlaps"),
        ("dup", "fix duplicates"),
    ] {
        let case = cases().into_iter().find(|case| case.code == code).unwrap();
        let bytes = case.bytes.unwrap();
        let mut usual = Desk::on(&bytes);
        usual.run(fix);
        let mut strict = Desk::on(&bytes);
        strict.act("set overlap:refuse");
        strict.run(fix);
        assert_eq!(usual.events(), strict.events(), "{code}");
    }
    // An op is refused if it would cut a note of the file.
    let case = cases().into_iter().find(|case| case.code == "stuck");
    let mut desk = Desk::on(&case.unwrap().bytes.unwrap());
    desk.act("set overlap:refuse");
    let text = desk.refused("note Keys C4 at:3");
    assert!(text.contains("\n  try: ! set overlap:cut\n"), "{text}");
}

#[test]
fn the_weightiest_come_first_and_each_has_its_case() {
    let order = [
        "damage", "stuck", "overlap", "dup", "zero", "clash", "kit", "rpn", "pedal", "bend",
        "meter", "range", "empty", "noinst", "short", "text",
    ];
    let mut desk = Desk::blank();
    let reply = desk.session.query("warnings nothing").text;
    let all = format!("there are {}\n", order.join(", "));
    assert!(reply.contains(&all), "{reply}");
    // The warning about a written position has a test of its own below.
    let cases: Vec<&str> = cases().iter().map(|case| case.code).collect();
    let missing = order.iter().filter(|code| !cases.contains(code));
    assert_eq!(missing.collect::<Vec<_>>(), [&"short"]);
}

#[test]
fn a_few_ticks_after_a_beat_are_reported_each_time() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:piano");
    for at in ["1.2.5", "1.3.1"] {
        let text = desk.run(&format!("note Keys C4 at:{at}"));
        assert_eq!(text.matches("\n? ").count(), 1, "{text}");
    }
    let text = desk.run("note Keys D4 at:1.2.5");
    assert!(
        text.contains("\n? 1.2.5 is 5 ticks; half a beat is 1.2+e\n"),
        "{text}"
    );
    let text = desk.run("note Keys D4 at:1.4.10");
    assert!(!text.contains("\n? "), "{text}");
    desk.act("set warn:-short");
    let text = desk.run("note Keys E4 at:1.2.5");
    assert!(!text.contains("\n? "), "{text}");
    let text = desk.run("note Keys F4 at:1.2+e");
    assert!(!text.contains("\n? "), "{text}");
}

#[test]
fn silence_is_reported_when_others_begin_to_play() {
    let mut desk = Desk::blank();
    for op in [
        "track add Strings instrument:strings",
        "track add Bass instrument:bass",
        "phrase Strings \"C4/w D4\"",
        "phrase Strings \"C4/w D4\" at:9",
    ] {
        let text = desk.run(op);
        assert!(!text.contains("\n? "), "{op}: {text}");
    }
    let text = desk.run("note Bass C2 at:5 dur:w");
    assert!(!text.contains("\n? "), "one bar is a rest: {text}");
    let text = desk.run("note Bass C2 at:6 dur:w");
    assert!(
        text.contains("? Strings: empty at measures 5-6\n"),
        "{text}"
    );
    // A note held over the bars is not silence.
    desk.run("modify @track:Strings @range:2 dur:7bar");
    assert_eq!(desk.ask("warnings empty").matches("Strings").count(), 0);
}

#[test]
fn renumbered_bars_are_not_reported_again() {
    for (bars, line, first, count, after) in [
        (
            9,
            "C4/q r/h. (r/w)*7 C4/w",
            "measures 2-8",
            0,
            "measures 2-16",
        ),
        // One bar of rest is music, two are silence.
        (3, "C4/w r D4", "", 1, "measures 3-4"),
    ] {
        let mut desk = Desk::blank();
        desk.run("track add Keys instrument:piano");
        desk.run("track add Bass instrument:bass");
        desk.run(&format!("phrase Bass (C2/w)*{bars}"));
        desk.run(&format!("phrase Keys {line}"));
        assert!(desk.ask("warnings empty").contains(first));
        let text = desk.run("time-sig 2/4");
        let news = text.lines().filter(|line| line.starts_with("? Keys"));
        assert_eq!(news.count(), count, "{text}");
        let held = desk.ask("warnings empty");
        assert!(held.contains(&format!("Keys: empty at {after}")), "{held}");
    }
}

#[test]
fn ports_and_patterns_keep_channels_apart() {
    let port = |n: u8, program: u8| {
        [
            &[0, 0xff, 0x21, 1, n, 0, 0xc0, program][..],
            b"\0\x90\x3c\x40\x60\x80\x3c\x40",
            END,
        ]
        .concat()
    };
    let mut desk = Desk::on(&file(1, 96, &[END, &port(0, 1), &port(1, 40)]));
    assert!(!desk.ask("warnings clash").contains("shares"));
    let mut desk = Desk::on(&file(1, 96, &[END, &port(0, 1), &port(0, 40)]));
    assert!(desk.ask("warnings clash").contains("shares"));
    let mut desk = Desk::on(&file(2, 96, &[&port(0, 1), &port(0, 40)]));
    assert!(!desk.ask("warnings clash").contains("shares"));
}

#[test]
fn a_pedal_is_reported_from_the_last_time_it_went_down() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:piano");
    for (place, value) in [("1.1", "on"), ("1.2", "off"), ("2.1", "on"), ("2.3", "80")] {
        desk.run(&format!("cc Keys sustain {value} at:{place}"));
    }
    desk.run("cc Keys sustain on at:1.3 ch:5");
    let warning = "? Keys: sustain down at 2.1, never released (pedal)";
    assert_eq!(desk.ask("warnings"), warning);
    desk.run("cc Keys sustain off at:3");
    let warning = "? Keys: sustain down at 1.3 on ch:5, never released (pedal)";
    assert_eq!(desk.ask("warnings"), warning);
}

#[test]
fn a_parameter_is_selected_by_both_halves_of_a_kind() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:piano");
    desk.run("cc Keys rpn-msb 0 at:1");
    desk.run("cc Keys nrpn-lsb 0 at:1.2");
    let warning = "Keys: parameter data at 2.1, but none is selected";
    assert!(
        desk.run("cc Keys data-entry 12 at:2").contains(warning),
        "a half of either kind selects nothing"
    );
    desk.run("cc Keys nrpn-msb 0 at:1.3");
    assert_eq!(desk.ask("warnings"), "no warnings");
    let reply = desk.run("cc Keys nrpn-msb 127 at:1.4");
    assert!(reply.contains("parameter data at 2.1"), "{reply}");
}

/// Consecutive notes of channel 2, one beat each, as events.
fn beats(n: usize) -> Vec<u8> {
    b"\0\x91\x40\x40\x60\x81\x40\x40".repeat(n)
}

#[test]
fn distant_notes_in_a_chunk_of_many_tracks_are_found() {
    let bend = b"\0\xe0\0\x60";
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    let of = |events: &[&[u8]]| single(&[&events.concat()[..], END].concat());
    let held = "ch-1: bend 4096 of 1.1 still holds for C4 at 26.1 (bend)";
    let warned = |desk: &mut Desk, what: &str| desk.ask("warnings").contains(what);
    let mut desk = Desk::on(&of(&[bend, &beats(100), note]));
    assert!(warned(&mut desk, held));
    desk.run("bend 1 center at:3");
    assert!(!warned(&mut desk, held));
    desk.act("undo");
    assert!(warned(&mut desk, held));
    let mut desk = Desk::on(&of(&[bend, note, &beats(100)]));
    assert!(!warned(&mut desk, "bend"));
    // A track that is silent for a long time, and one that is silent to the end.
    let mut desk = Desk::on(&of(&[note, &beats(99), note, &beats(99)]));
    for empty in [
        "ch-1: empty at measures 2-25",
        "ch-1: empty at measures 27-50",
    ] {
        assert!(warned(&mut desk, empty), "{}", desk.ask("warnings"));
    }
    desk.run("note 1 C4 at:10 dur:w");
    for empty in ["2-9", "11-25", "27-50"] {
        let empty = format!("ch-1: empty at measures {empty}");
        assert!(warned(&mut desk, &empty), "{}", desk.ask("warnings"));
    }
    // The removed notes are far after the note that is followed by silence then.
    let dense = |ticks| b"\0\x91\x40\x40\x01\x81\x40\x40".repeat(ticks);
    let mut desk = Desk::on(&of(&[note, &dense(384), note, &dense(6 * 384)]));
    let silent = "ch-1: empty at measures 2-8 (empty)";
    assert!(!warned(&mut desk, silent));
    desk.run("remove @channel:1 @range:2");
    assert!(warned(&mut desk, silent), "{}", desk.ask("warnings"));
    desk.act("undo");
    assert!(!warned(&mut desk, silent));
}

#[test]
fn notes_beyond_an_instrument_are_counted_as_they_come_and_go() {
    let mut desk = Desk::blank();
    desk.run("track add Flute instrument:flute");
    let reply = desk.run("note Flute C2,D2,C5,C8 at:1");
    assert!(
        reply.contains("? Flute: 2 notes below B3, 1 note above D7"),
        "{reply}"
    );
    let reply = desk.run("note Flute C2 at:2");
    assert!(
        reply.contains("? Flute: 3 notes below B3, 1 note above D7"),
        "{reply}"
    );
    // A smaller number is not reported.
    let reply = desk.run("transpose @pitch:C2 +36");
    assert!(!reply.contains("? "), "{reply}");
    let reply = desk.ask("warnings");
    assert!(
        reply.contains("? Flute: 1 note below B3, 1 note above D7"),
        "{reply}"
    );
    desk.run("remove @pitch:D2,C8");
    assert_eq!(desk.ask("warnings"), "no warnings");
    let reply = desk.act("undo");
    assert!(
        reply.contains("? Flute: 1 note below B3, 1 note above D7"),
        "{reply}"
    );
}

#[test]
fn a_save_that_joins_tracks_reports_the_consequences() {
    let mut desk = Desk::blank();
    for op in [
        "track add A instrument:piano ch:1",
        "track add B instrument:piano ch:1",
        "note A C4 at:1.1 dur:q",
        "bend A 512 at:1.2",
        "note B C4 at:1.3 dur:w",
    ] {
        desk.run(op);
    }
    assert_eq!(desk.ask("warnings"), "no warnings");
    let text = desk.act("save smf:0 as:x.mid");
    let warning = "bend 512";
    assert!(text.contains(warning), "{text}");
    assert!(desk.ask("warnings").contains(warning));
}

#[test]
fn many_changes_next_to_silent_tracks_of_a_chunk_are_reported_alike() {
    let mut desk = Desk::blank();
    desk.run("track add Busy instrument:piano");
    desk.run("phrase Busy \"(C5/s D5)*1600\"");
    for n in 0..8 {
        desk.run(&format!("track add T{n} instrument:violin"));
        desk.run(&format!("note T{n} C4 at:1.1 dur:q"));
        desk.run(&format!("note T{n} C4 at:200.1 dur:q"));
    }
    desk.act("save smf:0 as:x.mid");
    desk.act("open x.mid");
    desk.run("move @channel:1 @range:2-150 to:1.2");
    let kept = desk.ask("warnings");
    desk.act("save as:y.mid");
    desk.act("open y.mid");
    assert_eq!(desk.ask("warnings"), kept);
}

#[test]
fn reworded_warnings_are_not_new_but_those_caused_by_a_setting_are() {
    let note = b"\0\x90\x3c\x40\x30\x90\x43\x40";
    let name = b"\0\xff\x03\x04Caf\xe9";
    let mut desk = Desk::on(&single(&[&name[..], note, END].concat()));
    for op in [
        "track rename 1 Keys",
        "transpose @all +1",
        "remove @pitch:C4",
        "note 1 E4 at:2",
    ] {
        let reply = desk.run(op);
        assert!(!reply.contains("? "), "{op}: {reply}");
        desk.act("undo");
    }
    let reply = desk.session.act("set encoding:shift-jis").text;
    assert!(
        reply.contains("\n? text at 1.1 is not shift_jis"),
        "{reply}"
    );
    let reply = desk.session.act("set encoding:shift-jis").text;
    assert!(!reply.contains("? "), "{reply}");
    let reply = desk.run("note 1 E4 at:2");
    assert!(!reply.contains("? "), "{reply}");
    let reply = desk.session.act("set warn:-stuck").text;
    assert!(!reply.contains("? "), "{reply}");
    assert!(
        desk.ask("status")
            .contains("\nset: warn:-stuck, encoding:shift-jis\n")
    );
}
