//! `modify track`

use fcp::prelude::*;

use crate::display::row_line;
use crate::edit::tracks::{channel_check, channels, setup};
use crate::model::{Song, Track, row_of};
use crate::resolve::target_tracks::TargetTracks;
use crate::values::{Bank, Channel, Encoding, Instrument};

/// Change tracks: their instrument, their volume and their pan; of one also its name.
///
/// ```fcp
/// # track add Drums instrument:standard-kit
/// # track add Bass
/// modify track:Drums volume:80
/// > * Track Drums: volume 80
/// modify track:Drums volume:80
/// > = nothing changed
/// modify track Drums name:Kit pan:left
/// > * Track Kit: name Kit, pan 0
/// modify track:Kit reverb:40 mute:on
/// > * Track Kit: reverb 40, mute on
/// modify track @track:Kit|Bass volume:70
/// > * Tracks Kit, Bass: volume 70
/// ```
#[fcp_verb(category = "Tracks")]
pub fn modify_track(
    song: &mut Song,
    /// The track, or those that selectors match.
    #[fcp(positional)]
    track: TargetTracks,
    /// Its new name.
    name: Option<Name>,
    /// The encoding of the name; that of the other texts if left out.
    encoding: Option<Encoding>,
    /// The instrument.
    #[fcp(alias = "inst")]
    instrument: Option<Instrument>,
    /// Its program by number, instead of an instrument.
    program: Option<Int<0, 127>>,
    /// The bank of its instrument.
    bank: Option<Bank>,
    /// Its channel: that of all its events.
    #[fcp(alias = "channel")]
    ch: Option<Spanned<Channel>>,
    /// It is not heard; the file does not change.
    mute: Option<Switch>,
    /// It is heard alone; the file does not change.
    solo: Option<Switch>,
    /// The first values of controllers: `volume:80 pan:left reverb:40`.
    controllers: Keys,
) -> Result<Reply> {
    if instrument.is_some() && program.is_some() {
        bail!("instrument: and program: set the same thing; give one");
    }
    if name.is_some() && track.iter().nth(1).is_some() {
        bail!("each track has a name of its own; give name: to one");
    }
    let mut changed = Vec::new();
    for id in track.iter() {
        song.writable(song.tracks.need(id)?.chunk)?;
        if let Some(ch) = &ch {
            channels::untaken_channel(song, ch, Some(id))?;
        }
        if let Some(instrument) = instrument {
            channel_check::check(song, instrument, ch.as_ref(), Some(id))?;
        }
        let mut changes = Vec::new();
        if let Some(name) = &name {
            let name = song.instead(name.as_str(), encoding);
            if song.rename_track(id, &name)? {
                changes.push(format!("name {}{}", name.text, name.note));
            }
        }
        if let Some(ch) = ch.as_ref().map(|ch| *ch.get())
            && let Some(overlaps) = song.set_channel(id, ch)?
        {
            changes.push(format!("ch {ch}{}", overlaps.describe()));
        }
        let number = program.and_then(|program| u8::try_from(program.get()).ok());
        let number = instrument
            .map(|instrument| instrument.program.get())
            .or(number);
        if let Some(number) = number
            && setup::set_program(song, id, number)?
        {
            let played = row_line::instrument(song, id, song.tracks.need(id)?);
            changes.push(format!("instrument {played}"));
        }
        changes.extend(setup::set_controllers(song, id, bank, &controllers)?);
        if let Some(mute) = mute
            && song.mute(id, mute.0)
        {
            changes.push(format!("mute {mute}"));
        }
        if let Some(solo) = solo
            && song.solo(id, solo.0)
        {
            changes.push(format!("solo {solo}"));
        }
        if !changes.is_empty() {
            changed.push((id, changes.join(", ")));
        }
    }
    let Some((_, first)) = changed.first() else {
        return Ok(unchanged!("nothing changed"));
    };
    let ids: Vec<Id<Track>> = changed.iter().map(|(id, _)| *id).collect();
    let summary = match changed.iter().all(|(_, changes)| changes == first) {
        true => format!("{}: {first}", TargetTracks::capitalized(song, &ids)),
        false => {
            let each = changed
                .iter()
                .map(|(id, changes)| format!("Track {}: {changes}", song.name_of_track(*id)));
            each.collect::<Vec<_>>().join("; ")
        }
    };
    Ok(changed!("{summary}").about(ids.into_iter().map(row_of)))
}
