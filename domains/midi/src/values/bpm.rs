//! Tempos.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::frac::Frac;

/// Beats per minute: 4 to 999.999 in an op; a file may hold others.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Bpm {
    parts: u64,
}

/// Decimal places that distinguish any two tempos of files.
const PLACES: u8 = 7;

/// Units per beat per minute.
const PART: u64 = 10_u64.pow(PLACES as u32);

/// Microseconds in a minute, times these units.
const MINUTE: u64 = 60_000_000 * PART;

impl Bpm {
    /// The slowest tempo an op can write.
    const LOW: u64 = 4 * PART;
    /// The fastest tempo an op can write.
    const HIGH: u64 = 999_999 * (PART / 1000);

    const fn from_parts(parts: u64) -> Option<Self> {
        if parts >= Self::LOW && parts <= Self::HIGH {
            Some(Self { parts })
        } else {
            None
        }
    }

    /// The tempo of a file's microseconds per quarter; `None` for 0. Of the tempos that round to
    /// the same microseconds it is the one with the fewest digits, and one that an op can write if
    /// there is one.
    #[must_use]
    pub fn from_micros(micros: u32) -> Option<Self> {
        let quarter = Some(u64::from(micros)).filter(|micros| *micros > 0)?;
        let rounded = |places: u8| {
            let digit = PART / 10_u64.pow(places.into());
            let whole = quarter * digit;
            (MINUTE + whole / 2) / whole * digit
        };
        let all = || (0..=PLACES).map(rounded);
        let written = all().map(|parts| parts.clamp(Self::LOW, Self::HIGH));
        let mut fitting = written.chain(all()).map(|parts| Self { parts });
        fitting.find(|bpm| bpm.micros() == micros)
    }

    /// The nearest tempo with at most three decimals that an op can write.
    #[must_use]
    pub fn near(bpm: f64) -> Option<Self> {
        let milli = (bpm * 1000.0).round();
        // Checked against the range first.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let parts = (0.0..1e9)
            .contains(&milli)
            .then(|| milli as u64 * (PART / 1000))?;
        Self::from_parts(parts.clamp(Self::LOW, Self::HIGH))
    }

    /// Beats per minute.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "fifteen digits")]
    pub fn to_f64(self) -> f64 {
        self.parts as f64 / PART as f64
    }

    /// Microseconds per quarter, rounded, as in a set-tempo meta.
    #[must_use]
    pub fn micros(self) -> u32 {
        let parts = self.parts.max(1);
        u32::try_from((MINUTE + parts / 2) / parts).unwrap_or(u32::MAX)
    }

    /// Microseconds per quarter if the beat is `part` of a whole note: 3/8 for dotted quarters.
    ///
    /// `None` if the number of quarters per minute is outside the range of ops.
    #[must_use]
    pub fn micros_of(self, part: Frac) -> Option<u32> {
        let (low, high) = Self::within(part)?;
        let parts = i64::try_from(self.parts).ok()?;
        if !(low..=high).contains(&Frac::whole(parts)) {
            return None;
        }
        let beat = Frac::new(MINUTE.into(), self.parts.into())?;
        let quarters = part.times(Frac::whole(4))?;
        u32::try_from(beat.over(quarters)?.round()).ok()
    }

    /// The nearest tempo whose quarters per minute are within the range of ops, if the beat is
    /// `part` of a whole note.
    #[must_use]
    pub fn fitting(self, part: Frac) -> Option<Self> {
        let (low, high) = Self::within(part)?;
        // To three decimals, as is usual.
        let milli = i64::try_from(PART / 1000).ok()?;
        let up = -low.negated()?.over(Frac::whole(milli))?.floor() * milli;
        let down = high.over(Frac::whole(milli))?.floor() * milli;
        let parts = i64::try_from(self.parts).ok()?;
        Self::from_parts(u64::try_from(parts.max(up).min(down)).ok()?)
    }

    /// The lowest and highest tempo in beats of `part`, in units.
    fn within(part: Frac) -> Option<(Frac, Frac)> {
        let quarters = part.times(Frac::whole(4))?;
        let bound = |parts: u64| Frac::new(parts.into(), 1)?.over(quarters);
        bound(Self::LOW).zip(bound(Self::HIGH))
    }
}

impl fmt::Display for Bpm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.parts / PART, self.parts % PART);
        if part == 0 {
            return whole.fmt(f);
        }
        let part = format!("{part:0width$}", width = usize::from(PLACES));
        write!(f, "{whole}.{}", part.trim_end_matches('0'))
    }
}

/// The units of a decimal number.
fn parts(text: &str) -> Option<i64> {
    let number = Frac::decimal(text, PLACES.into())?;
    Some(number.times(Frac::whole(PART.try_into().ok()?))?.num())
}

impl FcpValue for Bpm {
    const SPEC: ValueSpec = ValueSpec::new("BPM", "4-999.999");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.len() > 64 {
            return Err(ValueError::new("is not a tempo, 4 to 999.999"));
        }
        // The tempo to change is not known here, and no tempo is as slow as the step itself.
        if text.starts_with(['+', '-']) {
            return Err(ValueError::new("is a step, and a tempo is 4 to 999.999"));
        }
        if let Some(parts) = parts(text) {
            let parts = u64::try_from(parts).unwrap_or(0);
            if parts == 0 {
                return Err(ValueError::new("is below 4 bpm"));
            }
            return Self::from_parts(parts).ok_or_else(|| outside(parts < Self::LOW));
        }
        let unit = text
            .trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .trim_end();
        let number = text.parse::<f64>().or_else(|_| unit.parse::<f64>());
        match number {
            Ok(number) if number.is_finite() => {
                let inside = (4.0..=999.999).contains(&number);
                if !inside {
                    return Err(outside(number < 4.0));
                }
                let near = format!("{number:.3}");
                let near = near.trim_end_matches('0').trim_end_matches('.');
                let problem = format!("is not a tempo with at most {PLACES} decimals");
                Err(ValueError::new(problem).fix(near))
            }
            _ => Err(ValueError::new("is not a tempo, 4 to 999.999")),
        }
    }
}

/// A change of tempo in beats per minute: `+10`, `-2.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BpmStep {
    parts: i64,
}

impl BpmStep {
    /// The changed tempo.
    ///
    /// # Errors
    /// It is out of range: the repair is the nearest bound.
    pub fn from(self, bpm: Bpm) -> Result<Bpm, ValueError> {
        let parts = bpm.parts.saturating_add_signed(self.parts);
        Bpm::from_parts(parts).ok_or_else(|| {
            let (beyond, near) = match parts < Bpm::LOW {
                true => ("below 4", "4"),
                false => ("above 999.999", "999.999"),
            };
            ValueError::new(format!("from {bpm} is {beyond} bpm")).fix(near)
        })
    }
}

impl fmt::Display for BpmStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = Bpm {
            parts: self.parts.unsigned_abs(),
        };
        write!(f, "{}{size}", if self.parts < 0 { "-" } else { "+" })
    }
}

impl FcpValue for BpmStep {
    const SPEC: ValueSpec = ValueSpec::new("STEP", "+10, -2.5");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let wrong = || ValueError::new("is not a step like +10 or -2.5");
        let (back, size) = match text.strip_prefix('-') {
            Some(size) => (true, size),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let size = Some(size).filter(|size| size.len() <= 16);
        let parts = size.and_then(parts).ok_or_else(wrong)?;
        Ok(Self {
            parts: if back { -parts } else { parts },
        })
    }
}

fn outside(below: bool) -> ValueError {
    if below {
        ValueError::new("is below 4 bpm").fix("4")
    } else {
        ValueError::new("is above 999.999 bpm").fix("999.999")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tempo_and_microseconds_turn_into_each_other() {
        for (text, micros) in [
            ("120", 500_000),
            ("90", 666_667),
            ("96", 625_000),
            ("92.5", 648_649),
        ] {
            let bpm = Bpm::parse(text).unwrap();
            assert_eq!(bpm.micros(), micros);
            assert_eq!(Bpm::from_micros(micros).unwrap().to_string(), text);
        }
        // Every whole tempo survives a round trip through a file.
        for whole in 4..1000 {
            let bpm = Bpm::parse(&whole.to_string()).unwrap();
            assert!(bpm.micros() < 1 << 24);
            assert_eq!(Bpm::from_micros(bpm.micros()), Some(bpm));
        }
        let dotted = Frac::new(3, 8).unwrap();
        assert_eq!(Bpm::parse("80").unwrap().micros_of(dotted), Some(500_000));
        for (text, part, near) in [
            ("999", (1, 1), "249.999"),
            ("4", (1, 64), "64"),
            ("334", (3, 4), "333.333"),
        ] {
            let (bpm, part) = (
                Bpm::parse(text).unwrap(),
                Frac::new(part.0, part.1).unwrap(),
            );
            assert_eq!(bpm.micros_of(part), None, "{text}");
            let fitting = bpm.fitting(part).unwrap();
            assert_eq!(fitting.to_string(), near);
            assert!(fitting.micros_of(part).is_some(), "{text}");
        }
        assert_eq!(Bpm::from_micros(0), None);
        assert_eq!(Bpm::from_micros(1).unwrap().to_string(), "60000000");
    }

    #[test]
    fn a_shown_tempo_reads_back() {
        let table = [
            (60_000, "999.999"),
            (500_001, "119.9998"),
            (666_666, "90.0001"),
            (645_160, "93.0002"),
            (59_999, "1000.02"),
            (15_000_000, "4"),
            (16_777_215, "3.576279"),
        ];
        for (micros, shown) in table {
            assert_eq!(Bpm::from_micros(micros).unwrap().to_string(), shown);
        }
        for micros in (60_000..15_000_000).step_by(997) {
            let shown = Bpm::from_micros(micros).unwrap().to_string();
            assert_eq!(Bpm::parse(&shown).map(Bpm::micros), Ok(micros), "{shown}");
        }
    }

    #[test]
    fn invalid_tempos_are_repaired() {
        let table = [
            ("0", None),
            ("3.999", Some("4")),
            ("1000", Some("999.999")),
            ("99999999999999999999", Some("999.999")),
            ("-5", None),
            ("+10", None),
            ("NaN", None),
            ("inf", None),
            ("1e2", Some("100")),
            ("120bpm", Some("120")),
            ("120.123456789", Some("120.123")),
            ("fast", None),
            ("", None),
        ];
        for (text, wanted) in table {
            let error = Bpm::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), wanted, "{text}");
        }
    }
}
