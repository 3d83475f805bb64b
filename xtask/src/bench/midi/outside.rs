//! The domain's program, over MCP and real pipes.

use std::path::Path;

use super::edits::{self, BATCH};
use super::song;
use crate::bench::folder::Folder;
use crate::bench::subject::{Effort, Outside, Subject, idle};
use crate::bench::table::{Table, thousands};
use crate::workspace::Result;

/// Times edits on an empty song and on the large one. Returns the medians of the large call.
pub fn edits(
    table: &mut Table,
    effort: &Effort,
    folder: &Folder,
    program: &Path,
    notes: u32,
) -> Result<[f64; 2]> {
    let mut at = |notes| {
        let mut subject = Outside::start(program, folder, "midi")?;
        edits::measure(&mut subject, table, effort, "MCP over stdio", notes)
    };
    Ok([at(0)?, at(notes)?])
}

/// Measures the server's memory, as reported by the system.
pub fn memory(table: &mut Table, folder: &Folder, program: &Path, notes: u32) -> Result<()> {
    idle(table, folder, program, "midi")?;
    for notes in [0, notes] {
        let mut subject = Outside::start(program, folder, "midi")?;
        edits::prepare(&mut subject, notes)?;
        let at = thousands(f64::from(notes));
        subject.memory(table, &format!("memory, {at} notes"));
        subject.run(&song::ops(BATCH))?;
        subject.memory(table, &format!("memory, {at} notes and 1,000 by ops"));
    }
    Ok(())
}
