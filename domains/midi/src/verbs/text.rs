//! `text`

use fcp::prelude::*;

use crate::model::{Mark, Song, TextEvent, row_of};
use crate::resolve::owner::Target;
use crate::values::{Encoding, Pos, TextKind, Words};

/// Write a text at a place of a track, or of the song: a remark, a copyright, a cue.
///
/// ```fcp
/// # track add Voice
/// text Voice "a little slower" at:3
/// > + Text "a little slower" on Voice at 3.1
/// text song "1999 A. Nobody" kind:copyright
/// > + Copyright "1999 A. Nobody" at 1.1
/// text Voice "a little slower" kind:ceu
/// > ! kind:ceu is not one of the words here (text, copyright, instrument, cue, program-name, device)
/// >   try: text Voice "a little slower" kind:cue
/// ```
#[fcp_verb(category = "Words", alias = "add text")]
pub fn text(
    song: &mut Song,
    /// The track, or `song`.
    #[fcp(positional, key = "on")]
    track: Spanned<Target>,
    /// Its text.
    #[fcp(positional)]
    text: Words,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its purpose.
    #[fcp(default = TextKind::Text)]
    kind: TextKind,
    /// The encoding of the text; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    let (chunk, track) = Target::home(&track, song)?;
    let tick = match &at {
        Some(at) => song.tick(at, chunk, track)?,
        None => 0,
    };
    let written = song.written(text.as_str(), encoding)?;
    let mut row = TextEvent {
        chunk,
        track,
        at: tick,
        kind,
        bytes: written.bytes,
        text: written.text,
        mark: Mark::default(),
    };
    row.mark = song.place(chunk, tick, row.rank(), None);
    let id = song.texts.insert(row);
    Ok(created!("{}{}", song.describe(row_of(id)), written.note))
}
