//! `track copy`

use fcp::prelude::*;
use fcp::reply::count;

use crate::display::row_line;
use crate::edit::tracks::{channel_check, channels, contents, setup};
use crate::model::{Song, Track, row_of};
use crate::values::{Channel, Encoding, Instrument};

/// Add a copy of a track. Each of its channels gets a free one, except drums, which stay on 10.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # phrase Bass "A1/q E2"
/// track copy Bass as:Synth instrument:synth-bass-1
/// > + Track Synth ch:2 synth-bass-1 (copy of Bass, 2 notes)
/// track copy Bass as:Synth
/// > ! there is a track Synth already
/// >   try: track copy Bass as:Synth-2
/// ```
#[fcp_verb(category = "Tracks", alias = "copy track")]
pub fn track_copy(
    song: &mut Song,
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
    /// The name of the copy.
    r#as: Spanned<Name>,
    /// The instrument of the copy, if not the same.
    #[fcp(alias = "inst")]
    instrument: Option<Instrument>,
    /// The channel of the copy; the lowest free one if left out.
    #[fcp(alias = "channel")]
    ch: Option<Spanned<Channel>>,
    /// The encoding of the name; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    setup::untaken(song, &r#as)?;
    let source = song.tracks.need(track.id())?.clone();
    if let Some(ch) = &ch {
        channels::untaken_channel(song, ch, None)?;
    }
    if let Some(instrument) = instrument {
        channel_check::check(song, instrument, ch.as_ref(), None)?;
    }
    let kit = instrument.map_or(source.is_drums(), |instrument| instrument.kit);
    let channel = match &ch {
        Some(ch) => *ch.get(),
        None if kit => Channel::DRUMS,
        None => channels::free_channel(song)?,
    };
    let held = contents::held(song, track.id())?;
    let channels = match held.copied(song, channel) {
        Ok(channels) => channels,
        Err((own, other)) => {
            let problem = format!(
                "channel {channel} is for what {} plays on channel {other}, so not for channel {own} too",
                song.name_of_track(track.id())
            );
            let error = ValueError::sentence(problem);
            let free = channels::free_channel(song).ok();
            return Err(match &ch {
                Some(ch) => ch.wrong(error.maybe_fix(free.map(|free| free.to_string()))),
                None => Diagnostic::new(error.about("")),
            });
        }
    };
    let name = song.written(r#as.get().as_str(), encoding)?;
    let copy = setup::make(song, &name, channel)?;
    let overlaps = contents::copy_all(song, &held, copy, &channels)?;
    if let Some(instrument) = instrument {
        setup::set_program(song, copy, instrument.program.get())?;
    }
    song.relabel(copy);
    let row = song.tracks.need(copy)?;
    // The track's own channel is reported earlier.
    let mut others = channels;
    others.retain(|from, _| Some(*from) != source.channel);
    let others = match channels::moved(&others) {
        moved if moved.is_empty() => String::new(),
        moved => format!("; channel {}", moved.join(", ")),
    };
    Ok(created!(
        "Track {} ch:{channel} {} (copy of {}, {}{others}){}{}",
        song.name_of_track(copy),
        row_line::instrument(song, copy, row),
        song.name_of_track(track.id()),
        count(song.notes.index().count(copy), "note"),
        overlaps.describe(),
        name.note
    )
    .about([row_of(copy)]))
}
