//! `modify track`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Program, Rank, Song, Track};
use crate::values::{Channel, ControlValue, Instrument};

/// Change a track: its name, its instrument, how loud it is and where it stands.
///
/// ```fcp
/// # track add Drums instrument:standard-kit
/// modify track:Drums volume:80
/// > * Track Drums: volume 80
/// modify track:Drums volume:80
/// > = nothing changed
/// modify track Drums name:Kit pan:left
/// > * Track Kit: name Kit, pan 0
/// ```
#[fcp_verb(category = "Tracks")]
pub fn modify_track(
    song: &mut Song,
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
    /// Its new name.
    name: Option<Name>,
    /// What it plays.
    #[fcp(alias = "inst")]
    instrument: Option<Instrument>,
    /// Its channel: that of all its events.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
    /// Its first volume, controller 7.
    #[fcp(alias = "vol")]
    volume: Option<ControlValue>,
    /// Its first pan, controller 10.
    pan: Option<ControlValue>,
    /// Its first expression, controller 11.
    #[fcp(alias = "expr")]
    expression: Option<ControlValue>,
) -> Result<Reply> {
    let id = track.id();
    song.writable(song.tracks.need(id)?.chunk)?;
    let mut said = Vec::new();
    if let Some(name) = &name
        && song.rename_track(id, name.as_str())?
    {
        said.push(format!("name {name}"));
    }
    if let Some(ch) = ch
        && song.set_channel(id, ch)?
    {
        said.push(format!("ch {ch}"));
    }
    if let Some(instrument) = instrument
        && set_program(song, id, instrument.program.get())?
    {
        said.push(format!("instrument {instrument}"));
    }
    for (number, label, value) in [
        (7, "volume", volume),
        (10, "pan", pan),
        (11, "expression", expression),
    ] {
        if let Some(value) = value
            && song.set_control(id, number, value.get())?
        {
            said.push(format!("{label} {}", value.get()));
        }
    }
    if said.is_empty() {
        return Ok(unchanged!("nothing changed"));
    }
    Ok(changed!(
        "Track {}: {}",
        lines::name(song, id),
        said.join(", ")
    ))
}

/// Gives a track its instrument: changes its first program, or adds one at the start.
fn set_program(song: &mut Song, id: Id<Track>, program: u8) -> Result<bool> {
    let Track { chunk, channel, .. } = song.tracks.need(id)?.clone();
    let own = |spot: u32| {
        song.programs
            .get(Id::new(spot))
            .is_some_and(|row| row.track == id)
    };
    let first = song
        .programs
        .index()
        .time
        .range(chunk, 0, u64::MAX)
        .find(|(_, spot)| own(spot.id));
    let differs = match first {
        Some((_, spot)) => song
            .programs
            .modify(Id::new(spot.id), |row| row.program = program),
        None => {
            let mark = song.place(chunk, 0, Rank::Program, None);
            let channel = channel.unwrap_or(Channel::FIRST);
            song.programs.insert(Program {
                chunk,
                track: id,
                at: 0,
                program,
                channel,
                mark,
            });
            true
        }
    };
    song.relabel(id);
    Ok(differs)
}
