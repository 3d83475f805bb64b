//! Written positions, which a song converts to ticks.

use std::fmt;

use fcp::value::{FcpValue, Unit, ValueError, ValueSpec, repaired};

use super::dur::Shift;
use super::frac::Frac;
use super::limits::{BAR, BAR_COLUMNS, TICK, TICK_COLUMNS};
use super::pos_text::read;

/// A bar, optionally with a beat, and ticks after the beat: `5`, `5.3`, `5.3.240`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The bar, from 1 to 999,999.
    pub bar: u32,
    /// The beat, from 1 to 255.
    pub beat: Option<u32>,
    /// Ticks after the beat, up to 268,435,455; only with a beat.
    pub ticks: Option<u32>,
}

/// The base of a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A place in the bars of the song.
    Place(Place),
    /// A section or marker, or a place counted from its start.
    Named {
        /// Its name.
        name: String,
        /// Bar and beat inside it.
        place: Option<Place>,
        /// Whether it was written `marker:NAME`.
        marker: bool,
        /// The whole text after `marker:`, since a name may contain `:`, `+` and `-`.
        whole: String,
        /// Whether a prefix of a name does not match, because the op deletes something there.
        strict: bool,
    },
    /// Seconds from the start.
    Seconds(Frac),
    /// A tick from the start, up to 268,435,455.
    Tick(u32),
    /// The end of the last note on the track.
    End,
    /// The first barline at or after the end of the last note.
    Next,
    /// The track's cursor.
    Cursor,
}

/// A position: a base and an offset from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pos {
    /// The base.
    pub base: Base,
    /// The offset.
    pub shift: Option<Shift>,
}

impl Pos {
    /// The start of a bar, 1 to 999,999.
    #[must_use]
    pub fn bar(bar: u32) -> Option<Self> {
        let place = Place {
            bar,
            beat: None,
            ticks: None,
        };
        (1..=BAR).contains(&bar).then_some(Self {
            base: Base::Place(place),
            shift: None,
        })
    }

    /// A bar, a beat of it and ticks after that, if a position can express them.
    #[must_use]
    pub fn place(bar: i64, beat: i64, ticks: i64) -> Option<Self> {
        let within = |number: i64, from: u32, to: u32| {
            let number = u32::try_from(number).ok()?;
            (from..=to).contains(&number).then_some(number)
        };
        let place = Place {
            bar: within(bar, 1, BAR)?,
            beat: Some(within(beat, 1, 255)?),
            ticks: Some(within(ticks, 0, TICK)?),
        };
        Some(Self {
            base: Base::Place(place),
            shift: None,
        })
    }

    /// The whole text that may be a single name, to be tried before its parts.
    #[must_use]
    pub fn whole_name(&self) -> Option<&str> {
        match &self.base {
            Base::Named { whole, .. } => Some(whole),
            _ => None,
        }
    }

    /// Whether a prefix of a name does not match.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        matches!(self.base, Base::Named { strict: true, .. })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.bar)?;
        if let Some(beat) = self.beat {
            write!(f, ".{beat}")?;
            if let Some(ticks) = self.ticks {
                write!(f, ".{ticks}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(place) => place.fmt(f),
            Self::Named { marker, whole, .. } => {
                let prefix = if *marker { "marker:" } else { "" };
                write!(f, "{prefix}{whole}")
            }
            Self::Seconds(seconds) => clock_time(*seconds, f),
            Self::Tick(tick) => write!(f, "tick:{tick}"),
            Self::End => f.write_str("end"),
            Self::Next => f.write_str("next"),
            Self::Cursor => Ok(()),
        }
    }
}

/// `12.5s`, and from one minute on `1:02.5`.
fn clock_time(seconds: Frac, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let minutes = seconds.floor() / 60;
    let rest = seconds.minus(Frac::whole(minutes * 60));
    match rest {
        Some(rest) if minutes > 0 => {
            let zero = if rest < Frac::whole(10) { "0" } else { "" };
            write!(f, "{minutes}:{zero}{rest}")
        }
        _ => write!(f, "{seconds}s"),
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.base.fmt(f)?;
        match (&self.base, &self.shift) {
            (Base::Named { .. }, _) => Ok(()),
            (Base::Cursor, None) => f.write_str("+"),
            (_, None) => Ok(()),
            (_, Some(shift)) => shift.fmt(f),
        }
    }
}

impl FcpValue for Pos {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["tick", "ticks"],
        unit: Some(Unit {
            prefix: "tick:",
            columns: TICK_COLUMNS,
            others: BAR_COLUMNS,
        }),
        ..ValueSpec::new(
            "POS",
            "5, 5.3, 5.3.240, 5.3+e, Chorus:2.1, 12.5s, tick:N, end, next, +q",
        )
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, read).map_err(|error| {
            // `3,1` means `3.1`.
            let dotted = text.replace(',', ".");
            match error.fix {
                None if dotted != text && read(&dotted).is_ok() => error.fix(dotted),
                _ => error,
            }
        })
    }

    fn strictly(mut self) -> Self {
        if let Base::Named { strict, .. } = &mut self.base {
            *strict = true;
        }
        self
    }
}
