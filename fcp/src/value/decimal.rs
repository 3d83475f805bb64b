//! Numbers with their spelling; repairs for invalid ones.

use std::fmt;

use super::repair::repaired;
use super::text_form::text_form;
use super::{FcpValue, ValueError, ValueSpec};

/// The largest absolute value.
const FAR: f64 = 1e9;

/// The longest text of a number, in bytes.
const LONGEST: usize = 64;

/// A number as it was spelled: `10`, `-3.5`, `.5`, `+2`, `1e3`. Finite, with an absolute value of
/// at most 10⁹.
///
/// Two numbers are equal if their values are, however they are spelled.
#[derive(Clone, Debug)]
pub struct Decimal {
    value: f64,
    text: Box<str>,
}

impl Decimal {
    /// The number.
    #[must_use]
    pub const fn get(&self) -> f64 {
        self.value
    }

    /// The number as it was spelled.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl FcpValue for Decimal {
    const SPEC: ValueSpec =
        ValueSpec::new("NUMBER", "10, -3.5, .5, 1e3").typed(super::SqlType::Real);

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            read(text).ok_or_else(|| wrong(text, "is not a number"))
        })
    }
}

/// Reads a number.
pub(super) fn read(text: &str) -> Option<Decimal> {
    let value = value(text).filter(|value| value.abs() <= FAR)?;
    Some(Decimal {
        value,
        text: text.into(),
    })
}

/// The value of a number, which may be out of range. Rust also reads `inf`, `nan` and `5.` as
/// numbers.
fn value(text: &str) -> Option<f64> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, power) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, power)) => (
            mantissa,
            Some(power.strip_prefix(['+', '-']).unwrap_or(power)),
        ),
        None => (unsigned, None),
    };
    let whole = match mantissa.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part) && !part.is_empty(),
        None => digits(mantissa) && !mantissa.is_empty(),
    };
    let raised = power.is_none_or(|power| digits(power) && !power.is_empty());
    if text.len() > LONGEST || !whole || !raised {
        return None;
    }
    text.parse().ok()
}

/// The error of a text that is not a number.
pub(super) fn wrong(text: &str, problem: &'static str) -> ValueError {
    match value(text) {
        Some(value) if value > FAR => ValueError::new("is above 1000000000").fix("1000000000"),
        Some(value) if value < -FAR => ValueError::new("is below -1000000000").fix("-1000000000"),
        _ => ValueError::new(problem).maybe_fix(meant(text)),
    }
}

/// The number that was probably meant: `5,5` as 5.5, `0x10` as 16, `10.` as 10, `1 000` as 1000.
pub(super) fn meant(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return i64::from_str_radix(hex, 16)
            .ok()
            .filter(|n| *n <= 1_000_000_000)
            .map(|n| n.to_string());
    }
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '_' | '\''))
        .map(|c| match c {
            ',' => '.',
            '−' | '–' => '-',
            other => other,
        })
        .collect();
    let plain = plain.trim_end_matches('.');
    read(plain).map(|number| number.to_string())
}

/// The number at the start of a text, and the rest.
pub(super) fn leading(text: &str) -> (&str, &str) {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        let power = matches!(c, 'e' | 'E')
            && text.get(next..).is_some_and(|rest| {
                rest.trim_start_matches(['+', '-'])
                    .starts_with(|c: char| c.is_ascii_digit())
            });
        let sign = matches!(c, '+' | '-' | '−' | '–')
            && (at == 0
                || text
                    .get(..at)
                    .is_some_and(|before| before.ends_with(['e', 'E'])));
        if !(c.is_ascii_digit() || matches!(c, '.' | ',') || power || sign) {
            break;
        }
        end = next;
    }
    text.split_at(end)
}

text_form!(Decimal);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_spelling() {
        for (text, value) in [
            ("10", 10.0),
            ("-3.5", -3.5),
            (".5", 0.5),
            ("+2", 2.0),
            ("1e3", 1000.0),
            ("5.50", 5.5),
        ] {
            let number = Decimal::parse(text).unwrap();
            assert_eq!((number.get(), number.as_str()), (value, text));
        }
        assert_eq!(Decimal::parse("5.50"), Decimal::parse("5.5"));
    }

    #[test]
    fn invalid_numbers_are_repaired() {
        for (text, fix) in [
            ("ten", None),
            ("", None),
            ("-", None),
            (".", None),
            ("NaN", None),
            ("inf", None),
            ("1e", None),
            ("5,5", Some("5.5")),
            ("10.", Some("10")),
            ("0x10", Some("16")),
            ("1 000", Some("1000")),
            ("−5", Some("-5")),
            ("1,000,000", None),
            ("1e10", Some("1000000000")),
            ("-1e999", Some("-1000000000")),
        ] {
            let error = Decimal::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }
}
