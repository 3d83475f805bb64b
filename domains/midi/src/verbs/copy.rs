//! `copy`

use std::collections::HashMap;

use fcp::prelude::*;

use crate::edit::rows::copy::{self, CopySource, Raised};
use crate::edit::rows::meter_move::MeterMoves;
use crate::model::{NewNote, Note, Overlaps, Song, Sources, Track};
use crate::resolve::section::SureRows;
use crate::values::{Frac, Pos, Semitones, Times};

/// Copy notes to another place, another track, or both; other rows by `@type:`.
///
/// The anchor lands on `to:`. It is the start of `@range` or `@section`, else that of the first row.
///
/// ```fcp
/// # track add Piano
/// # track add Bass
/// # note Piano C4 at:1.1
/// # note Piano E4 at:1.3
/// copy @range:1 to:3
/// > @ Copied 2 notes from 1.1 to 3.1
/// copy @track:Piano to:5 on:Bass transpose:-12
/// > @ Copied 4 notes from 1.1 to 5.1 on Bass
/// copy @pitch:C4 to:7 times:2
/// > @ Copied 2 notes from 1.1 to 7.1, 2 times
/// > ? Bass: empty at measures 9-12
/// copy @pitch:E4 to:11 on:Piano set vel:=vel-10
/// > @ Copied 2 notes from 1.3 to 11.1 on Piano
/// >   @ Modified 2 notes on Piano: vel 70
/// > ? Bass: empty at measures 9-13
/// ```
#[fcp_verb(category = "Edit")]
pub fn copy(
    song: &mut Song,
    /// The rows to copy.
    #[fcp(positional)]
    rows: SureRows,
    /// The anchor's new place.
    #[fcp(alias = "at")]
    to: Spanned<Pos>,
    /// The track the copies go to; their own if left out.
    on: Option<Ref<Track>>,
    /// Semitones the copies of notes are moved by.
    #[fcp(default = Semitones::NONE)]
    transpose: Semitones,
    /// Drum notes are transposed too.
    #[fcp(default = Switch(false))]
    drums: Switch,
    /// Number of copies, one after the other; one if left out.
    times: Option<Spanned<Times>>,
) -> Result<Reply> {
    let chosen = copy::chosen(song, &rows.0, "copy")?;
    let summary = chosen.describe(song);
    let CopySource {
        notes,
        others,
        chunk,
        anchor,
        period,
        is_named,
    } = chosen;
    let on = on.map(Ref::id);
    let home = on.map(|on| song.tracks.need(on).cloned()).transpose()?;
    // A target pattern has its own bars.
    let there = home.as_ref().map_or(chunk, |home| home.chunk);
    let start = song.tick(&to, there, on.or(notes.first().map(|(_, note)| note.track)))?;
    // Counted in the bars before a meter is added.
    let from = song.shown(chunk, anchor);
    let raised = Raised::of(transpose, drums);
    let left = raised.left(notes.iter().map(|(_, note)| note));
    let channel = home.as_ref().and_then(|home| home.channel);
    let alike = notes.iter().map(|(_, note)| {
        // A note that stays on its track keeps its channel, of which there may be several.
        let channel = channel.filter(|_| on != Some(note.track));
        Ok(NewNote {
            track: on.unwrap_or(note.track),
            channel: channel.unwrap_or(note.channel),
            pitch: raised.pitch(song, note, 1)?,
            ..song.like(note)
        })
    });
    let alike: Vec<NewNote> = alike.collect::<Result<_>>()?;
    let ends = alike.iter().map(|note| note.at + note.dur);
    let last = ends.chain(others.iter().map(|(_, at)| *at)).max();
    let once = start.saturating_add(last.unwrap_or(anchor).saturating_sub(anchor));
    let rows = notes.len() + others.len();
    let times = copy::times(song, times.as_ref(), rows, (once, Frac::of_tick(period)))?;
    let copies = (0..times).flat_map(|time| {
        let behind = start.saturating_add(period.saturating_mul(time));
        let others = others.iter();
        others.map(move |(row, at)| (*row, behind.saturating_add(at - anchor)))
    });
    if let Some(coming) = MeterMoves::of(song, copies, false) {
        let coming = coming.coming_to(there);
        let shown = |by: i64| Some(song.shown(there, start.checked_add_signed(by)?));
        coming.check(song, shown).map_err(|error| to.wrong(error))?;
    }
    let (mut overlaps, mut sources) = (Overlaps::default(), Sources::default());
    let ids = notes.iter().map(|(id, _)| *id);
    let followers = song.followers(ids, &copy::rows(&others));
    let behind = is_named.then(|| start.saturating_add(period.saturating_mul(times)));
    for time in 0..times {
        let place = |at: u64| (start + (at - anchor)).saturating_add(period.saturating_mul(time));
        let new = alike.iter().map(|note| NewNote {
            at: place(note.at),
            ..*note
        });
        let new: Vec<NewNote> = new.collect();
        copy::go_on(song, &new, behind);
        let ids = || notes.iter().map(|(id, _)| *id);
        let copies: HashMap<Id<Note>, NewNote> = ids().zip(new.iter().copied()).collect();
        overlaps.add(song.add_copies(ids().zip(new), &mut sources)?);
        song.copy_followers(&followers, &copies, (&mut overlaps, &mut sources))?;
        for (row, at) in &others {
            let is_own = song.track_of(*row) == on;
            let owner = on.zip(home.as_ref()).filter(|_| !is_own);
            let owner = owner.map(|(on, home)| (on, home.channel));
            let home = match &home {
                Some(home) => Some(home.chunk),
                None => song.chunk_of(*row),
            };
            let own = home.unwrap_or(chunk);
            song.copy_to(*row, own, place(*at), owner, &mut sources)?;
        }
    }
    song.keep_order(sources);
    let on = on.map_or(String::new(), |on| {
        format!(" on {}", song.name_of_track(on))
    });
    let times = if times > 1 {
        format!(", {times} times")
    } else {
        String::new()
    };
    let to = song.shown(there, start);
    Ok(bulk!(
        "Copied {summary} from {from} to {to}{on}{times}{left}{}",
        overlaps.describe()
    ))
}
