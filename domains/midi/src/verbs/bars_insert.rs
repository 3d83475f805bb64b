//! `bars insert`

use fcp::prelude::*;
use fcp::reply;

use crate::edit::bars::chase::{ChasedState, Gone};
use crate::edit::bars::seam_reply::{self, Carried};
use crate::edit::bars::settings_at_start::Coming;
use crate::edit::bars::time_shift::{self, TimeShift};
use crate::edit::bars::whole_bars;
use crate::model::{IsKind, MeterChange, Note, Rank, Song, Track};
use crate::values::{Meter, Pos};

/// Insert empty bars before a bar, on all tracks; all from there on moves.
///
/// The new bars have the meter of the bar before them. At the start of the song instruments, tempo and the like stay.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # phrase Bass "A1/w | C2/w"
/// bars insert 2 at:2
/// > @ Inserted 2 bars at 2.1: 1 note moved
/// bars insert 1 at:4 meter:3/4
/// > @ Inserted 1 bar in 3/4 at 4.1: 1 note moved; carried at 5.1: 4/4
/// bars insert 1 at:2.3
/// > ! at:2.3 is inside a bar
/// >   try: bars insert 1 at:3.1
/// bars insert 1 at:9
/// > = there is nothing at 9.1 or after it to move
/// # marker End at:9
/// bars insert 1 at:9
/// > @ Inserted 1 bar at 9.1: 1 marker moved
/// ```
#[fcp_verb(category = "Bars")]
pub fn bars_insert(
    song: &mut Song,
    /// Number of bars.
    #[fcp(positional)]
    count: Int<1, 10_000>,
    /// The bar that will follow them.
    at: Spanned<Pos>,
    /// Their meter; that of the bar before them if left out.
    meter: Option<Spanned<Meter>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    let chunks = whole_bars::chunks(song, on.as_ref())?;
    let chunk = whole_bars::home(&chunks);
    let from = whole_bars::barline(song, chunk, &at)?;
    let bars = song.bars(chunk);
    let bar = match &meter {
        Some(meter) => {
            let fits = meter.get().fits(song.ppqn());
            fits.map_err(|error| meter.wrong(error))?;
            meter.get().bar_ticks(song.ppqn()).tick()
        }
        None => bars.at(from.saturating_sub(1)).bar_ticks(),
    };
    let to = from.saturating_add(bar.saturating_mul(count.get().unsigned_abs()));
    let entering = ChasedState::entering(song, &chunks, from);
    // In this case not even the end of a track moves.
    if !whole_bars::moves(song, &chunks, (from, u64::MAX)) {
        return Ok(unchanged!(
            "there is nothing at {} or after it to move",
            song.shown(chunk, from)
        ));
    }
    let moved = time_shift::shift(song, &chunks, TimeShift { from, to })?;
    // The previous bar may have been ended early by a meter that has moved on.
    let mut carried: Vec<Carried> = Vec::new();
    let mut own = String::new();
    if let Some(meter) = &meter {
        let meter = *meter.get();
        let there = song.holds_at(song.meters.index(), chunk, from);
        let differs = match there {
            Some(id) => {
                let wanted = MeterChange::of(chunk, meter);
                song.meters.modify(id, |row| {
                    (row.beats, row.power, row.clocks) =
                        (wanted.beats, wanted.power, wanted.clocks);
                })
            }
            None => ChasedState::before(song, &chunks, from.max(1)).meter() != Some(meter),
        };
        if differs && there.is_none() {
            let mark = song.place(chunk, from, Rank::Song, None);
            song.meters.insert(MeterChange {
                at: from,
                mark,
                ..MeterChange::of(chunk, meter)
            });
        }
        if differs {
            own = format!(" in {meter}");
            carried.extend(entering.restate(song, &chunks, to, &Coming::default())?);
        }
    }
    carried.extend(entering.begin_bar(
        song,
        &chunks,
        from,
        &Coming::default(),
        &Gone::default(),
    )?);
    let carried = seam_reply::describe(song, chunk, from, &carried);
    let place = song.shown(chunk, from);
    let notes = moved.iter().filter(|row| row.is::<Note>()).count();
    let summary = match notes {
        0 => song.counted(moved.iter().copied()),
        notes => reply::count(notes, "note"),
    };
    let bars = reply::count(count.get(), "bar");
    Ok(bulk!(
        "Inserted {bars}{own} at {place}: {summary} moved{carried}"
    ))
}
