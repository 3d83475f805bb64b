//! `repeat`

use std::collections::HashMap;

use fcp::prelude::*;
use fcp::reply;

use crate::edit::rows::copy::{self, NoteSource, Raised};
use crate::model::{NewNote, Note, Overlaps, Song, Sources};
use crate::values::{Dur, Frac, Pos, Semitones, Times, Velocity};

/// Play notes again, once or more, one period after the other.
///
/// A period is as long as the `@range` that selects them, else the whole bars that they are in.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4 at:1.1
/// # note Piano E4 at:1.3
/// repeat @range:1-2 times:2
/// > @ Repeated 2 notes x2, period 2 bars: 4 added from 3.1 to 5.4
/// repeat @range:1 @pitch:E4 times:1 every:q transpose:+3 vel:-10
/// > @ Repeated 1 note x1, period q: 1 added from 1.4 to 2.1
/// ? list @range:1
/// > 1.1 C4 q v80 Piano #7
/// > 1.3 E4 q v80 Piano #8
/// > 1.4 G4 q v70 Piano #13
/// repeat @range:1 @pitch:C4 count:2 to:9
/// > @ Repeated 1 note x2, period 1 bar: 2 added from 9.1 to 10.2
/// ```
#[fcp_verb(category = "Edit")]
pub fn repeat(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// Number of repetitions.
    #[fcp(alias = "count")]
    times: Spanned<Times>,
    /// Distance of repetitions; the period if left out.
    every: Option<Spanned<Dur>>,
    /// Start of the first repetition; one period on if left out.
    to: Option<Spanned<Pos>>,
    /// Semitones each repetition is above the one before.
    #[fcp(default = Semitones::NONE)]
    transpose: Semitones,
    /// Drum notes are transposed too.
    #[fcp(default = Switch(false))]
    drums: Switch,
    /// Velocity each repetition adds to the one before.
    #[fcp(default = Int::clamped(0))]
    vel: Int<-126, 126>,
) -> Result<Reply> {
    let NoteSource {
        rows,
        first,
        anchor,
        period: whole,
        home,
    } = copy::picked(song, &notes, "repeat")?;
    let chunk = first.chunk;
    let (period, length) = match &every {
        Some(every) => {
            let period = song.period(every, chunk, Frac::of_tick(anchor))?;
            (period, every.get().to_string())
        }
        None => (
            Frac::of_tick(whole),
            copy::describe_period(song, chunk, anchor, whole),
        ),
    };
    let start = to
        .as_ref()
        .map(|to| song.tick(to, chunk, Some(first.track)));
    let start = start.transpose()?;
    let later = |tick: u64, times: u64| match start {
        Some(start) => {
            let onset = tick.saturating_add(start).saturating_sub(anchor);
            onset.saturating_add(period.multiple(times.saturating_sub(1)))
        }
        None => tick.saturating_add(period.multiple(times)),
    };
    let count = times.get().get();
    let grown = |step: i64, time| step.saturating_mul(i64::try_from(time).unwrap_or(i64::MAX));
    let raised = Raised::of(transpose, drums);
    for note in &rows {
        raised.pitch(song, note, count)?;
    }
    let left = raised.left(rows.iter());
    let ends = rows.iter().map(|note| note.at + song.like(note).dur);
    let (onset, end) = (first.at, ends.max().unwrap_or(first.at));
    copy::times(song, Some(&times), rows.len(), (later(end, 1), period))?;
    let mut new = Vec::new();
    for time in 1..=count {
        for note in &rows {
            new.push(NewNote {
                at: later(note.at, time),
                pitch: raised.pitch(song, note, time)?,
                velocity: Velocity::clamped(
                    i64::from(note.velocity.get()) + grown(vel.get(), time),
                ),
                ..song.like(note)
            });
        }
    }
    // A given period may be shorter than the repeated part.
    let behind = every.is_none().then(|| later(home, count + 1));
    copy::go_on(song, &new, behind);
    let ids: Vec<Id<Note>> = notes.iter().collect();
    let followers = song.followers(ids.iter().copied(), &[]);
    let stamps: Vec<HashMap<Id<Note>, NewNote>> = new
        .chunks(rows.len().max(1))
        .map(|stamp| ids.iter().copied().zip(stamp.iter().copied()).collect())
        .collect();
    let (mut overlaps, mut sources) = (Overlaps::default(), Sources::default());
    for stamp in new.chunks(rows.len().max(1)) {
        let copies = ids.iter().copied().zip(stamp.iter().copied());
        overlaps.add(song.add_copies(copies, &mut sources)?);
    }
    for copies in &stamps {
        song.copy_followers(&followers, copies, (&mut overlaps, &mut sources))?;
    }
    song.keep_order(sources);
    let (from, to) = (
        song.shown(chunk, later(onset, 1)),
        song.shown(chunk, later(end, count)),
    );
    let (n, added) = (rows.len(), rows.len() as u64 * count);
    let notes = reply::count(n, "note");
    Ok(bulk!(
        "Repeated {notes} x{count}, period {length}: {added} added from {from} to {to}{left}{}",
        overlaps.describe()
    ))
}
