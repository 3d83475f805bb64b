//! Percentages.

use std::fmt;

use fcp::value::{FcpValue, Int, ValueError, ValueSpec};

/// The greatest percentage.
const MOST: u16 = 1_000;

/// Reads the digits before a `%`.
///
/// # Errors
/// It is not 1 to 1000.
pub fn part(digits: &str) -> Result<u16, ValueError> {
    // With a sign it would be a step.
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let read = digits.parse().ok().filter(|n| (1..=MOST).contains(n));
    read.filter(|_| is_number).ok_or_else(|| {
        // Nothing is near 0%.
        let is_above = is_number && digits.bytes().any(|byte| byte != b'0');
        ValueError::new("is not 1% to 1000%").maybe_fix(is_above.then(|| "1000%".to_owned()))
    })
}

/// A percentage from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent<const MIN: i64, const MAX: i64>(Int<MIN, MAX>);

impl<const MIN: i64, const MAX: i64> Percent<MIN, MAX> {
    /// The number, clamped to the bounds.
    #[must_use]
    pub const fn clamped(value: i64) -> Self {
        Self(Int::clamped(value))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0.get()
    }
}

impl<const MIN: i64, const MAX: i64> fmt::Display for Percent<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const MIN: i64, const MAX: i64> FcpValue for Percent<MIN, MAX> {
    const SPEC: ValueSpec = Int::<MIN, MAX>::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        let error = match Int::parse(text) {
            Ok(number) => return Ok(Self(number)),
            Err(error) => error,
        };
        let number = text.strip_suffix('%').unwrap_or(text);
        // `0.5` means half, and `50%` means 50.
        let share = number.parse::<f64>().ok().filter(|n| n.is_finite());
        let is_told = number.len() < text.len();
        let is_share = number.contains('.') && !is_told;
        let number = match share {
            Some(share) if is_share && (0.0..=1.0).contains(&share) => share * 100.0,
            Some(whole) if is_told && whole >= 1.0 => whole,
            _ => return Err(error),
        };
        let fix = Int::<MIN, MAX>::parse(&format!("{:.0}", number.round()));
        Err(error.maybe_fix(fix.ok().map(|number| number.to_string())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_given_in_percent() {
        for (text, fix) in [
            ("0.5", Some("50")),
            (".66", Some("66")),
            ("1.0", Some("100")),
            ("50%", Some("50")),
            ("0.5%", None),
            ("0.001", None),
            ("0", Some("1")),
            ("101", Some("100")),
            ("66.6", Some("67")),
            ("x", None),
        ] {
            let error = Percent::<1, 100>::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
        let half = Percent::<1, 100>::parse("50").map(Percent::get);
        assert_eq!(half, Ok(50));
    }
}
