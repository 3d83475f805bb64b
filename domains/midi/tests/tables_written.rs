//! Writes to the tables of a song.

#![allow(clippy::unwrap_used, reason = "a test ends by panicking")]

use fcp::endpoint::Endpoint;
use fcp::session::Session;
use fcp::testing::Server;
use fcp_midi::Song;
use tempfile::tempdir;

use super::tables::{ask, session};
use crate::support::Desk;
use crate::support::smf_build::{END, file};

/// A session on a song with something of each kind.
pub(super) fn varied() -> Session<Song> {
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
pub(super) fn refused(statement: &str) -> String {
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
fn a_column_that_follows_a_changed_one_is_set_to_its_old_value() {
    let note = |set: &str| {
        let statement = format!("UPDATE notes SET {set} WHERE vel=60");
        let question = "SELECT track, ch, tick, end FROM notes WHERE vel=60";
        written(&statement, question)
            .first()
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(note("vel=60"), "Piano | 1 | 480 | 960");
    assert_eq!(note("tick=tick-100, end=960"), "Piano | 1 | 380 | 960");
    assert_eq!(
        note("end_seconds=1, pos='1.1.400'"),
        "Piano | 1 | 400 | 960"
    );
    assert_eq!(note("track='Bass', ch=1"), "Bass | 1 | 480 | 960");
    assert_eq!(note("track='Bass', ch=ch+0"), "Bass | 1 | 480 | 960");
    assert_eq!(note("track='Bass'"), "Bass | 2 | 480 | 960");
    let set = "UPDATE notes SET tick=0, nth=4 WHERE vel=60";
    let question = "SELECT tick, nth FROM notes WHERE vel=60";
    assert_eq!(written(set, question)[0], "0 | 4");

    let mut session = varied();
    for op in ["cc Bass pan 3 at:1.2", "cc Bass expression 5 at:1.2"] {
        assert!(!session.run(&[op.to_owned()], None).is_error, "{op}");
    }
    let nth = ask(
        &mut session,
        "SELECT nth FROM events WHERE name='expression'",
    )
    .remove(0);
    for sql in [
        format!("UPDATE events SET track='Piano', ch=2, nth={nth} WHERE name='expression'"),
        "UPDATE cc SET track='Bass', channel=2 WHERE number=7".to_owned(),
    ] {
        let answer = session.run(std::slice::from_ref(&sql), None);
        assert!(!answer.is_error, "{sql}: {}", answer.text);
    }
    let question = "SELECT name, track, ch, nth FROM events WHERE kind='cc' AND name<>'pan'";
    let found = ask(&mut session, question);
    assert!(
        found.contains(&format!("expression | Piano | 2 | {nth}")),
        "{found:?}"
    );
}

#[test]
fn each_takes_the_rows_of_its_question_although_their_names_change() {
    let root = tempdir().unwrap();
    let mut server = Server::new(env!("CARGO_BIN_EXE_fcp-midi"), root.path());
    let named = |server: &mut Server, ops: &[&str]| {
        server.act("new");
        let mut all: Vec<String> = Vec::new();
        for (ix, pitch) in ["C4", "D4", "E4"].iter().enumerate() {
            all.push(format!("track add Old{ix}"));
            all.push(format!("note Old{ix} {pitch} at:1 dur:q"));
            all.push(format!("marker M at:{}", ix + 1));
        }
        let ops = all.iter().map(String::as_str).chain(ops.iter().copied());
        server.run(&ops.collect::<Vec<_>>());
    };
    let same = "UPDATE tracks SET track='Viola'";
    let two = "SELECT ref FROM tracks WHERE ref IN ('Viola~1','Viola~2')";
    for (op, query, left) in [
        (
            format!("each \"{two}\" \"track remove {{ref}}\""),
            "SELECT name FROM notes",
            &["E4"][..],
        ),
        (
            format!("each \"{two}\" \"track rename {{ref}} X\""),
            "SELECT name FROM notes WHERE track NOT LIKE 'X%'",
            &["E4"],
        ),
        (
            "each \"SELECT ref FROM markers WHERE pos<>'3.1'\" \"remove marker:{ref}\"".to_owned(),
            "SELECT pos FROM markers",
            &["3.1"],
        ),
        (
            "each \"SELECT ref FROM markers WHERE pos<>'3.1'\" \"modify marker:{ref} text:Q\""
                .to_owned(),
            "SELECT pos FROM markers WHERE text='M'",
            &["3.1"],
        ),
    ] {
        named(&mut server, &[same, &op]);
        let shown = server.query(query);
        let rows: Vec<&str> = shown.lines().skip(1).take(left.len() + 1).collect();
        assert_eq!(&rows[..left.len()], left, "{op}: {shown}");
        assert!(rows[left.len()].starts_with('('), "{op}: {shown}");
    }
    // A text is not replaced by an id.
    named(&mut server, &[same]);
    let each = "each \"SELECT ref FROM markers\" \"modify marker:{ref} text:{ref}\"";
    let (error, is_error) = server.call("midi", serde_json::json!({ "ops": [each] }));
    assert!(is_error, "{error}");
    assert!(
        error.contains("an earlier op renumbered M~2, which was #"),
        "{error}"
    );
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
fn two_places_of_a_note_are_not_set_at_once() {
    for set in ["tick=tick+100, off_beat=0", "off_beat=0, seconds=0.1"] {
        let text = refused(&format!("UPDATE notes SET {set} WHERE pitch=60"));
        assert!(
            text.contains("set the same field of a row of notes"),
            "{set}: {text}"
        );
    }
    for set in [
        "bar=2, off_beat=0",
        "pos='1.3', off_beat=5",
        "beat=3, off_beat=0",
    ] {
        written(
            &format!("UPDATE notes SET {set} WHERE pitch=60"),
            "SELECT tick FROM notes",
        );
    }
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
    for (op, wanted) in [
        (
            "UPDATE tracks SET notes=3",
            "notes of tracks is changed by INSERT INTO notes and remove, not by UPDATE",
        ),
        (
            "INSERT INTO bars(bar) VALUES (3)",
            "rows of bars cannot be added; bars insert does it",
        ),
        (
            "DELETE FROM bars WHERE bar=1",
            "rows of bars cannot be deleted; bars delete does it",
        ),
        (
            "UPDATE notes SET tick='1.2'",
            "try: UPDATE notes SET pos='1.2'",
        ),
        (
            "UPDATE notes SET vel=vel*20",
            "try: UPDATE notes SET vel=min(vel*20, 127)",
        ),
    ] {
        let text = refused(op);
        assert!(text.contains(wanted), "{op}: {text}");
    }
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
fn no_repair_merges_notes() {
    let mut desk = Desk::blank();
    for op in [
        "track add Piano",
        "note Piano C4,E4,G4 at:1.1",
        "note Piano C4 at:2.1",
    ] {
        desk.run(op);
    }
    for op in [
        "UPDATE notes SET pitch=pitch+70",
        "UPDATE notes SET tick=tick-2400",
        "modify @all pitch:=pitch+70",
    ] {
        let reply = desk.refused(op);
        assert!(!reply.contains("try: "), "{op}: {reply}");
        assert!(reply.contains("syntax: "), "{op}: {reply}");
    }
    // Velocities may be equal.
    let reply = desk.refused("UPDATE notes SET vel=vel*20");
    assert!(
        reply.contains("try: UPDATE notes SET vel=min(vel*20, 127)"),
        "{reply}"
    );
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
    let violin = "UPDATE programs SET program='violin'";
    assert_eq!(one(violin, "SELECT program FROM programs"), "40");
    let near = refused("UPDATE programs SET program='viollin'");
    assert!(
        near.contains("viollin is not an instrument; near: violin"),
        "{near}"
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
fn negative_seconds_are_refused() {
    for (statement, value) in [
        (
            "UPDATE notes SET seconds=seconds-0.75 WHERE vel=60",
            "seconds:-0.25",
        ),
        ("UPDATE notes SET seconds=-1", "seconds:-1"),
        ("UPDATE notes SET end_seconds=-0.25", "end_seconds:-0.25"),
        (
            "UPDATE events SET seconds=-0.5 WHERE kind='cc'",
            "seconds:-0.5",
        ),
        (
            "INSERT INTO notes(track,pitch,seconds) VALUES('Piano',60,-0.5)",
            "seconds:-0.5",
        ),
    ] {
        let answer = refused(statement);
        let expected = format!("! {value} is below 0");
        assert!(answer.starts_with(&expected), "{statement}: {answer}");
    }
    // Noise of binary fractions is not a time before the song.
    let statement = "UPDATE notes SET seconds=seconds-0.5-1e-12 WHERE vel=60";
    let places = written(statement, "SELECT pos FROM notes WHERE vel=60");
    assert_eq!(places[0], "1.1");
    let statement = "UPDATE events SET seconds=1.0/3 WHERE kind='cc'";
    let places = written(statement, "SELECT tick FROM events WHERE kind='cc'");
    assert_eq!(places[0], "320");
    let statement = "INSERT INTO notes(track,pitch,seconds,vel) VALUES('Piano',70,1.0/3,33)";
    let places = written(statement, "SELECT tick FROM notes WHERE vel=33");
    assert_eq!(places[0], "320");
}

#[test]
fn values_of_tracks_are_computed_from_tracks_whatever_selects_them() {
    let question =
        "SELECT track, value FROM events WHERE kind='cc' AND number=7 AND value IN (61, 62)";
    let wanted = written(
        "each \"SELECT ref, nr FROM tracks\" \"modify track {ref} volume:={nr}+60\"",
        question,
    );
    assert_eq!(wanted.len(), 3, "{wanted:?}");
    for which in ["@all", "@type:track", "@where:\"nr>0\""] {
        let op = format!("modify track {which} volume:=\"60+nr\"");
        assert_eq!(written(&op, question), wanted, "{op}");
    }
    let named = written(
        "modify track:Piano volume:=70",
        "SELECT track FROM events WHERE kind='cc' AND value=70",
    );
    assert_eq!(named[0], "Piano");
}

#[test]
fn a_computed_negative_number_is_not_a_difference() {
    for statement in [
        "UPDATE notes SET vel=vel-85",
        "UPDATE notes SET pitch=-1 WHERE pitch=60",
        "UPDATE notes SET pitch=pitch-62",
        "UPDATE notes SET off_vel=off_vel-100",
        "modify @pitch:C4 vel:=vel-90",
        "modify @pitch:C4 pitch:=-1",
        "velocity @pitch:C4 force:=vel-90",
        "copy @pitch:C4 to:3 set vel:=vel-90",
        "each \"SELECT ref,pitch-61 AS p FROM notes WHERE pitch=60\" \"modify {ref} pitch:{p}\"",
        "modify @type:cc value:=-5",
    ] {
        let text = refused(statement);
        assert!(
            text.contains("a value, not a difference"),
            "{statement}: {text}"
        );
    }
    // A difference stays one.
    let vels = |op| written(op, "SELECT vel FROM notes ORDER BY tick, pitch");
    assert_eq!(vels("modify @pitch:C4 vel:-10")[0], "30");
    assert_eq!(vels("modify @pitch:C4 vel:=\"'-'||10\"")[0], "30");
    assert_eq!(
        written(
            "transpose @pitch:C4 interval:=-2",
            "SELECT pitch FROM notes ORDER BY tick, pitch"
        )[0],
        "58"
    );
}

#[test]
fn a_numbered_name_stays_the_same_row_throughout_a_call() {
    let named = |note: u8| {
        let text = b"\0\xff\x03\x05Viola\0\x90".as_slice();
        [text, &[note, 0x40, 0x60, 0x80, note, 0x40], END].concat()
    };
    let bytes = file(1, 96, &[END, &named(60), &named(62), &named(64)]);
    let names = "SELECT track, min(pitch) FROM notes GROUP BY track ORDER BY 2";
    let run = |ops: &[&str]| {
        let mut desk = Desk::on(&bytes);
        let ops: Vec<String> = ops.iter().map(|op| (*op).to_owned()).collect();
        let answer = desk.session.run(&ops, None);
        (answer.text, ask(&mut desk.session, names))
    };
    let renamed =
        |n: u8, to: &str| format!("UPDATE tracks SET track='{to}' WHERE track='Viola~{n}'");
    // The last first: each number stays.
    let (text, names) = run(&[&renamed(3, "C"), &renamed(2, "B")]);
    assert_eq!(names[..3], ["Viola | 60", "B | 62", "C | 64"], "{text}");
    let (text, names) = run(&[&renamed(1, "A"), &renamed(2, "B")]);
    assert_eq!(
        names[..3],
        ["Viola~1 | 60", "Viola~2 | 62", "Viola~3 | 64"],
        "{text}"
    );
    assert!(
        text.contains("! an earlier op renumbered Viola~2, which was #"),
        "{text}"
    );
    assert!(text.contains("write ref='#"), "{text}");
    let (text, _) = run(&["track rename Viola~1 A", "track rename Viola~2 B"]);
    assert!(text.contains("try: track rename #"), "{text}");
    let (text, names) = run(&["track remove Viola~1", "velocity @track:Viola~3 50"]);
    assert!(text.contains("try: velocity @track:#"), "{text}");
    assert_eq!(names.len(), 4, "{text}");
}

#[test]
fn the_number_that_tells_names_apart_is_not_written() {
    let named = |note: u8| {
        let text = b"\0\xff\x03\x05Viola\0\x90".as_slice();
        let high = [0, note + 12, 0x40, 0x60, note + 12, 0];
        [text, &[note, 0x40, 0x60, note, 0], &high, END].concat()
    };
    let bytes = file(1, 96, &[END, &named(60), &named(62)]);
    for (op, names) in [
        ("UPDATE tracks SET track=upper(track)", ["VIOLA", "VIOLA"]),
        (
            "UPDATE tracks SET track=track||' x'",
            ["Viola x", "Viola x"],
        ),
        (
            "UPDATE tracks SET track=replace(track,'Viola','V~1') WHERE nr=2",
            ["Viola", "V~1"],
        ),
        ("UPDATE tracks SET track='A~3' WHERE nr=2", ["Viola", "A~3"]),
        ("track split Viola~1 by:pitch:E4", ["Viola-2", "Viola"]),
    ] {
        let mut desk = Desk::on(&bytes);
        desk.run(op);
        let found = desk.ask("SELECT text FROM events WHERE kind='track-name' ORDER BY text");
        for name in names {
            assert!(found.lines().any(|own| own == name), "{op}: {found}");
        }
    }
}

#[test]
fn a_tempo_is_added_to_a_pattern_but_to_no_other_track() {
    let note = [&[0, 0x90, 60, 64, 96, 0x80, 60, 64][..], END].concat();
    let mut desk = Desk::on(&file(2, 96, &[&note, &note]));
    let names = ask(&mut desk.session, "SELECT track FROM tracks");
    let insert = |track: &str| {
        format!("INSERT INTO events(kind,track,value,pos) VALUES ('tempo','{track}',90,'1.1')")
    };
    desk.run(&insert(&names[1]));
    let bytes = desk.bytes();
    let tempo = b"\xff\x51\x03\x0a\x2c\x2b";
    let places: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at..].starts_with(tempo))
        .collect();
    let second = bytes.windows(4).rposition(|word| word == b"MTrk").unwrap();
    assert!(places.len() == 1 && places[0] > second, "{places:?}");
    assert!(refused(&insert("Piano")).contains("a tempo belongs to the song; leave track out"));
}

#[test]
fn an_error_names_the_column_or_key_that_sets_the_value() {
    for (op, named) in [
        (
            "UPDATE events SET number=34 WHERE kind='program'",
            "it is in the column value",
        ),
        (
            "modify @type:tempo value:=100",
            "which has no value:; bpm: sets it",
        ),
        (
            "modify @type:program value:3",
            "UPDATE programs SET program sets it",
        ),
    ] {
        let text = refused(op);
        assert!(text.contains(named), "{op}: {text}");
    }
    let set = "UPDATE programs SET program=9";
    assert_eq!(written(set, "SELECT program FROM programs")[0], "9");
}

#[test]
fn a_note_without_an_end_has_no_release_velocity() {
    let note = b"\0\x90\x3c\x40\0\x90\x3e\x40\x60\x80\x3c\x21";
    let bytes = file(1, 96, &[END, &[note.as_slice(), END].concat()]);
    let mut desk = Desk::on(&bytes);
    let found = ask(&mut desk.session, "SELECT pitch, dur, off_vel FROM notes");
    assert_eq!(found[..2], ["60 | 96 | 33", "62 | NULL | NULL"]);
}

#[test]
fn a_numbered_name_is_not_found_in_a_longer_one() {
    let named = |note: u8| {
        let text = b"\0\xff\x03\x05Viola\0\x90".as_slice();
        [text, &[note, 0x40, 0x60, 0x80, note, 0x40], END].concat()
    };
    let tracks: Vec<Vec<u8>> = (60..72).map(named).collect();
    let tracks: Vec<&[u8]> = std::iter::once(END)
        .chain(tracks.iter().map(Vec::as_slice))
        .collect();
    let mut desk = Desk::on(&file(1, 96, &tracks));
    let ops = [
        "velocity @track:Viola~1 9",
        "track rename Viola~1 A",
        "velocity @track:Viola~12 50",
    ];
    let ops: Vec<String> = ops.iter().map(|op| (*op).to_owned()).collect();
    let text = desk.session.run(&ops, None).text;
    let (_, rest) = text.split_once("renumbered Viola~12, which was ").unwrap();
    let id = rest.lines().next().unwrap();
    let repair = format!("velocity @track:{id} 50");
    assert!(rest.contains(&format!("\n  try: {repair}\n")), "{text}");
    let reply = desk.run(&repair);
    assert!(reply.contains("on Viola~12"), "{reply}");
}

#[test]
fn texts_of_the_song_move_to_a_track() {
    let set = "UPDATE events SET track='Bass' WHERE kind='sysex'";
    let question = "SELECT track, pos FROM events WHERE kind='sysex'";
    assert_eq!(written(set, question)[0], "Bass | 2.1");
    assert!(refused("UPDATE events SET track='Bass' WHERE kind='marker'").contains("song"));
}

#[test]
fn positions_of_smpte_files_are_taken_back() {
    let track = [&[50, 0x90, 60, 50, 50, 0x80, 60, 1][..], END].concat();
    // 29.97 frames of 80 ticks: tick 50 is at 0.0208541666… s.
    let mut desk = Desk::on(&file(1, 0xe350, &[&track]));
    let bytes = desk.bytes();
    for op in [
        "modify @type:note at:=pos",
        "each \"SELECT ref, pos FROM notes\" \"modify {ref} at:{pos}\"",
    ] {
        let text = desk.run(op);
        assert!(!text.starts_with('!'), "{op}: {text}");
        assert!(desk.bytes() == bytes, "{op}: {text}");
    }
    let text = desk.run("INSERT INTO notes(track,pitch,pos) SELECT track,72,pos FROM notes");
    assert!(text.starts_with('+'), "{text}");
    let song = desk.song();
    let places: Vec<u64> = song.notes.iter().map(|(_, note)| note.at).collect();
    assert_eq!(places, [50, 50]);
}

#[test]
fn a_ref_names_its_row_in_every_place() {
    for name in ["Bass", "a b", "A-B", "Über"] {
        for (op, shown, wanted) in [
            (
                "each \"SELECT ref FROM tracks\" \"track rename {ref} Low\"",
                "SELECT track FROM tracks",
                "Low",
            ),
            (
                "each \"SELECT ref FROM tracks\" \"note {ref} C3 at:2\"",
                "SELECT count(*) FROM notes",
                "2",
            ),
            (
                "each \"SELECT ref FROM tracks\" \"velocity @track:{ref} 10\"",
                "SELECT vel FROM notes",
                "10",
            ),
            (
                "each \"SELECT ref FROM markers\" \"modify {ref} text:X\"",
                "SELECT text FROM markers",
                "X",
            ),
            (
                "each \"SELECT ref FROM markers\" \"remove {ref}\"",
                "SELECT count(*) FROM markers",
                "0",
            ),
            (
                "INSERT INTO notes(track, pitch, tick, dur) SELECT ref, 40, 960, 100 FROM tracks",
                "SELECT count(*) FROM notes",
                "2",
            ),
            (
                "UPDATE events SET track=(SELECT ref FROM tracks) WHERE kind='program'",
                "SELECT count(*) FROM programs",
                "1",
            ),
        ] {
            let mut session = session();
            session.act("new");
            let setup = [
                format!("track add \"{name}\" instrument:bass"),
                format!("note \"{name}\" C2 at:1.1"),
                format!("marker \"{name}\" at:3"),
            ];
            for op in setup.iter().map(String::as_str).chain([op]) {
                let answer = session.run(&[op.to_owned()], None);
                assert!(!answer.is_error, "{name}: {op}: {}", answer.text);
            }
            assert_eq!(ask(&mut session, shown)[0], wanted, "{name}: {op}");
        }
    }
}

#[test]
fn tracks_are_found_by_names_that_look_like_references() {
    for name in ["#1", "#5", "track:Piano"] {
        for op in [
            format!("UPDATE notes SET track='{name}' WHERE vel=60"),
            format!("modify @where:\"vel=60\" on:=\"'{name}'\""),
            format!(
                "INSERT INTO notes(track,pitch,pos,vel) SELECT track,70,'1.1',60 FROM tracks WHERE track='{name}'"
            ),
            format!(
                "INSERT INTO events(track,kind,number,value,pos) SELECT track,'cc',7,60,'1.1' FROM tracks WHERE track='{name}'"
            ),
        ] {
            let mut session = varied();
            let ops = [format!("track add \"{name}\""), op.clone()];
            let answer = session.run(&ops, None);
            assert!(!answer.is_error, "{op}: {}", answer.text);
            let rows = ask(
                &mut session,
                "SELECT track FROM notes WHERE vel=60 UNION ALL SELECT track FROM events WHERE value=60",
            );
            assert!(rows.contains(&name.to_owned()), "{op}: {rows:?}");
        }
    }
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
    assert_eq!(low("at:=tick('3.1')"), "3840 | 480");
    assert_eq!(low("at:=\"TICK('3.1') - 10\""), "3830 | 480");
    assert_eq!(low("end:=tick('3.1')"), "480 | 3360");
    assert_eq!(low("dur:=tick('1.2')"), "480 | 480");
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
        "at:=\"iif(dur>480, tick('3.1'), bar)\"",
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
    assert!(refused("UPDATE events SET pos=NULL WHERE kind='cc'").contains("pos cannot be NULL: "));
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
    // Every meta event that has no columns of its own, on a track and of the song.
    for (number, bytes, other) in [
        (0, "0007", "0102"),
        (32, "04", "05"),
        (33, "02", "01"),
        (84, "2102030405", "2102030400"),
        (127, "0001", "02"),
    ] {
        let mut desk = Desk::blank();
        desk.run("track add Bass");
        desk.run(&format!(
            "INSERT INTO events(kind, track, number, bytes) VALUES ('meta', 'Bass', {number}, '{bytes}')"
        ));
        desk.run(&format!(
            "UPDATE events SET bytes='{other}' WHERE kind='meta'"
        ));
        let found = desk.ask("SELECT number, bytes FROM events WHERE kind='meta'");
        assert!(found.contains(&format!("{number} | {other}\n")), "{found}");
        desk.settles("UPDATE events SET bytes");
        let reply = desk
            .refused("UPDATE events SET bytes=iif(number=127,'7','0708090a') WHERE kind='meta'");
        let wrong = "holds 4 bytes";
        assert!(number == 127 || reply.contains(wrong), "{reply}");
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
fn each_names_one_track_even_if_its_name_looks_like_another_word() {
    let mut session = session();
    session.act("new");
    for op in [
        "track add A",
        "track add B",
        "track add \"A|B\"",
        "track add \"A,B\"",
        "track add \"*\"",
        "track add \"#1\"",
        "track add \"track:A\"",
    ] {
        assert!(!session.run(&[op.to_owned()], None).is_error, "{op}");
    }
    for track in [
        "A",
        "B",
        "\"A|B\"",
        "\"A,B\"",
        "\"*\"",
        "\"#1\"",
        "\"track:A\"",
    ] {
        let op = format!("note {track} C4 at:1.1");
        assert!(
            !session.run(std::slice::from_ref(&op), None).is_error,
            "{op}"
        );
    }
    for track in ["A|B", "A,B", "*", "#1", "track:A"] {
        for op in [
            "velocity @track:{track} 10",
            "velocity @track:\\\"{track}\\\" 10",
            "velocity {track} 10",
            "modify @where:\\\"track='{track}'\\\" vel:10",
        ] {
            let each = format!("each \"SELECT track FROM tracks WHERE track='{track}'\" \"{op}\"");
            let answer = session.run(std::slice::from_ref(&each), None);
            assert!(!answer.is_error, "{each}: {}", answer.text);
            let found = ask(&mut session, "SELECT track FROM notes WHERE vel=10");
            assert_eq!(found, [track, "(1 row)"], "{each}");
            session.act("undo");
        }
    }
    let each =
        "each \"SELECT track FROM tracks WHERE track='A|B'\" \"velocity @track:{track}|A 10\"";
    let answer = session.run(&[each.to_owned()], None);
    assert!(answer.text.contains("is part of a word"), "{}", answer.text);
}

#[test]
fn a_semicolon_in_a_text_ends_no_op_of_a_plan() {
    let mut session = varied();
    for (plan, lines) in [
        ("plan UPDATE lyrics SET text='a; b'; note Bass C4", 1),
        ("plan UPDATE lyrics SET text='it''s; b' ; note Bass C4", 1),
        ("plan note Bass C4; UPDATE lyrics SET text='a; b'", 1),
        ("plan modify @type:lyric text:=\"'a; b'\"; note Bass C4", 1),
        ("plan note Bass C4; note Bass D4;", 2),
    ] {
        let answer = session.query(plan);
        assert!(!answer.is_error, "{plan}: {}", answer.text);
        let added = answer
            .text
            .lines()
            .filter(|line| line.starts_with("+ Note"));
        assert_eq!(added.count(), lines, "{plan}: {}", answer.text);
        assert!(
            !plan.contains("text") || answer.text.contains("; b"),
            "{}",
            answer.text
        );
    }
}

#[test]
fn a_new_event_takes_all_that_it_is_given() {
    let question = "SELECT kind, pitch, value, text FROM events WHERE tick=5000";
    for (statement, shown) in [
        (
            "INSERT INTO touches(track,at,pitch,value) VALUES('Piano',5000,'E5',50)",
            "keytouch | 76 | 50 | NULL",
        ),
        (
            "INSERT INTO touches(track,at,value) VALUES('Piano',5000,50)",
            "touch | NULL | 50 | NULL",
        ),
        (
            "INSERT INTO touches(track,at,pitch,value) SELECT track,5000,pitch,value FROM touches",
            "keytouch | 60 | 50 | NULL",
        ),
        (
            "INSERT INTO events(kind,track,pitch,value,tick) VALUES('touch','Piano',60,40,5000)",
            "keytouch | 60 | 40 | NULL",
        ),
        (
            "INSERT INTO events(kind,track,number,pitch,text,value,tick) VALUES('cc','Piano',7,NULL,NULL,40,5000)",
            "cc | NULL | 40 | NULL",
        ),
        (
            "INSERT INTO texts(track,at,kind,text) VALUES('Piano',5000,'cue','x')",
            "cue | NULL | NULL | x",
        ),
        (
            "INSERT INTO texts(track,at,text) VALUES('Piano',5000,'x')",
            "text | NULL | NULL | x",
        ),
    ] {
        assert_eq!(written(statement, question)[0], shown, "{statement}");
    }
}

#[test]
fn a_new_event_is_given_nothing_that_it_lacks() {
    for (kind, columns, values, why) in [
        ("touch", "value, pitch", "50, 300", "300"),
        (
            "program",
            "value, number",
            "3, 4",
            "a program has no number, only ch, name and value",
        ),
        ("program", "value, text", "3, 'x'", "a program has no text"),
        (
            "cc",
            "number, value, pitch",
            "7, 90, 60",
            "a cc has no pitch",
        ),
        (
            "cc",
            "number, value, text",
            "7, 90, 'x'",
            "a cc has no text",
        ),
        ("bend", "value, pitch", "50, 60", "a bend has no pitch"),
        (
            "lyric",
            "text, value",
            "'la', 60",
            "a lyric has no value, only text",
        ),
        (
            "sysex",
            "bytes, number",
            "'7e7f0901f7', 1",
            "a sysex has no number",
        ),
    ] {
        let statement = format!(
            "INSERT INTO events(kind, track, tick, {columns}) VALUES('{kind}', 'Piano', 5000, {values})"
        );
        let text = refused(&statement);
        assert!(text.contains(why), "{statement}: {text}");
    }
    for (columns, values, why) in [
        ("text, tick", "'120', 5000", "a tempo needs"),
        ("value, tick, text", "90, 5000, 'x'", "a tempo has no text"),
        ("value, tick, ch", "90, 5000, 2", "a tempo has no ch"),
    ] {
        let statement = format!("INSERT INTO events(kind, {columns}) VALUES('tempo', {values})");
        let text = refused(&statement);
        assert!(text.contains(why), "{statement}: {text}");
    }
    let text = refused("INSERT INTO texts(track,at,kind,text) VALUES('Piano',960,'marker','x')");
    assert!(
        text.contains("marker is not a kind of these rows: text, copyright"),
        "{text}"
    );
}

#[test]
fn new_and_changed_values_keep_one_rule() {
    let tempo = [
        "INSERT INTO events(kind, number, tick) VALUES('tempo', {}, 960)",
        "UPDATE events SET number={} WHERE kind='tempo'",
        "UPDATE tempo SET micros={}",
    ];
    for (micros, why) in [
        ("1", "999.999"),
        ("59999", "999.999"),
        ("16000000", "4"),
        ("0", "500000 is 120"),
    ] {
        for form in tempo {
            let text = refused(&form.replace("{}", micros));
            assert!(text.contains(why), "{form} {micros}: {text}");
        }
    }
    for micros in ["60061", "15000000"] {
        for form in tempo {
            let found = written(
                &form.replace("{}", micros),
                &format!("SELECT count(*) > 0 FROM events WHERE kind='tempo' AND number={micros}"),
            );
            assert_eq!(found[0], "1", "{form} {micros}");
        }
    }
    let sysex = [
        "INSERT INTO events(kind, bytes, tick) VALUES('sysex', '{}', 960)",
        "UPDATE events SET bytes='{}' WHERE kind='sysex'",
    ];
    for (bytes, why) in [
        ("7e7f0901", "does not end"),
        ("", "does not end"),
        ("7e80f7", "above 7F"),
        ("7ef7f7", "above 7F"),
    ] {
        for form in sysex {
            let text = refused(&form.replace("{}", bytes));
            assert!(text.contains(why), "{form} {bytes}: {text}");
        }
    }
    for form in sysex {
        for bytes in ["f07e7f0901f7", "7e 7f 09 01 f7"] {
            let question = "SELECT count(*) FROM events WHERE bytes='7e7f0901f7'";
            assert_eq!(
                written(&form.replace("{}", bytes), question)[0],
                "1",
                "{form} {bytes}"
            );
        }
    }
}
