//! `remove`

use fcp::prelude::*;

use crate::model::Song;

/// Remove rows: notes, unless a selector or a name says otherwise.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4,E4 at:1.1
/// # tempo 90 at:3
/// remove @pitch:E4
/// > - Removed Note E4 on Piano at 1.1 dur:480 vel:80
/// remove @type:tempo @range:3
/// > - Removed Tempo 90 at 3.1
/// remove @track:Piano
/// > - Removed Note C4 on Piano at 1.1 dur:480 vel:80
/// remove @track:Piano
/// > ! @track:Piano matches nothing; there is nothing to select
/// >   syntax: remove SEL
/// ```
#[fcp_verb(category = "Edit", deletes)]
pub fn remove(
    song: &mut Song,
    /// What goes.
    rows: Rows,
) -> Result<Reply> {
    let told = match rows.iter().next() {
        Some(row) if rows.len() == 1 => song.told(row),
        _ => song.counted(rows.iter()),
    };
    for row in rows.iter() {
        song.remove_row(row)?;
    }
    Ok(removed!("Removed {told}"))
}
