//! A number of repetitions.

use std::fmt;

use fcp::prelude::*;

/// A number of repetitions, up to 10,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times(Int<1, 10_000>);

impl Times {
    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get().unsigned_abs()
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Times {
    const SPEC: ValueSpec = <Int<1, 10_000> as FcpValue>::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        Int::parse(text).map(Self).map_err(|mut error| {
            // A much larger number does not mean the maximum, and trying the maximum as a repair
            // would take long.
            if text.parse::<f64>().is_ok_and(|times| times > 100_000.0) {
                error.fix = None;
            }
            error
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_far_out_of_range_get_no_repair() {
        assert_eq!(Times::parse("10000").unwrap().to_string(), "10000");
        assert_eq!(Times::parse("0").unwrap_err().fix.as_deref(), Some("1"));
        assert_eq!(Times::parse("2.2").unwrap_err().fix.as_deref(), Some("2"));
        let error = Times::parse("10001").unwrap_err();
        assert_eq!(error.about("times:10001"), "times:10001 is above 10000");
        assert_eq!(error.fix.as_deref(), Some("10000"));
        let error = Times::parse("999999999").unwrap_err();
        assert_eq!(
            error.about("times:999999999"),
            "times:999999999 is above 10000"
        );
        assert_eq!(error.fix, None);
    }
}
