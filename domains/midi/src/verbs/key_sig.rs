//! `key-sig`

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{KeyChange, Rank, Song, Track};
use crate::values::{KeySig, KeyWord, Pos};

/// Set the key signature from a place on. Notes stay as they are.
///
/// ```fcp
/// key-sig A-minor
/// > + Key A-minor at 1.1
/// key-sig Bb at:9
/// > + Key Bb-major at 9.1
/// add key-sig G at:9
/// > * Key Bb-major -> G-major at 9.1
/// key-sig E minor at:9
/// > * Key G-major -> E-minor at 9.1
/// key-sig D-dorian
/// > ! a Standard MIDI File holds major and minor keys only
/// >   try: key-sig C-major
/// key-sig Db minor at:5
/// > ! Db-minor has 8 flats, a key signature has at most 7
/// >   try: key-sig C#-minor at:5
/// ```
#[fcp_verb(
    category = "Song",
    name = "key-sig",
    alias = "key",
    alias = "add key",
    alias = "add key-sig"
)]
pub fn key_sig(
    song: &mut Song,
    /// The key.
    #[fcp(positional)]
    key: Spanned<KeySig>,
    /// `major` or `minor`, if the key is only a tonic.
    #[fcp(positional)]
    mode: Option<Spanned<KeyWord>>,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    let chunk = song.score(on.as_ref())?;
    let tick = song.song_tick(at.as_ref(), chunk)?;
    let key = match mode {
        None => *key.get(),
        Some(mode) => {
            let whole = format!("{}-{}", key.text(), mode.get());
            let parsed = KeySig::parse(&whole);
            parsed.map_err(|error| {
                let shown = ValueError::sentence(error.about(&whole));
                key.through(&mode).wrong(shown.maybe_fix(error.fix))
            })?
        }
    };
    let (sharps, mode) = (i32::from(key.sharps()), u8::from(key.minor()));
    let place = row_line::spot(song, chunk, tick);
    let Some(id) = song.holds_at(song.keys.index(), chunk, tick) else {
        let mark = song.place(chunk, tick, Rank::Song, None);
        song.keys.insert(KeyChange {
            chunk,
            at: tick,
            sharps,
            mode,
            mark,
        });
        return Ok(created!("Key {key} {place}"));
    };
    let before = row_line::key_text(song.keys.need(id)?);
    song.writable(song.keys.need(id)?.chunk)?;
    let differs = song.keys.modify(id, |row: &mut KeyChange| {
        (row.sharps, row.mode) = (sharps, mode);
    });
    Ok(if differs {
        changed!("Key {before} -> {key} {place}")
    } else {
        unchanged!("Key is {key} {place} already")
    })
}
