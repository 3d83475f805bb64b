//! `program`

use fcp::prelude::*;

use crate::edit::tracks::channel_check;
use crate::model::{Song, Track, channel_state, row_of};
use crate::values::{Bank, Channel, Instrument, Pos};

/// Change the instrument of a track, from the start or a place on.
///
/// ```fcp
/// # track add Keys
/// program Keys piano
/// > + Program 0 acoustic-grand-piano on Keys at 1.1
/// program Keys rhodes at:5
/// > + Program 4 electric-piano-1 on Keys at 5.1
/// add instrument violin on:Keys bank:8
/// > * Program 40 violin on Keys at 1.1, bank 8
/// program Keys piono
/// > ! piono is not an instrument…
/// >   try: program Keys piano
/// ```
#[fcp_verb(
    category = "Sound",
    alias = "instrument",
    alias = "add program",
    alias = "add instrument"
)]
pub fn program(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The instrument.
    #[fcp(positional)]
    instrument: Instrument,
    /// The place; the start if left out.
    at: Option<Spanned<Pos>>,
    /// Its bank.
    bank: Option<Bank>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Spanned<Channel>>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch.as_ref().map(|ch| *ch.get()))?;
    channel_check::check(song, instrument, ch.as_ref(), Some(site.track))?;
    let mut differs = false;
    if let Some(bank) = bank {
        let halves = [(0, Some(bank.coarse)), (32, bank.fine)];
        for (number, value) in halves {
            let Some(value) = value else { continue };
            let (_, before) = channel_state::set(song, site.control(number, value));
            differs |= before.is_none_or(|before| before.value != value);
        }
    }
    let number = instrument.program.get();
    let (id, before) = channel_state::set(song, site.program(number));
    song.relabel(site.track);
    let line = song.describe(row_of(id));
    let bank = bank.map_or(String::new(), |bank| format!(", bank {bank}"));
    Ok(match before {
        None => created!("{line}{bank}"),
        Some(before) if differs || before.program != number => changed!("{line}{bank}"),
        Some(_) => unchanged!("{line}{bank} already"),
    })
}
