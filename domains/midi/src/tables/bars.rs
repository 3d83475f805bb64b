//! `bars`

use fcp::prelude::*;
use fcp::work;

use super::placed::whole;
use crate::model::Song;

/// The steps that a bar counts.
const STEPS: usize = 16;

/// A bar.
#[derive(FcpRow)]
#[fcp(model = Song)]
pub struct BarRow {
    /// Its number, from 1.
    #[fcp(by = "bars insert")]
    pub bar: i64,
    /// Its first tick.
    #[fcp(by = "bars insert")]
    pub tick: i64,
    /// Its length in ticks.
    #[fcp(by = "time-sig METER at:BAR")]
    pub ticks: i64,
    /// Beats in a bar of its meter.
    #[fcp(by = "time-sig {value}/4 at:BAR")]
    pub num: i64,
    /// Note value of a beat: 4 is a quarter.
    #[fcp(by = "time-sig 4/{value} at:BAR")]
    pub den: i64,
    /// Tempo at its start, in quarters a minute.
    #[fcp(by = "tempo {value} at:BAR")]
    pub bpm: f64,
    /// Seconds at its start.
    #[fcp(by = "tempo")]
    pub seconds: f64,
    /// The text of the last marker up to its end.
    #[fcp(by = "marker {value} at:BAR")]
    pub section: Option<String>,
}

/// Bars up to the last sound, by the meters of the song; none in a file that counts SMPTE frames.
#[fcp_table]
pub fn bars(song: &Song) -> Vec<BarRow> {
    let Some(chunk) = song.first_chunk().filter(|_| song.has_bars()) else {
        return Vec::new();
    };
    let (bars, tempos) = (song.bars(chunk), song.tempo_map(chunk));
    let mut markers: Vec<(u64, &str)> = song
        .markers
        .iter()
        .map(|(_, row)| (row.at, &*row.text))
        .collect();
    markers.sort_by_key(|(at, _)| *at);
    let row = |bar: u64| {
        let (tick, ticks) = (bars.bar(bar), bars.bar_length(bar));
        let meter = bars.at(tick);
        let before = markers.partition_point(|(at, _)| *at < tick + ticks);
        let section = before.checked_sub(1).and_then(|at| markers.get(at));
        BarRow {
            bar: whole(bar),
            tick: whole(tick),
            ticks: whole(ticks),
            num: whole(meter.beats),
            den: whole(meter.unit),
            bpm: 60e6 / f64::from(tempos.micros(tick)),
            seconds: tempos.seconds(tick),
            section: section.map(|(_, text)| (*text).to_owned()),
        }
    };
    // One delta time may claim more bars than fit in memory: they count, and the call fails.
    (1..=song.bar_count())
        .map_while(|bar| work::spend(STEPS).is_ok().then(|| row(bar)))
        .collect()
}
