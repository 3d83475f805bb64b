//! Splits the notes of a track into parts.

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use crate::edit::tracks::channels;
use crate::edit::tracks::channels::Channels;
use crate::edit::tracks::contents::TrackContents;
use crate::model::{IsKind, Note, Overlaps, RawEvent, Song, Track, row_of};
use crate::values::{Channel, SplitBy};

/// A part of a track.
pub struct Part {
    /// Its default name, after the name of the track.
    pub name: String,
    /// Its notes.
    pub notes: Vec<(Id<Note>, Note)>,
    /// The channels of its notes, and their new channels.
    pub channels: Channels,
}

impl Part {
    /// The new channel of most of its notes.
    #[must_use]
    pub fn channel(&self) -> Option<Channel> {
        let count = |own: Channel| {
            self.notes
                .iter()
                .filter(|note| note.1.channel == own)
                .count()
        };
        let most = self.channels.keys().rev().max_by_key(|own| count(**own))?;
        self.channels.get(most).copied()
    }
}

/// The non-empty parts of a track, each on channels of its own as long as there are free ones.
/// Drums stay on their channel.
///
/// # Errors
/// No channel is free for notes on the track's own channel.
pub fn parts(song: &Song, held: &TrackContents, by: SplitBy) -> Result<Vec<Part>> {
    let mut parts = apart(song, held, by);
    let mut used = channels::used_channels(song);
    let mut before: BTreeSet<Channel> = BTreeSet::new();
    for part in &mut parts {
        let own: BTreeSet<Channel> = part.notes.iter().map(|(_, note)| note.channel).collect();
        for channel in own {
            let is_new = before.insert(channel) || channel == Channel::DRUMS;
            let to = match channels::free_channel_outside(song, &used) {
                _ if is_new => channel,
                Err(error) if held.channel == Some(channel) => return Err(error),
                free => free.unwrap_or(channel),
            };
            used.insert(to);
            part.channels.insert(channel, to);
        }
    }
    Ok(parts)
}

/// The notes of a track by part.
fn apart(song: &Song, held: &TrackContents, by: SplitBy) -> Vec<Part> {
    let mut parts: BTreeMap<(bool, u8), Part> = BTreeMap::new();
    let drums = held.channel == Some(Channel::DRUMS);
    for notes in held
        .notes
        .chunk_by(|(_, one), (_, other)| one.at == other.at)
    {
        let top = notes.iter().map(|(_, note)| note.pitch).max();
        for (id, note) in notes {
            // The part with the lowest key stays on the track.
            let (key, name) = match by {
                SplitBy::Channel => {
                    let key = (false, note.channel.get());
                    (key, format!("ch-{}", note.channel))
                }
                SplitBy::Drum if note.is_drum() => {
                    ((!drums, note.pitch.get()), song.pitch_of(note))
                }
                SplitBy::Drum => ((drums, 0), "rest".to_owned()),
                SplitBy::Voice => ((Some(note.pitch) != top, 0), "2".to_owned()),
                SplitBy::Pitch(pitch) => ((note.pitch < pitch, 0), "2".to_owned()),
            };
            let part = parts.entry(key).or_insert_with(|| Part {
                name,
                notes: Vec::new(),
                channels: Channels::new(),
            });
            part.notes.push((*id, note.clone()));
        }
    }
    parts.into_values().collect()
}

/// Moves each part to its track.
///
/// Channel settings go to the first part with notes on the channel. Other parts on it get a copy of
/// all of them, even outside the range of their notes: a pedal that is pressed must be released.
/// Returns the effect on notes that collided.
///
/// # Errors
/// A chunk is damaged.
pub fn distribute(
    song: &mut Song,
    held: &TrackContents,
    parts: &[Part],
    homes: &[Id<Track>],
) -> Result<Overlaps> {
    let mut chunks = Vec::with_capacity(homes.len());
    for home in homes {
        chunks.push(song.tracks.need(*home)?.chunk);
    }
    let mut overlaps = Overlaps::default();
    let notes = held.notes.iter().map(|(id, _)| row_of(*id));
    let mut sources = song.sources(notes.chain(held.others.iter().map(|(row, _)| *row)));
    let homes = || parts.iter().zip(homes.iter().zip(&chunks));
    let mut pressing: BTreeSet<Row> = BTreeSet::new();
    for (ix, (part, (home, chunk))) in homes().enumerate() {
        // Key aftertouch stays with its notes.
        let followers = song.followers(part.notes.iter().map(|(id, _)| *id), &[]);
        pressing.extend(followers.rows());
        if ix == 0 {
            continue;
        }
        let notes = part.notes.iter().map(|(id, note)| {
            let mut note = note.clone();
            (note.track, note.chunk) = (*home, *chunk);
            note.channel = *part.channels.get(&note.channel).unwrap_or(&note.channel);
            (*id, note)
        });
        overlaps.add(song.change_notes_only(notes.collect())?);
        // Replies count the rows on the tracks.
        song.follow(followers, &mut Overlaps::default())?;
    }
    for (row, at) in held
        .others
        .iter()
        .filter(|(row, _)| !pressing.contains(row))
    {
        let Some(own) = song.channel_of(*row) else {
            continue;
        };
        let on_it = homes().enumerate();
        let on_it = on_it.filter_map(|(ix, (part, (home, chunk)))| {
            Some((ix, *part.channels.get(&own)?, *home, *chunk))
        });
        for (nth, (ix, to, home, chunk)) in on_it.enumerate() {
            if nth > 0 && !row.is::<RawEvent>() {
                let owner = Some((home, Some(to)));
                song.copy_to(*row, chunk, *at, owner, &mut sources)?;
            } else if nth == 0 && ix > 0 {
                song.take_row(*row, chunk, *at, home)?;
            }
        }
    }
    song.keep_order(sources);
    Ok(overlaps)
}
