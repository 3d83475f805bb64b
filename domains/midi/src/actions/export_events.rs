//! `export events`

use fcp::prelude::*;

use crate::model::Song;
use crate::{format, smf};

/// Write every event of the file on a line: number of the chunk, tick, bytes in hex. So two files are compared.
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
    /// Where it goes.
    #[fcp(key = "as")]
    _path: Text,
) -> Result<Vec<u8>> {
    // What is compared is what a save would write.
    let file = smf::read(&format::write(song)?);
    let file = file.map_err(|error| Diagnostic::new(error.to_string()))?;
    Ok(smf::export_events(&file).into_bytes())
}
