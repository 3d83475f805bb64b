//! Work beyond single notes, over MCP and real pipes: phrases and drums by their size in bytes,
//! changes of all notes, questions, and a failing batch. Times are the server's processor time, if
//! the system reports it.

use std::path::Path;
use std::time::Duration;

use super::edits;
use crate::bench::folder::Folder;
use crate::bench::subject::{Effort, Outside, Subject};
use crate::bench::table::{Rounds, Table, thousands};
use crate::workspace::Result;

const HOW: &str = "MCP over stdio; processor time of the server";

/// Measures, and adds to the table.
pub fn measure(
    table: &mut Table,
    effort: &Effort,
    folder: &Folder,
    program: &Path,
    notes: u32,
) -> Result<()> {
    bytes(table, effort, folder, program)?;
    let mut subject = Outside::start(program, folder, "midi")?;
    edits::prepare(&mut subject, notes)?;
    all_notes(table, effort, &mut subject, notes)?;
    questions(table, effort, &mut subject, notes)?;
    failing(table, effort, folder, program)
}

/// The processor time of a call, or its elapsed time if the system does not report that.
fn spent(
    subject: &mut Outside,
    call: impl FnOnce(&mut Outside) -> Result<Duration>,
) -> Result<Duration> {
    let before = subject.processor();
    let time = call(subject)?;
    let after = subject.processor();
    Ok(before
        .zip(after)
        .map_or(time, |(before, after)| after.saturating_sub(before)))
}

/// Music in bulk: the time of a thousand notes, and the bytes sent and received per note.
fn bytes(table: &mut Table, effort: &Effort, folder: &Folder, program: &Path) -> Result<()> {
    const PITCHES: [&str; 7] = ["C5", "D5", "E5", "F5", "G5", "A5", "B5"];
    let phrase = |from: usize| {
        let items = (from..from + 50).map(|at| match at % 50 {
            0 => format!("{}/e", PITCHES[at % 7]),
            _ => PITCHES[at % 7].to_owned(),
        });
        let items: Vec<String> = items.collect();
        format!("phrase Piano \"{}\"", items.join(" "))
    };
    let phrases: Vec<String> = (0..20).map(|line| phrase(line * 50)).collect();
    let (kick, snare) = ("x...x...", "..x...x.");
    // A row shorter than the others repeats.
    let pattern = |kick: &str, snare: &str, times: usize| {
        format!("grid Drums kick {kick} snare {snare} hat x. step:e times:{times}")
    };
    let [four, bars] = [4, 64].map(|bars| [kick, snare].map(|voice| voice.repeat(bars)));
    let cases = [
        ("1,000 notes as phrases of 50", phrases, 1000),
        (
            "64 bars of drums, a pattern of 4",
            vec![pattern(&four[0], &four[1], 16)],
            512,
        ),
        (
            "64 bars of drums, written out",
            vec![pattern(&bars[0], &bars[1], 1)],
            512,
        ),
        ("1,000 notes, an op each", super::song::ops(1000), 1000),
    ];
    for (what, ops, notes) in cases {
        let mut times = Vec::new();
        let mut sizes = Vec::new();
        for _ in 0..effort.rounds {
            let mut subject = Outside::start(program, folder, "midi")?;
            subject.act("new \"Bench\"")?;
            subject.run(&[
                "track add Piano".to_owned(),
                "track add Drums instrument:standard-kit".to_owned(),
            ])?;
            let mut answered = 0;
            times.push(spent(&mut subject, |subject| {
                let (time, bytes) = subject.talk(&ops)?;
                answered = bytes;
                Ok(time)
            })?);
            sizes.push(answered as f64 / f64::from(notes));
        }
        table.add(what, &Rounds::milliseconds(&times), "ms", HOW);
        table.add(
            "the same, in and out",
            &Rounds::new(sizes),
            "bytes/note",
            "texts of ops and replies",
        );
    }
    Ok(())
}

/// Verbs that change every note, and their undo.
fn all_notes(table: &mut Table, effort: &Effort, subject: &mut Outside, notes: u32) -> Result<()> {
    let at = thousands(f64::from(notes));
    // All notes are on quarters, half of them on every second quarter.
    let ops = [
        ("transpose @all +2", true),
        ("quantize @all grid:s", false),
        ("quantize @all grid:q swing:58", true),
    ];
    for (op, changes) in ops {
        let (mut times, mut undone) = (Vec::new(), Vec::new());
        for _ in 0..effort.rounds.min(5) {
            times.push(spent(subject, |subject| subject.run(&[op.to_owned()]))?);
            if changes {
                undone.push(spent(subject, |subject| subject.act("undo"))?);
            }
        }
        table.add(
            &format!("{op}, {at} notes"),
            &Rounds::milliseconds(&times),
            "ms",
            HOW,
        );
        if changes {
            table.add("undo of it", &Rounds::milliseconds(&undone), "ms", HOW);
        }
    }
    Ok(())
}

/// Repeated questions: each is timed after it was asked once.
fn questions(table: &mut Table, effort: &Effort, subject: &mut Outside, notes: u32) -> Result<()> {
    let at = thousands(f64::from(notes));
    let questions = [
        "map",
        "bars 100-116",
        "events Piano 100-104",
        "at 100",
        "plan note Piano C5 at:100",
    ];
    for question in questions {
        // A question that the domain does not answer has no row.
        if subject.ask(question).is_err() {
            continue;
        }
        let mut times = Vec::new();
        for _ in 0..effort.rounds {
            times.push(subject.ask(question)?);
        }
        let how = "MCP over stdio, after the first";
        table.add(
            &format!("{question}, {at} notes"),
            &Rounds::milliseconds(&times),
            "ms",
            how,
        );
    }
    Ok(())
}

/// A batch whose last op fails, next to one that succeeds.
fn failing(table: &mut Table, effort: &Effort, folder: &Folder, program: &Path) -> Result<()> {
    let good = super::song::ops(10_000);
    let mut bad = good.clone();
    if let Some(last) = bad.last_mut() {
        "note Nobody C4 at:1".clone_into(last);
    }
    let (mut done, mut failed) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds.min(5) {
        let mut subject = Outside::start(program, folder, "midi")?;
        edits::prepare(&mut subject, 0)?;
        failed.push(spent(&mut subject, |subject| subject.fail(&bad))?);
        done.push(spent(&mut subject, |subject| subject.run(&good))?);
    }
    let (done, failed) = (Rounds::milliseconds(&done), Rounds::milliseconds(&failed));
    table.add("10,000 notes in a call", &done, "ms", HOW);
    table.add("the same, the last one failing", &failed, "ms", HOW);
    table.one(
        "failed / done",
        failed.median() / done.median(),
        "times",
        "the medians",
    );
    Ok(())
}
