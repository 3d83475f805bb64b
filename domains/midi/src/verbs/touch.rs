//! `touch`

use fcp::prelude::*;

use crate::edit::rows::set;
use crate::model::{Song, Track};
use crate::resolve::drum_word;
use crate::values::{Channel, ControlValue, PitchWord, Pos};

/// Press the keys of a track, or one that is held, harder: aftertouch.
///
/// ```fcp
/// # track add Pad
/// touch Pad 80 at:1.3
/// > + Touch 80 on Pad at 1.3
/// touch Pad 60 at:1.3 pitch:C4
/// > + Touch 60 on C4 of Pad at 1.3
/// touch Pad 90 at:1.3
/// > * Touch 80 -> 90 on Pad at 1.3
/// ```
#[fcp_verb(category = "Sound", alias = "add touch", alias = "aftertouch")]
pub fn touch(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The pressure.
    #[fcp(positional)]
    value: Spanned<ControlValue>,
    /// The pressed key; the whole channel if left out.
    pitch: Option<PitchWord>,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch)?;
    let row = song.tracks.need(site.track)?;
    let pitch = pitch.map(|word| drum_word::on_track(word, row, site.channel));
    let pitch = pitch.transpose()?;
    let pressure = value.get().of(None).map_err(|error| value.wrong(error))?;
    let row = site.touch(pitch, pressure);
    Ok(set::reply(song, row, "Touch"))
}
