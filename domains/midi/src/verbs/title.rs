//! `title`

use fcp::prelude::*;

use crate::model::Song;
use crate::values::Encoding;

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
    /// The title.
    #[fcp(positional)]
    text: Name,
    /// The encoding of the text; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    let chunk = song.conductor();
    let text = song.instead(text.as_str(), encoding);
    if song.is_named(song.name_event(chunk), &text) {
        return Ok(unchanged!("The title is \"{}\" already", text.text));
    }
    let own: Vec<_> = song.tracks.index().of(chunk).collect();
    // The title of a file of format 0 is not the name of a track.
    let named = own
        .first()
        .copied()
        .filter(|_| song.file.header.format != 0);
    song.set_chunk_name(chunk, named, &text)?;
    for track in own {
        song.relabel(track);
    }
    Ok(changed!("Title \"{}\"{}", text.text, text.note))
}
