//! `touch`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Rank, Song, Touch, Track};
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
    /// How hard.
    #[fcp(positional)]
    value: ControlValue,
    /// The key that is pressed; all of the channel if left out.
    pitch: Option<PitchWord>,
    /// Where; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch)?;
    let row = song.tracks.need(site.track)?;
    let pitch = pitch.map(|word| lines::on_track(word, row)).transpose()?;
    let own = |id: Id<Touch>| {
        song.touches.get(id).is_some_and(|row| {
            (row.track, row.channel, row.pitch) == (site.track, site.channel, pitch)
        })
    };
    let there = song.held(song.touches.index(), site, own);
    let Some(id) = there else {
        let mark = song.place(site.chunk, site.at, Rank::Bend, None);
        let id = song.touches.insert(Touch {
            chunk: site.chunk,
            track: site.track,
            at: site.at,
            pitch,
            value: value.get(),
            channel: site.channel,
            mark,
        });
        let row = song.touches.need(id)?;
        return Ok(created!("{}", lines::touch(song, id, row)));
    };
    let before = song.touches.need(id)?.value;
    let differs = song.touches.modify(id, |row| row.value = value.get());
    let (on, place) = (
        lines::name(song, site.track),
        song.shown(site.chunk, site.at),
    );
    Ok(if differs {
        changed!("Touch {before} -> {value} on {on} at {place}")
    } else {
        unchanged!("Touch is {value} on {on} at {place} already")
    })
}
