//! Query `find`: rows by a pitch, a text, a value, or bytes in hex.

use std::collections::VecDeque;

use fcp::prelude::*;

use crate::display::event_text;
use crate::display::row_list::{Listed, Naming};
use crate::model::{Aftertouch, Chunk, IsKind, Note, RawEvent, Song, Track, part, row_of};
use crate::parameters;
use crate::smf::{Body, Container, unhex};
use crate::values::{Channel, PitchSet, Program as Sound};

/// A search term.
struct Sought<'t> {
    /// The text as it was sent.
    text: &'t str,
    lower: String,
    pitches: Option<PitchSet>,
    /// Matches must be whole words or numbers.
    whole: bool,
    /// The bytes that the text spells in hex.
    hex: Option<Vec<u8>>,
}

impl<'t> Sought<'t> {
    fn of(text: &'t str) -> Self {
        let pitches = PitchSet::parse(text).ok();
        let is_number = text.chars().all(|c| c.is_ascii_digit());
        Self {
            text,
            lower: text.to_lowercase(),
            whole: pitches.is_some() || is_number,
            pitches,
            hex: bytes(text),
        }
    }

    /// Whether a text contains the term. A pitch name matches as written, a number only as a whole.
    fn is_in(&self, text: &str) -> bool {
        if !self.whole {
            return text.to_lowercase().contains(&self.lower);
        }
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        text.match_indices(self.text).any(|(at, own)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + own.len()..);
            let after = after.and_then(|after| after.chars().next());
            !is_part(before) && !is_part(after)
        })
    }

    /// Whether bytes contain those that the term spells.
    fn is_in_bytes(&self, bytes: &[u8]) -> bool {
        let hex = self.hex.as_deref().filter(|hex| !hex.is_empty());
        hex.is_some_and(|hex| bytes.windows(hex.len()).any(|part| part == hex))
    }

    /// Whether bytes of an unknown kind contain the term, as text or in hex.
    fn is_in_any(&self, bytes: &[u8]) -> bool {
        !bytes.is_empty()
            && (self.is_in_bytes(bytes) || self.is_in(&String::from_utf8_lossy(bytes)))
    }
}

/// Two or more bytes in hex: `F0 43`, `f043`.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.split_whitespace().collect();
    let is_hex = digits.chars().all(|c| c.is_ascii_hexdigit());
    let pairs = text
        .split_whitespace()
        .all(|word| word.len().is_multiple_of(2));
    if !is_hex || !pairs || digits.len() < 4 {
        return None;
    }
    unhex(&digits)
}

/// Found rows, and the lines after them.
struct Found<'a> {
    rows: Listed<'a>,
    rest: VecDeque<String>,
}

impl Lines for Found<'_> {
    fn next(&mut self) -> Option<String> {
        self.rows.next().or_else(|| self.rest.pop_front())
    }

    fn pass(&mut self, n: usize) -> usize {
        let rows = self.rows.pass(n);
        let rest = self.rest.len().min(n - rows);
        self.rest.drain(..rest);
        rows + rest
    }
}

impl Song {
    /// The rows that match a text: notes and key aftertouch by pitch, others by their description,
    /// ignoring case; events, unknown chunks and the bytes around chunks also by their bytes in hex.
    /// Lists what was not searched, and texts whose encoding is only assumed.
    #[must_use]
    pub fn found(&self, text: &str) -> Listing<'_> {
        let sought = Sought::of(text);
        let mut rows = Vec::new();
        if let Some(set) = &sought.pitches {
            rows.extend(pitched(self, set));
        }
        rows.extend(matching(self, &sought));
        let mut rest = in_chunks(self, &sought);
        rest.extend(around_chunks(self, &sought));
        if rows.is_empty() && rest.is_empty() && !text.is_ascii() {
            rest.extend(self.assumed_texts());
        }
        if sought.text.chars().all(|c| c.is_ascii_digit()) {
            rest.push_back(format!(
                "not searched: velocities, lengths and ticks of notes (list @vel:{text}, list @dur:)"
            ));
        }
        let rows = Listed::picked(self, Naming::Changes, rows);
        Listing::found(Found { rows, rest })
    }
}

fn pitched(song: &Song, set: &PitchSet) -> Vec<Row> {
    let notes = song.notes.iter().filter(|(_, note)| {
        let drums = song.tracks.get(note.track).is_some_and(Track::is_drums);
        set.contains(note.pitch, drums)
    });
    let touches = song.touches.iter().filter(|(_, touch)| {
        let is_drum = touch.channel == Channel::DRUMS;
        touch
            .pitch
            .is_some_and(|pitch| set.contains(pitch, is_drum))
    });
    let notes = notes.map(|(id, _)| row_of(id));
    let touches = touches.map(|(id, _)| row_of(id));
    notes.chain(touches).collect()
}

/// All rows except notes whose text, name or value contains the term.
fn matching(song: &Song, sought: &Sought<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (id, row) in song.ordered() {
        let played = song.first_program(id).map_or("", Sound::name_of);
        if sought.is_in(&row.name) || sought.is_in(played) {
            rows.push(row_of(id));
        }
        for group in parameters::of_track(song, id, u64::MAX) {
            let text = format!("rpn {} {}", group.parameter, group.value);
            let first = group.rows.first().filter(|_| sought.is_in(&text));
            rows.extend(first.map(|id| row_of(*id)));
        }
    }
    for (of, timeline) in song.timelines() {
        if of == part::<Note>() {
            continue;
        }
        let starts = timeline.iter().map(|(_, spot)| Row::new(of, spot.id));
        rows.extend(starts.filter(|row| matches(song, *row, sought)));
    }
    // Key aftertouch may match by pitch and by text, a control change by itself and by its
    // parameter: list it once.
    let mut seen = std::collections::HashSet::new();
    let pitched = sought.pitches.is_some();
    rows.retain(|row| !(pitched && row.is::<Aftertouch>()) && seen.insert(*row));
    rows
}

fn matches(song: &Song, row: Row, sought: &Sought<'_>) -> bool {
    // The whole text: a line may show only part of it.
    if song
        .text_of(row)
        .is_some_and(|(text, _)| sought.is_in(text))
    {
        return true;
    }
    if let Some(other) = song.row_as::<RawEvent>(row) {
        let is_text = match &other.body {
            Body::Meta { bytes, .. } => sought.is_in(&song.encoding().shown(bytes)),
            Body::Sysex(bytes) | Body::Escape(bytes) => {
                sought.is_in(&String::from_utf8_lossy(bytes))
            }
            _ => false,
        };
        if is_text || sought.is_in_bytes(&other.body.bytes()) {
            return true;
        }
    }
    event_text::event_text(song, row).is_some_and(|text| sought.is_in(&text))
}

/// Chunks that are not tracks, and bytes after the ends of tracks, that contain the term.
fn in_chunks(song: &Song, sought: &Sought<'_>) -> VecDeque<String> {
    let mut lines = VecDeque::new();
    for (
        number,
        (
            _,
            Chunk {
                name, bytes, tail, ..
            },
        ),
    ) in song.chunks.iter().enumerate()
    {
        let number = number + 1;
        let name = String::from_utf8_lossy(name);
        if name != "MTrk" && (sought.is_in(&name) || sought.is_in_any(bytes)) {
            lines.push_back(format!("chunk {number} {name} {} bytes", bytes.len()));
        }
        if sought.is_in_any(tail) {
            lines.push_back(format!(
                "chunk {number}: {} bytes after its end",
                tail.len()
            ));
        }
    }
    lines
}

/// Bytes of the file outside its chunks that contain the term.
fn around_chunks(song: &Song, sought: &Sought<'_>) -> Vec<String> {
    let file = song.file.get();
    let mut places = vec![
        (&file.header.surplus, "surplus bytes in the header"),
        (&file.trailing, "bytes after the last chunk"),
    ];
    if let Container::Riff(riff) = &file.container {
        places.extend([
            (&riff.before, "bytes of RIFF chunks before the song"),
            (&riff.after, "bytes of RIFF chunks after the song"),
            (&riff.beyond, "bytes after the end of the RIFF"),
        ]);
    }
    places.retain(|(bytes, _)| sought.is_in_any(bytes));
    let lines = places.into_iter();
    lines
        .map(|(bytes, place)| format!("{} {place}", bytes.len()))
        .collect()
}
