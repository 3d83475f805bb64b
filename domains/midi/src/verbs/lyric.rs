//! `lyric`

use fcp::prelude::*;

use crate::model::{Lyric, Rank, Song, row_of};
use crate::resolve::owner::Target;
use crate::values::{Encoding, Pos, Words};

/// Put a sung syllable at a place of a track, or of the song.
///
/// ```fcp
/// # track add Voice
/// lyric Voice la at:1.1
/// > + Lyric "la" on Voice at 1.1
/// add lyric "Twin-" on:Voice at:1.2
/// > + Lyric "Twin-" on Voice at 1.2
/// lyric song oh at:2
/// > + Lyric "oh" at 2.1
/// ```
#[fcp_verb(category = "Words", alias = "add lyric")]
pub fn lyric(
    song: &mut Song,
    /// The track, or `song`.
    #[fcp(positional, key = "on")]
    track: Spanned<Target>,
    /// The syllable.
    #[fcp(positional)]
    text: Words,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The encoding of the text; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    let (chunk, track) = Target::home(&track, song)?;
    let tick = match &at {
        Some(at) => song.tick(at, chunk, track)?,
        None => 0,
    };
    let written = song.written(text.as_str(), encoding)?;
    let mark = song.place(chunk, tick, Rank::Text, None);
    let id = song.lyrics.insert(Lyric {
        chunk,
        track,
        at: tick,
        bytes: written.bytes,
        text: written.text,
        mark,
    });
    Ok(created!("{}{}", song.describe(row_of(id)), written.note))
}
