//! Lists of values for selectors.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, repaired};
use fcp::work;

/// The longest valid text, in bytes.
const LONGEST: usize = 4096;

/// Items of a list that are compared in the time of a step.
pub(super) const PARTS_A_STEP: usize = 8;

/// Values, spans and bounds, separated by commas: `1,3`, `80-127`, `<e`, `>=q`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Several<V>(Vec<Part<V>>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part<V> {
    One(V),
    Span(V, V),
    Below(V),
    UpTo(V),
    Above(V),
    From(V),
}

impl<V> Several<V> {
    /// Whether the list contains an item, given whether it is below or above a value.
    pub fn holds(&self, below: impl Fn(&V) -> bool, above: impl Fn(&V) -> bool) -> bool {
        // A long list is read for each row, and the runtime reports that it is too long.
        if self.0.len() > PARTS_A_STEP && work::spend(self.0.len() / PARTS_A_STEP).is_err() {
            return false;
        }
        self.0.iter().any(|part| match part {
            Part::One(value) => !below(value) && !above(value),
            Part::Span(low, high) => !below(low) && !above(high),
            Part::Below(limit) => below(limit),
            Part::UpTo(limit) => !above(limit),
            Part::Above(limit) => above(limit),
            Part::From(limit) => !below(limit),
        })
    }

    /// All values in the list.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().flat_map(|part| match part {
            Part::Span(low, high) => [Some(low), Some(high)].into_iter().flatten(),
            Part::One(value)
            | Part::Below(value)
            | Part::UpTo(value)
            | Part::Above(value)
            | Part::From(value) => [Some(value), None].into_iter().flatten(),
        })
    }
}

impl<V: PartialOrd> Several<V> {
    /// Whether the list contains a value.
    pub fn contains(&self, value: &V) -> bool {
        self.holds(|limit| value < limit, |limit| value > limit)
    }
}

impl<V: fmt::Display> fmt::Display for Several<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (ix, part) in self.0.iter().enumerate() {
            if ix > 0 {
                f.write_str(",")?;
            }
            match part {
                Part::One(value) => value.fmt(f)?,
                Part::Span(low, high) => write!(f, "{low}-{high}")?,
                Part::Below(limit) => write!(f, "<{limit}")?,
                Part::UpTo(limit) => write!(f, "<={limit}")?,
                Part::Above(limit) => write!(f, ">{limit}")?,
                Part::From(limit) => write!(f, ">={limit}")?,
            }
        }
        Ok(())
    }
}

/// A value for lists: two of them may be in the wrong order.
pub trait Ranked: FcpValue {
    /// Whether a span from this value to another is reversed, as far as is known.
    fn is_after(&self, other: &Self) -> bool;
}

impl<V: Ranked> FcpValue for Several<V> {
    const SPEC: ValueSpec = V::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl<V: Ranked> Several<V> {
    fn read(text: &str) -> Result<Self, ValueError> {
        if text.len() > LONGEST {
            return Err(ValueError::new(format!("is longer than {LONGEST} bytes")));
        }
        let mut parts = Vec::new();
        let mut start = 0;
        for written in text.split(',') {
            let end = start + written.len();
            let part = written.trim();
            parts.push(Part::read(part).map_err(|error| {
                let whole = |fix| format!("{}{fix}{}", &text[..start], &text[end..]);
                ValueError::sentence(error.about(part)).maybe_fix(error.fix.clone().map(whole))
            })?);
            start = end + 1;
        }
        Ok(Self(parts))
    }
}

impl<V: Ranked> Part<V> {
    fn read(text: &str) -> Result<Self, ValueError> {
        type Bound<V> = fn(V) -> Part<V>;
        let bounds: [(&str, Bound<V>); 4] = [
            ("<=", Self::UpTo),
            (">=", Self::From),
            ("<", Self::Below),
            (">", Self::Above),
        ];
        for (sign, bound) in bounds {
            if let Some(rest) = text.strip_prefix(sign) {
                return V::parse(rest).map(bound).map_err(|error| {
                    let fix = error.fix.as_ref().map(|fix| format!("{sign}{fix}"));
                    ValueError::sentence(error.about(rest)).maybe_fix(fix)
                });
            }
        }
        let error = match V::parse(text) {
            Ok(value) => return Ok(Self::One(value)),
            Err(error) => error,
        };
        // A value may contain hyphens itself, so each is tried as the separator.
        for (at, sign) in text.match_indices("..").chain(text.match_indices('-')) {
            let (low, high) = (&text[..at], &text[at + sign.len()..]);
            if let (Ok(from), Ok(to)) = (V::parse(low), V::parse(high)) {
                if from.is_after(&to) {
                    let fix = format!("{high}{sign}{low}");
                    return Err(ValueError::new("is reversed").fix(fix));
                }
                return Ok(Self::Span(from, to));
            }
        }
        // Repair one end of the span if possible.
        let corrected = text.match_indices('-').find_map(|(at, _)| {
            let end = |text: &str| match V::parse(text) {
                Ok(_) => Some(text.to_owned()),
                Err(error) => error.fix,
            };
            let ends = end(&text[..at]).zip(end(&text[at + 1..]));
            ends.map(|(low, high)| format!("{low}-{high}"))
        });
        Err(match error.fix {
            Some(_) => error,
            None => error.maybe_fix(corrected),
        })
    }
}

/// Values ordered by their type.
macro_rules! ranked {
    ($($value:ty),*) => {$(
        impl Ranked for $value {
            fn is_after(&self, other: &Self) -> bool {
                self > other
            }
        }
    )*};
}

ranked!(super::Velocity, super::Channel, super::Controller);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Velocity;

    fn hits(text: &str) -> Vec<u8> {
        let set = Several::<Velocity>::parse(text).unwrap();
        assert_eq!(Several::parse(&set.to_string()).as_ref(), Ok(&set));
        let all = (1..=127).map(|n| Velocity::new(n).unwrap());
        let all = all.filter(|velocity| set.contains(velocity));
        all.map(Velocity::get).collect()
    }

    #[test]
    fn every_form_means_its_values() {
        assert_eq!(hits("80"), [80]);
        assert_eq!(hits("1,3, 5"), [1, 3, 5]);
        assert_eq!(hits("p-51,127"), [49, 50, 51, 127]);
        assert_eq!(hits("<3"), [1, 2]);
        assert_eq!(hits("<=2"), [1, 2]);
        assert_eq!(hits(">126"), [127]);
        assert_eq!(hits(">=fff"), [127]);
    }

    #[test]
    fn invalid_sets_are_repaired() {
        for (text, wanted) in [
            ("127-80", Some("80-127")),
            ("80-200", Some("80-127")),
            ("1,200", Some("1,127")),
            (">200", Some(">127")),
            ("x", None),
            ("", None),
            ("1,", None),
        ] {
            let error = Several::<Velocity>::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), wanted, "{text}");
        }
    }
}
