//! `cc`

use fcp::prelude::*;

use crate::edit::rows::set;
use crate::model::{Song, Track};
use crate::values::{Channel, ControlValue, Controller, Pos};

/// Set a controller from a place on: volume, pan, sustain, expression.
///
/// ```fcp
/// # track add Keys
/// cc Keys volume 90
/// > + CC volume 90 on Keys at 1.1
/// cc Keys sustain on at:2.1
/// > + CC sustain 127 on Keys at 2.1
/// > ? Keys: sustain down at 2.1, never released
/// cc Keys volume 80
/// > * CC volume 90 -> 80 on Keys at 1.1
/// add cc 74 64 on:Keys at:3
/// > + CC brightness 64 on Keys at 3.1
/// cc Keys volum 90
/// > ! volum is not a controller
/// >   try: cc Keys volume 90
/// cc Keys volume left
/// > ! left is only for pan and balance
/// >   try: cc Keys pan left
/// ```
#[fcp_verb(category = "Sound", alias = "add cc")]
pub fn cc(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The controller, by name or number.
    #[fcp(positional)]
    controller: Spanned<Controller>,
    /// Its new value.
    #[fcp(positional)]
    value: ControlValue,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch)?;
    let number = *controller.get();
    let value = value.of(Some(number)).map_err(|error| {
        // A side implies pan.
        let problem = error.about(&value.to_string());
        controller.wrong(ValueError::sentence(problem).fix(Controller::PAN.to_string()))
    })?;
    let row = site.control(number.get(), value);
    Ok(set::reply(song, row, format!("CC {number}")))
}
