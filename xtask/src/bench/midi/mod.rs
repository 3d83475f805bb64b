//! MIDI: a song of a given number of notes, and 1,000 more notes.

mod edits;
mod inside;
mod outside;
mod song;
mod whole;

use std::path::Path;

use super::folder::Folder;
use super::subject::{Effort, starts};
use super::table::{Table, thousands};
use crate::workspace::Result;

/// Measures, and prints the table.
pub fn measure(program: &Path, effort: &Effort, notes: u32) -> Result<()> {
    let folder = Folder::new()?;
    let song = song::bytes(notes);
    std::fs::write(folder.path().join(song::FILE), &song)?;
    let mut table = Table::default();
    inside::parse(&mut table, effort)?;
    let inside = inside::edits(&mut table, effort, &folder, notes)?;
    inside::files(&mut table, effort, &folder, &song, notes)?;
    let outside = outside::edits(&mut table, effort, &folder, program, notes)?;
    whole::measure(&mut table, effort, &folder, program, notes)?;
    starts(&mut table, effort, &folder, program)?;
    outside::memory(&mut table, &folder, program, notes)?;
    table.print();
    println!();
    for (how, [empty, full]) in [("in process", inside), ("over stdio", outside)] {
        println!(
            "1,000 notes in one call, {how}: at {} notes {:.2} times as long as at 0",
            thousands(f64::from(notes)),
            full / empty
        );
    }
    Ok(())
}
