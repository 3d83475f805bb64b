//! `piano-roll`

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::lines;
use crate::model::{Note, Song, Track};
use crate::values::{Dur, Span};

/// The most steps of a roll.
const STEPS: u64 = 1024;

/// Draw the notes of a track: a row a pitch, high to low, a character a step.
///
/// `x` is a note's start, `-` its sound, `.` silence, `|` a barline.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4 at:1.1 dur:h
/// # note Piano E4 at:1.3 dur:q
/// ? piano-roll Piano 1
/// > Piano at:1.1 step:e
/// > E4 ....x-..|
/// > C4 x---....|
/// ```
#[fcp_query(name = "piano-roll")]
pub fn piano_roll(
    song: &Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// Bars or beats, both ends included.
    #[fcp(positional, key = "range")]
    span: Spanned<Span>,
    /// The length of a step; an eighth if left out.
    step: Option<Spanned<Dur>>,
) -> Result<Vec<String>> {
    let chunk = song.tracks.need(track.id())?.chunk;
    let (from, to) = song
        .span_ticks(span.get(), chunk)
        .map_err(|error| span.wrong(error))?;
    let ticks = match &step {
        Some(step) => song.ticks(step, chunk, from)?,
        None => u64::from(song.ppqn() / 2).max(1),
    };
    let steps = to.saturating_sub(from).div_ceil(ticks);
    if steps > STEPS {
        return Err(span.wrong(ValueError::new(format!(
            "is {steps} steps; a roll has at most {STEPS}"
        ))));
    }
    let steps = usize::try_from(steps).unwrap_or(0);
    let mut rows: BTreeMap<u8, (String, Vec<char>)> = BTreeMap::new();
    for id in song.sounding(chunk, track.id(), from, to) {
        let Some(note) = song.notes.get(id) else {
            continue;
        };
        let row = rows
            .entry(note.pitch.get())
            .or_insert_with(|| (lines::pitch(song, note), vec!['.'; steps]));
        draw(note, &mut row.1, from, ticks);
    }
    let name = lines::name(song, track.id());
    let shown = step
        .as_ref()
        .map_or_else(|| "e".to_owned(), |step| step.get().to_string());
    let mut lines = vec![format!(
        "{name} at:{} step:{shown}",
        song.shown(chunk, from)
    )];
    let wide = rows
        .values()
        .map(|(pitch, _)| pitch.len())
        .max()
        .unwrap_or(0);
    for (pitch, cells) in rows.values().rev() {
        let mut line = format!("{pitch:wide$} ");
        for (ix, cell) in cells.iter().enumerate() {
            line.push(*cell);
            let next = from + (ix as u64 + 1) * ticks;
            if song.has_bars() && song.bars(chunk).bar(song.bars(chunk).place(next).bar) == next {
                line.push('|');
            }
        }
        lines.push(line);
    }
    if rows.is_empty() {
        lines.push("no notes".to_owned());
    }
    Ok(lines)
}

/// Draws a note into its row.
fn draw(note: &Note, cells: &mut [char], from: u64, ticks: u64) {
    let end = note.at + note.dur.unwrap_or(ticks);
    for (ix, cell) in cells.iter_mut().enumerate() {
        let (start, next) = (from + ix as u64 * ticks, from + (ix as u64 + 1) * ticks);
        if (start..next).contains(&note.at) {
            *cell = 'x';
        } else if note.at < start && end > start && *cell == '.' {
            *cell = '-';
        }
    }
}
