//! SVG: a drawing of a given number of elements, 1,000 mixed ops, and questions about the whole.

mod drawing;

use std::{
    fs,
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};

use fcp::domain::Domain;
use fcp::endpoint::Config;

use super::folder::Folder;
use super::subject::{Effort, Inside, Outside, Subject, idle, starts};
use super::table::{Rounds, Table, thousands};
use crate::workspace::Result;
use drawing::FILE;

/// The number of timed ops.
const OPS: u32 = 1000;

/// The number of property changes by which the memory per change is measured.
const CHANGES: u32 = 20_000;

/// Questions about the whole drawing, each asked twice of a newly opened document.
const QUESTIONS: &[(&str, &str)] = &[
    ("map", "map"),
    ("find", "find e4242"),
    ("@fill:red", "list @fill:red"),
    ("@range", "list @range:0,0-200,200"),
    ("describe", "describe e4242"),
];

/// Measures, and prints the table.
pub fn measure(program: &Path, effort: &Effort, elements: u32) -> Result<()> {
    let folder = Folder::new()?;
    let text = drawing::text(elements);
    fs::write(folder.path().join(FILE), &text)?;
    let mut table = Table::default();
    let rounds = effort.rounds.div_ceil(4);
    files(&mut table, rounds, &folder, &text, elements)?;
    edits(&mut table, rounds, &folder, program, elements)?;
    questions(&mut table, rounds, &folder)?;
    pictures(&mut table, rounds, &folder, program)?;
    starts(&mut table, effort, &folder, program)?;
    memory(&mut table, &folder, program, elements)?;
    table.print();
    Ok(())
}

/// The domain's endpoint, as in its program, with the drawing open.
fn opened(folder: &Folder) -> Result<(Inside, Duration)> {
    let mut subject = Inside(fcp::session::endpoint::<fcp_svg::Drawing>(&Config::at(
        folder.path(),
    ))?);
    let time = subject.act(&format!("open {FILE}"))?;
    Ok((subject, time))
}

/// Times reading and writing the drawing, and other readers for comparison.
fn files(
    table: &mut Table,
    rounds: usize,
    folder: &Folder,
    text: &str,
    elements: u32,
) -> Result<()> {
    let mut times: [Vec<Duration>; 5] = Default::default();
    let saved = folder.path().join("saved.svg");
    for _ in 0..rounds {
        let (mut subject, open) = opened(folder)?;
        times[0].push(open);
        times[1].push(subject.act("save as:saved.svg")?);
        fs::remove_file(&saved)?;
        let drawing = fcp_svg::Drawing::read(text.as_bytes(), FILE)?;
        let start = Instant::now();
        fs::write(&saved, drawing.file("svg")?)?;
        times[4].push(start.elapsed());
        fs::remove_file(&saved)?;
        let start = Instant::now();
        black_box(roxmltree::Document::parse(black_box(text))?);
        times[2].push(start.elapsed());
        let start = Instant::now();
        black_box(usvg::Tree::from_str(
            black_box(text),
            &usvg::Options::default(),
        )?);
        times[3].push(start.elapsed());
    }
    let size = format!(
        "{} elements, {:.1} MiB",
        thousands(f64::from(elements)),
        text.len() as f64 / f64::from(1 << 20)
    );
    let [open, save, roxmltree, usvg, write] = times.map(|times| Rounds::milliseconds(&times));
    let how = "in process, with reading the file";
    table.add(&format!("open {size}"), &open, "ms", how);
    let how = "in process, with writing and syncing the file";
    table.add(&format!("save {size}"), &save, "ms", how);
    let how = "in process, with writing the file";
    table.add("save it unsynced", &write, "ms", how);
    table.add("roxmltree parses it", &roxmltree, "ms", "text in memory");
    table.add("usvg parses it", &usvg, "ms", "text in memory");
    Ok(())
}

/// Times mixed ops, in one call and in separate calls, and their undo.
fn edits(
    table: &mut Table,
    rounds: usize,
    folder: &Folder,
    program: &Path,
    elements: u32,
) -> Result<()> {
    let ops = drawing::ops(OPS, elements);
    let mut measure = |subject: &mut dyn Subject, how: &str| {
        let mut times: [Vec<Duration>; 3] = Default::default();
        // The first round is a warm-up.
        for round in 0..=rounds {
            let together = subject.run(&ops)?;
            let undone = subject.act(&format!("undo {OPS}"))?;
            let mut apart = Duration::ZERO;
            for op in &ops {
                apart += subject.run(std::slice::from_ref(op))?;
            }
            subject.act(&format!("undo {OPS}"))?;
            if round > 0 {
                for (times, time) in times.iter_mut().zip([together, apart, undone]) {
                    times.push(time);
                }
            }
        }
        let names = [
            "1,000 ops in a call",
            "1,000 ops in 1,000 calls",
            "undo of all",
        ];
        for (name, times) in names.iter().zip(&times) {
            table.add(name, &Rounds::milliseconds(times), "ms", how);
        }
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    measure(&mut opened(folder)?.0, "in process")?;
    let mut outside = Outside::start(program, folder, "svg")?;
    outside.act(&format!("open {FILE}"))?;
    measure(&mut outside, "MCP over stdio")
}

/// Times questions: the first time after opening the drawing, and once more.
fn questions(table: &mut Table, rounds: usize, folder: &Folder) -> Result<()> {
    for (name, query) in QUESTIONS {
        let mut times: [Vec<Duration>; 2] = Default::default();
        for _ in 0..rounds {
            let (mut subject, _) = opened(folder)?;
            for times in &mut times {
                times.push(subject.ask(query)?);
            }
        }
        for (when, times) in ["first", "later"].iter().zip(&times) {
            let rounds = Rounds::milliseconds(times);
            table.add(&format!("{name}, {when}"), &rounds, "ms", "in process");
        }
    }
    Ok(())
}

/// Times a picture of the whole. The program is asked, since it draws in a process of its own.
fn pictures(table: &mut Table, rounds: usize, folder: &Folder, program: &Path) -> Result<()> {
    let mut subject = Outside::start(program, folder, "svg")?;
    subject.act(&format!("open {FILE}"))?;
    let mut times = Vec::new();
    for _ in 0..rounds {
        times.push(subject.ask("render width:800")?);
    }
    let rounds = Rounds::milliseconds(&times);
    table.add("render width:800", &rounds, "ms", "MCP over stdio");
    Ok(())
}

/// Measures the server's memory, as reported by the system.
fn memory(table: &mut Table, folder: &Folder, program: &Path, elements: u32) -> Result<()> {
    idle(table, folder, program, "svg")?;
    let mut subject = Outside::start(program, folder, "svg")?;
    subject.act(&format!("open {FILE}"))?;
    let at = thousands(f64::from(elements));
    subject.memory(table, &format!("memory, {at} elements"));
    subject.run(&drawing::ops(OPS, elements))?;
    subject.memory(table, &format!("memory, {at} elements and 1,000 ops"));
    let before = subject.bytes();
    for round in 0..CHANGES / OPS {
        subject.run(&drawing::changes(OPS, elements, round))?;
    }
    if let (Some(before), Some(after)) = (before, subject.bytes()) {
        let kept = after.saturating_sub(before) as f64 / f64::from(CHANGES);
        let how = format!(
            "VmRSS of the server, over {} changes",
            thousands(f64::from(CHANGES))
        );
        table.one("memory, a property change", kept, "bytes", &how);
    }
    Ok(())
}
