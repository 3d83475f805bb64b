//! `list`

use fcp::prelude::*;

use crate::item::{line, sort};
use crate::model::Song;

/// List rows as `events` shows them, with their tracks: those that selectors match, or all.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano C5,E5 at:1.1 vel:100
/// # tempo 90 at:3
/// ? list @pitch:E
/// > 1.1 E5 q v100 on Piano #9
/// ? list @type:tempo
/// > 1.1 tempo 120 #2
/// > 3.1 tempo 90 #10
/// ? list @recent
/// > 3.1 tempo 90 #10
/// ```
#[fcp_query]
pub fn list(
    song: &Song,
    /// The rows; all if left out.
    rows: Option<Rows>,
) -> Result<Listing<'_>> {
    let found = match &rows {
        // What was touched last is told in that order.
        Some(rows) if rows.clauses().iter().any(|clause| clause.name == "recent") => {
            rows.iter().collect()
        }
        Some(rows) => {
            let mut rows: Vec<Row> = rows.iter().collect();
            sort(song, &mut rows);
            rows
        }
        None => {
            let mut all = Vec::new();
            for (chunk, _) in song.chunks.iter().filter(|(_, chunk)| chunk.is_track()) {
                song.starting(chunk, 0, u64::MAX, &mut all);
            }
            let mut rows: Vec<Row> = all.into_iter().map(|(_, row)| row).collect();
            sort(song, &mut rows);
            rows
        }
    };
    let lines = found.into_iter();
    Ok(Listing::lines(
        lines.len(),
        lines.map(move |row| line(song, row, true)),
    ))
}
