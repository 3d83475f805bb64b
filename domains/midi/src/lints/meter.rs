//! `meter`

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{MeterChange, Song};

/// A change of meter inside a bar, which ends that bar early.
#[fcp_lint(weight = 35)]
pub fn meter(song: &Song, _id: Id<MeterChange>, change: &MeterChange) -> Option<String> {
    if change.at == 0 || !song.has_bars() {
        return None;
    }
    let bars = song.bars(change.chunk);
    let spans = bars.spans();
    let at = spans
        .binary_search_by_key(&change.at, |span| span.tick)
        .ok()?;
    let before = spans.get(at.checked_sub(1)?)?;
    if (change.at - before.tick).is_multiple_of(before.bar_ticks()) {
        return None;
    }
    let meter = row_line::meter_text(change);
    let place = song.shown(change.chunk, change.at);
    let bar = bars.place(change.at).bar.saturating_sub(1);
    let (beats, unit) = (before.beats, before.unit);
    Some(format!(
        "song: meter {meter} at {place} ends bar {bar} early, in {beats}/{unit}"
    ))
}
