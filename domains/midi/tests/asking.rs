//! Queries: their output can be sent back and gives the same notes, and they change nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;
use crate::support::smf_build::{END, file};
use fcp::endpoint::Endpoint;
use fcp::prelude::Id;
use fcp_midi::model::Note;
use fcp_midi::time::MeterMap;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// A note to restore: start, length, pitch, velocity, channel.
type NoteFields = (u64, u64, u8, u8, u8);

fn notes(desk: &Desk, track: &str) -> Vec<NoteFields> {
    let song = desk.song();
    let (id, _) = song
        .tracks
        .iter()
        .find(|(_, row)| row.name == track)
        .unwrap();
    let own = song.notes.iter().filter(|(_, note)| note.track == id);
    let mut fields: Vec<NoteFields> = own
        .map(|(_, note): (Id<Note>, &Note)| {
            let dur = note.dur.unwrap();
            (
                note.at,
                dur,
                note.pitch.get(),
                note.velocity.get(),
                note.channel.get(),
            )
        })
        .collect();
    fields.sort_unstable();
    fields
}

/// A song with one random track: `ppqn`, drums or not, and notes of start, length, pitch and
/// velocity.
#[derive(Clone, Debug)]
struct Random {
    ppqn: u32,
    drums: bool,
    meter: &'static str,
    notes: Vec<(u64, u64, u8, u8)>,
}

fn random() -> impl Strategy<Value = Random> {
    let ppqn = prop_oneof![Just(96_u32), Just(480), Just(100), Just(240)];
    let meter = prop_oneof![Just("4/4"), Just("3/4"), Just("7/8"), Just("6/8")];
    // Duple, triplet, or arbitrary ticks; the number of parts of a quarter.
    let parts = prop_oneof![Just(4_u64), Just(3), Just(6), Just(8), Just(0)];
    let raw = (0_u64..40, 1_u64..9, 30_u8..90, 1_u8..=127);
    let notes = prop::collection::vec(raw, 1..40);
    (ppqn, meter, parts, any::<bool>(), notes).prop_map(|(ppqn, meter, parts, drums, raw)| {
        let tick = |n: u64| match parts {
            0 => n * 37 + n % 5,
            parts => (n * u64::from(ppqn) * 2 + parts) / (2 * parts),
        };
        let notes = raw.into_iter().map(|(at, length, pitch, vel)| {
            let start = tick(at);
            (start, (tick(at + length) - start).max(1), pitch, vel)
        });
        Random {
            ppqn,
            drums,
            meter,
            notes: notes.collect(),
        }
    })
}

fn desk_of(song: &Random) -> Desk {
    let mut desk = Desk::new();
    desk.act(&format!("new ppqn:{} time-sig:{}", song.ppqn, song.meter));
    for name in ["One", "Twin"] {
        let kit = if song.drums {
            " ch:10 instrument:standard-kit"
        } else {
            " ch:1 instrument:piano"
        };
        desk.run(&format!("track add {name}{kit}"));
    }
    let ops = song.notes.iter().map(|(at, length, pitch, vel)| {
        format!("note One {pitch} at:tick:{at} dur:ticks:{length} vel:{vel}")
    });
    let ops: Vec<String> = ops.collect();
    let answer = desk.session.run(&ops, None);
    assert!(!answer.is_error, "{}", answer.text);
    desk
}

/// Sends the output of a query to the other track.
fn send(desk: &mut Desk, ops: &str, verb: &str) {
    for op in ops.split(&format!("{verb} One ")).skip(1) {
        let op = format!("{verb} Twin {op}");
        let answer = desk.session.run(std::slice::from_ref(&op), None);
        assert!(!answer.is_error, "{op}\n{}", answer.text);
    }
}

#[test]
fn an_exact_phrase_gives_the_same_notes() {
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(200)
    });
    let outcome = runner.run(&random(), |song| {
        let mut desk = desk_of(&song);
        let digest = desk.digest();
        let ops = desk.ask("phrase One grid:exact");
        prop_assert_eq!(desk.digest(), digest);
        send(&mut desk, &ops, "phrase");
        let (one, twin) = (notes(&desk, "One"), notes(&desk, "Twin"));
        prop_assert!(one == twin, "{}\n{:?}\n{:?}", ops, one, twin);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn a_grid_gives_the_same_pitches_onsets_and_lengths() {
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(200)
    });
    let outcome = runner.run(&random(), |song| {
        let mut desk = desk_of(&song);
        let answer = desk.session.query("grid One 1-9");
        if answer.is_error {
            // Arbitrary ticks need more steps than a grid has.
            prop_assert!(
                answer.text.contains("a grid has at most"),
                "{}",
                answer.text
            );
            return Ok(());
        }
        send(&mut desk, &answer.text, "grid");
        let (beats, unit) = song.meter.split_once('/').unwrap();
        let [beats, unit] = [beats, unit].map(|number| number.parse::<u64>().unwrap());
        let end = 9 * beats * 4 * u64::from(song.ppqn) / unit;
        // A hit on a drum has no length; a note held past the end is cut there.
        let seen = |track: &str| {
            let all = notes(&desk, track).into_iter();
            let mut notes: Vec<_> = match song.drums {
                true => all
                    .filter(|(at, ..)| *at < end)
                    .map(|(at, _, pitch, ..)| (at, 0, pitch))
                    .collect(),
                false => all
                    .filter(|(at, dur, ..)| at + dur < end)
                    .map(|(at, dur, pitch, ..)| (at, dur, pitch))
                    .collect(),
            };
            notes.sort_unstable();
            notes
        };
        let (one, twin) = (seen("One"), seen("Twin"));
        prop_assert!(one == twin, "{}\n{:?}\n{:?}", answer.text, one, twin);
        prop_assert!(!twin.is_empty() || one.is_empty());
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn a_phrase_is_rounded_to_a_grid_that_keeps_notes_apart() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:piano");
    desk.run("phrase Keys \"C4/e D4 E4 F4 G4/q A4 | C5/h. r/q | C4/e3 D4 E4 F4/q C4/h\"");
    assert_eq!(
        desk.ask("phrase Keys"),
        "phrase Keys \"C4/e D4 E4 F4 G4/q A4 | C5/h. r/q | C4/e3 D4 E4 F4/q C4/h\" at:1 vel:80"
    );
    // A few notes off the grid stay as they are, many are rounded.
    desk.run("modify @pitch:A4 at:+ticks:7");
    let reply = desk.ask("phrase Keys");
    assert!(
        reply.starts_with("ends rounded to t or s3, 1 of 12 off grid\n"),
        "{reply}"
    );
    desk.run("humanize @range:1-2 time:9 seed:3");
    let reply = desk.ask("phrase Keys 1-2");
    assert!(reply.starts_with("rounded to e, "), "{reply}");
    assert!(
        reply.contains("phrase Keys \"C4/e D4 E4 F4 G4/q A4 | C5/h.\" at:1"),
        "{reply}"
    );
    // A velocity change below 16 is not written.
    desk.run("modify @pitch:D4 @range:3 vel:90");
    assert!(!desk.ask("phrase Keys 3").contains(" v9"));
    desk.run("modify @pitch:D4 @range:3 vel:100");
    assert!(desk.ask("phrase Keys 3").contains("C4/e3 v100 D4 v80 E4"));
    assert!(desk.ask("phrase Keys 3 grid:q").starts_with("phrase Keys "));
}

#[test]
fn density_is_shown_by_the_bar() {
    let mut desk = Desk::blank();
    for op in [
        "track add Keys instrument:piano",
        "track add Bass instrument:bass",
        "phrase Keys \"(C4/q D4 E4 F4 |)*5 r/w | C4/w | _/w | r/w\"",
        "grid Bass C2 x step:s times:16",
        "marker Chorus at:5",
    ] {
        desk.run(op);
    }
    assert_eq!(
        desk.ask("bars"),
        "bars 1-8: Chorus 5\nKeys  4444 4.1-\nBass  +... ...."
    );
    assert_eq!(
        desk.ask("bars 5-6"),
        "bars 5-6: Chorus 5\nKeys  4.\nBass  .."
    );
}

#[test]
fn chords_are_named() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:rhodes");
    let table = [
        "Am7", "Fmaj7", "C", "G7", "Dm", "Bdim", "Esus4", "Caug", "Am", "G/B", "D9", "F#m7b5",
        "Cm", "E5", "Cm7", "Bdim7",
    ];
    for (bar, chord) in (1..).zip(table) {
        desk.run(&format!("chord Keys {chord} at:{bar} dur:w"));
    }
    let wanted: Vec<String> = (1..)
        .zip(table)
        .map(|(bar, chord)| format!("{bar} {chord}"))
        .collect();
    assert_eq!(desk.ask("chords"), wanted.join(" | "));
    // Broken chords have the same names.
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:rhodes");
    desk.run("phrase Keys \"A3/e C4 E4 G4 A4 G4 E4 C4 | F3/e A3 C4 E4 F4 E4 C4 A3\"");
    assert_eq!(desk.ask("chords"), "1 Am7 | 2 Fmaj7");
}

#[test]
fn found_rows_are_listed_with_their_track() {
    let mut desk = Desk::blank();
    for op in [
        "track add Drums instrument:standard-kit",
        "track add Voice instrument:choir",
        "note Drums snare at:1.2",
        "note Voice E4 at:2",
        "lyric Voice Ave at:2",
        "marker \"Ave Maria\" at:2",
    ] {
        desk.run(op);
    }
    let rows = |text: String| {
        let lines = text
            .lines()
            .map(|line| line.rsplit_once(" #").unwrap().0.to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(rows(desk.ask("find snare")), ["1.2 snare q v80 Drums"]);
    assert_eq!(rows(desk.ask("find E")), ["2.1 E4 q v80 Voice"]);
    assert_eq!(
        rows(desk.ask("find ave")),
        ["2.1 marker \"Ave Maria\"", "2.1 lyric \"Ave\" Voice"]
    );
    assert_eq!(desk.ask("find nothing-here"), "nothing matches");
}

#[test]
fn a_page_of_a_long_song_counts_the_rest_so_far() {
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    let mut desk = Desk::on(&file(
        1,
        96,
        &[END, &[&note.repeat(12_000)[..], END].concat()],
    ));
    let last_line = |text: String| text.lines().last().unwrap().to_owned();
    let far = "… over 10000 more (events 1 from:101)";
    assert_eq!(last_line(desk.ask("events 1")), far);
    assert_eq!(
        last_line(desk.ask("events 1 limit:2 from:2001")),
        "… 9998 more (events 1 limit:2 from:2003)"
    );
    assert_eq!(desk.ask("events 1 from:11999").lines().count(), 2);
    assert_eq!(
        desk.ask("events 1 from:12001"),
        "nothing from 12001; there are 12000"
    );
    // A page begins with the owner of its rows.
    desk.run("track add Bass instrument:bass");
    desk.run("note Bass A1,E2,A2 at:2");
    let text = desk.ask("events * 2-3 limit:3 from:8");
    let rows = text
        .lines()
        .map(|line| line.rsplit_once(" #").map_or(line, |(row, _)| row));
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "3.4 C4 q v64 ch-1",
            "2.1 A1 q v80 Bass",
            "2.1 E2 q v80",
            "… 1 more (events * 2-3 limit:3 from:11)",
        ]
    );
}

#[test]
fn patterns_keep_their_own_time() {
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    let three = b"\0\xff\x03\x05Three\0\xff\x51\x03\x07\xa1\x20\0\xff\x58\x04\x03\x02\x18\x08";
    let four = b"\0\xff\x03\x04Four\0\xff\x51\x03\x0f\x42\x40\0\xff\x58\x04\x04\x02\x18\x08";
    let chunks = [three.as_slice(), four.as_slice()].map(|head| [head, note, END].concat());
    let mut desk = Desk::on(&file(2, 96, &[&chunks[0], &chunks[1]]));
    desk.run("note Three E4 at:2");
    desk.run("note Four E4 at:2");
    let at = |desk: &mut Desk, track: &str| {
        let text = desk.ask(&format!("describe {track}"));
        text.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(
        at(&mut desk, "Three"),
        "  notes: first 1.1, last end 2.2, 1 at once at most"
    );
    let starts: Vec<u64> = desk.song().notes.iter().map(|(_, note)| note.at).collect();
    assert!(starts.contains(&288) && starts.contains(&384), "{starts:?}");
    let text = desk.ask("at 2 on:Three");
    assert!(
        text.starts_with("2.1: tick 288, 0:01.5\n  tempo:120 | 3/4"),
        "{text}"
    );
    let text = desk.ask("at 2 on:Four");
    assert!(
        text.starts_with("2.1: tick 384, 0:04.0\n  tempo:60 | 4/4"),
        "{text}"
    );
}

#[test]
fn seconds_are_ticks_where_a_file_counts_frames() {
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    let mut desk = Desk::on(&file(1, 0xe728, &[END, &[&note[..], END].concat()]));
    desk.run("note ch-1 E4 at:12.5s dur:0.5s");
    let starts: Vec<u64> = desk.song().notes.iter().map(|(_, note)| note.at).collect();
    assert!(starts.contains(&12_500), "{starts:?}");
    let text = desk.ask("at 12.7s");
    assert!(text.starts_with("12.7s: tick 12700, 0:12.7\n"), "{text}");
    assert!(text.contains("Sounding: ch-1 E4"), "{text}");
    for query in ["bars", "chords"] {
        assert!(desk.session.query(query).is_error, "{query}");
    }
    let text = desk.ask("phrase ch-1");
    assert!(text.contains("at:tick:12500"), "{text}");
    let text = desk.refused("note ch-1 E4 at:2.1");
    assert!(text.contains("\n  try: note ch-1 E4 at:2s"), "{text}");
    assert_eq!(desk.ask("list @range:12s-13s").lines().count(), 1);
}

#[test]
fn text_is_shown_in_the_encoding_that_is_set() {
    let name = b"\0\xff\x03\x06\x83\x73\x83\x41\x83\x6d";
    let lyric = b"\0\xff\x05\x02\x82\xa0";
    let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
    let bytes = file(1, 96, &[END, &[&name[..], lyric, note, END].concat()]);
    let mut desk = Desk::on(&bytes);
    assert!(!desk.ask("tracks").contains("ピアノ"));
    desk.act("set encoding:shift-jis");
    assert!(desk.ask("status").contains("\nset: encoding:shift-jis\n"));
    assert!(
        desk.ask("tracks").starts_with("1. ピアノ "),
        "{}",
        desk.ask("tracks")
    );
    assert!(desk.ask("events 1").contains("lyric \"あ\""));
    desk.run("note ピアノ E4 at:2");
    desk.act("undo");
    assert!(desk.bytes() == bytes, "the bytes are others");
    // It applies to files opened later, and to new text, unless another encoding is named.
    desk.open(&bytes);
    assert!(desk.ask("tracks").starts_with("1. ピアノ "));
    desk.refused("marker Überleitung");
    desk.run("marker Überleitung encoding:utf-8");
    assert!(desk.bytes().windows(2).any(|two| two == "Ü".as_bytes()));
    desk.act("set encoding:default");
    assert!(!desk.ask("tracks").contains("ピアノ"));
    let answer = desk.session.act("set encoding:shift-jsi");
    assert!(
        answer.is_error && answer.text.contains("try: set encoding:shift-jis"),
        "{}",
        answer.text
    );
}

#[test]
fn latin_names_show_and_survive() {
    let named = |name: &[u8]| {
        let size = u8::try_from(name.len()).unwrap();
        let note = b"\0\x90\x3c\x40\x60\x80\x3c\x40";
        [&[0, 0xff, 3, size][..], name, note, END].concat()
    };
    let bytes = file(
        1,
        96,
        &[END, &named(b"Fl\xf6te"), &named("Flöte".as_bytes())],
    );
    let mut desk = Desk::on(&bytes);
    let text = desk.ask("tracks");
    assert!(
        text.starts_with("1. Flöte~1 ") && text.contains("\n2. Flöte~2 "),
        "{text}"
    );
    assert!(desk.bytes() == bytes, "the bytes are others");
}

#[test]
fn a_meter_edit_renumbers_and_never_moves() {
    let mut desk = Desk::blank();
    desk.run("track add Keys instrument:piano");
    desk.run("phrase Keys \"C4/q D4 E4 F4 | G4/w | A4/w\"");
    let before = notes(&desk, "Keys");
    desk.run("time-sig 3/4 at:2");
    assert_eq!(notes(&desk, "Keys"), before);
    assert!(desk.ask("list @pitch:A4").starts_with("3.2 A4"));
    let text = desk.refused("time-sig 5/4 at:3.2");
    assert!(text.contains("try: time-sig 5/4 at:3.1"), "{text}");
    let text = desk.refused("note Keys C4 at:2.4");
    assert!(text.contains("try: note Keys C4 at:3.1"), "{text}");
}

#[test]
fn ticks_and_places_are_the_same_on_any_meters() {
    let meters = prop::collection::btree_map(0_u64..200_000, (1_u8..=64, 0_u8..=6), 0..12);
    let map = (
        prop_oneof![Just(24_u32), Just(96), Just(480), Just(32_767)],
        meters,
    );
    let mut runner = TestRunner::new(Config {
        failure_persistence: None,
        ..Config::with_cases(1000)
    });
    let ticks = prop::collection::vec(0_u64..400_000, 20);
    let outcome = runner.run(&(map, ticks), |((ppqn, meters), ticks)| {
        let changes = meters
            .iter()
            .map(|(tick, (beats, power))| (*tick, *beats, *power));
        let bars = MeterMap::new(ppqn, changes);
        for tick in ticks.into_iter().chain(meters.into_keys()) {
            let place = bars.place(tick);
            let beat = bars.at(tick).beat;
            prop_assert!(
                place.tick < beat
                    && place.tick + (place.beat - 1) * beat < bars.bar_length(place.bar)
            );
            prop_assert_eq!(
                bars.bar(place.bar) + (place.beat - 1) * beat + place.tick,
                tick
            );
        }
        Ok(())
    });
    outcome.unwrap();
}
