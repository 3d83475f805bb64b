//! The facts about a song that lengths and positions depend on.

use super::frac::Frac;

/// Division, meter and tempo of a song, which convert beats, bars and seconds to ticks.
pub trait Clock {
    /// Ticks per quarter note; `None` if the file counts SMPTE frames, and so has no bars.
    fn ppqn(&self) -> Option<u32>;

    /// Ticks of the beat in effect at the tick `at`: a whole note over the meter's denominator.
    fn beat_ticks(&self, at: Frac) -> Option<Frac>;

    /// Ticks of a full bar of the meter in effect at the tick `at`.
    fn bar_ticks(&self, at: Frac) -> Option<Frac>;

    /// Ticks from the tick `at` to the moment `seconds` later, or earlier if negative.
    ///
    /// Callers round a result finer than a thousandth of a tick to a thousandth.
    fn seconds_to_ticks(&self, at: Frac, seconds: Frac) -> Option<Frac>;

    /// Ticks from the tick `at` to the place `count` beats later, or earlier if negative.
    ///
    /// By default all beats are as long as the one at `at`. A song follows its meter changes.
    fn beats(&self, at: Frac, count: Frac) -> Option<Frac> {
        self.beat_ticks(at)?.times(count)
    }

    /// Ticks from the tick `at` to the place `count` bars later, or earlier if negative.
    ///
    /// By default all bars are as long as the one at `at`. A song follows its meter changes.
    fn bars(&self, at: Frac, count: Frac) -> Option<Frac> {
        self.bar_ticks(at)?.times(count)
    }
}

/// One meter and one tempo throughout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steady {
    /// Ticks per quarter note.
    pub ppqn: u32,
    /// The meter.
    pub meter: super::Meter,
    /// Microseconds per quarter note.
    pub micros: u32,
}

impl Clock for Steady {
    fn ppqn(&self) -> Option<u32> {
        Some(self.ppqn)
    }

    fn beat_ticks(&self, _: Frac) -> Option<Frac> {
        Some(self.meter.beat_ticks(self.ppqn))
    }

    fn bar_ticks(&self, at: Frac) -> Option<Frac> {
        self.beat_ticks(at)?
            .times(Frac::whole(self.meter.beats().into()))
    }

    fn seconds_to_ticks(&self, _: Frac, seconds: Frac) -> Option<Frac> {
        let per_second = Frac::new(i128::from(self.ppqn) * 1_000_000, self.micros.into())?;
        seconds.times(per_second)
    }
}
