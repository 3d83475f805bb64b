//! Moves spans of time. Each row keeps its id, its bytes and its order among the rows that move
//! with it.

use std::collections::{HashMap, HashSet};

use fcp::prelude::*;
use fcp::work;

use crate::edit::bars::whole_bars::STARTS;
use crate::model::{Chunk, Flaw, IsKind, LAST_TICK, Moved, Note, Overlaps, Rank, Song};

/// A span of time that moves as one.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its first tick.
    pub from: u64,
    /// The first tick after it; `u64::MAX` if it reaches the end.
    pub to: u64,
    /// The target of its first tick.
    pub start: u64,
}

impl Piece {
    /// Whether a tick is in it.
    const fn has(&self, tick: u64) -> bool {
        self.from <= tick && tick < self.to
    }

    /// The target of a tick in it.
    const fn moved(&self, tick: u64) -> u64 {
        (tick - self.from).saturating_add(self.start)
    }
}

/// Result of a move of time.
#[derive(Debug, Default)]
pub struct Rearranged {
    /// The rows that moved.
    pub rows: Vec<Row>,
    /// Notes that were cut because moved notes took their place.
    pub overlaps: Overlaps,
}

/// Notes with a given end, as a tick before the move.
pub type Ends = HashMap<Id<Note>, u64>;

/// A note whose end is set again after everything else has moved.
struct Loose {
    id: Id<Note>,
    /// Its end as an event: tick, place.
    order: (u64, u32, u32),
    end: u64,
    /// Its end stays at its tick, unless another note is in its way.
    stays: bool,
}

/// Moves rows that start in spans of time, with the ends of notes.
///
/// A note keeps its length, unless its end is given. Rows that set up tracks at the start of the
/// song stay.
///
/// # Errors
/// A row is gone.
pub fn rearrange(
    song: &mut Song,
    chunk: Id<Chunk>,
    pieces: &[Piece],
    ends: &Ends,
) -> Result<Rearranged> {
    let mut done = Rearranged::default();
    let mut blocks: Vec<(Piece, Vec<Row>)> = Vec::new();
    for piece in pieces {
        let mut rows = Vec::new();
        song.starting(chunk, piece.from, piece.to, &mut rows);
        rows.retain(|(key, row)| key.tick > 0 || STARTS.contains(&row.part()));
        crate::model::limits::timely(song, rows.len())?;
        rows.sort_unstable_by_key(|(key, _)| *key);
        // The row that goes furthest moves first, so that none lands on one that has not moved yet.
        if piece.start > piece.from {
            rows.reverse();
        }
        let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
        done.rows.extend(&rows);
        blocks.push((*piece, rows));
    }
    let (loose, before) = loosen(song, chunk, &blocks, ends)?;
    let moving: HashSet<Row> = done.rows.iter().copied().collect();
    // Find all targets before any row moves: a moving row may pass the place of another.
    let blocks: Vec<_> = blocks
        .into_iter()
        .map(|(piece, rows)| (piece, rows, landing(song, chunk, &piece, &moving)))
        .collect();
    for (piece, rows, marks) in blocks {
        for row in rows {
            let Some((_, tick)) = song.starts(row) else {
                continue;
            };
            let places = marks.get(&row).copied().unwrap_or_default();
            song.set_tick_at(row, piece.moved(tick), places);
        }
    }
    tie(song, loose, &before, &mut done.overlaps)?;
    // A note without an end ends where the next one of its pitch starts: a file cannot express
    // more.
    let tracks = song.tracks.index().of(chunk);
    let stuck = tracks.flat_map(|track| song.flawed_before(Flaw::Stuck, track, u64::MAX));
    for id in stuck.collect::<Vec<_>>() {
        work::spend(1)?;
        if song.is_overtaken(id) {
            song.end_stuck(id, &mut done.overlaps)?;
        }
    }
    // A note-off that ended nothing would end a note now.
    for id in song.strays(chunk) {
        work::spend(1)?;
        if song.stray_ends(id).is_some() {
            song.others.remove(id);
            done.overlaps.dropped += 1;
        }
    }
    Ok(done)
}

/// Removes the ends of notes whose surrounding events change, and records the previous places of
/// all changed notes.
fn loosen(
    song: &mut Song,
    chunk: Id<Chunk>,
    blocks: &[(Piece, Vec<Row>)],
    ends: &Ends,
) -> Result<(Vec<Loose>, Moved)> {
    let first = blocks.iter().map(|(piece, _)| piece.from.min(piece.start));
    let first = first.min().unwrap_or(0);
    let begin = blocks.iter().map(|(piece, _)| piece.from).min();
    let begin = begin.unwrap_or(0);
    let last = blocks.iter().map(|(piece, _)| piece.to).max().unwrap_or(0);
    let (mut loose, mut before) = (Vec::new(), Moved::default());
    // Notes that start earlier and sound into the moved time.
    let early = first.saturating_sub(song.notes.index().longest());
    let mut outside = Vec::new();
    song.starting(chunk, early, begin, &mut outside);
    let outside = outside.into_iter().map(|(_, row)| (None, row));
    let inside = blocks.iter();
    let inside = inside.flat_map(|(piece, rows)| rows.iter().map(move |row| (Some(*piece), *row)));
    let notes = outside.chain(inside).filter(|(_, row)| row.is::<Note>());
    for (piece, row) in notes {
        let id: Id<Note> = row.of();
        let note = song.notes.need(id)?;
        let (at, Some(dur)) = (note.at, note.dur) else {
            if piece.is_some() {
                before.add(id, note);
            }
            continue;
        };
        let old = at.saturating_add(dur);
        let kept = ends.get(&id).copied();
        let rides = piece.is_some_and(|piece| piece.has(old) && kept.is_none_or(|end| end == old));
        let end = kept.unwrap_or(old);
        if piece.is_some() {
            before.add(id, note);
        }
        if rides || piece.is_none() && (old < first || old == first && end == old) {
            continue;
        }
        if piece.is_none() {
            before.add(id, note);
        }
        let end_there = piece.map_or(end, |piece| piece.start.saturating_add(end - piece.from));
        if end_there > LAST_TICK.max(old) {
            bail!("that would end a note beyond tick {LAST_TICK}, the last one of a file");
        }
        loose.push(Loose {
            id,
            order: note.ending(),
            end: end_there,
            stays: piece.is_none() && end == old && old >= last,
        });
    }
    for note in loose.iter().filter(|note| !note.stays) {
        song.notes.modify(note.id, |note| note.dur = None);
    }
    Ok((loose, before))
}

/// New order among the events of a tick, for the start and the end of a row.
type Places = HashMap<Row, [Option<(u32, u32)>; 2]>;

/// The order of rows that land at the target's first tick: after all rows that stay there, in their
/// own order.
fn landing(song: &Song, chunk: Id<Chunk>, piece: &Piece, moving: &HashSet<Row>) -> Places {
    let (mut stays, mut block) = (None, Vec::new());
    for (part, timeline) in song.timelines() {
        let there = timeline.range(chunk, piece.start, piece.start);
        let there = there.filter(|(_, spot)| !moving.contains(&Row::new(part, spot.id)));
        let last = there
            .map(|(key, spot)| ((key.pos, key.seq), spot.rank))
            .max();
        stays = stays.max(last);
        let own = timeline.range(chunk, piece.from, piece.from);
        let own = own.map(|(key, spot)| (key, Row::new(part, spot.id), spot));
        block.extend(own.filter(|(_, row, _)| moving.contains(row)));
    }
    let mut places = Places::new();
    let Some((mut last, _)): Option<((u32, u32), Rank)> = stays else {
        return places;
    };
    block.sort_unstable_by_key(|(key, ..)| *key);
    for (key, row, spot) in block {
        let own = (key.pos, key.seq);
        if own > last {
            last = own;
            continue;
        }
        last = spot.rank.after(last);
        let own = places.entry(row).or_default();
        own[usize::from(spot.off)] = Some(last);
    }
    places
}

/// Sets the ends of notes again, in the order of the file.
fn tie(
    song: &mut Song,
    mut loose: Vec<Loose>,
    before: &Moved,
    overlaps: &mut Overlaps,
) -> Result<()> {
    loose.sort_by_key(|note| (note.end, note.order));
    let wanted: Ends = loose.iter().map(|note| (note.id, note.end)).collect();
    for note in &loose {
        work::spend(1)?;
        if song.is_cleared(note.id, note.end, before, &wanted) {
            if !note.stays {
                song.restore_end(note.id, note.end, overlaps)?;
            }
            continue;
        }
        // It was merged into a note that starts with it.
        let Some(own) = song.notes.get(note.id).cloned() else {
            continue;
        };
        let after = Note {
            dur: note.end.checked_sub(own.at),
            ..own
        };
        if note.stays {
            song.notes.modify(note.id, |note| note.dur = None);
        }
        overlaps.add(song.change_notes_only(vec![(note.id, after)])?);
    }
    Ok(())
}
