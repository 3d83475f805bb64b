//! The tables of a song, compared with a reader of MIDI files that is independent of this project,
//! and edited by SQL.

#![allow(clippy::unwrap_used, reason = "a test ends by panicking")]

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use fcp::endpoint::{Config, Endpoint};
use fcp::session::Session;
use fcp_midi::Song;
use midly::{MetaMessage, MidiMessage, Timing, TrackEventKind};

use super::tables_written::{refused, varied};
use crate::support::smf_build::{END, single};

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
pub(super) fn session() -> Session<Song> {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    Session::new(&Config::at(files)).unwrap()
}

pub(super) fn ask(session: &mut Session<Song>, query: &str) -> Vec<String> {
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

#[test]
fn the_nearest_beat_may_be_the_first_of_a_bar_that_cuts_another() {
    // A note 40 ticks after a barline, and a meter 10 ticks after the note; a beat has 96.
    let track: &[&[u8]] = &[
        b"\0\xff\x58\x04\x04\x02\x18\x08\x83\x28\x90<P",
        b"\x0a\xff\x58\x04\x03\x02\x18\x08\x14\x80<@",
        END,
    ];
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("cut.mid"), single(&track.concat())).unwrap();
    let mut session = Session::<Song>::new(&Config::at(root.path())).unwrap();
    assert!(!session.act("open cut.mid").is_error);
    let query = "SELECT tick, bar, beat, sub, near_bar, near_beat, off_beat FROM notes";
    let near = ask(&mut session, query);
    assert_eq!(near[0], "424 | 2 | 1 | 40 | 3 | 1 | -10");
}

#[test]
fn more_bars_than_fit_in_memory_end_the_call() {
    // A delta time of 49 bits between two notes.
    let bytes = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x12\0\x90<P\xff\xff\xff\xff\xff\xff\x7f\x80<@\0\xff\x2f\0";
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("far.mid"), bytes).unwrap();
    let mut session = Session::<Song>::new(&Config::at(root.path())).unwrap();
    assert!(!session.act("open far.mid").is_error);
    // Those that are only counted in a list of tables end no call.
    let answer = session.query("tables");
    assert!(!answer.is_error, "{}", answer.text);
    assert!(
        answer.text.contains("section) more rows than are counted"),
        "{}",
        answer.text
    );
    for query in ["SELECT count(*) FROM bars", "SELECT * FROM bars"] {
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
