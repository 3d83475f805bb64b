//! `title`

use fcp::prelude::*;

use crate::model::Song;

/// Give the song a title.
///
/// ```fcp
/// title "Harbor Light"
/// > * Title "Harbor Light"
/// add title "Harbor Light"
/// > = The title is "Harbor Light" already
/// ```
#[fcp_verb(category = "Song", alias = "add title")]
pub fn title(
    song: &mut Song,
    /// What it is called.
    #[fcp(positional)]
    text: Name,
) -> Result<Reply> {
    let chunk = song.conductor();
    if song.chunk_name(chunk).as_deref() == Some(text.as_str()) {
        return Ok(unchanged!("The title is \"{text}\" already"));
    }
    let tracks = song.tracks.iter().filter(|(_, row)| row.chunk == chunk);
    let own: Vec<_> = tracks.map(|(id, _)| id).collect();
    // What a file of format 0 is called is no track's name.
    let named = own
        .first()
        .copied()
        .filter(|_| song.file.header.format != 0);
    song.set_chunk_name(chunk, named, text.as_str())?;
    for track in own {
        song.relabel(track);
    }
    Ok(changed!("Title \"{text}\""))
}
