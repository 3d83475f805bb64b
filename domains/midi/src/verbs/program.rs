//! `program`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Control, Program, Rank, Song, Track};
use crate::target::Site;
use crate::values::{Bank, Channel, Instrument, Pos};

/// Change what a track plays, from the start or from a place on.
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
    /// What it plays.
    #[fcp(positional)]
    instrument: Instrument,
    /// Where; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The bank that it is chosen from.
    bank: Option<Bank>,
    /// Its channel; the track's if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
) -> Result<Reply> {
    let site = song.site(track, at.as_ref(), ch)?;
    let mut differs = false;
    if let Some(bank) = bank {
        differs |= select(song, site, 0, bank.coarse);
        if let Some(fine) = bank.fine {
            differs |= select(song, site, 32, fine);
        }
    }
    let number = instrument.program.get();
    let own = |id: Id<Program>| {
        song.programs
            .get(id)
            .is_some_and(|row| (row.track, row.channel) == (site.track, site.channel))
    };
    let there = song.held(&song.programs.index().time, site, own);
    let id = match there {
        Some(id) => {
            differs |= song.programs.modify(id, |row| row.program = number);
            id
        }
        None => {
            let mark = song.place(site.chunk, site.at, Rank::Program, None);
            song.programs.insert(Program {
                chunk: site.chunk,
                track: site.track,
                at: site.at,
                program: number,
                channel: site.channel,
                mark,
            })
        }
    };
    song.relabel(site.track);
    let line = lines::program(song, id, song.programs.need(id)?);
    let bank = bank.map_or(String::new(), |bank| format!(", bank {bank}"));
    Ok(match there {
        None => created!("{line}{bank}"),
        Some(_) if differs => changed!("{line}{bank}"),
        Some(_) => unchanged!("{line}{bank} already"),
    })
}

/// Sets one half of a bank at a site. Says whether that changed anything.
fn select(song: &mut Song, site: Site, number: u8, value: u8) -> bool {
    let own = |id: Id<Control>| {
        song.controls.get(id).is_some_and(|row| {
            (row.track, row.number, row.channel) == (site.track, number, site.channel)
        })
    };
    let there = song.held(&song.controls.index().time, site, own);
    if let Some(id) = there {
        return song.controls.modify(id, |row| row.value = value);
    }
    let mark = song.place(site.chunk, site.at, Rank::Bank, None);
    song.controls.insert(Control {
        chunk: site.chunk,
        track: site.track,
        at: site.at,
        number,
        value,
        channel: site.channel,
        mark,
    });
    true
}
