//! Moves meters, to barlines only: a meter inside a bar would end that bar early.

use fcp::prelude::*;
use fcp::value::ValueError;

use crate::model::{Chunk, IsKind, LAST_TICK, MeterChange, Song};
use crate::time::MeterMap;
use crate::values::{Base, Dur, Pos};

/// Number of bars to try on each side of a tick for a barline that meters may move to.
const AROUND: u64 = 4;

/// Meter changes that move.
pub struct MeterMoves {
    rows: Vec<(Id<MeterChange>, u64)>,
    chunk: Id<Chunk>,
    /// They leave their present place (a copy does not).
    leave: bool,
}

impl MeterMoves {
    /// The meter changes among `rows`, each with its target tick; `None` if there are none or the
    /// file has no bars.
    #[must_use]
    pub fn of(song: &Song, rows: impl Iterator<Item = (Row, u64)>, leave: bool) -> Option<Self> {
        let rows = rows.filter(|(row, _)| row.is::<MeterChange>());
        let rows: Vec<(Id<MeterChange>, u64)> = rows.map(|(row, at)| (row.of(), at)).collect();
        let (first, _) = rows.first()?;
        let chunk = song.meters.get(*first)?.chunk;
        song.has_bars().then_some(Self { rows, chunk, leave })
    }

    /// These moves, into another chunk, which may have its own bars.
    #[must_use]
    pub fn coming_to(self, chunk: Id<Chunk>) -> Self {
        Self { chunk, ..self }
    }

    /// The tick of a bar and beat, counted without the meters that move: for a meter at bar 5,
    /// `at:6` is bar 6 of the meter before it. `None` if `pos` is not a plain bar and beat.
    #[must_use]
    pub fn counted(&self, song: &Song, pos: &Pos) -> Option<u64> {
        let (Base::Place(place), None) = (&pos.base, &pos.shift) else {
            return None;
        };
        let bars = self.bars(song, None);
        let start = bars.bar(place.bar.into());
        let span = bars.at(start);
        let beat = u64::from(place.beat.unwrap_or(1)).checked_sub(1)?;
        let ticks = u64::from(place.ticks.unwrap_or(0));
        let inside = beat < span.beats && (ticks < span.beat || ticks == 0);
        let tick = start.saturating_add(beat * span.beat).saturating_add(ticks);
        (inside && tick <= LAST_TICK).then_some(tick)
    }

    /// A tick as ops write it, counted in the same way.
    #[must_use]
    pub fn spelled(&self, song: &Song, tick: u64) -> String {
        self.bars(song, None).place(tick).to_string()
    }

    /// Number of meter changes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Rejects a move that would put a meter inside a bar. `fix` builds the repair from the nearest
    /// valid move, in ticks from the requested target (negative for earlier).
    ///
    /// # Errors
    /// A meter would be inside a bar.
    pub fn check(
        &self,
        song: &Song,
        fix: impl Fn(i64) -> Option<String>,
    ) -> Result<(), ValueError> {
        let Some((id, at)) = self.inside(song, 0) else {
            return Ok(());
        };
        let meter = song
            .meters
            .get(id)
            .map(crate::display::row_line::meter_text);
        let meter = meter.unwrap_or_default();
        let bars = self.bars(song, None);
        let place = bars.place(at);
        let problem =
            format!("puts meter {meter} at {place}, inside a bar, and a meter starts on a barline");
        let bar = bars.place(at).bar;
        let lines = bar.saturating_sub(AROUND).max(1)..=bar.saturating_add(AROUND);
        let mut ways: Vec<i64> = lines
            .filter_map(|bar| bars.bar(bar).checked_signed_diff(at))
            .filter(|by| self.inside(song, *by).is_none())
            .collect();
        ways.sort_by_key(|by| (by.unsigned_abs(), *by));
        Err(ValueError::new(problem).maybe_fix(ways.into_iter().find_map(fix)))
    }

    /// The first meter that would be inside a bar if all moved `by` more ticks, with its target
    /// tick.
    fn inside(&self, song: &Song, by: i64) -> Option<(Id<MeterChange>, u64)> {
        let bars = self.bars(song, Some(by));
        let spans = bars.spans();
        let is_inside = |at: u64| {
            let span = spans.iter().rposition(|span| span.tick == at);
            let before = span.and_then(|ix| spans.get(ix.checked_sub(1)?));
            before.is_some_and(|before| !(at - before.tick).is_multiple_of(before.bar_ticks()))
        };
        let mut rows = self.rows.iter();
        // A target before the start is never valid.
        rows.find_map(|(id, at)| match at.checked_add_signed(by) {
            Some(to) => is_inside(to).then_some((*id, *at)),
            None => Some((*id, *at)),
        })
    }

    /// The bars of the song with the meters `by` ticks after their target, or without them if `by`
    /// is `None`.
    fn bars(&self, song: &Song, by: Option<i64>) -> MeterMap {
        let goes = |id: Id<MeterChange>| self.leave && self.rows.iter().any(|(own, _)| *own == id);
        let here = |row: &MeterChange| !song.is_patterns() || row.chunk == self.chunk;
        let stay = song
            .meters
            .iter()
            .filter(|(id, row)| !goes(*id) && here(row));
        let mut changes: Vec<(u64, u8, u8)> = stay
            .map(|(_, row)| (row.at, row.beats, row.power))
            .collect();
        let come = self.rows.iter().filter_map(|(id, at)| {
            let row = song.meters.get(*id)?;
            Some((at.checked_add_signed(by?)?, row.beats, row.power))
        });
        changes.extend(come);
        changes.sort_by_key(|(at, ..)| *at);
        MeterMap::new(song.ppqn(), changes)
    }
}

/// Error for a move that goes before the start; the repair is the longest possible move back, if
/// there is one.
pub fn before_start(song: &Song, first: u64) -> ValueError {
    let back = i64::try_from(first).map_or(0, |at| -at);
    let fix = (back != 0).then(|| way(song, back));
    ValueError::new("goes before the start").maybe_fix(fix)
}

/// A move by `by` ticks as ops write it: `+h`, `-ticks:7`.
#[must_use]
pub fn way(song: &Song, by: i64) -> String {
    let sign = if by < 0 { '-' } else { '+' };
    let ticks = by.unsigned_abs();
    match Dur::of_ticks(ticks, Some(song.ppqn())) {
        Some(dur) => format!("{sign}{dur}"),
        None => format!("{sign}ticks:{ticks}"),
    }
}
