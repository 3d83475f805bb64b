//! Values of bends, controllers and pressures.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::control::{ControlValue, Controller};
use super::frac::Frac;
use super::number::{Integer, integer};

/// A number, a bend in semitones, or a word for a controller's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A number as in a message; a bend's center is 0.
    Number(i16),
    /// A word for a controller's value.
    Word(ControlValue),
    /// Semitones up or down.
    Semitones(Frac),
}

/// The lowest and the highest bend.
const BENDS: (i64, i64) = (-8192, 8191);

/// Distance from the lowest bend to the highest.
const MOST_STEPS: i64 = BENDS.1 - BENDS.0;

/// The most semitones of any bend: a range has seven bits.
const SEMITONES: i64 = 127;

impl Level {
    /// The value of a controller, or of a pressure.
    ///
    /// # Errors
    /// It is not a valid value.
    pub fn control(self, controller: Option<Controller>) -> Result<u8, ValueError> {
        match self {
            Self::Word(value) => value.of(controller),
            Self::Number(number) => {
                u8::try_from(number)
                    .ok()
                    .filter(|n| *n < 128)
                    .ok_or_else(|| {
                        // A number with a minus meant a difference.
                        let near = (number > 0).then_some("127");
                        ValueError::new("is not a value, 0-127").maybe_fix(near)
                    })
            }
            Self::Semitones(_) => Err(ValueError::new("is a bend, and a value is 0-127")),
        }
    }

    /// The value of a bend, for a bend range in semitones.
    ///
    /// # Errors
    /// It is not a bend, or out of range.
    pub fn bend(self, reach: Frac) -> Result<i32, ValueError> {
        match self {
            Self::Number(number) => Ok(i32::from(number)),
            Self::Word(value) if value.number() == 64 => Ok(0),
            Self::Word(_) => Err(ValueError::new("is not a bend, -8192 to 8191").fix("center")),
            Self::Semitones(semitones) => {
                let steps = steps(semitones, reach)
                    // The highest bend is one step short of the full range.
                    .map(|steps| if steps == 8192 { 8191 } else { steps })
                    .filter(|steps| (BENDS.0..=BENDS.1).contains(steps));
                let far = || {
                    let sign = if semitones < Frac::ZERO { "-" } else { "+" };
                    let problem = format!("is beyond the bend range, {reach} semitones");
                    ValueError::new(problem).fix(format!("{sign}{reach}st"))
                };
                steps
                    .and_then(|steps| i32::try_from(steps).ok())
                    .ok_or_else(far)
            }
        }
    }
}

/// The bend steps for a number of semitones, for a given bend range.
fn steps(semitones: Frac, reach: Frac) -> Option<i64> {
    let part = semitones.over(reach)?;
    part.times(Frac::whole(8192)).map(Frac::round)
}

/// The error without a plus in its repair, which would turn it into a step.
fn unsigned(mut error: ValueError) -> ValueError {
    let plain = |fix: String| fix.strip_prefix('+').map_or(fix.clone(), str::to_owned);
    error.fix = error.fix.map(plain);
    error
}

/// The value of a bend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BendLevel(pub Level);

impl fmt::Display for BendLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for BendLevel {
    const SPEC: ValueSpec = Level::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Level::parse(text).map(Self).map_err(|error| {
            // A number of steps takes no plus, and bends have thousands: semitones are meant.
            let size = text
                .strip_prefix('+')
                .and_then(|size| Frac::decimal(size, 3));
            match size.filter(|size| *size <= Frac::whole(SEMITONES)) {
                Some(_) => error.fix(format!("{text}st")),
                None => error,
            }
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(value) => value.fmt(f),
            Self::Semitones(semitones) if *semitones < Frac::ZERO => write!(f, "{semitones}st"),
            Self::Semitones(semitones) => write!(f, "+{semitones}st"),
        }
    }
}

impl FcpValue for Level {
    const SPEC: ValueSpec =
        ValueSpec::new("LEVEL", "a number, on, off, center, or +2st for a bend");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let wrong = || ValueError::new("is not a level: 0-127, on, off, or a bend, +2st, center");
        if let Some(semitones) = text.strip_suffix("st") {
            let (back, size) = match semitones.strip_prefix('-') {
                Some(size) => (true, size),
                None => (false, semitones.strip_prefix('+').unwrap_or(semitones)),
            };
            let size = Frac::decimal(size, 3).ok_or_else(wrong)?;
            if size > Frac::whole(SEMITONES) {
                let sign = if back { "-" } else { "+" };
                return Err(ValueError::new("is more than 127 semitones").fix(format!("{sign}2st")));
            }
            let semitones = if back { size.negated() } else { Some(size) };
            return semitones.map(Self::Semitones).ok_or_else(wrong);
        }
        // Elsewhere a plus makes a number a step, so it is not ignored here.
        if text.starts_with('+') {
            return Err(wrong());
        }
        let number = match integer(text) {
            Integer::Fits(number) => number,
            Integer::Huge { negative: true } => i64::MIN,
            Integer::Huge { negative: false } => i64::MAX,
            Integer::No => {
                let word = ControlValue::parse(text).map(Self::Word);
                return word.map_err(|error| wrong().maybe_fix(error.fix));
            }
        };
        if number < BENDS.0 {
            return Err(ValueError::new("is below -8192").fix("-8192"));
        }
        i16::try_from(number)
            .ok()
            .filter(|number| i64::from(*number) <= BENDS.1)
            .map(Self::Number)
            .ok_or_else(|| ValueError::new("is above 8191").fix("8191"))
    }
}

/// A level, or a difference from the present one: a number or semitones with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelChange {
    /// A level.
    Set(Level),
    /// A difference in steps, clamped to the range.
    By(i32),
    /// A difference in semitones.
    Bent(Frac),
}

impl LevelChange {
    /// The bound at which a step from `before` is clamped, if it is.
    #[must_use]
    pub fn held(self, before: i32, of_bend: bool) -> Option<i64> {
        let Self::By(step) = self else { return None };
        let (low, high) = if of_bend { BENDS } else { (0, 127) };
        let value = i64::from(before) + i64::from(step);
        (value != value.clamp(low, high)).then(|| value.clamp(low, high))
    }

    /// The new value of a controller, or of a pressure.
    ///
    /// # Errors
    /// It is not a valid value.
    pub fn control(self, controller: Option<Controller>, before: u8) -> Result<u8, ValueError> {
        match self {
            Self::Set(level) => level.control(controller),
            Self::Bent(semitones) => Level::Semitones(semitones).control(controller),
            Self::By(step) => {
                let value = step.saturating_add(before.into()).clamp(0, 127);
                Ok(u8::try_from(value).unwrap_or(before))
            }
        }
    }

    /// The new value of a bend, for a bend range in semitones.
    ///
    /// # Errors
    /// It is not a bend, or out of range.
    pub fn bend(self, before: i32, reach: Frac) -> Result<i32, ValueError> {
        match self {
            Self::Set(level) => level.bend(reach).map_err(unsigned),
            Self::By(step) => {
                let steps = i64::from(before) + i64::from(step);
                Ok(i32::try_from(steps.clamp(BENDS.0, BENDS.1)).unwrap_or(before))
            }
            Self::Bent(semitones) => {
                let own = i64::from(before);
                let bent = steps(semitones, reach).and_then(|steps| own.checked_add(steps));
                // The highest bend is one step short of the full range.
                let bent = bent.map(|bent| if bent == 8192 { 8191 } else { bent });
                let inside = bent.filter(|bent| (BENDS.0..=BENDS.1).contains(bent));
                inside
                    .and_then(|bent| i32::try_from(bent).ok())
                    .ok_or_else(|| {
                        let end = if semitones < Frac::ZERO {
                            BENDS.0
                        } else {
                            BENDS.1
                        };
                        let problem = format!("goes beyond the bend range, {reach} semitones");
                        ValueError::new(problem).fix(format!("{:+}", end - own))
                    })
            }
        }
    }
}

impl fmt::Display for LevelChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // With a sign it would be a difference.
            Self::Set(Level::Semitones(semitones)) => write!(f, "{semitones}st"),
            Self::Set(level) => level.fmt(f),
            Self::By(step) => write!(f, "{step:+}"),
            Self::Bent(semitones) => Level::Semitones(*semitones).fmt(f),
        }
    }
}

impl FcpValue for LevelChange {
    const SPEC: ValueSpec = ValueSpec {
        steps: true,
        ..Level::SPEC
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if !text.starts_with(['+', '-']) {
            return Level::parse(text).map(Self::Set).map_err(unsigned);
        }
        match integer(text) {
            Integer::Fits(step) if step.abs() <= MOST_STEPS => {
                Ok(Self::By(i32::try_from(step).unwrap_or_default()))
            }
            Integer::Fits(_) | Integer::Huge { .. } => {
                let sign = text.get(..1).unwrap_or_default();
                Err(ValueError::new("is more than a bend has steps")
                    .fix(format!("{sign}{MOST_STEPS}")))
            }
            Integer::No => Ok(match Level::parse(text)? {
                Level::Semitones(semitones) => Self::Bent(semitones),
                level => Self::Set(level),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_bends_and_values() {
        let two = Frac::whole(2);
        let table = [
            ("0", Some(0), Some(0)),
            ("100", Some(100), Some(100)),
            ("-8192", None, Some(-8192)),
            ("8191", None, Some(8191)),
            ("center", Some(64), Some(0)),
            ("on", Some(127), None),
            ("off", Some(0), None),
            ("+2st", None, Some(8191)),
            ("-2st", None, Some(-8192)),
            ("+0.5st", None, Some(2048)),
            ("1st", None, Some(4096)),
            ("+3st", None, None),
        ];
        for (text, control, bend) in table {
            let level = Level::parse(text).unwrap();
            assert_eq!(level.control(Some(Controller::PAN)).ok(), control, "{text}");
            assert_eq!(level.bend(two).ok(), bend, "{text}");
            assert_eq!(
                Level::parse(&level.to_string()).unwrap().bend(two).ok(),
                bend
            );
        }
    }

    #[test]
    fn signed_values_change_the_present_level() {
        let two = Frac::whole(2);
        let table = [
            ("1st", -2048, Ok(4096)),
            ("+1st", 0, Ok(4096)),
            ("+1st", -2048, Ok(2048)),
            ("-1st", 2048, Ok(-2048)),
            ("+2st", 0, Ok(8191)),
            ("+1.5st", 2048, Ok(8191)),
            ("+512", 100, Ok(612)),
            ("+9000", 0, Ok(8191)),
            ("center", 100, Ok(0)),
            ("+1.5st", 2049, Err("+6142")),
            ("-3st", 2048, Err("-10240")),
        ];
        for (text, before, after) in table {
            let change = LevelChange::parse(text).unwrap();
            let bent = change.bend(before, two);
            let after = after.map_err(str::to_owned);
            assert_eq!(bent.map_err(|error| error.fix.unwrap()), after, "{text}");
            assert_eq!(LevelChange::parse(&change.to_string()).unwrap(), change);
        }
        assert!(
            LevelChange::parse("+1st")
                .unwrap()
                .control(None, 3)
                .is_err()
        );
    }

    #[test]
    fn invalid_levels_are_repaired() {
        let fix = |text: &str| Level::parse(text).unwrap_err().fix;
        assert_eq!(fix("8192").as_deref(), Some("8191"));
        assert_eq!(fix("-9000").as_deref(), Some("-8192"));
        assert_eq!(fix("99999999999999999999").as_deref(), Some("8191"));
        assert_eq!(fix("centre").as_deref(), Some("center"));
        assert_eq!(fix("200st").as_deref(), Some("+2st"));
        assert_eq!(fix("st"), None);
        assert_eq!(fix("+5"), None);
        assert_eq!(
            Level::parse("+3st")
                .unwrap()
                .bend(Frac::whole(2))
                .unwrap_err()
                .fix
                .as_deref(),
            Some("+2st")
        );
    }
}
