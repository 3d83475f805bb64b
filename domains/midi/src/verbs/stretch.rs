//! `stretch`

use fcp::prelude::*;

use crate::edit::notes::selection;
use crate::edit::rows::copy::{self, CopySource};
use crate::edit::rows::meter_move::MeterMoves;
use crate::model::{LAST_TICK, Note, Song};
use crate::resolve::section::SureRows;
use crate::values::Length;

/// Play notes slower or faster: their onsets and lengths, seen from the anchor, are scaled; other rows by `@type:`.
///
/// The anchor is the start of `@range` or `@section`, else that of the first row.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q D4 E4/h"
/// stretch @track:Keys 200%
/// > @ Stretched 3 notes on Keys from 1.1: 200%
/// stretch @track:Keys 0%
/// > ! 0% is not 1% to 1000%
/// >   syntax: stretch SEL LENGTH
/// ```
///
/// ```fcp
/// # track add Keys
/// # cc Keys volume 90 at:2
/// # cc Keys volume 70 at:3
/// stretch @type:cc 200%
/// > @ Stretched 2 cc from 2.1: 200%
/// ? list @type:cc
/// > 2.1 cc volume 90 Keys #*
/// > 4.1 cc volume 70 Keys #*
/// ```
#[fcp_verb(category = "Shape")]
pub fn stretch(
    song: &mut Song,
    /// The rows to stretch.
    #[fcp(positional)]
    rows: SureRows,
    /// Per cent: `200%` is half as fast.
    #[fcp(positional)]
    to: Spanned<Length>,
) -> Result<Reply> {
    let Length::Part(percent) = *to.get() else {
        let near = per_cent(to.text()).map(|percent| format!("{percent}%"));
        return Err(to.wrong(ValueError::new("is not a percentage like 200%").maybe_fix(near)));
    };
    let chosen = copy::chosen(song, &rows.0, "stretch")?;
    let summary = match chosen.others.as_slice() {
        [] => selection::describe_notes(song, &chosen.notes),
        _ => chosen.describe(song),
    };
    let CopySource {
        notes,
        others,
        chunk,
        anchor,
        ..
    } = chosen;
    // Counted in the bars before a meter moves.
    let from = song.shown(chunk, anchor);
    let scaled =
        |ticks: u64, percent: u16| ticks.saturating_mul(percent.into()).saturating_add(50) / 100;
    // Rows selected by a range may start before it: a bar that starts early.
    let placed = |at: u64, percent: u16| match at.checked_sub(anchor) {
        Some(behind) => anchor.saturating_add(scaled(behind, percent)),
        None => anchor.saturating_sub(scaled(anchor - at, percent)),
    };
    let place = |at: u64| placed(at, percent);
    let mut starts = notes.iter().map(|(_, note)| note.at);
    let mut others_at = others.iter().map(|(_, at)| *at);
    let is_beyond = |at: u64| place(at) > LAST_TICK.max(at);
    if starts.any(is_beyond) || others_at.any(is_beyond) {
        bail!("that goes beyond the last tick of a file");
    }
    let barred = |percent: u16| {
        let going = others.iter().map(|(row, at)| (*row, placed(*at, percent)));
        match MeterMoves::of(song, going, true) {
            Some(coming) => coming.check(song, |_| None),
            None => Ok(()),
        }
    };
    barred(percent).map_err(|error| {
        let mut others = [200, 300, 400, 50].into_iter();
        let near = others.find(|percent| barred(*percent).is_ok());
        to.wrong(error.maybe_fix(near.map(|percent| format!("{percent}%"))))
    })?;
    let changes = selection::changed(&notes, |note| {
        Ok(Note {
            at: place(note.at),
            dur: note.dur.map(|dur| scaled(dur, percent).max(1)),
            ..note.clone()
        })
    })?;
    let are_notes = !changes.is_empty();
    let (overlaps, moved) = song.change_rows(changes, &copy::rows(&others), |song| {
        let mut moved = false;
        for (row, at) in others {
            moved |= song.move_row_to(row, place(at), None)?;
        }
        Ok(moved)
    })?;
    if !are_notes && !moved {
        return Ok(unchanged!("{summary} are unchanged"));
    }
    Ok(bulk!(
        "Stretched {summary} from {from}: {percent}%{}",
        overlaps.describe()
    ))
}

/// The percentage meant by a number without a sign, or by a fraction: `50`, `1/2`.
fn per_cent(text: &str) -> Option<u64> {
    let (part, whole) = match text.split_once('/') {
        Some((part, whole)) => (
            part.parse::<u64>().ok()?.checked_mul(100)?,
            whole.parse().ok()?,
        ),
        // A small number such as 2 may mean a factor.
        None => (text.parse().ok().filter(|part| *part >= 10)?, 1),
    };
    let percent = part
        .checked_div(whole)
        .filter(|percent| percent * whole == part)?;
    (1..=1_000).contains(&percent).then_some(percent)
}
