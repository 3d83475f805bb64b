//! `marker`

use fcp::prelude::*;

use crate::model::{Marker, Rank, Song, Track};
use crate::smf::Bytes;
use crate::values::Pos;

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
    /// What it says.
    #[fcp(positional)]
    text: Name,
    /// Where; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    let chunk = song.score(on.as_ref())?;
    let tick = song.song_tick(at.as_ref(), chunk)?;
    let mark = song.place(chunk, tick, Rank::Song, None);
    let bytes = Bytes::new(text.as_str().as_bytes());
    let id = song.markers.insert(Marker {
        chunk,
        at: tick,
        bytes,
        text: text.to_string(),
        mark,
    });
    Ok(created!(
        "{}",
        crate::lines::marker(song, id, song.markers.need(id)?)
    ))
}
