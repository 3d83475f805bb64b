//! Query `find`: rows by a pitch, a text, a value, or bytes in hex.

use std::collections::{HashSet, VecDeque};

use fcp::prelude::*;
use fcp::work;

use crate::display::event_text;
use crate::display::raw_bytes::{found_bytes, place_in, riff_text};
use crate::display::row_list::{Listed, Naming};
use crate::format::bodies;
use crate::model::{Chunk, ControlChange, Note, RawEvent, Song, Tempo, Track, part, row_of};
use crate::parameters;
use crate::smf::{Body, Container, RiffChunk, riff_chunks, unhex};
use crate::values::{Channel, Encoding, PitchSet, Program as Sound};

/// A search term.
struct Sought<'t> {
    /// The text as it was sent.
    text: &'t str,
    lower: String,
    pitches: Option<PitchSet>,
    /// The number that it is.
    number: Option<u32>,
    /// Matches must be whole words or numbers.
    whole: bool,
    /// The encoding of texts that are not UTF-8.
    encoding: Encoding,
    /// The bytes that the text spells in hex, if they are searched for.
    hex: Option<Vec<u8>>,
}

impl<'t> Sought<'t> {
    fn of(text: &'t str, encoding: Encoding) -> Self {
        let pitches = PitchSet::parse(text).ok();
        let is_number = text.chars().all(|c| c.is_ascii_digit());
        Self {
            text,
            lower: text.to_lowercase(),
            number: text.parse().ok().filter(|_| is_number),
            whole: pitches.is_some() || is_number,
            pitches,
            encoding,
            // One byte is nearly always meant as a pitch or a number.
            hex: bytes(text).filter(|bytes| bytes.len() > 1),
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
        let hex = self.hex.as_deref();
        hex.is_some_and(|hex| place_in(bytes, hex).is_some())
    }

    /// Whether bytes of an unknown kind contain the term, as text or in hex.
    fn is_in_any(&self, bytes: &[u8]) -> bool {
        !bytes.is_empty() && (self.is_in_bytes(bytes) || self.is_in(&self.encoding.shown(bytes)))
    }

    /// The end of a line on bytes: those that the term spells, if they contain them.
    fn mark(&self, bytes: &[u8]) -> String {
        let found = self.hex.as_deref().and_then(|hex| found_bytes(bytes, hex));
        found.unwrap_or_default()
    }
}

/// Bytes in hex: `F0 43`, `f043`, `f7`.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text
        .split_whitespace()
        .all(|word| word.len().is_multiple_of(2));
    let digits: String = text.split_whitespace().collect();
    unhex(&digits).filter(|bytes| pairs && !bytes.is_empty())
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
    /// Bytes with spaces between them are searched for in all events, others only if nothing else
    /// matches. Lists what was not searched, and texts whose encoding is only assumed.
    #[must_use]
    pub fn found(&self, text: &str) -> Listing<'_> {
        let mut sought = Sought::of(text, self.encoding());
        let mut rows = Vec::new();
        if let Some(set) = &sought.pitches {
            rows.extend(pitched(self, set));
        }
        let others = matching(self, &sought, &rows);
        rows.extend(others);
        let mut rest = in_file(self, &sought);
        let is_spaced = text.trim().contains(char::is_whitespace);
        if is_spaced || rows.is_empty() && rest.is_empty() {
            sought.hex = bytes(text);
        }
        let is_by_bytes = sought.hex.is_some() && (is_spaced || rows.is_empty());
        if is_by_bytes {
            let known: HashSet<Row> = rows.iter().copied().collect();
            let found = events(self).filter(|row| {
                let mut bodies = bodies(self, *row).into_iter();
                !known.contains(row) && bodies.any(|body| sought.is_in_bytes(&body.bytes()))
            });
            rows.extend(found);
            rest = in_file(self, &sought);
            rest.extend(ends(self, &sought));
        }
        let is_found = !rows.is_empty() || !rest.is_empty();
        if !is_found && !text.is_ascii() {
            rest.extend(self.assumed_texts());
        }
        let mut left_out = Vec::new();
        if text.chars().all(|c| c.is_ascii_digit()) {
            left_out.push(format!(
                "velocities, lengths and ticks of notes (list @vel:{text}, list @dur:)"
            ));
        }
        if is_by_bytes || ["MThd", "MTrk"].contains(&text) {
            left_out.push("the bytes of delta times, headers and lengths".to_owned());
        }
        if !left_out.is_empty() {
            let nothing = if is_found { "" } else { "nothing matches; " };
            rest.push_back(format!("{nothing}not searched: {}", left_out.join("; ")));
        }
        let rows = Listed::picked(self, Naming::Changes, rows).with_bytes(sought.hex);
        Listing::found(Found { rows, rest })
    }
}

/// All events of a song; a note is one.
fn events(song: &Song) -> impl Iterator<Item = Row> {
    let timelines = song.timelines().into_iter();
    let events = timelines.flat_map(|(of, timeline)| {
        let starts = timeline.iter().filter(|(_, spot)| !spot.off);
        starts.map(move |(_, spot)| Row::new(of, spot.id))
    });
    // Past the limit, the query fails when it is done.
    events.inspect(|_| {
        work::spend(1).ok();
    })
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

/// All rows except notes and those that are `known` whose text, name or value contains the term.
fn matching(song: &Song, sought: &Sought<'_>, known: &[Row]) -> Vec<Row> {
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
    let mut seen: HashSet<Row> = known.iter().copied().collect();
    rows.retain(|row| seen.insert(*row));
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
    // Descriptions have the name of a controller and the beats of a tempo.
    let control = song.row_as::<ControlChange>(row);
    let tempo = song.row_as::<Tempo>(row);
    let written = control.map(|own| u32::from(own.number));
    let written = written.or_else(|| tempo.map(|own| own.micros));
    written.is_some() && written == sought.number
        || event_text::event_text(song, row).is_some_and(|text| sought.is_in(&text))
}

/// The bytes outside of events that contain the term.
fn in_file(song: &Song, sought: &Sought<'_>) -> VecDeque<String> {
    let mut lines = in_chunks(song, sought);
    lines.extend(around_chunks(song, sought));
    lines
}

/// Chunks that are not tracks, and bytes after the ends of tracks, that contain the term.
fn in_chunks(song: &Song, sought: &Sought<'_>) -> VecDeque<String> {
    let mut lines = VecDeque::new();
    for (number, (_, chunk)) in (1..).zip(song.chunks.iter()) {
        let Chunk { bytes, tail, .. } = chunk;
        let name = String::from_utf8_lossy(&chunk.name);
        if !chunk.is_track() && (sought.is_in(&name) || sought.is_in_any(bytes)) {
            let (len, mark) = (bytes.len(), sought.mark(bytes));
            lines.push_back(format!("chunk {number} {name} {len} bytes{mark}"));
        }
        if sought.is_in_any(tail) {
            let (len, mark) = (tail.len(), sought.mark(tail));
            lines.push_back(format!("chunk {number}: {len} bytes after its end{mark}"));
        }
    }
    lines
}

/// The ends of tracks whose events contain the bytes that the term spells.
fn ends(song: &Song, sought: &Sought<'_>) -> Vec<String> {
    let chunks = (1..).zip(song.chunks.iter());
    let ends = chunks.filter_map(|(number, (_, chunk))| {
        let bytes = chunk.end.as_ref()?.bytes.clone();
        let body = Body::Meta { kind: 0x2f, bytes };
        let mark = sought.mark(&body.bytes());
        (!mark.is_empty()).then(|| format!("chunk {number}: end of track{mark}"))
    });
    ends.collect()
}

/// Bytes of the file outside its chunks that contain the term.
fn around_chunks(song: &Song, sought: &Sought<'_>) -> Vec<String> {
    let file = song.file.get();
    let mut lines = Vec::new();
    let mut add = |bytes: &[u8], place: &str| {
        if sought.is_in_any(bytes) {
            lines.push(format!("{} {place}{}", bytes.len(), sought.mark(bytes)));
        }
    };
    add(&file.header.surplus, "surplus bytes in the header");
    add(&file.trailing, "bytes after the last chunk");
    let Container::Riff(riff) = &file.container else {
        return lines;
    };
    add(&riff.beyond, "bytes after the end of the RIFF");
    for (bytes, side) in [(&riff.before, "before"), (&riff.after, "after")] {
        let chunks = riff_chunks(bytes).unwrap_or_default();
        let found = chunks
            .iter()
            .filter(|chunk| sought.is_in(&chunk.name) || sought.is_in_any(chunk.content));
        let found: Vec<String> = found
            .map(|chunk| riff_line(song, sought, chunk, side))
            .collect();
        if found.is_empty() && sought.is_in_any(bytes) {
            let (len, mark) = (bytes.len(), sought.mark(bytes));
            lines.push(format!("{len} bytes of RIFF chunks {side} the song{mark}"));
        }
        lines.extend(found);
    }
    lines
}

/// `RIFF chunk INFO/INAM "Waltz" after the song`
fn riff_line(song: &Song, sought: &Sought<'_>, chunk: &RiffChunk<'_>, side: &str) -> String {
    let content = match riff_text(song, chunk.content) {
        Some(text) => format!("\"{}\"", crate::display::row_line::brief(&text)),
        None => format!("{} bytes", chunk.content.len()),
    };
    let mark = sought.mark(chunk.content);
    format!("RIFF chunk {} {content} {side} the song{mark}", chunk.name)
}
