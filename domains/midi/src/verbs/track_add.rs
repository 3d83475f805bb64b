//! `track add`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Chunk, Program, Rank, Song, Track};
use crate::values::{Channel, Instrument};

/// Add a track. It gets the lowest channel that is free; a drum kit plays on channel 10.
///
/// ```fcp
/// track add Piano
/// > + Track Piano ch:1 no instrument
/// track add Bass instrument:bass
/// > + Track Bass ch:2 electric-bass-finger
/// track add Drums instrument:standard-kit
/// > + Track Drums ch:10 standard-kit
/// track add Piano
/// > ! there is a track Piano already
/// >   try: track add Piano-2
/// ```
#[fcp_verb(category = "Tracks", alias = "add track")]
pub fn track_add(
    song: &mut Song,
    /// What it is called.
    #[fcp(positional)]
    name: Spanned<Name>,
    /// What it plays: a General MIDI instrument or kit.
    #[fcp(alias = "inst")]
    instrument: Option<Instrument>,
    /// Its channel; the lowest that is free if left out.
    #[fcp(alias = "channel")]
    ch: Option<Channel>,
    /// Its program by number, instead of an instrument.
    program: Option<Int<0, 127>>,
) -> Result<Reply> {
    let text = name.get().to_string();
    let taken = |name: &str| {
        !song
            .tracks
            .by_label(name, fcp::model::Level::Normalised)
            .is_empty()
    };
    if taken(&text) {
        let free = (2..)
            .map(|n| format!("{text}-{n}"))
            .find(|name| !taken(name))
            .unwrap_or_default();
        return Err(
            name.wrong(ValueError::sentence(format!("there is a track {text} already")).fix(free))
        );
    }
    if instrument.is_some() && program.is_some() {
        bail!("instrument: and program: say the same thing; give one");
    }
    let kit = instrument.is_some_and(|instrument| instrument.kit);
    let channel = match ch {
        Some(channel) => channel,
        None if kit => Channel::DRUMS,
        None => free_channel(song)?,
    };
    let format = song.file.header.format;
    let chunk = if format == 0 {
        if song
            .tracks
            .iter()
            .any(|(_, track)| track.channel == Some(channel))
        {
            bail!("a file of format 0 has one track a channel, and channel {channel} has one");
        }
        song.conductor()
    } else {
        song.conductor();
        // What follows a track that is cut off would be read as the rest of it.
        let last = song.chunks.iter().next_back().map(|(id, _)| id);
        last.map_or(Ok(()), |last| song.writable(last))?;
        song.chunks.insert(Chunk::track())
    };
    song.writable(chunk)?;
    let id = song.tracks.insert(Track {
        chunk,
        name: text.clone(),
        channel: Some(channel),
    });
    if format != 0 {
        song.set_chunk_name(chunk, Some(id), &text)?;
    }
    let number = instrument.map(|instrument| instrument.program.get());
    let number = number.or_else(|| program.and_then(|program| u8::try_from(program.get()).ok()));
    if let Some(program) = number {
        let mark = song.place(chunk, 0, Rank::Program, None);
        song.programs.insert(Program {
            chunk,
            track: id,
            at: 0,
            program,
            channel,
            mark,
        });
    }
    song.relabel(id);
    let row = song.tracks.need(id)?;
    let reply = created!(
        "Track {} ch:{channel} {}",
        lines::name(song, id),
        lines::instrument(song, id, row)
    );
    Ok(if format == 0 {
        reply.note("a file of format 0 keeps no names of tracks")
    } else {
        reply
    })
}

/// The lowest channel that no track plays on, drums aside.
fn free_channel(song: &Song) -> Result<Channel> {
    let used = |channel: &Channel| {
        song.tracks
            .iter()
            .any(|(_, track)| track.channel == Some(*channel))
    };
    let free = Channel::all().find(|channel| *channel != Channel::DRUMS && !used(channel));
    match free {
        Some(channel) => Ok(channel),
        None => {
            let first = song
                .tracks
                .iter()
                .find(|(_, track)| track.channel == Channel::new(0));
            let who = first.map_or_else(String::new, |(id, _)| {
                format!(", which {} plays on", lines::name(song, id))
            });
            bail!("all fifteen channels for pitched tracks are taken; share one{who}"; add: "ch:1")
        }
    }
}
