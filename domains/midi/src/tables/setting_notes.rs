//! Setting values of notes with SQL, beyond those of `modify`: positions by their parts.

use fcp::prelude::*;

use super::notes::NoteRow;
use super::placed::{Placing, Seconds, settle as settle_all, whole, with_parts};
use crate::model::{Holder, Note, Parts, Song, row_of};

/// A tick that a file can hold.
pub(super) type Tick = Int<0, 268_435_455>;

fn put(song: &mut Song, id: Id<Note>, change: impl FnOnce(&mut Note)) -> Result<()> {
    let mut note = song.coming(id)?;
    change(&mut note);
    song.change_notes_with(vec![(id, note)], &[]).map(drop)
}

fn ticks(value: i64) -> Result<u64> {
    match u64::try_from(value) {
        Ok(tick) => Ok(tick),
        Err(_) => bail!("a note would start before the song"),
    }
}

pub(super) fn tick(song: &mut Song, row: &NoteRow, at: Tick) -> Result<()> {
    let at = ticks(at.get())?;
    put(song, row.row, |note| note.at = at)
}

/// Sets a part of a position: the bar, the beat, or the ticks after it.
pub(super) fn part<const OF: usize, const LOW: i64>(
    song: &mut Song,
    row: &NoteRow,
    value: Int<LOW, 999_999>,
) -> Result<()> {
    song.keep_part(Holder::Row(row_of(row.row)), OF, value.get());
    Ok(())
}

/// Moves a note to the position set by parts.
pub(super) fn settle(song: &mut Song, id: Id<Note>, parts: Parts) -> Result<()> {
    let note = song.coming(id)?;
    let at = with_parts(song, note.chunk, note.at, parts)?;
    put(song, id, |note| note.at = at)
}

pub(super) fn off_beat(
    song: &mut Song,
    row: &NoteRow,
    off: Int<-9_999_999, 9_999_999>,
) -> Result<()> {
    settle_all(song)?;
    let note = song.coming(row.row)?;
    let Some(near) = Placing::new(song, note.chunk).nearest(note.at) else {
        bail!("this file counts SMPTE frames, so it has no beats");
    };
    let at = ticks(whole(note.at) - near.off + off.get())?;
    put(song, row.row, |note| note.at = at)
}

pub(super) fn seconds(song: &mut Song, row: &NoteRow, value: Seconds) -> Result<()> {
    settle_all(song)?;
    let note = song.coming(row.row)?;
    let at = value.tick(song, note.chunk, Some(note.track))?;
    put(song, row.row, |note| note.at = at)
}

fn end_at(song: &mut Song, id: Id<Note>, note: &Note, end: u64) -> Result<()> {
    let Some(dur) = end.checked_sub(note.at).filter(|dur| *dur > 0) else {
        let (at, shown) = (note.at, song.describe(row_of(id)));
        bail!("end {end} is not after tick {at}, where {shown} starts");
    };
    put(song, id, |note| note.dur = Some(dur))
}

pub(super) fn end(song: &mut Song, row: &NoteRow, end: Tick) -> Result<()> {
    settle_all(song)?;
    let note = song.coming(row.row)?;
    end_at(song, row.row, &note, ticks(end.get())?)
}

pub(super) fn end_seconds(song: &mut Song, row: &NoteRow, value: Seconds) -> Result<()> {
    settle_all(song)?;
    let note = song.coming(row.row)?;
    let end = value.tick(song, note.chunk, Some(note.track))?;
    end_at(song, row.row, &note, end)
}

pub(super) fn nth(song: &mut Song, row: &NoteRow, nth: Int<1, 9_999_999>) -> Result<()> {
    song.keep_seat(row_of(row.row), ticks(nth.get())?);
    Ok(())
}
