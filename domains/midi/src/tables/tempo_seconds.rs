//! Ticks of tempos that are placed by seconds.

use std::collections::HashSet;

use fcp::prelude::*;
use fcp::work;

use super::placed::Seconds;
use super::setting_events::{Rows, place};
use crate::model::{Holder, IsKind, Song, Tempo, row_of};
use crate::time::TempoMap;

/// The ticks at which tempos are at a number of seconds. A tempo that moves no longer counts where
/// it was, and counts from its new tick on.
pub(super) fn tempo_ticks(song: &Song, rows: &Rows<'_, Seconds>) -> Result<Vec<(Row, u64)>> {
    let mut moving: Vec<(Row, f64)> = Vec::new();
    for (event, value) in rows {
        let Some(row) = event.row.filter(|row| row.is::<Tempo>()) else {
            continue;
        };
        if !song.has_bars() {
            continue;
        }
        let (chunk, _) = place(song, Holder::Row(row))?;
        value.tick(song, chunk, None)?;
        let seconds = value.as_str().trim_end_matches('s').parse();
        moving.extend(seconds.ok().map(|seconds| (row, seconds)));
    }
    moving.sort_by(|a, b| a.1.total_cmp(&b.1));
    let moved: HashSet<Row> = moving.iter().map(|(row, _)| *row).collect();
    work::spend(song.tempos.len() * moving.len())?;
    let mut ticks: Vec<(Row, u64)> = Vec::new();
    for (row, seconds) in moving {
        let (chunk, _) = place(song, Holder::Row(row))?;
        let own = song.of_its_own(chunk);
        let tempo_of = |row: Row| song.tempos.get(row.of()).map(|tempo| tempo.micros);
        let all = song.tempos.iter();
        let others = all.filter(|(id, tempo)| {
            song.of_its_own(tempo.chunk) == own && !moved.contains(&row_of(*id))
        });
        let others = others.map(|(_, tempo)| (tempo.at, tempo.micros));
        let placed = ticks
            .iter()
            .filter_map(|(row, at)| Some((*at, tempo_of(*row)?)));
        let mut changes: Vec<(u64, u32)> = others.chain(placed).collect();
        changes.sort_by_key(|(at, _)| *at);
        let tick = TempoMap::new(song.ppqn(), changes).tick(seconds);
        let Some(tick) = tick else {
            bail!("{seconds} seconds are beyond the last tick of a file");
        };
        ticks.push((row, tick));
    }
    Ok(ticks)
}
