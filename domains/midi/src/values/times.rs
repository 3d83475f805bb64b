//! How many times something is played.

use std::fmt;

use fcp::prelude::*;

/// How many times something is played, up to 10,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times(Int<1, 10_000>);

impl Times {
    /// One time.
    pub const ONCE: Self = Self(Int::clamped(1));

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
        // That the most was meant is unlikely, and trying it out before it is said would take long.
        let most = Int::<1, 10_000>::clamped(i64::MAX).to_string();
        Int::parse(text).map(Self).map_err(|mut error| {
            error.fix = error.fix.filter(|fix| *fix != most);
            error
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_said_and_the_most_is_not() {
        assert_eq!(Times::parse("10000").unwrap().to_string(), "10000");
        assert_eq!(Times::parse("0").unwrap_err().fix.as_deref(), Some("1"));
        assert_eq!(Times::parse("2.2").unwrap_err().fix.as_deref(), Some("2"));
        let error = Times::parse("10001").unwrap_err();
        assert_eq!(error.about("times:10001"), "times:10001 is above 10000");
        assert_eq!(error.fix, None);
    }
}
