//! Instruments and channels: kits are on channel 10, other instruments on the rest.

use fcp::op::{quote, quote_value};
use fcp::prelude::*;

use crate::edit::tracks::channels;
use crate::model::{Song, Track};
use crate::values::{Channel, Instrument};

const fn plays(channel: Channel, instrument: Instrument) -> bool {
    instrument.kit == (channel.get() == Channel::DRUMS.get())
}

/// Rejects a kit on a channel that does not play kits, and another instrument on the one that does:
/// the file holds only a number, which is a different sound there.
///
/// The channel is the requested one, if any, else the channel of the track.
///
/// # Errors
/// The channel does not play the instrument.
pub fn check(
    song: &Song,
    instrument: Instrument,
    asked: Option<&Spanned<Channel>>,
    track: Option<Id<Track>>,
) -> Result<()> {
    let own = track.map(|track| song.tracks.need(track)).transpose()?;
    // A track without a channel would play on the first.
    let own = own.map(|track| track.channel.unwrap_or(Channel::FIRST));
    let Some(channel) = asked.map(|asked| *asked.get()).or(own) else {
        return Ok(());
    };
    if !instrument.named || plays(channel, instrument) {
        return Ok(());
    }
    let error = Diagnostic::new(if instrument.kit {
        format!("{instrument} is a drum kit; channel 10 plays kits, channel {channel} does not")
    } else {
        format!("channel 10 plays drum kits; {instrument} is not one")
    });
    let fits = own.is_none_or(|own| plays(own, instrument));
    Err(match (asked, track) {
        (Some(asked), _) if fits => error.or_try(asked.left_out()),
        (_, Some(track)) => match instead(song, track, instrument) {
            Some(op) => error.or_try(op),
            None => error,
        },
        _ => error,
    })
}

/// The op to send instead: a track without notes can change its channel; next to one with notes
/// another track can be added.
fn instead(song: &Song, track: Id<Track>, instrument: Instrument) -> Option<String> {
    if song.notes.index().count(track) > 0 {
        let name = if instrument.kit {
            "Drums".to_owned()
        } else {
            instrument.to_string()
        };
        let name = song.free_name(&name);
        return Some(format!(
            "track add {} instrument:{instrument}",
            quote(&name)
        ));
    }
    let channel = if instrument.kit {
        Channel::DRUMS
    } else {
        channels::free_channel(song).ok()?
    };
    let name = song.name_of_track(track);
    let name = quote_value(&name);
    Some(format!(
        "modify track:{name} instrument:{instrument} ch:{channel}"
    ))
}
