//! In this process: the parser, the domain's endpoint, and its files.

use std::{
    fs,
    hint::black_box,
    time::{Duration, Instant},
};

use fcp::endpoint::{Config, Endpoint};

use super::edits;
use super::song::FILE;
use crate::bench::folder::Folder;
use crate::bench::subject::{Effort, Inside, Subject};
use crate::bench::table::{Rounds, Table, thousands};
use crate::workspace::Result;

/// Ops of every shape.
const OPS: [&str; 8] = [
    "note Piano C4 at:1.1 dur:quarter vel:mf",
    "track add Piano instrument:acoustic-grand-piano ch:1",
    "chord Keys Am7 at:Chorus:2.1 dur:h. vel:90",
    "modify @track:Keys @range:5-8 @not:pitch:C4-G4 vel:+10 dur:e",
    "phrase Bass \"A1/q. A1/e E2/h | F1/q. F1/e C2/h\" vel:f",
    "connect \"Auth Service\" -> db:Orders style:dashed label:\"reads \\\"all\\\"\"",
    "add circle id:dot r:5 at:20,20 fill:red in:logo",
    "undo",
];

/// The domain's endpoint, as in its program.
fn endpoint(folder: &Folder) -> Result<Box<dyn Endpoint>> {
    Ok(fcp::session::endpoint::<fcp_midi::Song>(&Config::at(
        folder.path(),
    ))?)
}

/// Times the op parser.
pub fn parse(table: &mut Table, effort: &Effort) -> Result<()> {
    const TIMES: usize = 20_000;
    let (note, bytes) = (OPS[0], OPS.map(str::len).iter().sum::<usize>());
    let each = |ops: &[&str]| {
        let mut nanoseconds = Vec::new();
        for _ in 0..effort.rounds {
            let start = Instant::now();
            for _ in 0..TIMES {
                for op in ops {
                    black_box(fcp::op::parse(black_box(op)).map_err(|error| error.error)?);
                }
            }
            let ops = (TIMES * ops.len()) as f64;
            nanoseconds.push(start.elapsed().as_secs_f64() * 1e9 / ops);
        }
        Ok::<_, String>(Rounds::new(nanoseconds))
    };
    let one = each(&[note])?;
    table.add("parse a note op", &one, "ns/op", note);
    let all = each(&OPS)?;
    let how = "8 ops of all shapes in turn, in process";
    table.add("parse any op", &all, "ns/op", how);
    let mean = bytes as f64 / OPS.len() as f64;
    table.add("the same", &all.map(|ns| mean / ns * 1e3), "MB/s", how);
    Ok(())
}

/// Times edits on an empty song and on the large one. Returns the medians of the large call.
pub fn edits(table: &mut Table, effort: &Effort, folder: &Folder, notes: u32) -> Result<[f64; 2]> {
    let mut at = |notes| {
        let mut subject = Inside(endpoint(folder)?);
        edits::measure(&mut subject, table, effort, "in process", notes)
    };
    Ok([at(0)?, at(notes)?])
}

/// Times reading and writing the large song, and `midly` for comparison.
pub fn files(
    table: &mut Table,
    effort: &Effort,
    folder: &Folder,
    song: &[u8],
    notes: u32,
) -> Result<()> {
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..effort.rounds {
        let mut subject = Inside(endpoint(folder)?);
        times[0].push(subject.act(&format!("open {FILE}"))?);
        times[1].push(subject.act("save as:saved.mid")?);
        fs::remove_file(folder.path().join("saved.mid"))?;
        let start = Instant::now();
        let smf = midly::Smf::parse(black_box(song))?;
        times[2].push(start.elapsed());
        let mut written = Vec::with_capacity(song.len());
        let start = Instant::now();
        smf.write(&mut written)
            .map_err(|problem| format!("midly: {problem:?}"))?;
        times[3].push(start.elapsed());
        black_box(written);
    }
    let size = format!(
        "{} notes, {:.1} MB",
        thousands(f64::from(notes)),
        song.len() as f64 / 1e6
    );
    let [open, save, parse, write] = times.map(|times| Rounds::milliseconds(&times));
    let how = "in process, with reading the file";
    table.add(&format!("open {size}"), &open, "ms", how);
    let how = "in process, with writing and syncing the file";
    table.add(&format!("save {size}"), &save, "ms", how);
    table.add("midly parses it", &parse, "ms", "bytes in memory");
    table.add("midly writes it", &write, "ms", "bytes in memory");
    let how = "the medians";
    table.one(
        "open / midly parses",
        open.median() / parse.median(),
        "times",
        how,
    );
    table.one(
        "save / midly writes",
        save.median() / write.median(),
        "times",
        how,
    );
    Ok(())
}
