//! How the notes of a track are parted.

use std::collections::BTreeMap;
use std::fmt;

use fcp::prelude::*;
use fcp::value::nearest_word;

use crate::lines;
use crate::model::{Note, Other, Song, Track};
use crate::tracks::Held;
use crate::values::{Channel, Pitch};

/// What tells parts of a track apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy {
    /// The channel.
    Channel,
    /// Which drum is struck.
    Drum,
    /// The highest of notes that start together, and the rest.
    Voice,
    /// From a pitch up, and below.
    Pitch(Pitch),
}

const WORDS: [(&str, SplitBy); 3] = [
    ("channel", SplitBy::Channel),
    ("drum", SplitBy::Drum),
    ("voice", SplitBy::Voice),
];

impl fmt::Display for SplitBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Pitch(pitch) = self {
            return write!(f, "pitch:{pitch}");
        }
        let known = WORDS.iter().find(|(_, by)| by == self);
        f.write_str(known.map_or("voice", |(word, _)| word))
    }
}

impl FcpValue for SplitBy {
    const SPEC: ValueSpec = ValueSpec::new("PART", "channel, drum, voice, or pitch:C4");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some((_, by)) = WORDS.iter().find(|(word, _)| *word == text) {
            return Ok(*by);
        }
        if let Some(pitch) = text.strip_prefix("pitch:") {
            return Pitch::parse(pitch).map(Self::Pitch).map_err(|error| {
                let fix = error.fix.as_ref().map(|fix| format!("pitch:{fix}"));
                ValueError::sentence(error.about(pitch)).maybe_fix(fix)
            });
        }
        let near = nearest_word(text, WORDS.iter().map(|(word, _)| *word));
        let near = near.map(str::to_owned).or_else(|| match text {
            "pitch" => Some("pitch:C4".to_owned()),
            _ => Pitch::parse(text)
                .ok()
                .map(|pitch| format!("pitch:{pitch}")),
        });
        Err(ValueError::new("is no way to split: channel, drum, voice, pitch:C4").maybe_fix(near))
    }
}

/// A part of a track.
pub struct Part {
    /// What it is called behind the track's name, if nobody says.
    pub name: String,
    /// The channel that it is, if channels tell parts apart.
    pub channel: Option<Channel>,
    /// Its notes.
    pub notes: Vec<(Id<Note>, Note)>,
}

/// The parts of a track, those without notes left out.
#[must_use]
pub fn parts(song: &Song, held: &Held, by: SplitBy) -> Vec<Part> {
    let mut parts: BTreeMap<u8, Part> = BTreeMap::new();
    for notes in held
        .notes
        .chunk_by(|(_, one), (_, other)| one.at == other.at)
    {
        let top = notes.iter().map(|(_, note)| note.pitch).max();
        for (id, note) in notes {
            let (key, name, channel) = match by {
                SplitBy::Channel => {
                    let key = note.channel.get();
                    (key, format!("ch-{}", note.channel), Some(note.channel))
                }
                SplitBy::Drum => {
                    let name = lines::pitch(song, note);
                    (note.pitch.get(), name, None)
                }
                SplitBy::Voice => (u8::from(Some(note.pitch) != top), "2".to_owned(), None),
                SplitBy::Pitch(pitch) => (u8::from(note.pitch < pitch), "2".to_owned(), None),
            };
            let part = parts.entry(key).or_insert_with(|| Part {
                name,
                channel,
                notes: Vec::new(),
            });
            part.notes.push((*id, note.clone()));
        }
    }
    parts.into_values().collect()
}

/// A name that no track has: the one that is wanted, or that with a number.
#[must_use]
pub fn free(song: &Song, wanted: &str) -> String {
    let level = fcp::model::Level::Normalised;
    let taken = |name: &str| !song.tracks.by_label(name, level).is_empty();
    let numbered = (2..70_000).map(|n| format!("{wanted}-{n}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names
        .find(|name| !taken(name))
        .unwrap_or_else(|| wanted.to_owned())
}

/// Gives each part to its track.
///
/// A part on a channel of its own takes along all that is set on that of the track, from before its first note to behind
/// its last: a pedal that goes down is to come up. What is on other channels stays on them, so nothing else is needed.
///
/// # Errors
/// A chunk is damaged.
pub fn distribute(song: &mut Song, held: &Held, parts: &[Part], homes: &[Id<Track>]) -> Result<()> {
    for (part, home) in parts.iter().zip(homes).skip(1) {
        let Track { chunk, channel, .. } = song.tracks.need(*home)?.clone();
        let mut changes = Vec::with_capacity(part.notes.len());
        for (id, note) in &part.notes {
            let mut note = note.clone();
            (note.track, note.chunk) = (*home, chunk);
            let own = part.channel.is_some() || held.is_own(note.channel);
            note.channel = channel.filter(|_| own).unwrap_or(note.channel);
            changes.push((*id, note));
        }
        song.mend_notes(changes)?;
        for (row, at) in &held.others {
            let own = song.channel_of(*row);
            if part.channel.is_some() && own == part.channel {
                song.take_row(*row, chunk, *at, *home)?;
            } else if part.channel.is_none()
                && own.is_some_and(|own| held.is_own(own))
                && row.part() != <Song as HasTable<Other>>::PART
            {
                song.copy_to(*row, chunk, *at, Some((*home, channel)))?;
            }
        }
        song.relabel(*home);
    }
    Ok(())
}
