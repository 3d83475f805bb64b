//! `list`

use fcp::prelude::*;

use crate::display::row_list::{Listed, Naming, everything};
use crate::model::Song;

/// List rows as `events` shows them, with their tracks: those that selectors match, or all.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano C5,E5 at:1.1 vel:100
/// # tempo 90 at:3
/// ? list @pitch:E
/// > 1.1 E5 q v100 Piano #9
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
    let listed = match &rows {
        // Recently touched rows are listed in that order.
        Some(rows) if rows.clauses().iter().any(|clause| clause.name == "recent") => {
            let rows: Vec<Row> = rows.iter().collect();
            Listed::new(song, Naming::Always, rows.into_iter())
        }
        Some(rows) => Listed::picked(song, Naming::Always, rows.iter()).asked_by(rows.clauses()),
        None => Listed::new(song, Naming::Always, everything(song)),
    };
    Ok(listed.listing())
}
