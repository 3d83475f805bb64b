//! `rpn`

use fcp::prelude::*;

use crate::model::{Song, Track};
use crate::parameters;
use crate::values::{Channel, Parameter, ParameterValue, Pos};

/// Set a registered parameter from a place on: the bend range, the tuning of the track.
///
/// It is written whole: the parameter is selected, set and deselected.
///
/// ```fcp
/// # track add Flute
/// rpn Flute bend-range 12
/// > + RPN bend-range 12 on Flute at 1.1
/// rpn Flute bend-range 2
/// > * RPN bend-range 12 -> 2 on Flute at 1.1
/// rpn Flute nrpn:1.8 64 at:3
/// > + RPN nrpn:1.8 64 on Flute at 3.1
/// rpn Flute bend-rnge 2
/// > ! bend-rnge is not a parameter: bend-range, fine-tune, coarse-tune, mod-range, 0.5, nrpn:1.8
/// >   try: rpn Flute bend-range 2
/// ```
#[fcp_verb(category = "Sound", alias = "add rpn")]
pub fn rpn(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The parameter: a name, `0.5` by its two numbers, or `nrpn:1.8`.
    #[fcp(positional)]
    parameter: Parameter,
    /// Its value; `coarse.fine` if it has two halves.
    #[fcp(positional)]
    value: ParameterValue,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch)?;
    let place = song.shown(site.chunk, site.at);
    let target = format!("on {} at {place}", song.name_of_track(site.track));
    Ok(match parameters::set(song, site, parameter, value) {
        None => created!("RPN {parameter} {value} {target}"),
        Some(before) if before == value => {
            unchanged!("RPN {parameter} is {value} {target} already")
        }
        Some(before) => changed!("RPN {parameter} {before} -> {value} {target}"),
    })
}
