//! Meters that go elsewhere: to barlines, since one inside a bar would end that bar early.

use fcp::prelude::*;
use fcp::value::ValueError;

use crate::model::{Chunk, LAST_TICK, MeterChange, Song, part};
use crate::time::MeterMap;
use crate::values::{Base, Dur, Pos};

/// How many bars on each side of a place are tried for one where meters may stand.
const AROUND: u64 = 4;

/// Meter changes that come to stand elsewhere.
pub struct MeterMoves {
    rows: Vec<(Id<MeterChange>, u64)>,
    chunk: Id<Chunk>,
    /// They leave where they were.
    leave: bool,
}

impl MeterMoves {
    /// Those among rows that move to ticks, or whose copies come there.
    #[must_use]
    pub fn of(song: &Song, rows: impl Iterator<Item = (Row, u64)>, leave: bool) -> Option<Self> {
        let rows = rows.filter(|(row, _)| row.part() == part::<MeterChange>());
        let rows: Vec<(Id<MeterChange>, u64)> = rows.map(|(row, at)| (row.of(), at)).collect();
        let (first, _) = rows.first()?;
        let chunk = song.meters.get(*first)?.chunk;
        song.has_bars().then_some(Self { rows, chunk, leave })
    }

    /// The same where they come into a chunk, which may have bars of its own.
    #[must_use]
    pub fn coming_to(self, chunk: Id<Chunk>) -> Self {
        Self { chunk, ..self }
    }

    /// The tick of a bar and beat as they are counted without the meters that go: `at:6` for one that goes from bar 5 is
    /// bar 6 of the meter before it. Nothing for what is no bar and beat.
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

    /// A tick as ops write it, counted so.
    #[must_use]
    pub fn spelled(&self, song: &Song, tick: u64) -> String {
        self.bars(song, None).place(tick).to_string()
    }

    /// How many they are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Refuses a way on which a meter would come to stand inside a bar. The repair is made of where the meters may go: how
    /// many ticks further on, or back, than they were to.
    ///
    /// # Errors
    /// One would.
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
        let told =
            format!("puts meter {meter} at {place}, inside a bar, and a meter starts on a barline");
        let bar = bars.place(at).bar;
        let lines = bar.saturating_sub(AROUND).max(1)..=bar.saturating_add(AROUND);
        let mut ways: Vec<i64> = lines
            .filter_map(|bar| bars.bar(bar).checked_signed_diff(at))
            .filter(|by| self.inside(song, *by).is_none())
            .collect();
        ways.sort_by_key(|by| (by.unsigned_abs(), *by));
        Err(ValueError::new(told).maybe_fix(ways.into_iter().find_map(fix)))
    }

    /// The first of the meters that would stand inside a bar if all went so many ticks further, and where.
    fn inside(&self, song: &Song, by: i64) -> Option<(Id<MeterChange>, u64)> {
        let bars = self.bars(song, Some(by));
        let spans = bars.spans();
        let is_inside = |at: u64| {
            let span = spans.iter().rposition(|span| span.tick == at);
            let before = span.and_then(|ix| spans.get(ix.checked_sub(1)?));
            before.is_some_and(|before| !(at - before.tick).is_multiple_of(before.bar_ticks()))
        };
        let mut rows = self.rows.iter();
        // What would land before the start stands nowhere.
        rows.find_map(|(id, at)| match at.checked_add_signed(by) {
            Some(to) => is_inside(to).then_some((*id, *at)),
            None => Some((*id, *at)),
        })
    }

    /// The bars of the song with the meters so many ticks further than where they are to go; without them at all, if
    /// nothing is said.
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

/// That a way leads before the start, with the longest that does not; what stands at the start goes nowhere back.
pub fn before_start(song: &Song, first: u64) -> ValueError {
    let back = i64::try_from(first).map_or(0, |at| -at);
    let fix = (back != 0).then(|| way(song, back));
    ValueError::new("leads before the start").maybe_fix(fix)
}

/// A way of so many ticks as ops write it: `+h`, `-ticks:7`.
#[must_use]
pub fn way(song: &Song, by: i64) -> String {
    let sign = if by < 0 { '-' } else { '+' };
    let ticks = by.unsigned_abs();
    match Dur::of_ticks(ticks, Some(song.ppqn())) {
        Some(dur) => format!("{sign}{dur}"),
        None => format!("{sign}ticks:{ticks}"),
    }
}
