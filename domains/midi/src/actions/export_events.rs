//! `export events`

use fcp::prelude::*;

use crate::display::row_line;
use crate::format;
use crate::model::Song;
use crate::smf;

/// Write every event of the file on a line: number of the chunk, tick, bytes in hex. Use it to compare files.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4
/// ! export events as:song.txt
/// > * Exported song.txt (…
/// ```
#[fcp_action]
pub fn export_events(
    song: &Song,
    /// The output file.
    #[fcp(key = "as")]
    _path: Text,
    /// `on`: without the tracks that are not heard.
    #[fcp(default = Switch(false))]
    audible: Switch,
) -> Result<Exported> {
    // The comparison is about the bytes that a save would write.
    let written = match audible.0 {
        true => format::audible(song),
        false => format::write(song),
    };
    let file = smf::read(&written?);
    let file = file.map_err(|error| Diagnostic::new(error.to_string()))?;
    Ok(Exported {
        bytes: smf::export_events(&file).into_bytes(),
        left_out: if audible.0 {
            row_line::unheard(song)
        } else {
            Vec::new()
        },
    })
}
