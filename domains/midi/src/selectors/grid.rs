//! `@grid`

use fcp::prelude::*;

use crate::grid::note_grid::is_line;
use crate::model::Song;
use crate::values::{Dur, Frac};

/// Rows that start on a line of a grid, which restarts in each bar.
///
/// # Errors
/// The length makes no sense in this file.
#[fcp_selector]
pub fn grid(song: &Song, length: Dur) -> Result<Pick<'_>, ValueError> {
    if let Some(chunk) = song.first_chunk() {
        let apart = length.exact(&song.clock(chunk), Frac::ZERO)?;
        if apart.round() < 1 {
            return Err(ValueError::new("is shorter than a tick").fix("ticks:1"));
        }
    }
    Ok(Pick::test(move |row| {
        song.starts(row).is_some_and(|(chunk, tick)| {
            let base = match song.has_bars() {
                true => song.bars(chunk).bar(song.bars(chunk).place(tick).bar),
                false => 0,
            };
            let apart = length.exact(&song.clock(chunk), Frac::of_tick(base)).ok();
            apart.is_some_and(|apart| is_line(tick - base, apart))
        })
    }))
}
