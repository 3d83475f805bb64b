//! Limits: the rows that an op makes, and the time of one that is only tried.

use fcp::prelude::*;

use super::Song;

/// Refuses to make too many rows. What else can be wrong is best checked before.
///
/// # Errors
/// There would be more than 1,000,000, or than can be tried where the op is tried as a repair.
pub fn bounded(song: &Song, rows: usize, times: u64) -> Result<()> {
    let all = (rows as u64).saturating_mul(times);
    if !song.ids().have_room(all) {
        bail!("{}", too_many(all));
    }
    Ok(())
}

/// Ends an op that changes a whole song where it is only tried as a repair, and that would take too long.
///
/// # Errors
/// It would, which nobody is told.
pub fn timely(song: &Song, rows: usize) -> Result<()> {
    if !song.ids().have_time(rows as u64) {
        bail!("{rows} rows are too many to try it");
    }
    Ok(())
}

/// The error of an op that would make so many rows.
pub fn too_many(rows: u64) -> String {
    format!("that would be {rows} rows; an op makes at most 1,000,000")
}
