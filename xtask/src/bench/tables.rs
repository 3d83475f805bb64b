//! `bench tables`: the cost of SQL over a song, by its number of notes, against the design's goals.
//!
//! Measured over MCP with the release program and real pipes. The first question fills a table,
//! later ones find it filled; each edit makes it stale.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::server::Server;
use crate::workspace::{self as cargo, Result, text};

/// The numbers of notes of the songs.
const SIZES: [u32; 3] = [1_000, 10_000, 100_000];

/// The number of measurements of each case.
const ROUNDS: usize = 5;

/// A question or op, and its maximum time in milliseconds at 10,000 and at 100,000 notes.
struct Case {
    name: &'static str,
    line: &'static str,
    goals: [Option<f64>; 2],
}

const CASES: [Case; 8] = [
    Case {
        name: "fill and count",
        line: "? SELECT count(*), max(end_seconds) FROM notes",
        goals: [Some(25.0), Some(150.0)],
    },
    Case {
        name: "group",
        line: "? SELECT track, bar, count(*), avg(vel) FROM notes GROUP BY track, bar LIMIT 20",
        goals: [Some(25.0), Some(150.0)],
    },
    Case {
        name: "window",
        line: "? SELECT ref, tick - lag(tick) OVER (PARTITION BY track ORDER BY tick) gap FROM notes LIMIT 20",
        goals: [Some(25.0), Some(150.0)],
    },
    Case {
        name: "plain change",
        line: "modify @velocity:1-64 vel:+1",
        goals: [None, None],
    },
    Case {
        name: "@where",
        line: "modify @where:\"vel<=64\" vel:+1",
        goals: [None, None],
    },
    Case {
        name: ":=",
        line: "modify @where:\"vel<=64\" vel:=vel+1",
        goals: [None, None],
    },
    Case {
        name: "UPDATE vel",
        line: "UPDATE notes SET vel=max(1, 127-vel)",
        goals: [None, None],
    },
    Case {
        name: "UPDATE tick",
        line: "UPDATE notes SET tick=tick+(pitch%7)",
        goals: [None, None],
    },
];

/// A file of two tracks with this many notes in all, five at a tick.
fn song(notes: u32) -> Vec<u8> {
    let mut file = b"MThd\0\0\0\x06\0\x01\0\x02\x01\xe0".to_vec();
    for track in 0..2_u32 {
        let mut body = Vec::new();
        for at in 0..notes / 10 {
            for chord in 0..5_u32 {
                let pitch = 40 + (at * 7 + chord * 5) % 60;
                let vel = 20 + (at * 13 + chord) % 90;
                body.extend([0, 0x90 | byte(track), byte(pitch), byte(vel)]);
            }
            for chord in 0..5_u32 {
                let pitch = 40 + (at * 7 + chord * 5) % 60;
                let delta: &[u8] = if chord == 0 { &[0x81, 0x70] } else { &[0] };
                body.extend(delta);
                body.extend([0x80 | byte(track), byte(pitch), 64]);
            }
        }
        body.extend([0, 0xff, 0x2f, 0]);
        file.extend(b"MTrk");
        file.extend(u32::try_from(body.len()).unwrap_or(0).to_be_bytes());
        file.extend(body);
    }
    file
}

fn byte(number: u32) -> u8 {
    u8::try_from(number & 127).unwrap_or(0)
}

/// Builds the program, and measures.
pub fn run(root: &Path) -> Result<bool> {
    let metadata = cargo::metadata(root, false)?;
    let (package, program) = cargo::package(root, &metadata, "domains/midi")?;
    let program = program.ok_or_else(|| format!("{package} has no program"))?;
    let built = cargo::build(
        root,
        &["--release", "-p", &package, "--bin", &program],
        &program,
    )?;
    measure(&built)
}

fn measure(program: &Path) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let start = std::time::Instant::now();
    let server = Server::start(program, folder.path())?;
    println!(
        "start {:.1} ms; memory of a program that was asked no SQL {}",
        milliseconds(start.elapsed()),
        mebibytes(server.memory())
    );
    drop(server);
    println!(
        "{:<16} {:>10} {:>10} {:>10}   goals at 10,000 and 100,000",
        "ms, median", "1,000", "10,000", "100,000"
    );
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); CASES.len()];
    let mut memory = Vec::new();
    for size in SIZES {
        let name = format!("song-{size}.mid");
        std::fs::write(folder.path().join(&name), song(size))?;
        let mut server = Server::start(program, folder.path())?;
        line(&mut server, &format!("! open {name}"))?;
        let before = server.memory();
        for (case, row) in CASES.iter().zip(&mut rows) {
            let mut times = Vec::new();
            for _ in 0..ROUNDS {
                if case.name == "fill and count" {
                    // An edit, after which the tables are stale.
                    line(&mut server, "modify @all vel:+1")?;
                }
                times.push(milliseconds(line(&mut server, case.line)?));
                if !case.line.starts_with('?') {
                    line(&mut server, "! undo")?;
                }
            }
            times.sort_by(f64::total_cmp);
            row.push(times.get(ROUNDS / 2).copied().unwrap_or(f64::NAN));
        }
        memory.push((before, server.memory()));
    }
    let mut good = true;
    for (case, row) in CASES.iter().zip(&rows) {
        let goals = case
            .goals
            .iter()
            .zip(row.iter().skip(1))
            .filter_map(|(goal, own)| {
                let goal = (*goal)?;
                good &= *own <= goal;
                Some(format!(
                    "{goal} {}",
                    if *own <= goal { "met" } else { "MISSED" }
                ))
            });
        let goals = goals.collect::<Vec<_>>().join(", ");
        let cells: String = row.iter().map(|own| format!(" {own:>10.1}")).collect();
        println!("{:<16}{cells}   {goals}", case.name);
    }
    let of = |name: &str| {
        let at = CASES.iter().position(|case| case.name == name);
        at.and_then(|at| rows.get(at)?.get(1).copied())
            .unwrap_or(f64::NAN)
    };
    let more = of(":=") - of("plain change");
    good &= more <= 60.0;
    println!(
        "at 10,000 notes := takes {more:.1} ms more than the same change by a selector; the goal is 60"
    );
    for (size, (before, after)) in SIZES.iter().zip(memory) {
        println!(
            "{size} notes: {} as opened, {} after all of it",
            mebibytes(before),
            mebibytes(after)
        );
    }
    Ok(good)
}

/// Sends a line to the edit tool.
fn line(server: &mut Server, line: &str) -> Result<Duration> {
    let params = json!({ "name": "midi", "arguments": { "ops": [line] } });
    let (answer, time) = server.request("tools/call", params)?;
    if answer["isError"] == true {
        return Err(format!("{line}: {}", text(&answer["content"][0], "text")).into());
    }
    Ok(time)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn mebibytes(bytes: Option<u64>) -> String {
    match bytes {
        #[allow(clippy::cast_precision_loss, reason = "a figure for people")]
        Some(bytes) => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        None => "unknown here".to_owned(),
    }
}
