//! Setting values of notes with SQL, beyond those of `modify`: positions by their parts.

use fcp::prelude::*;

use super::notes::NoteRow;
use super::placed::{Of, Placing, Seconds, settle as settle_all, whole, with_parts};
use crate::model::{Holder, Note, Parts, Song, row_of};

type Rows<'r, V> = Vec<(&'r NoteRow, V)>;

/// A tick that a file can hold.
pub(super) type Tick = Int<0, 268_435_455>;

fn put(song: &mut Song, id: Id<Note>, change: impl FnOnce(&mut Note)) -> Result<()> {
    let mut note = song.coming(id)?;
    change(&mut note);
    song.change_notes_with(vec![(id, note)], &[]).map(drop)
}

fn own(row: &NoteRow) -> Row {
    row_of(row.row)
}

fn tick(value: i64) -> Result<u64> {
    match u64::try_from(value) {
        Ok(tick) => Ok(tick),
        Err(_) => bail!("a note would start before the song"),
    }
}

pub(super) fn ticks(song: &mut Song, rows: Rows<'_, Tick>) -> Result<Vec<String>> {
    for (row, at) in rows {
        let at = tick(at.get())?;
        put(song, row.row, |note| note.at = at)?;
    }
    Ok(Vec::new())
}

fn parts(song: &mut Song, rows: Rows<'_, Int<0, 999_999>>, of: Of) -> Result<Vec<String>> {
    for (row, value) in rows {
        song.keep_part(Holder::Row(own(row)), of as usize, value.get());
    }
    Ok(Vec::new())
}

/// Moves a note to the position set by parts.
pub(super) fn settle(song: &mut Song, id: Id<Note>, parts: Parts) -> Result<()> {
    let note = song.coming(id)?;
    let at = with_parts(song, note.chunk, note.at, parts)?;
    put(song, id, |note| note.at = at)
}

pub(super) fn bars(song: &mut Song, rows: Rows<'_, Int<0, 999_999>>) -> Result<Vec<String>> {
    parts(song, rows, Of::Bar)
}

pub(super) fn beats(song: &mut Song, rows: Rows<'_, Int<0, 999_999>>) -> Result<Vec<String>> {
    parts(song, rows, Of::Beat)
}

pub(super) fn subs(song: &mut Song, rows: Rows<'_, Int<0, 999_999>>) -> Result<Vec<String>> {
    parts(song, rows, Of::Sub)
}

pub(super) fn off_beats(
    song: &mut Song,
    rows: Rows<'_, Int<-9_999_999, 9_999_999>>,
) -> Result<Vec<String>> {
    settle_all(song)?;
    for (row, off) in rows {
        let note = song.coming(row.row)?;
        let Some(near) = Placing::new(song, note.chunk).nearest(note.at) else {
            bail!("this file counts SMPTE frames, so it has no beats");
        };
        let at = tick(whole(note.at) - near.off + off.get())?;
        put(song, row.row, |note| note.at = at)?;
    }
    Ok(Vec::new())
}

pub(super) fn seconds(song: &mut Song, rows: Rows<'_, Seconds>) -> Result<Vec<String>> {
    settle_all(song)?;
    for (row, value) in rows {
        let note = song.coming(row.row)?;
        let at = value.tick(song, note.chunk, Some(note.track))?;
        put(song, row.row, |note| note.at = at)?;
    }
    Ok(Vec::new())
}

fn end_at(song: &mut Song, id: Id<Note>, note: &Note, end: u64) -> Result<()> {
    let Some(dur) = end.checked_sub(note.at).filter(|dur| *dur > 0) else {
        let shown = song.describe(row_of(id));
        bail!(
            "end {end} is not after tick {}, where {shown} starts",
            note.at
        );
    };
    put(song, id, |note| note.dur = Some(dur))
}

pub(super) fn ends(song: &mut Song, rows: Rows<'_, Tick>) -> Result<Vec<String>> {
    settle_all(song)?;
    for (row, end) in rows {
        let note = song.coming(row.row)?;
        end_at(song, row.row, &note, tick(end.get())?)?;
    }
    Ok(Vec::new())
}

pub(super) fn end_seconds(song: &mut Song, rows: Rows<'_, Seconds>) -> Result<Vec<String>> {
    settle_all(song)?;
    for (row, value) in rows {
        let note = song.coming(row.row)?;
        let end = value.tick(song, note.chunk, Some(note.track))?;
        end_at(song, row.row, &note, end)?;
    }
    Ok(Vec::new())
}

pub(super) fn seats(song: &mut Song, rows: Rows<'_, Int<1, 9_999_999>>) -> Result<Vec<String>> {
    for (row, nth) in rows {
        song.keep_seat(own(row), tick(nth.get())?);
    }
    Ok(Vec::new())
}
