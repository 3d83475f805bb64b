//! All derived columns of notes and events, compared with Python's `mido` on the available files.

#![allow(clippy::unwrap_used, reason = "a test ends by panicking")]

use std::path::Path;

use fcp::endpoint::{Config, Endpoint, Spelling};
use fcp::session::Session;
use fcp::testing::{data, files, say};
use fcp_judges::python::{Process, made};
use fcp_midi::Song;
use serde_json::Value;

/// Justified differences: the end of a file's name, the table, and the reason.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    (
        "music21/test04.mid",
        "events",
        "mido reads as many tracks as the header says; here all that are there are read",
    ),
    (
        "nasty/absurd-tempo-and-meter-1.mid",
        "events",
        "a meter of 2^255ths has no beat length; here it is one of a tick, there none",
    ),
    ("nasty/absurd-tempo-and-meter-2.mid", "events", "the same"),
    ("nasty/absurd-tempo-and-meter-3.mid", "events", "the same"),
    (
        "nasty/bad-status-5.mid",
        "notes",
        "what follows a status that there is not is kept as bytes here; mido goes on reading",
    ),
    (
        "nasty/end-of-track-3.mid",
        "notes",
        "what follows the end of a track is kept as bytes here; mido goes on reading",
    ),
    (
        "nasty/flipped-7.mid",
        "notes",
        "a damaged track ends at the damage here; mido goes on reading, and clips other than data bytes",
    ),
    (
        "nasty/lengths-lie-3.mid",
        "notes",
        "a track whose length lies is read to its end of track here, and to its length there",
    ),
    (
        "nasty/track-count-lies-2.mid",
        "notes",
        "mido reads as many tracks as the header says; here all that are there are read",
    ),
    ("nasty/track-count-lies-2.mid", "events", "the same"),
    ("nasty/track-count-lies-3.mid", "notes", "the same"),
    ("nasty/track-count-lies-3.mid", "events", "the same"),
];

/// The columns of notes, in the order of the script.
const NOTES: &str = "SELECT ch, pitch, tick, dur, vel, off_vel, bar, beat, sub, nth, seconds, end_seconds FROM notes";

/// The columns of events; texts are compared as bytes, since no file names their encoding.
const EVENTS: &str = "SELECT kind, ch, number, CASE WHEN kind <> 'tempo' THEN CAST(value AS INTEGER) END AS value, pitch, \
                      CASE WHEN kind IN ('meter', 'key') THEN text ELSE bytes END AS said, \
                      tick, bar, beat, sub, nth, seconds FROM events WHERE kind NOT IN \
                      ('end', 'meta', 'sysex', 'escape', 'system', 'stray', 'program-name')";

/// A row: its exact content, and its seconds.
type Fields = (String, Vec<f64>);

fn fields(cells: &[Value]) -> Fields {
    let (mut exact, mut seconds) = (Vec::new(), Vec::new());
    for cell in cells {
        match cell {
            Value::Number(number) if number.is_f64() => {
                seconds.push(number.as_f64().unwrap_or(f64::NAN));
            }
            Value::Null => exact.push("-".to_owned()),
            Value::String(text) => exact.push(text.clone()),
            other => exact.push(other.to_string()),
        }
    }
    (exact.join(" "), seconds)
}

/// Whether two rows are equal. Sums of seconds in another order differ in the last digits.
fn same(one: &Fields, other: &Fields) -> bool {
    let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * one.abs().max(1.0);
    one.0 == other.0 && one.1.len() == other.1.len() && one.1.iter().zip(&other.1).all(near)
}

fn sorted(mut rows: Vec<Fields>) -> Vec<Fields> {
    rows.sort_by(|one, other| one.partial_cmp(other).unwrap());
    rows
}

/// The rows of the script, with split places, in order.
fn of_mido(rows: &Value, place: usize) -> Vec<Fields> {
    let mut lines = Vec::new();
    for row in rows.as_array().unwrap() {
        let mut cells = Vec::new();
        for (ix, cell) in row.as_array().unwrap().iter().enumerate() {
            match cell {
                Value::Array(parts) if ix == place => cells.extend(parts.iter().cloned()),
                Value::Null if ix == place => cells.extend([Value::Null, Value::Null, Value::Null]),
                cell => cells.push(cell.clone()),
            }
        }
        lines.push(fields(&cells));
    }
    sorted(lines)
}

/// The rows of the table, in order.
fn of_table(session: &mut Session<Song>, path: &str, select: &str) -> Option<Vec<Fields>> {
    let answer = session.sql(path, select, Spelling::Json);
    if answer.is_error {
        return None;
    }
    let columns: Vec<&str> = select.split(" FROM ").next().unwrap()["SELECT ".len()..]
        .split(", ")
        .collect();
    let names: Vec<&str> = if select == EVENTS {
        vec![
            "kind", "ch", "number", "value", "pitch", "said", "tick", "bar", "beat", "sub", "nth",
            "seconds",
        ]
    } else {
        columns
    };
    let rows: Vec<Value> = serde_json::from_str(&answer.text).unwrap();
    let line = |row: &Value| {
        let cells: Vec<Value> = names.iter().map(|name| row[*name].clone()).collect();
        fields(&cells)
    };
    Some(sorted(rows.iter().map(line).collect()))
}

#[test]
fn derived_columns_match_mido() {
    let Some(python) = made(Path::new(env!("CARGO_BIN_EXE_fcp-midi"))) else {
        say(
            "NOTHING IS CHECKED by derived_columns_match_mido: there is no Python with mido; \
             `cargo xtask fidelity midi --ops 100` makes one",
        );
        return;
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![package.join("tests/files"), package.join("demo")];
    folders.extend(data("midi"));
    let mut judge = Process::start(&python).unwrap();
    let (mut compared, mut rows, mut unread, mut wrong) = (0, 0, 0, Vec::new());
    for folder in folders {
        let mut session = Session::<Song>::new(&Config::at(folder.clone())).unwrap();
        session.act("set reply-limit:65536 work-limit:100000");
        for file in files(&folder, &["mid", "midi", "kar", "smf"]) {
            let answer = judge.song(&std::fs::read(&file).unwrap());
            let path = file.strip_prefix(&folder).unwrap().display().to_string();
            session.act("close discard");
            let own =
                of_table(&mut session, &path, NOTES).zip(of_table(&mut session, &path, EVENTS));
            let (Some((notes, events)), Ok([their_notes, their_events])) = (own, answer) else {
                unread += 1;
                continue;
            };
            compared += 1;
            for (what, own, other) in [
                ("notes", notes, of_mido(&their_notes, 6)),
                ("events", events, of_mido(&their_events, 7)),
            ] {
                rows += own.len();
                let known = DIFFERENCES
                    .iter()
                    .any(|(name, of, _)| path.ends_with(name) && *of == what);
                let agree = own.len() == other.len()
                    && own.iter().zip(&other).all(|(one, other)| same(one, other));
                if known == agree {
                    let only = |rows: &[Fields], others: &[Fields]| {
                        let own = rows
                            .iter()
                            .filter(|row| !others.iter().any(|other| same(row, other)));
                        own.take(3).cloned().collect::<Vec<Fields>>()
                    };
                    wrong.push(format!(
                        "{path} {what}: {} rows, mido {}; only here {:?}; only mido {:?}{}",
                        own.len(),
                        other.len(),
                        only(&own, &other),
                        only(&other, &own),
                        if known { "; they no longer differ" } else { "" }
                    ));
                }
            }
        }
    }
    say(&format!(
        "mido: {compared} files compared, {rows} rows, {unread} that one of the two refuses"
    ));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 2 && rows > 20, "{compared} files, {rows} rows");
}
