//! `pedal`

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{ControlChange, Site, Song, Track, channel_state, limits};
use crate::values::{Controller, Dur, Frac, Span};

/// Hold the sustain pedal over a span, released and pressed again at each bar or each `every:`.
///
/// ```fcp
/// # track add Keys
/// pedal Keys 1-4
/// > + Pedal on Keys from 1.1 to 5.1 (4 times down)
/// pedal Keys 6 every:h
/// > + Pedal on Keys from 6.1 to 7.1 (2 times down)
/// ```
#[fcp_verb(category = "Sound")]
pub fn pedal(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Ref<Track>,
    /// Bars or beats, both ends included.
    #[fcp(positional, key = "range")]
    span: Spanned<Span>,
    /// Time from press to press; a bar if left out.
    every: Option<Spanned<Dur>>,
) -> Result<Reply> {
    let site = song.site(track, None, None)?;
    let (from, to) = song
        .span_time(span.get(), site.chunk)
        .map_err(|error| span.wrong(error))?;
    if from == to {
        return Err(span.wrong(ValueError::new("is an instant, and a pedal is held")));
    }
    // A pedal pressed again too soon after its release does not damp.
    let gap = u64::from(song.ppqn() / 8).max(1);
    let mut downs = Vec::new();
    let (mut at, mut next) = (from, Frac::of_tick(from));
    while at < to {
        downs.push(at);
        next = match &every {
            Some(every) => {
                let period = song.period(every, site.chunk, next)?;
                next.plus(period).unwrap_or(Frac::of_tick(to))
            }
            None if song.has_bars() => {
                let bars = song.bars(site.chunk);
                Frac::of_tick(bars.bar(bars.place(at).bar + 1))
            }
            None => Frac::of_tick(to),
        };
        // Periods shorter than a tick would press it twice at one tick.
        at = next.tick().max(at + 1);
        // The first periods predict the total, if the others are as long.
        if downs.len().is_power_of_two() {
            limits::bounded(song, 2 * downs.len(), (to - from) / (at - from))?;
        }
    }
    let number = Controller::SUSTAIN.get();
    let spots = song.controls.index().time.range(site.chunk, from, to);
    let held: Vec<(Id<ControlChange>, u64, u8)> = spots
        .filter_map(|(_, spot)| {
            let row = song.controls.get(Id::new(spot.id))?;
            let own = (row.track, row.channel, row.number) == (site.track, site.channel, number);
            own.then(|| (Id::new(spot.id), row.at, row.value))
        })
        .collect();
    // A release at the start of the span stays, and so does a press at its end.
    let pressed = held
        .iter()
        .rfind(|(_, at, value)| *at == to && *value >= 64);
    let again = pressed.map(|(id, _, value)| (*id, *value));
    let mut plan: Vec<(u64, u8)> = Vec::with_capacity(2 * downs.len() + 1);
    for (ix, down) in downs.iter().enumerate() {
        if ix == 0 {
            plan.push((*down, 127));
            continue;
        }
        let next = downs.get(ix + 1).copied().unwrap_or(to);
        plan.push((*down, 0));
        plan.push((down + gap.min((next - down) / 2), 127));
    }
    plan.push((to, 0));
    plan.extend(again.map(|(_, value)| (to, value)));
    // Rows that are already as wanted stay, unless the order at their tick matters.
    let mut stays = vec![false; plan.len()];
    let planned = |at: u64, value: u8| {
        let ix = plan.partition_point(|(own, _)| *own < at);
        let alone = plan.get(ix + 1).is_none_or(|(own, _)| *own != at);
        (alone && plan.get(ix) == Some(&(at, value))).then_some(ix)
    };
    let mut replaced = 0_usize;
    for (id, at, value) in held {
        if at > from || value >= 64 {
            if let Some(stays) = planned(at, value).and_then(|ix| stays.get_mut(ix))
                && !std::mem::replace(stays, true)
            {
                continue;
            }
            song.controls.remove(id);
            // A press at the end of the span moves after the release there.
            replaced += usize::from(at < to || value < 64);
        }
    }
    let missing = plan.iter().zip(&stays).filter(|(_, stays)| !**stays);
    for ((at, value), _) in missing {
        let (at, value) = (*at, *value);
        let same = again.filter(|(_, pressed)| at == to && *pressed == value);
        let row = Site { at, ..site }.control(number, value);
        channel_state::put_again(song, row, same.map(|(id, _)| id));
    }
    let on = song.name_of_track(site.track);
    let (start, end) = (song.shown(site.chunk, from), song.shown(site.chunk, to));
    let times = count(downs.len(), "time");
    let replaced = match replaced {
        0 => String::new(),
        n => format!(", {n} replaced"),
    };
    Ok(created!(
        "Pedal on {on} from {start} to {end} ({times} down{replaced})"
    ))
}
