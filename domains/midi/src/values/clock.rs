//! What lengths and positions need to know of a song.

use super::frac::Frac;

/// Division, meter and tempo of a song: what makes ticks of beats, bars and seconds.
pub trait Clock {
    /// Ticks per quarter note; nothing where the file counts SMPTE frames, and then no bars either.
    fn ppqn(&self) -> Option<u32>;

    /// Ticks of the beat that is being counted at the tick `at`: a whole note over the meter's denominator.
    fn beat_ticks(&self, at: Frac) -> Option<Frac>;

    /// Ticks of a full bar of the meter in force at the tick `at`.
    fn bar_ticks(&self, at: Frac) -> Option<Frac>;

    /// Ticks from the tick `at` to the moment so many seconds later, or earlier if negative.
    ///
    /// A result finer than a thousandth of a tick is rounded to that by who asks.
    fn seconds_to_ticks(&self, at: Frac, seconds: Frac) -> Option<Frac>;

    /// Ticks from the tick `at` to the place so many beats later, or earlier if negative.
    ///
    /// By default all are as long as the one at `at`. A song whose meter changes follows it.
    fn beats(&self, at: Frac, count: Frac) -> Option<Frac> {
        self.beat_ticks(at)?.times(count)
    }

    /// Ticks from the tick `at` to the place so many bars later, or earlier if negative.
    ///
    /// By default all are as long as the one at `at`. A song whose meter changes follows it.
    fn bars(&self, at: Frac, count: Frac) -> Option<Frac> {
        self.bar_ticks(at)?.times(count)
    }
}

/// One meter and one tempo throughout: quarters of `beat` and bars of `bar` beats.
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
