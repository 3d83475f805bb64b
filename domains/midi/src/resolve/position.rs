//! Converts written positions and durations to ticks.

use fcp::prelude::*;

use crate::model::{Chunk, LAST_TICK, Note, Song, Track};
use crate::time::MeterMap;
use crate::values::{BAR, Base, Clock, Dur, Frac, Place, Pos, Shift, Span};

/// Length of a bar in a file that counts seconds: that of 4/4 at 120 bpm.
const BAR_SECONDS: f64 = 2.0;

impl Song {
    /// The start of new music on a track: `at` if given, else the end of the last music added to
    /// the track, else the start of an empty track.
    ///
    /// # Errors
    /// The position is invalid here, or it is left out and the track already holds music.
    pub fn onset(&self, track: Id<Track>, at: Option<&Spanned<Pos>>) -> Result<u64> {
        let chunk = self.tracks.need(track)?.chunk;
        match at {
            Some(at) => self.tick(at, chunk, Some(track)),
            None => match self.cursors.0.get(&track.number()) {
                Some(cursor) => Ok(*cursor),
                None if self.notes.index().count(track) == 0 => Ok(0),
                None => {
                    bail!("{} holds music already; give at:", self.name_of_track(track);
                    add: "at:end")
                }
            },
        }
    }

    /// The ticks of a duration that starts at `from`.
    ///
    /// # Errors
    /// It is less than a tick, or more than a file can hold.
    pub fn ticks(&self, dur: &Spanned<Dur>, chunk: Id<Chunk>, from: u64) -> Result<u64> {
        dur.get()
            .ticks(&self.clock(chunk), from)
            .map_err(|error| dur.wrong(error))
    }

    /// The exact ticks of a duration that repeats from `from`: three eighth triplets fill a quarter.
    ///
    /// # Errors
    /// As for [`Self::ticks`].
    pub fn period(&self, dur: &Spanned<Dur>, chunk: Id<Chunk>, from: Frac) -> Result<Frac> {
        dur.get()
            .period(&self.clock(chunk), from)
            .map_err(|error| dur.wrong(error))
    }

    /// The tick at which the last note of a track ends, or of the whole song if no track is given.
    #[must_use]
    pub fn end_tick(&self, track: Option<Id<Track>>) -> u64 {
        let Some(track) = track else {
            return self.last_sound().map_or(0, |(_, tick)| tick);
        };
        let Some(chunk) = self.tracks.get(track).map(|track| track.chunk) else {
            return 0;
        };
        let own = |id: u32| {
            self.notes
                .get(Id::new(id))
                .is_some_and(|note| note.track == track)
        };
        let mut spots = self.notes.index().time.range(chunk, 0, u64::MAX).rev();
        spots
            .find(|(_, spot)| own(spot.id))
            .map_or(0, |(key, _)| key.tick)
    }

    /// The tick of a position.
    ///
    /// # Errors
    /// There is no such place: a beat the bar lacks, an unknown marker, a tick after the last one.
    pub fn tick(
        &self,
        at: &Spanned<Pos>,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
    ) -> Result<u64> {
        self.pos_tick(at.get(), chunk, track)
            .map_err(|error| at.wrong(error))
    }

    /// The tick of a position for a song row: the start if none is given.
    ///
    /// # Errors
    /// As for [`Self::tick`].
    pub fn song_tick(&self, at: Option<&Spanned<Pos>>, chunk: Id<Chunk>) -> Result<u64> {
        // A pattern has its own end.
        at.map_or(Ok(0), |at| self.tick(at, chunk, self.pattern(chunk)))
    }

    /// The tick of a position; errors are about its text.
    ///
    /// # Errors
    /// As for [`Self::tick`].
    pub fn pos_tick(
        &self,
        pos: &Pos,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
    ) -> Result<u64, ValueError> {
        if let Some(name) = pos.whole_name()
            && let Some(tick) = self.marked(name, pos.is_strict(), chunk)?
        {
            return Ok(tick);
        }
        let base = self.base_tick(&pos.base, chunk, track)?;
        let Some(shift) = &pos.shift else {
            return inside(base);
        };
        let from = i64::try_from(base).map_err(|_| beyond())?;
        let tick = shift.from_tick(&self.clock(chunk), Frac::whole(from));
        let tick = tick.map_err(|mut error| {
            // Text after a name is part of the name, and `5-8` may be meant as a span.
            let way = shift.to_string();
            let is_end = |end: &str| end.bytes().all(|byte| byte.is_ascii_digit());
            let is_span =
                matches!(pos.base, Base::Place(_)) && way.strip_prefix('-').is_some_and(is_end);
            let kept = !is_span && !matches!(pos.base, Base::Named { .. });
            let kept = kept.then_some(&pos.base);
            error.fix = error
                .fix
                .zip(kept)
                .map(|(fix, base)| format!("{base}{fix}"));
            error
        });
        let tick = tick?.round();
        let tick =
            u64::try_from(tick).map_err(|_| ValueError::new("is before the start").fix("1.1"))?;
        inside(tick)
    }

    fn base_tick(
        &self,
        base: &Base,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
    ) -> Result<u64, ValueError> {
        match base {
            Base::Place(place) => self.bar_tick(*place, chunk),
            Base::Tick(tick) => Ok(u64::from(*tick)),
            Base::Seconds(seconds) => {
                let ticks = self
                    .clock(chunk)
                    .seconds_to_ticks(Frac::ZERO, *seconds)
                    .ok_or_else(beyond)?;
                u64::try_from(ticks.round()).map_err(|_| beyond())
            }
            Base::End => Ok(self.end_tick(track)),
            Base::Next if !self.has_bars() => {
                let problem = "is a barline, and this file counts SMPTE frames";
                Err(ValueError::new(problem).fix("end"))
            }
            Base::Next => {
                let end = self.end_tick(track);
                let bars = self.bars(chunk);
                let place = bars.place(end);
                let barline = place.beat == 1 && place.tick == 0;
                Ok(if barline {
                    end
                } else {
                    bars.bar(place.bar + 1)
                })
            }
            Base::Cursor => {
                let cursor = track.and_then(|track| self.cursors.0.get(&track.number()).copied());
                Ok(cursor.unwrap_or_else(|| self.end_tick(track)))
            }
            Base::Named { name, place, .. } => {
                let start = self.named_tick(base, name, chunk)?;
                let Some(inner) = place else { return Ok(start) };
                let bars = self.bars(chunk);
                let bar = bars
                    .place(start)
                    .bar
                    .saturating_add(u64::from(inner.bar))
                    .saturating_sub(1);
                let bar = u32::try_from(bar)
                    .ok()
                    .filter(|bar| *bar <= BAR)
                    .ok_or_else(beyond)?;
                self.bar_tick(Place { bar, ..*inner }, chunk)
            }
        }
    }

    /// The tick of a bar and beat, which must exist.
    fn bar_tick(&self, place: Place, chunk: Id<Chunk>) -> Result<u64, ValueError> {
        if !self.has_bars() {
            let seconds = (f64::from(place.bar) - 1.0) * BAR_SECONDS
                + (f64::from(place.beat.unwrap_or(1)) - 1.0) * 0.5;
            let error = ValueError::new("is in bars, and this file counts SMPTE frames");
            return Err(error.fix(format!("{seconds}s")));
        }
        tick_in(&self.bars(chunk), place)
    }

    /// The ticks of a span: its first tick, and the first tick after it. An event exactly at an
    /// instant that ends the span is inside.
    ///
    /// # Errors
    /// An end is invalid here, or the span is reversed.
    pub fn span_ticks(&self, span: &Span, chunk: Id<Chunk>) -> Result<(u64, u64), ValueError> {
        let (from, to) = self.span_time(span, chunk)?;
        Ok((from, if self.ends_at_once(span) { to + 1 } else { to }))
    }

    /// The ticks of a span for time that lasts: an instant that ends it has no length.
    ///
    /// # Errors
    /// As for [`Self::span_ticks`].
    pub fn span_time(&self, span: &Span, chunk: Id<Chunk>) -> Result<(u64, u64), ValueError> {
        if let Some(name) = span.whole_name()
            && let Some(start) = self.marked(name, span.is_strict(), chunk)?
        {
            return Ok((start, self.section_end(start, chunk)));
        }
        let end = |pos: &Pos, corrected: &dyn Fn(&str) -> Option<String>| {
            self.pos_tick(pos, chunk, None).map_err(|mut error| {
                error.fix = error.fix.take().and_then(|fix| corrected(&fix));
                error
            })
        };
        let from = end(span.from(), &|fix| span.with(Some(fix), None))?;
        // A span that ends with a bar ends where the next bar would begin.
        let length = match span.to().base {
            Base::Place(Place { beat: None, .. }) => BAR_SECONDS,
            Base::Place(Place { ticks: None, .. }) => BAR_SECONDS / 4.0,
            _ => 0.0,
        };
        let behind = |fix: &str| {
            let seconds = fix
                .strip_suffix('s')
                .and_then(|fix| fix.parse::<f64>().ok());
            let seconds = seconds.filter(|_| !self.has_bars());
            seconds.map_or_else(
                || fix.to_owned(),
                |seconds| format!("{}s", seconds + length),
            )
        };
        let to = end(span.to(), &|fix| span.with(None, Some(&behind(fix))))?;
        let bars = self.bars(chunk);
        // The whole of the last position is inside.
        let end = match (&span.to().base, &span.to().shift) {
            _ if self.ends_at_once(span) => to,
            (Base::Named { place: None, .. }, _) | (Base::Named { .. }, Some(_)) => {
                self.section_end(to, chunk)
            }
            (
                Base::Place(place)
                | Base::Named {
                    place: Some(place), ..
                },
                _,
            ) => match place {
                Place { beat: None, .. } => to + bars.bar_length(bars.place(to).bar),
                Place { ticks: None, .. } => to + bars.at(to).beat,
                _ => to + 1,
            },
            _ => to + 1,
        };
        if end < from || to < from {
            let fix = format!("{}-{}", span.to(), span.from());
            return Err(ValueError::new("is reversed").fix(fix));
        }
        Ok((from, end))
    }

    /// Whether a span ends with an instant: a time, or an offset from a place. Bars, beats, ticks
    /// and sections have a length.
    fn ends_at_once(&self, span: &Span) -> bool {
        let to = span.to();
        match (&to.base, &to.shift) {
            (Base::Named { whole, .. }, Some(_)) => !self.is_section(whole),
            (_, Some(_)) => true,
            (base, None) => matches!(
                base,
                Base::Seconds(_) | Base::End | Base::Next | Base::Cursor
            ),
        }
    }

    /// The ticks of the span that a query requests; all if there is none.
    ///
    /// # Errors
    /// As for [`Self::span_ticks`].
    pub fn asked(&self, span: Option<&Spanned<Span>>, chunk: Id<Chunk>) -> Result<(u64, u64)> {
        match span {
            Some(span) => {
                let ticks = self.span_ticks(span.get(), chunk);
                ticks.map_err(|error| span.wrong(error))
            }
            None => Ok((0, u64::MAX)),
        }
    }

    /// The tick that a change of position gives for `present`.
    ///
    /// # Errors
    /// As for [`Self::tick`].
    pub fn changed_tick(
        &self,
        at: &Spanned<Change<Pos, Shift>>,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
        present: u64,
    ) -> Result<u64> {
        let tick = match at.get() {
            Change::Set(pos) => self.pos_tick(pos, chunk, track),
            Change::By(shift) => {
                let from = Frac::whole(i64::try_from(present).unwrap_or(i64::MAX));
                let there = shift.from_tick(&self.clock(chunk), from).map(Frac::round);
                there.and_then(|tick| {
                    u64::try_from(tick).map_err(|_| ValueError::new("goes before the start"))
                })
            }
        };
        // A row beyond the last tick may move back, even if it stays beyond that tick.
        let tick = tick.and_then(|tick| match tick < present {
            true => Ok(tick),
            false => inside(tick),
        });
        tick.map_err(|error| at.wrong(error))
    }

    /// The length that a change of duration gives a note.
    ///
    /// # Errors
    /// Nothing would be left of it, or it is longer than a file can hold.
    pub fn changed_length(&self, dur: &Spanned<Change<Dur, Shift>>, note: &Note) -> Result<u64> {
        let ticks = match dur.get() {
            Change::Set(dur) => dur.ticks(&self.clock(note.chunk), note.at),
            Change::By(shift) => {
                let end = note.at + note.dur.unwrap_or(0);
                let from = Frac::whole(i64::try_from(end).unwrap_or(i64::MAX));
                let there = shift
                    .from_tick(&self.clock(note.chunk), from)
                    .map(Frac::round);
                there.and_then(|to| {
                    let length = u64::try_from(to)
                        .ok()
                        .and_then(|to| to.checked_sub(note.at))
                        .filter(|n| *n > 0);
                    length.ok_or_else(|| ValueError::new("leaves nothing of a note"))
                })
            }
        };
        ticks.map_err(|error| dur.wrong(error))
    }
}

fn beyond() -> ValueError {
    ValueError::new(format!(
        "is beyond tick {LAST_TICK}, the last one of a file"
    ))
}

/// The tick of a bar and beat, which must exist.
///
/// # Errors
/// The bar has no such beat, or the beat no such tick; or it is after the last tick of a file.
pub fn tick_in(bars: &MeterMap, place: Place) -> Result<u64, ValueError> {
    let bar = u64::from(place.bar);
    let (start, length) = (bars.bar(bar), bars.bar_length(bar));
    let span = bars.at(start);
    let beat = u64::from(place.beat.unwrap_or(1));
    let into = (beat - 1).saturating_mul(span.beat);
    if into >= length && beat > 1 {
        // Count the same beats on into the following bars.
        let over = bars.place(start.saturating_add(into));
        let problem = format!(
            "has no beat {beat}: the bar has {}",
            length.div_ceil(span.beat)
        );
        return Err(ValueError::new(problem).fix(format!("{}.{}", over.bar, over.beat)));
    }
    let ticks = u64::from(place.ticks.unwrap_or(0));
    if ticks >= span.beat && ticks > 0 {
        let over = bars.place(
            start
                .saturating_add(into)
                .saturating_add(ticks)
                .min(LAST_TICK),
        );
        return Err(
            ValueError::new(format!("has {ticks} ticks, and a beat has {}", span.beat))
                .fix(over.to_string()),
        );
    }
    inside(start.saturating_add(into).saturating_add(ticks))
}

fn inside(tick: u64) -> Result<u64, ValueError> {
    (tick <= LAST_TICK).then_some(tick).ok_or_else(beyond)
}
