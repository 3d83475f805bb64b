//! `move`

use fcp::prelude::*;

use crate::edit::rows::copy::{self, CopySource};
use crate::edit::rows::meter_move::{self, MeterMoves};
use crate::model::{Note, Song, Track};
use crate::resolve::section::SureRows;
use crate::values::{Frac, Pos, Shift};

/// Move notes to another place, another track, or both; other rows by `@type:`.
///
/// The anchor lands on `to:`: the start of `@range` or `@section`, else that of the first row.
///
/// ```fcp
/// # track add Piano
/// # track add Bass
/// # note Piano C4 at:1.2
/// # note Piano E4 at:1.3
/// move @range:1 to:3
/// > @ Moved 2 notes from 1.1 to 3.1
/// move @track:Piano by:-1bar on:Bass
/// > @ Moved 2 notes from 3.2 to 2.2 on Bass
/// move @track:Bass by:-2bar
/// > ! by:-2bar goes before the start
/// >   try: move @track:Bass by:-2400
/// ```
#[fcp_verb(category = "Edit")]
pub fn r#move(
    song: &mut Song,
    /// The rows to move.
    #[fcp(positional)]
    rows: SureRows,
    /// The anchor's new place.
    to: Option<Spanned<Pos>>,
    /// The distance instead: `+e`, `-1bar`.
    by: Option<Spanned<Shift>>,
    /// The target track.
    on: Option<Ref<Track>>,
) -> Result<Reply> {
    let chosen = copy::chosen(song, &rows.0, "move")?;
    let (summary, first) = (chosen.describe(song), chosen.first());
    let CopySource {
        notes,
        others,
        chunk,
        mut anchor,
        ..
    } = chosen;
    let on = on.map(Ref::id);
    let home = on.map(|on| song.tracks.need(on).cloned()).transpose()?;
    // A target pattern has its own bars.
    let there = home.as_ref().map_or(chunk, |home| home.chunk);
    // Counted in the bars before a meter moves.
    let mut from = song.shown(chunk, anchor);
    let target = match (&to, &by) {
        (Some(_), Some(by)) => {
            return Err(by.wrong(ValueError::new("sets the position, as to: does; give one")));
        }
        (Some(to), None) => match MeterMoves::of(song, others.iter().copied(), true) {
            // If only meters move, bars are counted as if those were gone from their present
            // places.
            Some(coming) if coming.len() == others.len() && notes.is_empty() => {
                match coming.coming_to(there).counted(song, to.get()) {
                    Some(tick) => tick,
                    None => song.tick(to, there, on)?,
                }
            }
            _ => song.tick(to, there, on)?,
        },
        (None, Some(by)) => {
            let start = Frac::of_tick(anchor);
            let end = by.get().from_tick(&song.clock(chunk), start);
            let way = end.map_err(|error| by.wrong(error))?.round() - start.round();
            // The moved rows may start after the start of the range that selected them.
            if anchor.checked_add_signed(way).is_none() {
                (anchor, from) = (first, song.shown(chunk, first));
            }
            let target = anchor.checked_add_signed(way);
            target.ok_or_else(|| by.wrong(meter_move::before_start(song, first)))?
        }
        (None, None) if on.is_some() => anchor,
        (None, None) => bail!("move needs a place"; add: "by:+1bar"),
    };
    // Rows selected by a range may start before it: a bar that starts early.
    let place = |at: u64| (target + at).checked_sub(anchor);
    if place(first).is_none() {
        let Some(by) = &by else {
            bail!("some of it would land before the start")
        };
        return Err(by.wrong(meter_move::before_start(song, first)));
    }
    let going = others.iter();
    let going = going.filter_map(|(row, at)| Some((*row, place(*at)?)));
    if let Some(coming) = MeterMoves::of(song, going, true) {
        let coming = coming.coming_to(there);
        let landing = |by: i64| target.checked_add_signed(by);
        match (&to, &by) {
            (Some(to), _) => {
                let only = coming.len() == others.len() && notes.is_empty();
                let shown = |by: i64| match (landing(by)?, only) {
                    (at, true) => Some(coming.spelled(song, at)),
                    (at, false) => Some(song.shown(there, at)),
                };
                coming.check(song, shown).map_err(|error| to.wrong(error))?;
            }
            (None, Some(by)) => {
                let way = |by: i64| {
                    let whole = landing(by)?.checked_signed_diff(anchor)?;
                    Some(meter_move::way(song, whole)).filter(|_| whole != 0)
                };
                coming.check(song, way).map_err(|error| by.wrong(error))?;
            }
            (None, None) => {}
        }
    }
    let mut changes = Vec::with_capacity(notes.len());
    for (id, note) in &notes {
        let mut after = Note {
            at: place(note.at).unwrap_or(0),
            ..note.clone()
        };
        // A note that stays on its track keeps its channel, of which there may be several.
        if let (Some(on), Some(home)) = (on.filter(|on| *on != note.track), &home) {
            (after.track, after.chunk) = (on, home.chunk);
            after.channel = home.channel.unwrap_or(after.channel);
        }
        changes.push((*id, after));
    }
    let mut pairs = changes.iter().zip(&notes);
    let mut differs = pairs.any(|((_, after), (_, note))| after != note);
    let (overlaps, moved) = song.change_rows(changes, &copy::rows(&others), |song| {
        let mut moved = false;
        for (row, at) in others {
            moved |= song.move_row_to(row, place(at).unwrap_or(0), on)?;
        }
        Ok(moved)
    })?;
    differs |= moved;
    if !differs {
        return Ok(unchanged!("{summary} are there already"));
    }
    let named = |on| format!(" on {}", song.name_of_track(on));
    let on = on.map_or(String::new(), named);
    let to = song.shown(there, target);
    Ok(bulk!(
        "Moved {summary} from {from} to {to}{on}{}",
        overlaps.describe()
    ))
}
