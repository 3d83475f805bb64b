//! `grid`

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::edit::rows::copy;
use crate::grid::parse::{self, Step};
use crate::grid::swing::warped;
use crate::model::{LAST_TICK, NewNote, Release, Song, Track};
use crate::phrase::clear;
use crate::values::{Channel, Dur, Frac, MusicWord, Percent, Pos, Times, Velocity};

/// Add notes as rows of steps, a pitch or drum and its row in turn: a drum pattern.
///
/// A step is `x` for a hit, `X` an accent, `g` a ghost note, `o` a hit that opens a hi-hat, `1` to `9` a velocity, `.` a
/// rest, `-` to hold; `|` a barline, which is checked. A shorter row is played again until the longest is over.
///
/// ```fcp
/// # track add Drums instrument:standard-kit
/// grid Drums kick x...x... snare ..x...x. hat x step:e times:4
/// > + Grid on Drums from 1.1 to 5.1 (48 notes: closed-hi-hat 32, kick 8, snare 8) next:5.1
/// grid Drums hat x.o.|X.g. step:e
/// > ! hat: a | is after 4 steps, but no bar ends there
/// >   try: grid Drums hat x.o.X.g. step:e
/// grid Drums kick x...x... snare ..x...x step:e
/// > ! snare has 7 steps, kick 8
/// >   try: grid Drums kick x...x... snare ..x...x. step:e
/// ```
///
/// ```fcp
/// # track add Bass
/// add grid C2 x--. G2 ...x on:Bass step:q
/// > + Grid on Bass from 1.1 to 2.1 (2 notes: C2 1, G2 1) next:2.1
/// ```
#[fcp_verb(
    category = "Notes",
    alias = "add grid",
    alias = "drums",
    alias = "add drums"
)]
pub fn grid(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// A pitch or drum, its row, and so on.
    #[fcp(rest)]
    rows: Vec<Spanned<MusicWord>>,
    /// Its start; after the last music added to the track if left out.
    at: Option<Spanned<Pos>>,
    /// The length of a step; a sixteenth if left out.
    step: Option<Spanned<Dur>>,
    /// Number of times it is played; once if left out.
    times: Option<Spanned<Times>>,
    /// Velocity of a plain hit.
    #[fcp(alias = "velocity", default = Velocity::clamped(96))]
    vel: Velocity,
    /// Start of every second step, in per cent of two.
    #[fcp(default = Percent::clamped(50))]
    swing: Percent<50, 80>,
    /// Notes that started in its span before are removed.
    #[fcp(default = Switch(false))]
    replace: Switch,
) -> Result<Reply> {
    let row = song.tracks.need(track.id())?.clone();
    let start = song.onset(track.id(), at.as_ref())?;
    let steps = parse::read(&rows, &row)?;
    let long = steps.iter().map(|row| row.cells.len()).max().unwrap_or(1);
    let from = Frac::of_tick(start);
    let length = match &step {
        Some(step) => song.period(step, row.chunk, from)?,
        None => song.quarter_in(4),
    };
    let tick = |n: usize, swing: i64| {
        let at = Frac::new(i128::try_from(n).ok()?, 1)?;
        let at = from.plus(length.times(at)?)?;
        let pair = length.times(Frac::whole(2))?;
        let at = if swing == 50 {
            at
        } else {
            warped(at, from, pair, swing)?
        };
        u64::try_from(at.round()).ok()
    };
    let once = tick(long, 50).unwrap_or(LAST_TICK);
    let cells = long * steps.len();
    let whole = length.times(Frac::of_tick(long as u64));
    let period = whole.unwrap_or(Frac::whole(i64::MAX));
    let times = copy::times(song, times.as_ref(), cells, (once, period))?;
    let times = usize::try_from(times).unwrap_or(1);
    let Some(end) = tick(long * times, 50).filter(|end| *end > start) else {
        bail!("a step has at least a tick, and the grid ends before the last one of a file");
    };
    let ends = |before: usize| song.on_barline(row.chunk, tick(before, 50).unwrap_or(start));
    for (words, row_of) in rows.chunks(2).zip(&steps) {
        if let Some(before) = row_of.bars.iter().find(|before| !ends(**before)) {
            return Err(parse::misbarred(words, *before, ends));
        }
    }
    let channel = row.channel.unwrap_or(Channel::FIRST);
    let mut notes = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let drums = row.is_drums();
    for n in 0..long * times {
        for row_of in &steps {
            let cells = &row_of.cells;
            let cell = |n: usize| cells.get(n % cells.len()).copied().unwrap_or(Step::Rest);
            let Some(velocity) = cell(n).velocity(vel) else {
                continue;
            };
            // A drum is not held: it determines its own sounding time.
            let held = (n + 1..long * times).take_while(|n| !drums && cell(*n) == Step::Hold);
            let last = n + 1 + held.count();
            let (Some(at), Some(end)) = (tick(n, swing.get()), tick(last, swing.get())) else {
                continue;
            };
            let pitch = row_of.struck(cell(n), drums);
            notes.push(NewNote {
                track: track.id(),
                channel,
                pitch,
                at,
                dur: end.saturating_sub(at).max(1),
                velocity,
                release: Release::NEUTRAL,
            });
            *counts
                .entry(song.pitch_name(track.id(), pitch))
                .or_default() += 1;
        }
    }
    let span = (start, end);
    let replaced = replace.0.then(|| clear(song, track.id(), span, &mut notes));
    let replaced = replaced.transpose()?.unwrap_or(0);
    let overlaps = song.add_notes(notes)?;
    song.set_cursor(track.id(), end);
    let summary = parse::describe_counts(counts);
    let replaced = match replaced {
        0 => String::new(),
        n => format!("; {n} replaced"),
    };
    let on = song.name_of_track(track.id());
    let (from, to) = (song.shown(row.chunk, start), song.shown(row.chunk, end));
    Ok(created!(
        "Grid on {on} from {from} to {to} ({summary}{replaced}) next:{to}{}",
        overlaps.describe()
    ))
}
