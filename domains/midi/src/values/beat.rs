//! Places in a bar.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::number::rounded;
use super::several::Ranked;

/// The most beats of a bar.
const MOST: u32 = 64;

/// A beat of any bar, `2`, or one tick of it, `2.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Beat {
    number: u32,
    tick: Option<u32>,
}

impl Beat {
    /// The first matching place: the beat, from 1, and ticks into it.
    #[must_use]
    pub fn first(self) -> (u64, u64) {
        (self.number.into(), self.tick.unwrap_or(0).into())
    }

    /// The last matching place.
    #[must_use]
    pub fn last(self) -> (u64, u64) {
        let tick = self.tick.map_or(u64::MAX, u64::from);
        (self.number.into(), tick)
    }
}

impl fmt::Display for Beat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)?;
        match self.tick {
            Some(tick) => write!(f, ".{tick}"),
            None => Ok(()),
        }
    }
}

impl Ranked for Beat {
    fn is_after(&self, other: &Self) -> bool {
        self.first() > other.last()
    }
}

impl FcpValue for Beat {
    const SPEC: ValueSpec = ValueSpec::new("BEAT", "2, 2,4, 1.0 for the beat's first tick, 2-3");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let (number, tick) = match text.split_once('.') {
            Some((number, tick)) => (number, Some(tick)),
            None => (text, None),
        };
        let read = |text: &str| {
            let digits = !text.is_empty() && text.len() < 7;
            let digits = digits && text.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| text.parse::<u32>().ok()).flatten()
        };
        let wrong = || ValueError::new("is not a beat, 1-64, or a tick of one like 1.0");
        let Some(number) = read(number) else {
            return Err(wrong().maybe_fix(rounded(text).filter(|near| *near != text)));
        };
        let tick = match tick {
            Some(tick) => Some(read(tick).ok_or_else(|| wrong().fix(format!("{number}.0")))?),
            None => None,
        };
        match number {
            0 => Err(ValueError::new("is below 1, beats count from 1").fix("1")),
            1..=MOST => Ok(Self { number, tick }),
            _ => Err(ValueError::new(format!("is above {MOST}")).fix(MOST.to_string())),
        }
    }
}
