//! The tables of a song, compared with a reader of MIDI files that is independent of this project,
//! and writes with SQL.

#![allow(clippy::unwrap_used, reason = "a test ends by panicking")]

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use fcp::endpoint::{Config, Endpoint};
use fcp::session::Session;
use fcp_midi::Song;
use midly::{MetaMessage, MidiMessage, Timing, TrackEventKind};

/// A note as read by `midly`: tick, channel from 1, pitch, velocity, ticks, seconds.
type Heard = (u64, u64, u64, u64, Option<u64>, f64);

/// Notes with note-offs paired oldest first, and seconds by the tempos of all tracks.
fn heard(bytes: &[u8]) -> Option<Vec<Heard>> {
    let file = midly::Smf::parse(bytes).ok()?;
    let Timing::Metrical(ppqn) = file.header.timing else {
        return None;
    };
    let ppqn = u64::from(ppqn.as_int());
    let mut tempos = vec![(0_u64, 500_000_u64)];
    let (mut notes, mut next) = (Vec::new(), 0_usize);
    let mut starts: Vec<(u64, u64, u64, u64, Option<u64>)> = Vec::new();
    for track in &file.tracks {
        let mut tick = 0_u64;
        let mut open: HashMap<(u64, u64), VecDeque<usize>> = HashMap::new();
        for event in track {
            tick += u64::from(event.delta.as_int());
            match event.kind {
                TrackEventKind::Meta(MetaMessage::Tempo(micros)) => {
                    tempos.push((tick, u64::from(micros.as_int())));
                }
                TrackEventKind::Midi { channel, message } => {
                    let channel = u64::from(channel.as_int()) + 1;
                    let (key, vel) = match message {
                        MidiMessage::NoteOn { key, vel } => (key, u64::from(vel.as_int())),
                        MidiMessage::NoteOff { key, .. } => (key, 0),
                        _ => continue,
                    };
                    let pitch = u64::from(key.as_int());
                    let own = open.entry((channel, pitch)).or_default();
                    if vel > 0 {
                        own.push_back(next);
                        starts.push((tick, channel, pitch, vel, None));
                        next += 1;
                    } else if let Some(at) = own.pop_front() {
                        starts[at].4 = Some(tick - starts[at].0);
                    }
                }
                _ => {}
            }
        }
    }
    tempos.sort_by_key(|(tick, _)| *tick);
    for (tick, channel, pitch, vel, dur) in starts {
        let (mut seconds, mut last, mut micros) = (0.0, 0_u64, 500_000_u64);
        for (at, next) in tempos.iter().filter(|(at, _)| *at <= tick) {
            seconds += (at - last) as f64 * micros as f64 / ppqn as f64 / 1e6;
            (last, micros) = (*at, *next);
        }
        seconds += (tick - last) as f64 * micros as f64 / ppqn as f64 / 1e6;
        notes.push((tick, channel, pitch, vel, dur, seconds));
    }
    Some(notes)
}

/// A session on the test files.
fn session() -> Session<Song> {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    Session::new(&Config::at(files)).unwrap()
}

fn ask(session: &mut Session<Song>, query: &str) -> Vec<String> {
    let answer = session.query(query);
    assert!(!answer.is_error, "{query}: {}", answer.text);
    answer.text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn notes_are_those_of_another_reader() {
    let mut compared = 0;
    for name in ["waltz.mid", "foreign.mid"] {
        let bytes = std::fs::read(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/files")
                .join(name),
        )
        .unwrap();
        let Some(mut expected) = heard(&bytes) else {
            continue;
        };
        expected.sort_by(|one, other| one.partial_cmp(other).unwrap());
        let mut session = session();
        session.act(&format!("open {name}"));
        let mut found = Vec::new();
        let select = "SELECT tick, ch, pitch, vel, dur, seconds FROM notes ORDER BY tick, ch, pitch, vel, dur";
        while found.len() < expected.len() {
            let page = ask(
                &mut session,
                &format!("{select} limit:50 from:{}", found.len() + 1),
            );
            let rows = page.iter().filter(|line| line.contains(" | "));
            let before = found.len();
            found.extend(rows.map(|line| {
                let cells: Vec<&str> = line.split(" | ").collect();
                let number = |at: usize| cells[at].parse::<u64>().unwrap();
                let dur = cells[4].parse::<u64>().ok();
                (
                    number(0),
                    number(1),
                    number(2),
                    number(3),
                    dur,
                    cells[5].parse::<f64>().unwrap(),
                )
            }));
            assert!(found.len() > before, "{name}: {page:?}");
        }
        assert_eq!(found.len(), expected.len(), "{name}");
        for (own, other) in found.iter().zip(&expected) {
            assert_eq!(
                (own.0, own.1, own.2, own.3, own.4),
                (other.0, other.1, other.2, other.3, other.4),
                "{name}"
            );
            assert!((own.5 - other.5).abs() < 1e-9, "{name}: {own:?} {other:?}");
        }
        compared += found.len();
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn a_song_is_edited_by_sql() {
    let mut session = session();
    session.act("new");
    let run = |session: &mut Session<Song>, op: &str| {
        let answer = session.run(&[op.to_owned()], None);
        (answer.is_error, answer.text)
    };
    for op in [
        "track add Piano",
        "note Piano C4 at:1.1 vel:40",
        "note Piano E4 at:1.2 vel:80",
        "note Piano G4 at:2.1.10 vel:100",
        "marker Chorus at:2",
    ] {
        assert!(!run(&mut session, op).0, "{op}");
    }
    assert_eq!(
        ask(
            &mut session,
            "SELECT ref, track, name, pos, bar, beat, sub, near_bar, near_beat, off_beat FROM notes WHERE bar = 2"
        ),
        [
            "#9 | Piano | G4 | 2.1.10 | 2 | 1 | 10 | 2 | 1 | 10",
            "(1 row)"
        ]
    );
    assert_eq!(
        ask(
            &mut session,
            "SELECT bar, ticks, num, den, bpm, section FROM bars"
        )[1],
        "2 | 1920 | 4 | 4 | 120.0 | Chorus"
    );
    assert_eq!(
        ask(
            &mut session,
            "SELECT kind, text FROM events WHERE kind='marker'"
        )[0],
        "marker | Chorus"
    );
    assert_eq!(
        ask(
            &mut session,
            "SELECT track, nr, notes, low, high FROM tracks"
        )[0],
        "Piano | 1 | 3 | 60 | 67"
    );
    let (failed, text) = run(
        &mut session,
        "UPDATE notes SET vel=min(127, vel+15) WHERE bar=1",
    );
    assert!(
        !failed && text.starts_with("* 2 rows of notes: vel 55 to 95"),
        "{text}"
    );
    assert!(!run(&mut session, "modify @where:\"vel < 60\" vel:=vel*2 dur:e").0);
    assert_eq!(
        ask(&mut session, "SELECT vel, dur FROM notes")[0],
        "110 | 240"
    );
    // Rows that may block each other change together: C4 moves to E4, which moves on at the same
    // time.
    let (failed, text) = run(
        &mut session,
        "UPDATE notes SET pitch=pitch+4, pos='1.1' WHERE bar=1",
    );
    assert!(!failed, "{text}");
    assert_eq!(
        ask(&mut session, "SELECT name, pos, vel FROM notes WHERE bar=1"),
        ["E4 | 1.1 | 110", "G#4 | 1.1 | 95", "(2 rows)"]
    );
    assert!(!run(&mut session, "! undo").0);
    assert!(!run(&mut session, "UPDATE notes SET pitch=62 WHERE pitch=60").0);
    let (failed, text) = run(
        &mut session,
        "INSERT INTO notes(track, pitch, pos, dur, vel) SELECT track, pitch+12, pos, dur, vel FROM notes",
    );
    assert!(!failed && text.starts_with("+ 3 rows of notes"), "{text}");
    assert!(!run(&mut session, "DELETE FROM notes WHERE pitch > 72").0);
    assert_eq!(ask(&mut session, "SELECT count(*) FROM notes")[0], "3");
}

/// A session on a song with something of each kind.
fn varied() -> Session<Song> {
    let mut session = session();
    session.act("new");
    for op in [
        "track add Piano",
        "track add Bass",
        "note Piano C4 at:1.1 dur:q vel:40",
        "note Piano E4 at:1.1 dur:q vel:80",
        "note Piano C4 at:1.2 dur:q vel:60",
        "touch Piano 50 at:1.2.10 pitch:C4",
        "cc Piano volume 90 at:1.2",
        "program Piano 3",
        "tempo 90 at:3",
        "time-sig 3/4 at:4",
        "key-sig D-major",
        "marker Chorus at:2",
        "lyric Piano la at:1.1",
        "raw song \"F0 43 10 F7\" at:2",
    ] {
        let answer = session.run(&[op.to_owned()], None);
        assert!(!answer.is_error, "{op}: {}", answer.text);
    }
    session
}

/// Runs a statement, and queries the changed values.
fn written(statement: &str, question: &str) -> Vec<String> {
    let mut session = varied();
    let answer = session.run(&[statement.to_owned()], None);
    assert!(!answer.is_error, "{statement}: {}", answer.text);
    ask(&mut session, question)
}

/// The error of a statement.
fn refused(statement: &str) -> String {
    let mut session = varied();
    let answer = session.run(&[statement.to_owned()], None);
    assert!(answer.is_error, "{statement}: {}", answer.text);
    answer.text
}

#[test]
fn places_of_notes_are_written_in_any_form() {
    let first = |set: &str| {
        let statement = format!("UPDATE notes SET {set} WHERE pitch=60 AND tick=480");
        let question = "SELECT pos, dur FROM notes WHERE vel=60";
        written(&statement, question)
            .first()
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(first("tick=tick+10"), "1.2.10 | 480");
    assert_eq!(first("pos='2.3'"), "2.3 | 480");
    assert_eq!(first("bar=bar+4, beat=1"), "5.1 | 480");
    assert_eq!(first("sub=20, off_beat=-5"), "1.1.475 | 480");
    assert_eq!(first("seconds=2.0"), "2.1 | 480");
    assert_eq!(first("end=1000"), "1.2 | 520");
    assert_eq!(first("end=1000, tick=tick+10"), "1.2.10 | 510");
    // Its aftertouch moves with it.
    assert_eq!(
        written(
            "UPDATE notes SET tick=tick+960, pitch=62 WHERE pitch=60",
            "SELECT kind, pitch, pos FROM events WHERE kind='keytouch'"
        )[0],
        "keytouch | 62 | 1.4.10"
    );
    assert!(refused("UPDATE notes SET end=tick").contains("is not after tick"));
    assert!(refused("UPDATE notes SET sub=480 WHERE tick=480").contains("480"));
}

#[test]
fn notes_may_change_places_with_each_other() {
    // Each pitch is taken by the other note: if they changed one by one, they would merge.
    assert_eq!(
        written(
            "UPDATE notes SET pitch=CASE pitch WHEN 60 THEN 64 ELSE 60 END WHERE tick=0",
            "SELECT pitch, vel FROM notes WHERE tick=0 ORDER BY pitch"
        ),
        ["60 | 80", "64 | 40", "(2 rows)"]
    );
    assert_eq!(
        written(
            "modify @where:\"tick=0\" pitch:=\"124-pitch\" at:=\"'2.' || (1 + (pitch=64))\"",
            "SELECT pitch, pos, vel FROM notes WHERE bar=2"
        ),
        ["64 | 2.1 | 40", "60 | 2.2 | 80", "(2 rows)"]
    );
}

#[test]
fn the_order_on_a_tick_is_written() {
    let order = "SELECT nth, kind FROM (SELECT nth, 'note ' || name kind, track, tick FROM notes UNION ALL \
                 SELECT nth, kind, track, tick FROM events) WHERE tick=0 AND track='Piano' AND kind <> 'end' ORDER BY nth";
    let before = written("UPDATE notes SET vel=vel+1", order);
    assert_eq!(
        before[..5],
        [
            "1 | track-name",
            "2 | program",
            "3 | lyric",
            "4 | note C4",
            "5 | note E4"
        ]
    );
    let after = written("UPDATE events SET nth=9 WHERE kind='program'", order);
    assert_eq!(
        after[..5],
        [
            "1 | track-name",
            "2 | lyric",
            "3 | note C4",
            "4 | note E4",
            "5 | program"
        ]
    );
    let after = written("UPDATE notes SET nth=1 WHERE name='E4'", order);
    assert_eq!(after[..3], ["1 | note E4", "2 | track-name", "3 | program"]);
    // A note that starts where the previous one ends stays after that end.
    assert!(refused("UPDATE notes SET nth=1 WHERE tick=480").contains("another note"));
}

#[test]
fn fields_of_events_are_written() {
    let one = |set: &str, kind: &str, column: &str| {
        let statement = format!("UPDATE events SET {set} WHERE kind='{kind}'");
        let question = format!("SELECT {column} FROM events WHERE kind='{kind}'");
        written(&statement, &question)[0].clone()
    };
    assert_eq!(
        one(
            "value=value/2",
            "cc",
            "name || ' ' || CAST(value AS INTEGER)"
        ),
        "volume 45"
    );
    assert_eq!(one("name='pan', ch=3", "cc", "number || ' ' || ch"), "10 3");
    assert_eq!(one("value=40", "program", "name"), "violin");
    assert_eq!(
        one("track='Bass', pos='2.1'", "program", "track || ' ' || pos"),
        "Bass 2.1"
    );
    assert_eq!(one("text='3/8'", "meter", "text"), "3/8");
    assert_eq!(one("text='B minor'", "key", "text"), "B-minor");
    assert_eq!(
        one("text='Refrain', bar=5", "marker", "text || ' ' || pos"),
        "Refrain 5.1"
    );
    assert_eq!(one("bytes='6c 61 21'", "lyric", "text"), "la!");
    assert_eq!(one("bytes='7e 00 f7'", "sysex", "bytes"), "7e00f7");
    assert_eq!(one("pitch=pitch+2", "keytouch", "pitch"), "62");
    assert_eq!(
        one("number=400000", "tempo", "CAST(value AS INTEGER)"),
        "400000".replace("400000", "150")
    );
    assert_eq!(
        written(
            "UPDATE events SET text='Grand' WHERE kind='track-name' AND text='Piano'",
            "SELECT track, count(*) FROM notes"
        )[0],
        "Grand | 3"
    );
    assert_eq!(
        written(
            "UPDATE tracks SET track='Lead' WHERE nr=1",
            "SELECT track FROM tracks"
        )[0],
        "Lead"
    );
    assert!(
        refused("UPDATE events SET bar=bar, beat=2 WHERE kind='meter' AND tick>0")
            .contains("inside a bar")
    );
    assert!(refused("UPDATE events SET value=3 WHERE kind='marker'").contains("value"));
}

#[test]
fn rows_are_added_by_any_columns() {
    let added = |statement: &str, table: &str, columns: &str, condition: &str| {
        let question = format!("SELECT {columns} FROM {table} WHERE {condition}");
        written(statement, &question)[0].clone()
    };
    assert_eq!(
        added(
            "INSERT INTO notes(track, pitch, tick, dur, vel, off_vel) VALUES ('Bass', 40, 960, 240, 70, 20)",
            "notes",
            "name, pos, dur, vel, off_vel",
            "track='Bass'"
        ),
        "E2 | 1.3 | 240 | 70 | 20"
    );
    assert_eq!(
        added(
            "INSERT INTO notes(track, name, bar, beat) VALUES ('Bass', 'F#2', 3, 2)",
            "notes",
            "pitch, pos",
            "track='Bass'"
        ),
        "42 | 3.2"
    );
    for (values, shown) in [
        ("('cc', 'Bass', 7, NULL, 100, NULL)", "volume | 100 | NULL"),
        (
            "('program', 'Bass', NULL, NULL, 33, NULL)",
            "electric-bass-finger | 33 | NULL",
        ),
        (
            "('bend', 'Bass', NULL, NULL, -100, NULL)",
            "NULL | -100 | NULL",
        ),
        (
            "('lyric', 'Bass', NULL, NULL, NULL, 'doo')",
            "NULL | NULL | doo",
        ),
        (
            "('cue', 'Bass', NULL, NULL, NULL, 'curtain')",
            "NULL | NULL | curtain",
        ),
        (
            "('meta', 'Bass', 127, '01 02', NULL, NULL)",
            "NULL | NULL | NULL",
        ),
    ] {
        let statement = format!(
            "INSERT INTO events(kind, track, number, bytes, value, text, tick) SELECT *, 1920 FROM (VALUES {values})"
        );
        assert_eq!(
            added(
                &statement,
                "events",
                "name, value, text",
                "track='Bass' AND tick=1920 AND kind <> 'end'"
            ),
            shown
        );
    }
    assert_eq!(
        added(
            "INSERT INTO events(kind, text, bar) VALUES ('marker', 'Coda', 6)",
            "events",
            "text, pos",
            "kind='marker' AND bar=6"
        ),
        "Coda | 6.1"
    );
    assert!(
        refused("INSERT INTO notes(track, pitch, tick, pos) VALUES ('Bass', 40, 0, '1.1')")
            .contains("set the same field")
    );
    assert!(
        refused("INSERT INTO notes(track, pitch, near_bar) VALUES ('Bass', 40, 0)")
            .contains("is not given")
    );
}

#[test]
fn read_only_columns_explain_how_to_change_them() {
    assert!(refused("UPDATE notes SET near_beat=1").contains("changed by quantize"));
    assert!(refused("UPDATE bars SET bpm=100").contains("changed by tempo"));
    assert!(refused("UPDATE tracks SET end_tick=100").contains("changed by UPDATE"));
    assert!(refused("UPDATE notes SET ref='x'").contains("ref of notes cannot be written"));
    let registry = fcp::verb::Registry::<Song>::build().unwrap();
    for table in registry.tables() {
        for column in table.columns {
            assert!(
                column.set.is_some() || column.by.is_some(),
                "{}.{}",
                table.name,
                column.name
            );
        }
    }
}

#[test]
fn each_kind_of_row_is_written_by_its_own_table() {
    let one = |statement: &str, question: &str| written(statement, question)[0].clone();
    assert_eq!(one("UPDATE cc SET value=99", "SELECT value FROM cc"), "99");
    assert_eq!(
        one(
            "UPDATE programs SET program=40, channel=3, at=480",
            "SELECT program, channel, at FROM programs"
        ),
        "40 | 3 | 480"
    );
    assert_eq!(
        one(
            "UPDATE tempo SET micros=micros*2 WHERE at>0",
            "SELECT micros FROM tempo WHERE at>0"
        ),
        "1333334"
    );
    assert_eq!(
        one(
            "UPDATE markers SET text=upper(text)",
            "SELECT text FROM markers"
        ),
        "CHORUS"
    );
    assert_eq!(
        one("UPDATE lyrics SET text='lo'", "SELECT text FROM lyrics"),
        "lo"
    );
    let beats = refused("UPDATE meters SET beats=5");
    assert!(
        beats.contains("the same rows are in events, with track,"),
        "{beats}"
    );
    let most = refused("UPDATE programs SET program=700");
    assert!(
        most.contains("try: UPDATE programs SET program=127"),
        "{most}"
    );
}

#[test]
fn a_number_computed_from_ticks_is_one_of_ticks() {
    let low = |set: &str| {
        written(
            &format!("modify @where:\"vel=60\" {set}"),
            "SELECT tick, dur FROM notes WHERE vel=60",
        )[0]
        .clone()
    };
    assert_eq!(low("at:=tick+10"), "490 | 480");
    assert_eq!(low("at:=bar+3"), "5760 | 480");
    assert_eq!(low("dur:=dur/80"), "480 | 6");
    assert_eq!(low("end:=end+12"), "480 | 492");
    assert_eq!(
        written(
            "UPDATE notes SET dur=6, pos='tick:'||(tick+1) WHERE vel=60",
            "SELECT tick, dur FROM notes WHERE vel=60"
        )[0],
        "481 | 6"
    );
    // Conditions, and columns of both units, leave it open which unit is meant.
    for set in [
        "at:=\"iif(dur>480, bar+1, bar)\"",
        "at:=tick+bar",
        "at:=\"CASE WHEN tick>9 THEN 5 ELSE 6 END\"",
    ] {
        let reply = refused(&format!("modify @where:\"vel=60\" {set}"));
        assert!(reply.contains("'tick:'||("), "{reply}");
    }
    assert_eq!(
        low("at:=\"CASE WHEN bar>9 THEN 5 ELSE 6 END\""),
        "8640 | 480"
    );
    assert_eq!(
        low("at:=\"(SELECT '4.1' FROM notes LIMIT 1)\""),
        "5760 | 480"
    );
    for statement in [
        "UPDATE notes SET pos=tick+1 WHERE vel=60",
        "UPDATE events SET pos=tick+1 WHERE kind='cc'",
        "UPDATE cc SET pos=at+1",
        "INSERT INTO notes(track, pitch, pos) SELECT track, pitch, tick+1 FROM notes",
    ] {
        let reply = refused(statement);
        assert!(
            reply.contains("text") && reply.contains("'tick:"),
            "{reply}"
        );
    }
    assert!(
        refused("UPDATE notes SET pos=3 WHERE vel=60")
            .contains("try: UPDATE notes SET pos='3' WHERE vel=60")
    );
    assert!(refused("UPDATE events SET pos=NULL WHERE kind='cc'").contains("NULL is not a value"));
    assert!(refused("modify @where:\"vel=60\" dur:=6").contains("less than a 64th"));
    assert!(refused("modify @where:\"vel=60\" at:=tick-9000").contains("a tick is"));
}

#[test]
fn pitches_and_places_are_functions_of_sql() {
    assert_eq!(
        written(
            "UPDATE notes SET vel=vel+1",
            "SELECT pitch('C4'), pitch_name(61), tick('4.1'), tick('1.2.10')"
        )[0],
        "60 | C#4 | 5760 | 490"
    );
}

#[test]
fn tempos_are_added_by_any_number_of_microseconds() {
    let micros = |columns: &str, values: &str| {
        let statement =
            format!("INSERT INTO events(kind, {columns}, tick) VALUES ('tempo', {values}, 960)");
        let question = "SELECT number FROM events WHERE kind='tempo' AND tick=960";
        written(&statement, question)[0].clone()
    };
    for number in [60_061, 333_333, 700_001, 777_777, 14_999_999] {
        assert_eq!(micros("number", &number.to_string()), number.to_string());
    }
    // Computed values have more decimals than an op accepts.
    assert_eq!(micros("value", "60e6/700001"), "700002");
    assert_eq!(micros("value", "85.7141633"), "700001");
    assert_eq!(micros("value", "'120.00'"), "500000");
    for (column, value, why) in [
        ("number", "'fast'", "is not a quarter's microseconds"),
        ("number", "0", "is not a quarter's microseconds"),
        ("value", "2.00000001", "4"),
    ] {
        let values = format!("('tempo', {value}, 960)");
        let statement = format!("INSERT INTO events(kind, {column}, tick) VALUES {values}");
        let reply = refused(&statement);
        assert!(reply.contains(why), "{reply}");
    }
}

#[test]
fn bytes_are_written_as_they_are_given() {
    let meta = |bytes: usize| {
        let statement = format!(
            "INSERT INTO events(kind, track, number, bytes, tick) VALUES ('meta', 'Bass', 96, '{}', 960)",
            "2a".repeat(bytes)
        );
        let question = "SELECT length(bytes)/2 FROM events WHERE kind='meta'";
        written(&statement, question)[0].clone()
    };
    for bytes in [1, 127, 128, 16_383, 16_384, 20_000] {
        assert_eq!(meta(bytes), bytes.to_string());
    }
    let reply = refused(
        "INSERT INTO events(kind, track, number, bytes) VALUES ('meta', 'Bass', 128, '00')",
    );
    assert!(reply.contains("is 0 to 127, not 128"), "{reply}");
    for bytes in ["+1", "6c6", "zz", "6c +1"] {
        let reply = refused(&format!(
            "UPDATE events SET bytes='{bytes}' WHERE kind='lyric'"
        ));
        assert!(reply.contains("is not bytes in hex"), "{reply}");
    }
}

#[test]
fn bars_and_beats_are_set_at_once() {
    // Bar 4 and later ones have three beats.
    let mut session = varied();
    for op in [
        "note Bass C2 at:1.4 dur:q",
        "cc Bass pan 20 at:1.4.10",
        "note Bass D2 at:9.3 dur:q",
    ] {
        let answer = session.run(&[op.to_owned()], None);
        assert!(!answer.is_error, "{op}: {}", answer.text);
    }
    let mut run = |statement: &str, question: &str| {
        let answer = session.run(&[statement.to_owned()], None);
        assert!(!answer.is_error, "{statement}: {}", answer.text);
        ask(&mut session, question)[0].clone()
    };
    let note = |name: &str| format!("SELECT pos, dur FROM notes WHERE name='{name}'");
    let to_bar = "UPDATE notes SET bar=9, beat=1 WHERE name='C2'";
    assert_eq!(run(to_bar, &note("C2")), "9.1 | 480");
    let back = "UPDATE notes SET beat=4, sub=20, bar=2, end=tick('4.1') WHERE name='D2'";
    assert_eq!(run(back, &note("D2")), "2.4.20 | 2380");
    let off = "UPDATE notes SET bar=1, beat=4, off_beat=-5 WHERE name='C2'";
    assert_eq!(run(off, &note("C2")), "1.3.475 | 480");
    assert_eq!(
        run(
            "UPDATE events SET sub=0, bar=9, beat=2 WHERE name='pan'",
            "SELECT pos FROM events WHERE name='pan'"
        ),
        "9.2"
    );
    let reply = refused("UPDATE notes SET bar=9, beat=4 WHERE tick=480");
    assert!(reply.contains("9.4") && reply.contains("has 3"), "{reply}");
    for place in ["bar=0", "beat=0"] {
        let reply = refused(&format!("UPDATE notes SET {place} WHERE tick=480"));
        assert!(reply.contains('0'), "{reply}");
    }
}

#[test]
fn a_missing_place_is_explained() {
    let mut session = varied();
    let answer = session.query("SELECT tick('9.4')");
    assert!(answer.is_error);
    assert!(
        answer.text.contains("has no beat 4: the bar has 3"),
        "{}",
        answer.text
    );
}

#[test]
fn more_bars_than_fit_in_memory_end_the_call() {
    // A delta time of 49 bits between two notes.
    let bytes = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x12\0\x90<P\xff\xff\xff\xff\xff\xff\x7f\x80<@\0\xff\x2f\0";
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("far.mid"), bytes).unwrap();
    let mut session = Session::<Song>::new(&Config::at(root.path())).unwrap();
    assert!(!session.act("open far.mid").is_error);
    for query in ["tables", "SELECT count(*) FROM bars", "SELECT * FROM bars"] {
        let answer = session.query(query);
        assert!(answer.is_error, "{query}: {}", answer.text);
        assert!(answer.text.contains("set work-limit:"), "{}", answer.text);
    }
    // The command line has the same limit.
    let spelling = fcp::endpoint::Spelling::Table;
    let answer = session.sql("far.mid", "SELECT count(*) FROM bars", spelling);
    assert!(answer.text.contains("set work-limit:"), "{}", answer.text);
}

#[test]
fn the_examples_of_help_work() {
    use fcp::domain::Domain;
    assert!(!Song::SQL_EXAMPLES.is_empty());
    let mut session = varied();
    for op in ["track add Viola", "note Viola C4 at:5.1 dur:q vel:30"] {
        assert!(!session.run(&[op.to_owned()], None).is_error);
    }
    for example in Song::SQL_EXAMPLES {
        let answer = session.run(&[(*example).to_owned()], None);
        assert!(!answer.is_error, "{example}: {}", answer.text);
    }
}

#[test]
fn a_key_that_a_text_does_not_have_is_no_part_of_the_text() {
    for (op, repair) in [
        ("marker text:Outro at:9", "marker Outro at:9"),
        ("marker name:Outro at:9", "marker Outro at:9"),
        ("title text:Foo", "title Foo"),
        ("lyric Bass lyric:la at:1.1", "lyric Bass la at:1.1"),
    ] {
        let reply = refused(op);
        assert!(reply.contains(&format!("  try: {repair}")), "{reply}");
    }
}
