//! `arp`

use fcp::prelude::*;
use fcp::reply;

use crate::edit::notes::random::Dice;
use crate::model::{NewNote, Release, Song, Track, limits};
use crate::values::{Channel, Chord, Dur, Frac, Pattern, Percent, Pitch, Pos, Velocity, Voicing};

/// Add the tones of a chord one by one.
///
/// ```fcp
/// # track add Keys
/// arp Keys Am7
/// > + Arp Am7 on Keys from 1.1 to 2.1 (8 notes) next:2.1
/// arp Keys C pattern:updown span:2 step:s dur:h gate:50
/// > + Arp C on Keys from 2.1 to 2.3 (8 notes) next:2.3
/// arp Keys C pattern:1-5-2
/// > ! pattern:1-5-2 names tone 5, but there are 3 tones
/// >   try: arp Keys C pattern:1-3-2
/// ```
#[fcp_verb(category = "Notes", alias = "add arp", alias = "arpeggio")]
pub fn arp(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// The chord.
    #[fcp(positional)]
    symbol: Chord,
    /// Its start; after the last music added to the track if left out.
    at: Option<Spanned<Pos>>,
    /// Its whole length; a bar if left out.
    #[fcp(alias = "duration")]
    dur: Option<Spanned<Dur>>,
    /// From each tone to the next; an eighth if left out.
    step: Option<Spanned<Dur>>,
    /// The order: `up` if left out, `down`, `updown`, `downup`, `random`, or numbers of tones, `1-3-2-3`.
    pattern: Option<Spanned<Pattern>>,
    /// Number of octaves.
    #[fcp(default = Int::clamped(1))]
    span: Int<1, 6>,
    /// Length of a tone, in per cent of its step.
    #[fcp(default = Percent::clamped(100))]
    gate: Percent<1, 100>,
    /// The octave of the root.
    #[fcp(alias = "octave", default = Int::clamped(4))]
    oct: Int<-1, 9>,
    /// Velocity of the tones.
    #[fcp(alias = "velocity", default = Velocity::MF)]
    vel: Velocity,
    /// Seed of the random numbers.
    #[fcp(default = Int::clamped(1))]
    seed: Int<0, 4_294_967_295>,
) -> Result<Reply> {
    let row = song.tracks.need(track.id())?.clone();
    let start = song.onset(track.id(), at.as_ref())?;
    let octave = i8::try_from(oct.get()).unwrap_or(4);
    let close = symbol
        .tones(octave, 0, Voicing::Close)
        .map_err(|error| Diagnostic::new(error.about("")))?;
    let octaves = i32::try_from(span.get()).unwrap_or(1);
    let mut tones: Vec<Pitch> = Vec::new();
    for by in 0..octaves {
        for tone in &close {
            let Some(tone) = tone.shifted(12 * by) else {
                bail!("{symbol} over {octaves} octaves goes above G9 (127)");
            };
            tones.push(tone);
        }
    }
    tones.sort_unstable();
    tones.dedup();
    let round = match &pattern {
        Some(pattern) => pattern.get().round(tones.len()),
        None => Pattern::Up.round(tones.len()),
    };
    let round = round.map_err(|error| match &pattern {
        Some(pattern) => pattern.wrong(error),
        None => Diagnostic::new(error.about("")),
    })?;
    let length = |dur: &Option<Spanned<Dur>>, usual: Frac| match dur {
        Some(dur) => song.period(dur, row.chunk, Frac::of_tick(start)),
        None => Ok(usual),
    };
    let whole = song.bars(row.chunk).at(start).bar_ticks();
    let length_of_all = length(&dur, Frac::of_tick(whole))?;
    let apart = length(&step, song.quarter_in(2))?;
    let steps = length_of_all.over(apart).unwrap_or(Frac::ZERO);
    // The last step may be cut short.
    let all = steps.floor() + i64::from(Frac::whole(steps.floor()) < steps);
    limits::bounded(song, 1, all.unsigned_abs())?;
    let end = start + length_of_all.tick();
    let gated = Frac::new(gate.get().into(), 100).unwrap_or(Frac::whole(1));
    let mut dice = Dice::new(seed.get().unsigned_abs());
    let mut notes = Vec::new();
    for n in 0..all {
        let place = |n: i64| {
            let by = apart.times(Frac::whole(n));
            by.unwrap_or(length_of_all).min(length_of_all)
        };
        let (begins, next) = (place(n), place(n + 1));
        let sounding = next.minus(begins).and_then(|step| step.times(gated));
        let ends = sounding.and_then(|sounding| begins.plus(sounding));
        let (from, to) = (start + begins.tick(), start + ends.unwrap_or(next).tick());
        let nth = usize::try_from(n).unwrap_or(0);
        let ix = match round.as_slice() {
            [] => dice.below(tones.len()),
            round => round[nth % round.len()],
        };
        let (Some(pitch), true) = (tones.get(ix), next.tick() > begins.tick()) else {
            continue;
        };
        notes.push(NewNote {
            track: track.id(),
            channel: row.channel.unwrap_or(Channel::FIRST),
            pitch: *pitch,
            at: from,
            dur: to.saturating_sub(from).max(1),
            velocity: vel,
            release: Release::NEUTRAL,
        });
    }
    let count = notes.len();
    let overlaps = song.add_notes(notes)?;
    song.set_cursor(track.id(), end);
    let on = song.name_of_track(track.id());
    let (from, to) = (song.shown(row.chunk, start), song.shown(row.chunk, end));
    let notes = reply::count(count, "note");
    Ok(created!(
        "Arp {symbol} on {on} from {from} to {to} ({notes}) next:{to}{}",
        overlaps.describe()
    ))
}
