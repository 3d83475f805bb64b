//! The edits to time, whichever way the ops are sent.

use std::time::Duration;

use super::song;
use crate::bench::subject::{Effort, Subject};
use crate::bench::table::{Rounds, Table, thousands};
use crate::workspace::Result;

/// The number of ops in one call.
pub const BATCH: u32 = 1000;

/// Creates the document: one empty track, or the large song.
pub fn prepare(subject: &mut dyn Subject, notes: u32) -> Result<()> {
    if notes == 0 {
        subject.act("new \"Bench\"")?;
        subject.run(&["track add Piano".to_owned()])?;
    } else {
        subject.act(&format!("open {}", song::FILE))?;
    }
    Ok(())
}

/// Times a call of many ops, a call of one op, and their undo. Returns the median time of the large
/// call in milliseconds.
pub fn measure(
    subject: &mut dyn Subject,
    table: &mut Table,
    effort: &Effort,
    how: &str,
    notes: u32,
) -> Result<f64> {
    prepare(subject, notes)?;
    let (many, one) = (song::ops(BATCH), song::ops(1));
    let undo_many = format!("undo {BATCH}");
    let mut times: [Vec<Duration>; 4] = Default::default();
    let mut processor = Vec::new();
    // The first round is a warm-up.
    for round in 0..=effort.rounds {
        let before = subject.processor();
        let run = subject.run(&many)?;
        let after = subject.processor();
        let round_times = [
            run,
            subject.act(&undo_many)?,
            subject.run(&one)?,
            subject.act("undo")?,
        ];
        if round == 0 {
            continue;
        }
        for (times, time) in times.iter_mut().zip(round_times) {
            times.push(time);
        }
        processor.extend(before.zip(after).map(|(before, after)| after - before));
    }
    let at = format!("at {} notes", thousands(f64::from(notes)));
    let [many, undo_many, one, undo_one] = times.map(|times| Rounds::milliseconds(&times));
    table.add(
        &format!("ops, 1,000 in a call, {at}"),
        &many.map(|ms| f64::from(BATCH) / ms * 1e3),
        "ops/s",
        how,
    );
    table.add(&format!("1,000 notes in a call, {at}"), &many, "ms", how);
    if !processor.is_empty() {
        let rounds = Rounds::milliseconds(&processor);
        let how = format!("{how}; processor time of the server");
        table.add(&format!("the same, {at}"), &rounds, "ms", &how);
    }
    table.add(&format!("undo of that call, {at}"), &undo_many, "ms", how);
    let microseconds = |rounds: &Rounds| rounds.map(|ms| ms * 1e3);
    let (one, undo_one) = (microseconds(&one), microseconds(&undo_one));
    table.add(&format!("one note, {at}"), &one, "µs", how);
    table.add(&format!("undo of that note, {at}"), &undo_one, "µs", how);
    Ok(many.median())
}
