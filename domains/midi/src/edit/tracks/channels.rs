//! Channels of tracks: used ones, free ones, and new ones for copies.

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use crate::model::{Song, Track};
use crate::values::Channel;

/// The channels of tracks, and all channels with any rows: a track of a file may play on several.
#[must_use]
pub fn used_channels(song: &Song) -> BTreeSet<Channel> {
    let tracks = song.tracks.iter().filter_map(|(_, row)| row.channel);
    let notes = song.notes.index().all_channels();
    let programs = song.programs.iter().map(|(_, row)| row.channel);
    let controls = song.controls.index().all_channels();
    let bends = song.bends.iter().map(|(_, row)| row.channel);
    let touches = song.touches.iter().map(|(_, row)| row.channel);
    let others = song.others.iter().filter_map(|(_, row)| row.channel());
    let played = tracks.chain(notes).chain(programs).chain(controls);
    played.chain(bends).chain(touches).chain(others).collect()
}

/// The lowest unused channel, drums excluded.
///
/// # Errors
/// All are taken.
pub fn free_channel(song: &Song) -> Result<Channel> {
    free_channel_outside(song, &used_channels(song))
}

/// The lowest channel outside `used`, drums excluded.
///
/// # Errors
/// All are taken.
pub fn free_channel_outside(song: &Song, used: &BTreeSet<Channel>) -> Result<Channel> {
    let free = |channel: &Channel| *channel != Channel::DRUMS && !used.contains(channel);
    match Channel::all().find(free) {
        Some(channel) => Ok(channel),
        None if song.file.header.format == 0 => bail!(
            "all fifteen channels for pitched tracks are taken, and a file of format 0 has one track a channel";
            try: "! save smf:1"
        ),
        None => {
            let notes = song.notes.index();
            let first = song.ordered().find(|(id, track)| {
                track.channel == Some(Channel::FIRST) || notes.plays(*id, Channel::FIRST)
            });
            let who = first.map_or_else(String::new, |(id, _)| {
                format!(", which {} plays on", song.name_of_track(id))
            });
            bail!("all fifteen channels for pitched tracks are taken; share one{who}"; add: "ch:1")
        }
    }
}

/// Rejects a channel that another track has, in a file of format 0, where each track is a channel.
///
/// # Errors
/// It is taken.
pub fn untaken_channel(
    song: &Song,
    wanted: &Spanned<Channel>,
    track: Option<Id<Track>>,
) -> Result<()> {
    let channel = *wanted.get();
    let Some(problem) = taken(song, channel, track) else {
        return Ok(());
    };
    let error = ValueError::sentence(problem);
    // No other channel plays drums.
    let free = free_channel(song).ok();
    Err(match free.filter(|_| channel != Channel::DRUMS) {
        Some(free) => wanted.wrong(error.fix(free.to_string())),
        None => wanted.wrong(error).or_try("! save smf:1"),
    })
}

/// The error for a channel of a track, if another track has it in a file of format 0.
pub fn taken(song: &Song, channel: Channel, track: Option<Id<Track>>) -> Option<String> {
    let has = |(id, row): &(Id<Track>, &Track)| Some(*id) != track && row.channel == Some(channel);
    let (other, _) = song.tracks.iter().find(has)?;
    let name = song.name_of_track(other);
    (song.file.header.format == 0).then(|| {
        format!("a file of format 0 has one track a channel, and channel {channel} has {name}")
    })
}

/// Replacements of channels.
pub type Channels = BTreeMap<Channel, Channel>;

/// `1 -> 3`: the channels that change.
#[must_use]
pub fn moved(channels: &Channels) -> Vec<String> {
    let moved = channels.iter().filter(|(from, to)| from != to);
    moved.map(|(from, to)| format!("{from} -> {to}")).collect()
}
