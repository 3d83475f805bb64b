//! `bend`

use fcp::prelude::*;

use crate::edit::rows::set;
use crate::model::{Song, Track};
use crate::values::{BendLevel, Channel, Pos};

/// Bend the pitch of a track from a place on, by steps or by semitones of its bend range.
///
/// ```fcp
/// # track add Lead
/// bend Lead 4096 at:1.2
/// > + Bend 4096 on Lead at 1.2
/// bend Lead +2st at:1.3
/// > + Bend 8191 on Lead at 1.3
/// bend Lead center at:1.3
/// > * Bend 8191 -> 0 on Lead at 1.3
/// bend Lead +3st at:1.4
/// > ! +3st is beyond the bend range, 2 semitones
/// >   try: bend Lead +2st at:1.4
/// bend Lead +1 at:1.4
/// > ! +1 is not a level: 0-127, on, off, or a bend, +2st, center
/// >   try: bend Lead +1st at:1.4
/// ```
#[fcp_verb(category = "Sound", alias = "add bend")]
pub fn bend(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The bend: -8192 to 8191, semitones such as `+2st`, or `center`.
    #[fcp(positional)]
    value: Spanned<BendLevel>,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch)?;
    let reach = song.bend_reach(site);
    let value = value
        .get()
        .0
        .bend(reach)
        .map_err(|error| value.wrong(error))?;
    Ok(set::reply(song, site.bend(value), "Bend"))
}
