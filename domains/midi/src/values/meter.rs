//! Meters.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::frac::Frac;

/// A meter: 1 to 64 beats of a whole note over 1, 2, 4 … 64. A file may hold up to 255 over 2^15.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Meter {
    beats: u8,
    /// The denominator is two to this power.
    power: u8,
}

impl Default for Meter {
    fn default() -> Self {
        Self::COMMON
    }
}

impl Meter {
    /// 4/4, the meter of a song without one.
    pub const COMMON: Self = Self { beats: 4, power: 2 };

    /// A meter that an op can write: 1 to 64 over 1, 2, 4 … 64.
    #[must_use]
    pub fn new(beats: u8, denominator: u32) -> Option<Self> {
        let written =
            (1..=64).contains(&beats) && denominator.is_power_of_two() && denominator <= 64;
        let power = u8::try_from(denominator.trailing_zeros()).ok()?;
        written.then_some(Self { beats, power })
    }

    /// The meter of the first two bytes of a time-signature meta; `None` for 0 beats or a power
    /// above 15.
    #[must_use]
    pub const fn from_meta(beats: u8, power: u8) -> Option<Self> {
        if beats > 0 && power <= 15 {
            Some(Self { beats, power })
        } else {
            None
        }
    }

    /// The first two bytes of a time-signature meta: beats, and the denominator as a power of two.
    #[must_use]
    pub const fn meta(self) -> [u8; 2] {
        [self.beats, self.power]
    }

    /// Beats in a bar.
    #[must_use]
    pub const fn beats(self) -> u8 {
        self.beats
    }

    /// The note value of a beat: 4 for quarters.
    #[must_use]
    pub const fn denominator(self) -> u32 {
        1 << (self.power & 15)
    }

    /// MIDI clocks (24 a quarter) between clicks: those of a beat, or of three beats in 6/8, 9/8
    /// and 12/8.
    #[must_use]
    pub fn clocks(self) -> u8 {
        if self.denominator() == 8 && matches!(self.beats, 6 | 9 | 12) {
            return 36;
        }
        u8::try_from(96 / self.denominator()).unwrap_or(96).max(1)
    }

    /// Exact ticks of a beat.
    #[must_use]
    pub fn beat_ticks(self, ppqn: u32) -> Frac {
        let beat = Frac::new(i128::from(ppqn) * 4, self.denominator().into());
        beat.unwrap_or(Frac::ZERO)
    }

    /// Exact ticks of a bar.
    #[must_use]
    pub fn bar_ticks(self, ppqn: u32) -> Frac {
        let bar = self.beat_ticks(ppqn).times(Frac::whole(self.beats.into()));
        bar.unwrap_or(Frac::ZERO)
    }

    /// Checks that a beat is a whole number of ticks, which ops require.
    ///
    /// # Errors
    /// It is not; the repair is the finest denominator for which it is.
    pub fn fits(self, ppqn: u32) -> Result<(), ValueError> {
        if self.beat_ticks(ppqn).den() == 1 {
            return Ok(());
        }
        let finest = (0..self.power)
            .rev()
            .map(|power| Self { power, ..self })
            .find(|meter| meter.beat_ticks(ppqn).den() == 1);
        Err(
            ValueError::new(format!("has beats of fractional ticks at ppqn {ppqn}"))
                .maybe_fix(finest.map(|meter| meter.to_string())),
        )
    }
}

impl fmt::Display for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.beats, self.denominator())
    }
}

impl FcpValue for Meter {
    const SPEC: ValueSpec = ValueSpec::new("METER", "4/4, 6/8: 1-64 over 1, 2, 4 … 64");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| text.parse::<u32>().unwrap_or(u32::MAX))
        };
        let read = |text: &str, sign| {
            let (beats, denominator) = text.split_once(sign)?;
            Some((number(beats.trim())?, number(denominator.trim())?))
        };
        let Some((beats, denominator)) = read(text, '/') else {
            let short = text.len() < 16;
            let fix = match text.to_ascii_lowercase().as_str() {
                "common" | "c" => Some("4/4".to_owned()),
                "cut" | "alla-breve" => Some("2/2".to_owned()),
                _ if !short => None,
                _ => ['-', ':', ',', ' ']
                    .iter()
                    .find_map(|sign| read(text, *sign))
                    .map(|(beats, denominator)| format!("{beats}/{denominator}")),
            };
            return Err(ValueError::new("is not a meter like 4/4").maybe_fix(fix));
        };
        let beats_fit = (1..=64).contains(&beats);
        let meter = u8::try_from(beats)
            .ok()
            .and_then(|n| Self::new(n, denominator));
        meter.ok_or_else(|| {
            // Another denominator is another meter.
            match beats_fit {
                true => ValueError::new("needs a denominator of 1, 2, 4 … 64"),
                false => ValueError::new("needs 1 to 64 beats in a bar"),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meter_reads_back() {
        for beats in 1..=64 {
            for power in 0..=6 {
                let meter = Meter::new(beats, 1 << power).unwrap();
                assert_eq!(Meter::parse(&meter.to_string()), Ok(meter));
                assert_eq!(meter.meta(), [beats, power]);
            }
        }
    }

    #[test]
    fn clocks_are_those_of_a_beat_or_of_three() {
        let clocks = [
            "4/4", "2/2", "3/1", "7/8", "6/8", "9/8", "12/8", "6/16", "5/64",
        ]
        .map(|text| Meter::parse(text).unwrap().clocks());
        assert_eq!(clocks, [24, 48, 96, 12, 36, 36, 36, 6, 1]);
    }

    #[test]
    fn invalid_meters_are_repaired() {
        let table = [
            ("4/3", None),
            ("0/4", None),
            ("65/4", None),
            ("4/0", None),
            ("4/99999999999", None),
            ("7/12", None),
            ("3:4", Some("3/4")),
            ("common", Some("4/4")),
            ("4", None),
            ("x/4", None),
            ("", None),
        ];
        for (text, wanted) in table {
            let error = Meter::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn beats_of_new_meters_are_whole_ticks() {
        let meter = Meter::parse("5/64").unwrap();
        assert_eq!(meter.fits(100).unwrap_err().fix.as_deref(), Some("5/16"));
        assert_eq!(meter.fits(96), Ok(()));
        assert_eq!(Meter::from_meta(0, 2), None);
        assert_eq!(Meter::from_meta(200, 9).unwrap().to_string(), "200/512");
    }
}
