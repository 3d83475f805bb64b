//! Numbers with their bounds, and changes to them.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::{FcpValue, ValueError, ValueSpec};

/// A whole number from `MIN` to `MAX`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Int<const MIN: i64, const MAX: i64>(i64);

impl<const MIN: i64, const MAX: i64> Int<MIN, MAX> {
    /// The number, clamped to the bounds.
    #[must_use]
    pub const fn clamped(value: i64) -> Self {
        Self(if value < MIN {
            MIN
        } else if value > MAX {
            MAX
        } else {
            value
        })
    }

    /// The number, if it is inside the bounds.
    fn within(value: i64) -> Result<Self, ValueError> {
        match value {
            v if v < MIN => Err(ValueError::new(format!("is below {MIN}")).fix(MIN.to_string())),
            v if v > MAX => Err(ValueError::new(format!("is above {MAX}")).fix(MAX.to_string())),
            v => Ok(Self(v)),
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The number as the size of something in memory; 0 if it is negative.
    #[must_use]
    pub fn size(self) -> usize {
        usize::try_from(self.0.max(0)).unwrap_or(usize::MAX)
    }
}

impl<const MIN: i64, const MAX: i64> fmt::Display for Int<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const MIN: i64, const MAX: i64> FcpValue for Int<MIN, MAX> {
    const SPEC: ValueSpec = ValueSpec::new("N", "a whole number").typed(super::SqlType::Integer);

    fn parse(text: &str) -> Result<Self, ValueError> {
        Self::within(whole(text)?)
    }

    fn cell(&self) -> super::Cell {
        super::Cell::Integer(self.get())
    }
}

impl<'de, const MIN: i64, const MAX: i64> Deserialize<'de> for Int<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = i64::deserialize(from)?;
        let wrong = |error: ValueError| D::Error::custom(error.about(&value.to_string()));
        Self::within(value).map_err(wrong)
    }
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Int<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Int_{MIN}_to_{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

/// Reads a whole number. One too large for 64 bits is out of range and has no repair. A number
/// below 1 may be a share, so it is not rounded.
fn whole(text: &str) -> Result<i64, ValueError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let rounded = text
            .parse::<f64>()
            .ok()
            .filter(|n| n.is_finite() && (1.0..1e15).contains(&n.abs()));
        return Err(ValueError::new("is not a whole number")
            .maybe_fix(rounded.map(|n| format!("{:.0}", n.round()))));
    }
    text.parse().map_err(|_| ValueError::new("is out of range"))
}

macro_rules! integers {
    ($($int:ty),*) => {$(
        impl FcpValue for $int {
            const SPEC: ValueSpec = ValueSpec::new("N", "a whole number").typed(super::SqlType::Integer);

            fn parse(text: &str) -> Result<Self, ValueError> {
                let value = whole(text)?;
                <$int>::try_from(value).map_err(|_| {
                    let bound = if value < 0 { <$int>::MIN } else { <$int>::MAX };
                    let side = if value < 0 { "below" } else { "above" };
                    ValueError::new(format!("is {side} {bound}")).fix(bound.to_string())
                })
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, i32, i64);

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
pub struct Number(f64);

impl Number {
    /// The number, if it is finite.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(value))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

// Finite, so equal numbers have equal bits, except the two zeros.
impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 + 0.0).to_bits().hash(state);
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Number {
    const SPEC: ValueSpec = ValueSpec::new("NUMBER", "a finite number").typed(super::SqlType::Real);

    fn parse(text: &str) -> Result<Self, ValueError> {
        // Rust reads `inf` and `nan` as numbers; editors of files do not mean those.
        let plain = text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'+' | b'-' | b'e' | b'E'));
        let value = text
            .parse()
            .ok()
            .filter(|_| plain)
            .ok_or_else(|| ValueError::new("is not a number"))?;
        Self::new(value).ok_or_else(|| ValueError::new("is out of range"))
    }
}

/// A new value, or a step from the present one: `90`, `+10`, `-10`.
///
/// A leading sign makes it a step. `D` reads the step with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change<T, D = T> {
    /// The value itself.
    Set(T),
    /// The difference from the present value.
    By(D),
}

impl<T: fmt::Display, D: fmt::Display> fmt::Display for Change<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(value) => value.fmt(f),
            Self::By(step) => {
                let step = step.to_string();
                let sign = if step.starts_with(['+', '-']) {
                    ""
                } else {
                    "+"
                };
                write!(f, "{sign}{step}")
            }
        }
    }
}

impl<T: FcpValue, D: FcpValue> FcpValue for Change<T, D> {
    const SPEC: ValueSpec = ValueSpec {
        doc: T::SPEC.doc,
        steps: true,
        ..T::SPEC
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.starts_with(['+', '-']) {
            D::parse(text).map(Self::By)
        } else {
            T::parse(text).map(Self::Set)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_one_is_near_to_no_whole_number() {
        for (text, fix) in [
            ("0.5", None),
            ("-0.2", None),
            ("2.6", Some("3")),
            ("0", Some("1")),
        ] {
            let error = Int::<1, 9>::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }
}
