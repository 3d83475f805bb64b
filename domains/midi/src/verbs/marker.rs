//! `marker`

use fcp::prelude::*;

use crate::model::{Marker, Rank, Song, Track, row_of};
use crate::values::{Encoding, Pos};

/// Put a marker at a place, such as the name of a section.
///
/// ```fcp
/// marker Chorus at:5
/// > + Marker "Chorus" at 5.1
/// marker "Last verse" at:9
/// > + Marker "Last verse" at 9.1
/// ```
#[fcp_verb(category = "Song", alias = "add marker")]
pub fn marker(
    song: &mut Song,
    /// Its text.
    #[fcp(positional)]
    text: Name,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
    /// The encoding of the text; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    let chunk = song.score(on.as_ref())?;
    let tick = song.song_tick(at.as_ref(), chunk)?;
    let mark = song.place(chunk, tick, Rank::Song, None);
    let written = song.written(text.as_str(), encoding)?;
    let id = song.markers.insert(Marker {
        chunk,
        at: tick,
        bytes: written.bytes,
        text: written.text,
        mark,
    });
    Ok(created!("{}{}", song.describe(row_of(id)), written.note))
}
