//! Limits: the rows that an op makes, and the time of one that is only tried.

use fcp::prelude::*;

use super::Song;

/// Rejects an op that would make too many rows. Other errors are best checked before.
///
/// # Errors
/// There would be more than 1,000,000, or than a trial of a repair may make.
pub fn bounded(song: &Song, rows: usize, times: u64) -> Result<()> {
    let all = (rows as u64).saturating_mul(times);
    if !song.ids().have_room(all) {
        bail!("{}", too_many(all));
    }
    Ok(())
}

/// Ends an op on the whole song that is tried as a repair and would take too long.
///
/// # Errors
/// It would; this error is never shown.
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
