//! `cc`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Control, Song, Track, control_rank};
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
/// ```
#[fcp_verb(category = "Sound", alias = "add cc")]
pub fn cc(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The controller, by name or number.
    #[fcp(positional)]
    controller: Controller,
    /// What it is set to.
    #[fcp(positional)]
    value: ControlValue,
    /// Where; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch)?;
    let number = controller.get();
    let own = |id: Id<Control>| {
        song.controls.get(id).is_some_and(|row| {
            (row.track, row.number, row.channel) == (site.track, number, site.channel)
        })
    };
    let there = song.held(&song.controls.index().time, site, own);
    let Some(id) = there else {
        let mark = song.place(site.chunk, site.at, control_rank(number), None);
        let id = song.controls.insert(Control {
            chunk: site.chunk,
            track: site.track,
            at: site.at,
            number,
            value: value.get(),
            channel: site.channel,
            mark,
        });
        let row = song.controls.need(id)?;
        return Ok(created!("{}", lines::control(song, id, row)));
    };
    let before = song.controls.need(id)?.value;
    let differs = song.controls.modify(id, |row| row.value = value.get());
    let (on, place) = (
        lines::name(song, site.track),
        song.shown(site.chunk, site.at),
    );
    Ok(if differs {
        changed!("CC {controller} {before} -> {value} on {on} at {place}")
    } else {
        unchanged!("CC {controller} is {value} on {on} at {place} already")
    })
}
