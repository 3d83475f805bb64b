//! Changes of velocities.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, repaired};

use super::percent::part;
use super::velocity::{Velocity, VelocityStep};

/// A change of velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// Set to a velocity.
    Set(Velocity),
    /// A difference.
    By(VelocityStep),
    /// A percentage.
    Part(u16),
    /// Scaled so that the softest gets the first velocity, and the loudest the second.
    Onto(Velocity, Velocity),
}

impl Force {
    /// The changed velocity of a note, not clamped; `None` for a span, which depends on other notes.
    #[must_use]
    pub fn changed(self, own: i64) -> Option<i64> {
        match self {
            Self::Set(velocity) => Some(velocity.get().into()),
            Self::By(step) => Some(own + i64::from(step.get())),
            Self::Part(percent) => Some((own * i64::from(percent) + 50) / 100),
            Self::Onto(..) => None,
        }
    }
}

/// A change of the velocity of each note on its own: a velocity, a step or a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VelocityChange(Force);

impl VelocityChange {
    /// The changed velocity of a note, not clamped.
    #[must_use]
    pub fn changed(self, own: Velocity) -> i64 {
        let own = i64::from(own.get());
        self.0.changed(own).unwrap_or(own)
    }
}

impl fmt::Display for VelocityChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for VelocityChange {
    const SPEC: ValueSpec = ValueSpec {
        steps: true,
        ..Velocity::SPEC
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| match Force::parse(text)? {
            Force::Onto(..) => Err(ValueError::new("is a span, onto which velocity maps notes")),
            force => Ok(Self(force)),
        })
    }
}

impl fmt::Display for Force {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Set(velocity) => velocity.fmt(f),
            Self::By(step) => step.fmt(f),
            Self::Part(percent) => write!(f, "{percent}%"),
            Self::Onto(from, to) => write!(f, "{from}-{to}"),
        }
    }
}

impl FcpValue for Force {
    const SPEC: ValueSpec = ValueSpec {
        steps: true,
        ..ValueSpec::new("FORCE", "90, mf, +10, -10, 70%, or p-ff")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.starts_with(['+', '-'])
            && let Some(more) = text.strip_suffix('%')
        {
            let whole = more
                .parse::<i16>()
                .ok()
                .and_then(|more| more.checked_add(100));
            let whole = whole.filter(|whole| (1..=1_000).contains(whole));
            return Err(ValueError::new("has a sign; a fifth less is 80%")
                .maybe_fix(whole.map(|whole| format!("{whole}%"))));
        }
        if text.starts_with(['+', '-']) {
            return VelocityStep::parse(text).map(Self::By);
        }
        if let Some(percent) = text.strip_suffix('%') {
            return part(percent).map(Self::Part);
        }
        if let Some((from, to)) = text.split_once("..") {
            let span = format!("{from}-{to}");
            let error = ValueError::new("has .. where - belongs, 40-100");
            return Err(error.maybe_fix(Self::parse(&span).ok().map(|_| span)));
        }
        if let Some((from, to)) = text.split_once('-') {
            let from = Velocity::parse(from).map_err(|mut error| {
                error.fix = error.fix.map(|fix| format!("{fix}-{to}"));
                error
            })?;
            let to = Velocity::parse(to).map_err(|mut error| {
                error.fix = error.fix.map(|fix| format!("{from}-{fix}"));
                error
            })?;
            if from > to {
                return Err(ValueError::new("is reversed").fix(format!("{to}-{from}")));
            }
            return Ok(Self::Onto(from, to));
        }
        Velocity::parse(text).map(Self::Set).map_err(|error| {
            // A factor of 1.5 means 150%, as `*1.5` or `x1.5` does.
            let factor = text.strip_prefix(['*', 'x', '\u{d7}']);
            let share = factor.or(text.contains('.').then_some(text));
            let share = share.and_then(|share| share.parse::<f64>().ok());
            match share.filter(|share| (0.1..=2.0).contains(share)) {
                Some(share) => error.fix(format!("{:.0}%", share * 100.0)),
                None => error,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forces_are_read_and_repaired() {
        for text in ["90", "+10", "-10", "70%", "40-100"] {
            assert_eq!(Force::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Force::parse("p-ff").unwrap().to_string(), "49-112");
        let fix = |text: &str| Force::parse(text).unwrap_err().fix;
        assert_eq!(fix("0%"), None);
        assert_eq!(fix("9999%").as_deref(), Some("1000%"));
        assert_eq!(fix("40-200").as_deref(), Some("40-127"));
        assert_eq!(fix("x%"), None);
        assert_eq!(fix("100-40").as_deref(), Some("40-100"));
        assert_eq!(fix("ff-p").as_deref(), Some("49-112"));
        assert_eq!(fix("-20%").as_deref(), Some("80%"));
        assert_eq!(fix("+20%").as_deref(), Some("120%"));
        assert_eq!(fix("-100%"), None);
        for factor in ["0.8", "*0.8", "x0.8", "\u{d7}.8"] {
            assert_eq!(fix(factor).as_deref(), Some("80%"), "{factor}");
        }
        assert_eq!(fix("*2").as_deref(), Some("200%"));
        for other in ["x", "*", "x20", "*-1"] {
            assert_eq!(fix(other), None, "{other}");
        }
    }

    #[test]
    fn a_change_of_each_velocity_is_not_a_span() {
        for text in ["90", "+10", "70%"] {
            assert_eq!(VelocityChange::parse(text).unwrap().to_string(), text);
        }
        let fix = |text: &str| VelocityChange::parse(text).unwrap_err().fix;
        assert_eq!(fix("0.5").as_deref(), Some("50%"));
        for span in ["40-100", "40..100", "100-40"] {
            assert_eq!(fix(span), None, "{span}");
        }
    }
}
