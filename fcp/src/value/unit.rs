//! Lengths, angles, shares and times: numbers with a unit, in the notation of style sheets.

use std::fmt;

use super::decimal::{leading, meant, read, wrong};
use super::repair::repaired;
use super::text_form::text_form;
use super::{Decimal, FcpValue, ValueError, ValueSpec, nearest_word};

/// The unit of a [`Length`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LengthUnit {
    /// No unit: user units.
    User,
    /// A 96th of an inch.
    Px,
    /// A 72nd of an inch.
    Pt,
    /// A 6th of an inch.
    Pc,
    /// A millimetre.
    Mm,
    /// A centimetre.
    Cm,
    /// An inch.
    In,
    /// The font size.
    Em,
    /// Half the font size.
    Ex,
    /// A hundredth of a length given by the context.
    Percent,
}

const LENGTHS: &[(&str, LengthUnit)] = &[
    ("px", LengthUnit::Px),
    ("pt", LengthUnit::Pt),
    ("pc", LengthUnit::Pc),
    ("mm", LengthUnit::Mm),
    ("cm", LengthUnit::Cm),
    ("in", LengthUnit::In),
    ("em", LengthUnit::Em),
    ("ex", LengthUnit::Ex),
    ("%", LengthUnit::Percent),
    ("", LengthUnit::User),
];

impl LengthUnit {
    /// The unit with this spelling; an empty text means user units.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        LENGTHS
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, unit)| *unit)
    }

    /// Its spelling.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        LENGTHS
            .iter()
            .find(|(_, unit)| *unit == self)
            .map_or("", |(name, _)| name)
    }

    /// Its size in user units, at 96 dots per inch; `None` if that depends on font or context.
    #[must_use]
    pub const fn pixels(self) -> Option<f64> {
        Some(match self {
            Self::User | Self::Px => 1.0,
            Self::Pt => 96.0 / 72.0,
            Self::Pc => 16.0,
            Self::Mm => 96.0 / 25.4,
            Self::Cm => 96.0 / 2.54,
            Self::In => 96.0,
            Self::Em | Self::Ex | Self::Percent => return None,
        })
    }
}

/// The unit of an [`Angle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AngleUnit {
    /// A 360th of a turn.
    Deg,
    /// The angle whose arc is as long as its radius.
    Rad,
    /// A whole turn.
    Turn,
    /// A 400th of a turn.
    Grad,
}

const ANGLES: &[(&str, AngleUnit)] = &[
    ("deg", AngleUnit::Deg),
    ("rad", AngleUnit::Rad),
    ("turn", AngleUnit::Turn),
    ("grad", AngleUnit::Grad),
];

impl AngleUnit {
    /// The unit with this spelling.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        ANGLES
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, unit)| *unit)
    }

    /// Its size in degrees.
    #[must_use]
    pub const fn degrees(self) -> f64 {
        match self {
            Self::Deg => 1.0,
            Self::Rad => 180.0 / std::f64::consts::PI,
            Self::Turn => 360.0,
            Self::Grad => 0.9,
        }
    }
}

/// A number and a unit, or the error. `units` are the allowed ones.
fn measured<'t>(
    text: &'t str,
    problem: &'static str,
    units: &[&'static str],
) -> Result<(Decimal, &'t str), ValueError> {
    let (number, unit) = leading(text);
    let known = units.contains(&unit);
    match read(number) {
        Some(number) if known => Ok((number, unit)),
        None if unit.is_empty() => Err(wrong(text, problem)),
        _ => {
            let number = read(number)
                .map(|number| number.to_string())
                .or_else(|| meant(number));
            let word = unit.trim().to_lowercase();
            let unit = if units.contains(&word.as_str()) {
                Some(word.as_str())
            } else {
                match word.as_str() {
                    "°" => Some("deg"),
                    "\"" | "inch" | "inches" => Some("in"),
                    "second" | "seconds" | "sec" | "secs" => Some("s"),
                    // A single letter is near to several units.
                    _ if word.len() < 2 => None,
                    _ => nearest_word(&word, units.iter().copied().filter(|unit| !unit.is_empty())),
                }
            };
            let fix = number.zip(unit.filter(|unit| units.contains(unit)));
            Err(ValueError::new(problem)
                .maybe_fix(fix.map(|(number, unit)| format!("{number}{unit}"))))
        }
    }
}

/// A length as it was spelled: `10`, `5mm`, `50%`, `1.5em`.
#[derive(Clone, Debug, PartialEq)]
pub struct Length {
    number: Decimal,
    unit: LengthUnit,
}

impl Length {
    /// The number of its units.
    #[must_use]
    pub const fn number(&self) -> f64 {
        self.number.get()
    }

    /// Its unit.
    #[must_use]
    pub const fn unit(&self) -> LengthUnit {
        self.unit
    }

    /// The length in user units, at 96 dots per inch. Both arguments are in user units: the font
    /// size, and the length of 100%.
    #[must_use]
    pub fn to_user(&self, font_size: f64, whole: f64) -> f64 {
        let unit = match self.unit {
            LengthUnit::Em => font_size,
            LengthUnit::Ex => font_size / 2.0,
            LengthUnit::Percent => whole / 100.0,
            other => other.pixels().unwrap_or(1.0),
        };
        self.number() * unit
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, self.unit.as_str())
    }
}

impl FcpValue for Length {
    const SPEC: ValueSpec = ValueSpec::new("LENGTH", "10, 5mm, 50%, px pt pc mm cm in em ex");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            let units: Vec<&'static str> = LENGTHS.iter().map(|(name, _)| *name).collect();
            let (number, unit) = measured(text, "is not a length", &units)?;
            let unit = LengthUnit::named(unit).unwrap_or(LengthUnit::User);
            Ok(Self { number, unit })
        })
    }
}

/// An angle as it was spelled: `45` in degrees, `0.5turn`, `2rad`, `50grad`.
#[derive(Clone, Debug, PartialEq)]
pub struct Angle {
    number: Decimal,
    unit: Option<AngleUnit>,
}

impl Angle {
    /// The angle in degrees.
    #[must_use]
    pub fn degrees(&self) -> f64 {
        self.number.get() * self.unit.map_or(1.0, AngleUnit::degrees)
    }
}

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = ANGLES.iter().find(|(_, unit)| Some(*unit) == self.unit);
        write!(f, "{}{}", self.number, unit.map_or("", |(name, _)| name))
    }
}

impl FcpValue for Angle {
    const SPEC: ValueSpec = ValueSpec::new("ANGLE", "degrees: 45, or with deg rad turn grad");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            let units = ["deg", "rad", "turn", "grad", ""];
            // A text without digits may mean any angle.
            let (number, unit) = measured(text, "is no angle", &units).map_err(|error| {
                if text.contains(|c: char| c.is_ascii_digit()) {
                    error
                } else {
                    error.fix("45")
                }
            })?;
            Ok(Self {
                number,
                unit: AngleUnit::named(unit),
            })
        })
    }
}

/// A part of a whole, 0 to 1, as it was spelled: `0.5`, `50%`.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    number: Decimal,
    percent: bool,
}

impl Share {
    /// The part, 0 to 1.
    #[must_use]
    pub fn get(&self) -> f64 {
        self.number.get() / if self.percent { 100.0 } else { 1.0 }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, if self.percent { "%" } else { "" })
    }
}

impl FcpValue for Share {
    const SPEC: ValueSpec = ValueSpec::new("0-1", "0 to 1, or 0% to 100%");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            let (number, unit) = measured(text, "is not a number from 0 to 1", &["%", ""])?;
            let share = Self {
                number,
                percent: unit == "%",
            };
            match share.get() {
                part if part < 0.0 => Err(ValueError::new("is below 0").fix("0")),
                // Percentages without a sign are recognised by their size.
                part if (2.0..=100.0).contains(&part) && !share.percent => {
                    Err(ValueError::new("is above 1").fix(format!("{share}%")))
                }
                part if part > 1.0 => Err(ValueError::new("is above 1").fix("1")),
                _ => Ok(share),
            }
        })
    }
}

/// A number, length or angle that is not below 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsigned<T>(T);

impl<T> Unsigned<T> {
    /// The value.
    pub const fn get(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display> fmt::Display for Unsigned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! unsigned {
    ($($value:ty),*) => {$(
        impl FcpValue for Unsigned<$value> {
            const SPEC: ValueSpec = <$value as FcpValue>::SPEC;

            fn parse(text: &str) -> Result<Self, ValueError> {
                repaired(text, |text| {
                    let value = <$value as FcpValue>::parse(text)?;
                    // The zero may have a sign. Another number without its sign is not the same.
                    let is_below = text.starts_with('-')
                        && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
                    match is_below {
                        true => Err(ValueError::new("is below 0")),
                        false => Ok(Self(value)),
                    }
                })
            }
        }
    )*};
}

unsigned!(Decimal, Length, Angle);

text_form!(Length, Angle, Share);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_convert_to_user_units() {
        for (text, user) in [
            ("10", 10.0),
            ("10px", 10.0),
            ("72pt", 96.0),
            ("6pc", 96.0),
            ("25.4mm", 96.0),
            ("2.54cm", 96.0),
            ("1in", 96.0),
            ("2em", 40.0),
            ("2ex", 20.0),
            ("50%", 150.0),
            ("1e1mm", 960.0 / 25.4),
            ("-.5em", -10.0),
        ] {
            let length = Length::parse(text).unwrap();
            assert!((length.to_user(20.0, 300.0) - user).abs() < 1e-9, "{text}");
            assert_eq!(length.to_string(), text);
        }
    }

    #[test]
    fn angles_convert_to_degrees() {
        for (text, degrees) in [
            ("45", 45.0),
            ("-45deg", -45.0),
            ("0.5turn", 180.0),
            ("100grad", 90.0),
        ] {
            assert_eq!(Angle::parse(text).unwrap().degrees(), degrees, "{text}");
        }
        assert!((Angle::parse("3.14159rad").unwrap().degrees() - 180.0).abs() < 1e-3);
        assert_eq!(Share::parse("40%").unwrap().get(), 0.4);
    }

    #[test]
    fn wrong_units_are_repaired() {
        let length = |text| Length::parse(text).map(|_| ()).map_err(|error| error.fix);
        let angle = |text| Angle::parse(text).map(|_| ()).map_err(|error| error.fix);
        let share = |text| Share::parse(text).map(|_| ()).map_err(|error| error.fix);
        let unsigned = |text| {
            Unsigned::<Length>::parse(text)
                .map(|_| ())
                .map_err(|error| error.fix)
        };
        for (have, fix) in [
            (length("10 px"), Some("10px")),
            (length("10PX"), Some("10px")),
            (length("10inches"), Some("10in")),
            (length("5,5mm"), Some("5.5mm")),
            (length("5,5"), Some("5.5")),
            (length("ten"), None),
            (length("px"), None),
            (length("10 parsecs"), None),
            (angle("45°"), Some("45deg")),
            (angle("45 degs"), Some("45deg")),
            (angle("fast"), Some("45")),
            (share("50"), Some("50%")),
            (share("-1"), Some("0")),
            (share("300%"), Some("1")),
            (share("0,5"), Some("0.5")),
            (unsigned("-5mm"), None),
            (unsigned("5m"), None),
        ] {
            assert_eq!(have, Err(fix.map(str::to_owned)));
        }
        assert_eq!(unsigned("-0"), Ok(()));
    }
}
