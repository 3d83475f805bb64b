//! `track add`

use fcp::prelude::*;

use crate::display::row_line;
use crate::edit::tracks::{channel_check, channels, setup};
use crate::model::{Song, row_of};
use crate::values::{Bank, Channel, Encoding, Instrument};

/// Add a track. It gets the lowest channel that is free; a drum kit plays on channel 10.
///
/// ```fcp
/// track add Piano
/// > + Track Piano ch:1 no instrument
/// track add Bass instrument:bass
/// > + Track Bass ch:2 electric-bass-finger
/// track add Drums instrument:standard-kit
/// > + Track Drums ch:10 standard-kit
/// track add Lead instrument:flute volume:90 pan:left to:1
/// > + Track Lead ch:3 flute, volume 90, pan 0, number 1
/// track add Pad volum:80
/// > ! a track has no volum:
/// >   try: track add Pad volume:80
/// track add Piano
/// > ! there is a track Piano already
/// >   try: track add Piano-2
/// ```
#[fcp_verb(category = "Tracks", alias = "add track")]
pub fn track_add(
    song: &mut Song,
    /// Its name.
    #[fcp(positional)]
    name: Spanned<Name>,
    /// Its General MIDI instrument or kit.
    #[fcp(alias = "inst")]
    instrument: Option<Instrument>,
    /// Its channel; the lowest free one if left out.
    #[fcp(alias = "channel")]
    ch: Option<Spanned<Channel>>,
    /// Its program by number, instead of an instrument.
    program: Option<Int<0, 127>>,
    /// The bank of the instrument.
    bank: Option<Bank>,
    /// Its number among the tracks; the last if left out.
    to: Option<Spanned<Int<1, 65_535>>>,
    /// The encoding of the name; that of the other texts if left out.
    encoding: Option<Encoding>,
    /// First values of controllers: `volume:80 pan:left`.
    controllers: Keys,
) -> Result<Reply> {
    setup::untaken(song, &name)?;
    if instrument.is_some() && program.is_some() {
        bail!("instrument: and program: set the same thing; give one");
    }
    if let Some(ch) = &ch {
        channels::untaken_channel(song, ch, None)?;
    }
    if let Some(instrument) = instrument {
        channel_check::check(song, instrument, ch.as_ref(), None)?;
    }
    let kit = instrument.is_some_and(|instrument| instrument.kit);
    let channel = match ch {
        Some(ch) => *ch.get(),
        None if kit => Channel::DRUMS,
        None => channels::free_channel(song)?,
    };
    let name = song.written(name.get().as_str(), encoding)?;
    let id = setup::make(song, &name, channel)?;
    let number = instrument.map(|instrument| instrument.program.get());
    let number = number.or_else(|| program.and_then(|program| u8::try_from(program.get()).ok()));
    let mut settings = setup::set_controllers(song, id, bank, &controllers)?;
    if let Some(program) = number {
        setup::set_program(song, id, program)?;
    }
    song.relabel(id);
    if let Some(to) = &to {
        setup::put_at(song, id, to)?;
        settings.push(format!("number {}", to.get()));
    }
    let row = song.tracks.need(id)?;
    let settings: String = settings.iter().map(|text| format!(", {text}")).collect();
    Ok(created!(
        "Track {} ch:{channel} {}{settings}{}",
        song.name_of_track(id),
        row_line::instrument(song, id, row),
        name.note
    )
    .about([row_of(id)]))
}
