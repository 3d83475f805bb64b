//! Converts rows to the events of a file.

use std::collections::BTreeSet;

use fcp::prelude::*;

use crate::model::{self, Chunk, Key, Note, RowRef, Song, Track};
use crate::smf::{self, Body, Bytes, FilePiece, Frame, Spelling, Status, TrackSpeller};
use crate::values::Channel;

/// Writes a song. Rows that no op touched keep their original bytes.
///
/// # Errors
/// There are more tracks than a header can count.
pub fn write(song: &Song) -> Result<Vec<u8>> {
    let mut out = Pieces::of::<Song>();
    write_of(song, None, &mut out)?;
    Ok(out.into_file())
}

/// Writes a song without tracks that are not heard.
///
/// # Errors
/// As for [`write()`].
pub fn audible(song: &Song) -> Result<Vec<u8>> {
    let mut out = Pieces::of::<Song>();
    write_of(song, Some(&|track| song.is_heard(track)), &mut out)?;
    Ok(out.into_file())
}

/// Writes a song with only the tracks that `keep` accepts, if it is given. Song rows stay.
///
/// # Errors
/// As for [`write()`].
pub fn write_of(
    song: &Song,
    keep: Option<&dyn Fn(Id<Track>) -> bool>,
    out: &mut Pieces,
) -> Result<()> {
    let whole = keep.is_none();
    let keep = keep.unwrap_or(&|_| true);
    let left_out = left_out(song, keep);
    let shell = song.file.get();
    let mut header = shell.header.clone();
    let tracks = song
        .chunks
        .iter()
        .filter(|(id, chunk)| chunk.is_track() && !left_out.contains(id))
        .count();
    let tracks = u16::try_from(tracks).map_err(|_| {
        Diagnostic::new("a MIDI file counts at most 65,535 tracks, and there are more")
    })?;
    // A count that was wrong when read stays wrong by the same amount.
    let claimed =
        i32::from(header.claimed_tracks) + i32::from(tracks) - i32::from(shell.read_tracks);
    header.claimed_tracks = u16::try_from(claimed.clamp(0, i32::from(u16::MAX))).unwrap_or(tracks);
    let chunks = song.chunks.iter().filter(|(id, _)| !left_out.contains(id));
    let chunks: Vec<(Id<Chunk>, Option<Pieces>, Frame)> = chunks
        .map(|(id, chunk)| {
            let unchanged = out.unchanged(id).filter(|_| whole);
            let content = unchanged.is_none().then(|| {
                let mut content = out.inner();
                if chunk.is_track() {
                    spell(song, id, chunk, keep, &mut content);
                } else {
                    content.row(id, &*chunk.bytes);
                }
                content
            });
            let frame = Frame {
                id: chunk.name,
                length: content.as_ref().map_or(unchanged.unwrap_or(0), Pieces::len),
                claim: chunk.claim.as_deref().copied(),
            };
            (id, content, frame)
        })
        .collect();
    let frames: Vec<Frame> = chunks.iter().map(|(_, _, frame)| *frame).collect();
    smf::spell_file(
        &shell.container,
        &header,
        &frames,
        &shell.trailing,
        &mut |piece| match piece {
            FilePiece::Shell(bytes) => out.part("file", bytes),
            FilePiece::Length(bytes) => out.rest(bytes),
            FilePiece::Name(ix, bytes) => {
                if let Some((id, _, _)) = chunks.get(ix) {
                    out.row(*id, bytes);
                }
            }
            FilePiece::Content(ix) => match chunks.get(ix) {
                Some((_, Some(content), _)) if !whole => out.append(content),
                Some((id, content, _)) => {
                    let track = song.tracks.index().of(*id).next();
                    out.section_of(*id, track, |out| {
                        if let Some(content) = content {
                            out.append(content);
                        }
                    });
                }
                None => {}
            },
        },
    );
    Ok(())
}

/// The chunks that become empty: those of tracks that are left out, if they have no song rows.
pub fn left_out(song: &Song, keep: &dyn Fn(Id<Track>) -> bool) -> BTreeSet<Id<Chunk>> {
    let tracks = song.tracks.iter().filter(|(id, _)| !keep(*id));
    let chunks = tracks.map(|(_, track)| track.chunk);
    // The first chunk holds the song's own events.
    let first = song.first_chunk();
    chunks
        .filter(|chunk| Some(*chunk) != first && !holds_events(song, *chunk, keep))
        .collect()
}

/// Whether any event of a chunk belongs to no track or to one that is kept.
fn holds_events(song: &Song, chunk: Id<Chunk>, keep: &dyn Fn(Id<Track>) -> bool) -> bool {
    let mut any = false;
    for_each_event(song, chunk, keep, &mut |_, _, _, _| any = true);
    any
}

fn spell(
    song: &Song,
    id: Id<Chunk>,
    chunk: &Chunk,
    keep: &dyn Fn(Id<Track>) -> bool,
    out: &mut Pieces,
) {
    let notes: usize = song.notes.index().time.slices(id).map(<[_]>::len).sum();
    // A delta time, a status byte and two data bytes; there are few other events.
    out.reserve(5 * notes, 2 * notes);
    let mut speller = TrackSpeller::default();
    for_each_event(song, id, keep, &mut |key, spelling, body, row| {
        let row = Id::<Note>::new(row);
        if spelling.status == Status::Carried {
            // The status byte depends on the last channel message, which is not the event before.
            let mut bytes = Vec::new();
            let before = speller.event(key.tick, spelling, body, &mut bytes);
            let (before, own) = bytes.split_at(before.min(bytes.len()));
            out.rest(before);
            out.row(row, own);
            return;
        }
        out.joined(row, |out| speller.event(key.tick, spelling, body, out));
    });
    if let Some(end) = &chunk.end {
        out.joined(id, |out| speller.end(end, out));
    }
    out.row(id, &chunk.tail);
}

/// Passes the events of a chunk that belong to no track or to one that is kept, in the order of the
/// file: their keys, spellings and bodies, and the ids of their rows. A note has two events.
pub fn for_each_event(
    song: &Song,
    chunk: Id<Chunk>,
    keep: &dyn Fn(Id<Track>) -> bool,
    visit: &mut impl FnMut(Key, Spelling, &Body, u32),
) {
    // Nearly all events are of notes, which are in order: only the others are gathered.
    let others = others_of(song, chunk, keep);
    let mut others = others.iter();
    let mut next = others.next();
    let mut others_before = |key: Option<Key>, visit: &mut dyn FnMut(Key, Spelling, &Body, u32)| {
        while let Some(other) = next
            && key.is_none_or(|key| other.key < key)
        {
            visit(other.key, other.spelling, &other.body, other.row);
            next = others.next();
        }
    };
    for events in song.notes.index().time.slices(chunk) {
        for (key, spot) in events {
            others_before(Some(*key), visit);
            if let Some(note) = song.notes.get(Id::new(spot.id))
                && keep(note.track)
            {
                let (spelling, body) = if spot.off { off(note) } else { on(note) };
                visit(*key, spelling, &body, spot.id);
            }
        }
    }
    others_before(None, visit);
}

/// An event of a file that is not a note's, and the row that it belongs to.
struct FileEvent {
    key: Key,
    spelling: Spelling,
    body: Body,
    row: u32,
}

/// The other events of a chunk, in the order of the file.
fn others_of(song: &Song, chunk: Id<Chunk>, keep: &dyn Fn(Id<Track>) -> bool) -> Vec<FileEvent> {
    let mut events = Vec::new();
    for (part, timeline) in song.timelines() {
        if part == model::part::<Note>() {
            continue;
        }
        for (key, spot) in timeline.range(chunk, 0, u64::MAX) {
            let event = song.row_ref(Row::new(part, spot.id)).and_then(event_of);
            if let Some((track, spelling, body)) = event
                && track.is_none_or(keep)
            {
                events.push(FileEvent {
                    key,
                    spelling,
                    body,
                    row: spot.id,
                });
            }
        }
    }
    // Those of each kind come in order.
    events.sort_by_key(|event| event.key);
    events
}

/// The contents of a row's events: of a note also its end.
#[must_use]
pub fn bodies(song: &Song, row: Row) -> Vec<Body> {
    match song.row_ref(row) {
        Some(RowRef::Note(note)) => {
            let end = note.dur.map(|_| off(note).1);
            std::iter::once(on(note).1).chain(end).collect()
        }
        Some(row) => event_of(row).map(|(_, _, body)| body).into_iter().collect(),
        None => Vec::new(),
    }
}

/// The track, the spelling and the content of an event that is not a note's.
fn event_of(row: RowRef<'_>) -> Option<(Option<Id<Track>>, Spelling, Body)> {
    let message = |kind: u8, channel: Channel, data| Body::Channel {
        status: kind | channel.get(),
        data,
    };
    let (track, mark, body) = match row {
        RowRef::Chunk(_) | RowRef::Track(_) | RowRef::Note(_) => return None,
        RowRef::Control(row) => {
            let body = message(0xb0, row.channel, [row.number, row.value]);
            (Some(row.track), row.mark, body)
        }
        RowRef::Program(row) => {
            let body = message(0xc0, row.channel, [row.program, 0]);
            (Some(row.track), row.mark, body)
        }
        RowRef::Bend(row) => {
            let body = message(0xe0, row.channel, row.data());
            (Some(row.track), row.mark, body)
        }
        RowRef::Touch(row) => {
            let (kind, data) = row.message();
            (Some(row.track), row.mark, message(kind, row.channel, data))
        }
        RowRef::Lyric(row) => (row.track, row.mark, text_event(5, &row.bytes)),
        RowRef::Text(row) => {
            let body = text_event(row.kind.meta(), &row.bytes);
            (row.track, row.mark, body)
        }
        RowRef::Tempo(row) => {
            let [_, high, middle, low] = row.micros.to_be_bytes();
            (None, row.mark, meta(0x51, &[high, middle, low]))
        }
        RowRef::Meter(row) => {
            let bytes = [row.beats, row.power, row.clocks, row.thirty_seconds];
            (None, row.mark, meta(0x58, &bytes))
        }
        RowRef::Key(row) => {
            let sharps = i8::try_from(row.sharps).unwrap_or(0).cast_unsigned();
            (None, row.mark, meta(0x59, &[sharps, row.mode]))
        }
        RowRef::Marker(row) => (None, row.mark, text_event(6, &row.bytes)),
        RowRef::Raw(row) => (row.track, row.mark, row.body.clone()),
    };
    Some((track, mark.spelling, body))
}

fn on(note: &Note) -> (Spelling, Body) {
    let body = Body::Channel {
        status: 0x90 | note.channel.get(),
        data: [note.pitch.get(), note.velocity.get()],
    };
    (note.on_mark.spelling, body)
}

fn off(note: &Note) -> (Spelling, Body) {
    let (kind, velocity) = if note.off_by_on {
        (0x90, 0)
    } else {
        (0x80, note.off)
    };
    let body = Body::Channel {
        status: kind | note.channel.get(),
        data: [note.pitch.get(), velocity],
    };
    (note.off_mark.spelling, body)
}

/// A meta event that holds a text.
fn text_event(kind: u8, bytes: &Bytes) -> Body {
    Body::Meta {
        kind,
        bytes: bytes.clone(),
    }
}

fn meta(kind: u8, bytes: &[u8]) -> Body {
    Body::Meta {
        kind,
        bytes: Bytes::new(bytes),
    }
}
