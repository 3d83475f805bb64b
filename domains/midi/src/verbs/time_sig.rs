//! `time-sig`

use fcp::prelude::*;
use fcp::work;

use crate::display::row_line;
use crate::model::{Chunk, Key, MeterChange, Rank, Song, Track};
use crate::time::MeterMap;
use crate::values::{Meter, Pos};

/// Set the meter from a barline on. Events stay where they are, so bars after it get new numbers.
///
/// ```fcp
/// time-sig 3/4
/// > * Meter 4/4 -> 3/4 at 1.1
/// time-sig 6/8 at:9
/// > + Meter 6/8 at 9.1
/// time-sig 7/8 at:2.2
/// > ! at:2.2 is inside a bar, and a meter starts on a barline
/// >   try: time-sig 7/8 at:2.1
/// ```
///
/// ```fcp
/// # retime ppqn:24
/// time-sig 1/64
/// > ! 1/64 has beats of fractional ticks at ppqn 24
/// >   try: time-sig 1/32
/// ```
#[fcp_verb(
    category = "Song",
    name = "time-sig",
    alias = "meter",
    alias = "add meter",
    alias = "add time-sig"
)]
pub fn time_sig(
    song: &mut Song,
    /// Beats over the beat's note value.
    #[fcp(positional)]
    meter: Spanned<Meter>,
    /// The barline; the start if left out.
    at: Option<Spanned<Pos>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so it has no bars");
    }
    meter
        .get()
        .fits(song.ppqn())
        .map_err(|error| meter.wrong(error))?;
    let meter = *meter.get();
    let chunk = song.score(on.as_ref())?;
    let tick = song.song_tick(at.as_ref(), chunk)?;
    let bars = song.bars(chunk);
    let place = bars.place(tick);
    if let Some(at) = at.as_ref().filter(|_| place.beat > 1 || place.tick > 0) {
        let bar = place.bar;
        let next = bars.bar(bar + 1);
        let near = if next - tick < tick - bars.bar(bar) {
            bar + 1
        } else {
            bar
        };
        return Err(at.wrong(
            ValueError::new("is inside a bar, and a meter starts on a barline")
                .fix(format!("{near}.1")),
        ));
    }
    let there = song.holds_at(song.meters.index(), chunk, tick);
    let numbered = song.bars(chunk);
    let (beats, power, clocks) = (meter.beats(), meter.meta()[1], meter.clocks());
    let place = row_line::spot(song, chunk, tick);
    match there {
        Some(id) => {
            let before = row_line::meter_text(song.meters.need(id)?);
            song.writable(song.meters.need(id)?.chunk)?;
            let differs = song.meters.modify(id, |row: &mut MeterChange| {
                if (row.beats, row.power) != (beats, power) {
                    (row.beats, row.power, row.clocks) = (beats, power, clocks);
                }
            });
            Ok(if differs {
                changed!(
                    "Meter {before} -> {meter} {place}{}",
                    renumbered(song, chunk, tick, &numbered)
                )
            } else {
                unchanged!("Meter is {meter} {place} already")
            })
        }
        None => {
            let mark = song.place(chunk, tick, Rank::Song, None);
            song.meters.insert(MeterChange {
                at: tick,
                mark,
                ..MeterChange::of(chunk, meter)
            });
            let rows = renumbered(song, chunk, tick, &numbered);
            Ok(created!("Meter {meter} {place}{rows}"))
        }
    }
}

/// The steps that the bar number of a row counts.
const STEPS_A_ROW: usize = 2;

/// The number of rows whose bar number changed.
fn renumbered(song: &Song, chunk: Id<Chunk>, from: u64, before: &MeterMap) -> String {
    let after = song.bars(chunk);
    let mut rows = Vec::new();
    let alone = song.is_patterns();
    for (own, _) in song
        .chunks
        .iter()
        .filter(|(own, _)| !alone || *own == chunk)
    {
        song.starting(own, from, u64::MAX, &mut rows);
    }
    // The next op of the call, or its end, fails if that is too many.
    let _ = work::spend(STEPS_A_ROW * rows.len());
    let anew = |(key, _): &&(Key, Row)| before.place(key.tick).bar != after.place(key.tick).bar;
    match rows.iter().filter(anew).count() {
        0 => String::new(),
        1 => "; 1 row has a new bar number".to_owned(),
        n => format!("; {n} rows have new bar numbers"),
    }
}
