//! Numbers from 0 to 127, as in messages, and repairs for others.

use fcp::value::ValueError;

/// The integer in a text.
pub(super) enum Integer {
    /// A number that fits.
    Fits(i64),
    /// Too many digits, with the sign.
    Huge { negative: bool },
    /// Something else.
    No,
}

/// Parses digits with an optional sign.
pub(super) fn integer(text: &str) -> Integer {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Integer::No;
    }
    let negative = text.starts_with('-');
    match text.parse() {
        Ok(value) => Integer::Fits(value),
        Err(_) => Integer::Huge { negative },
    }
}

/// A whole number from `low` to `high`; `None` if the text is not a whole number.
///
/// The repair of a number outside is the nearest bound.
pub(super) fn within(text: &str, low: u8, high: u8) -> Option<Result<u8, ValueError>> {
    // A plus means a step, which is not a valid value here.
    if text.starts_with('+') {
        return None;
    }
    let value = match integer(text) {
        Integer::Fits(value) => value,
        Integer::Huge { negative: true } => i64::MIN,
        Integer::Huge { negative: false } => i64::MAX,
        Integer::No => return None,
    };
    Some(if value < i64::from(low) {
        // A minus meant a difference, from a value that is not known here.
        let near = (!text.starts_with('-')).then(|| low.to_string());
        Err(ValueError::new(format!("is below {low}")).maybe_fix(near))
    } else if value > i64::from(high) {
        Err(ValueError::new(format!("is above {high}")).fix(high.to_string()))
    } else {
        Ok(u8::try_from(value).unwrap_or(high))
    })
}

/// The whole number nearest to a decimal. `None` for a value below 1, which is a share, and for one
/// with a sign, which is a step.
pub(super) fn rounded(text: &str) -> Option<String> {
    let value: f64 = text.parse().ok()?;
    (!text.starts_with(['+', '-']) && (1.0..1e6).contains(&value))
        .then(|| format!("{:.0}", value.round()))
}

/// A number held by rows: checked when it is read, and written as is.
macro_rules! held {
    ($name:ident, $low:literal..=$high:literal) => {
        impl $name {
            /// The number, if it is in range.
            #[must_use]
            pub const fn new(value: u8) -> Option<Self> {
                if matches!(value, $low..=$high) {
                    Some(Self(value))
                } else {
                    None
                }
            }

            /// The number as in a message.
            #[must_use]
            pub const fn get(self) -> u8 {
                self.0
            }
        }

        impl From<$name> for u8 {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl TryFrom<u8> for $name {
            type Error = String;

            fn try_from(value: u8) -> Result<Self, String> {
                Self::new(value).ok_or_else(|| {
                    format!("{value} is outside {} to {}", $low as u8, $high as u8)
                })
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "integer", "minimum": $low, "maximum": $high })
            }
        }
    };
}

pub(super) use held;
