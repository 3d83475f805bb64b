//! Written lengths of time, which a song's tempo and meter convert to ticks.

use std::fmt;

use fcp::value::{FcpValue, Unit, ValueError, ValueSpec, repaired};

use super::clock::Clock;
use super::dur_text::{LONGEST, read_signed, read_term};
use super::frac::Frac;
use super::limits::{TICK, TICK_COLUMNS, grouped};

/// One part of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A fraction of a whole note: a quarter is 1/4.
    Note(Frac),
    /// Beats of the meter in effect.
    Beats(Frac),
    /// Bars of the meter in effect.
    Bars(Frac),
    /// Ticks. Unless `sure`, fewer ticks than a 64th note are rejected: `dur:4` rarely means 4
    /// ticks.
    Ticks {
        /// Their number.
        count: u32,
        /// Whether it was written `ticks:N`.
        sure: bool,
    },
    /// Seconds.
    Seconds(Frac),
}

impl Term {
    /// The exact number of ticks from the tick `at`.
    ///
    /// # Errors
    /// The division has no notes and bars, or the result is out of range.
    pub fn exact(&self, cx: &dyn Clock, at: Frac) -> Result<Frac, ValueError> {
        let ticks = match *self {
            Self::Note(part) => match cx.ppqn() {
                Some(ppqn) => part.times(Frac::whole(i64::from(ppqn) * 4)),
                None => return Err(self.timeless()),
            },
            Self::Beats(count) if cx.ppqn().is_some() => cx.beats(at, count),
            Self::Bars(count) if cx.ppqn().is_some() => cx.bars(at, count),
            Self::Beats(_) | Self::Bars(_) => return Err(self.timeless()),
            Self::Ticks { count, sure } => {
                let few = cx
                    .ppqn()
                    .is_some_and(|ppqn| u64::from(count) * 16 < u64::from(ppqn));
                if few && !sure {
                    // In other notations `8` is an eighth, and `1` a whole note or a beat.
                    let part = Some(count).filter(|n| *n > 1 && n.is_power_of_two());
                    let letter = part.and_then(|n| LETTERS.get(n.trailing_zeros() as usize));
                    let problem = format!(
                        "is {count} ticks, less than a 64th note; write ticks:{count} if so"
                    );
                    return Err(ValueError::new(problem).maybe_fix(letter.copied()));
                }
                Some(Frac::whole(i64::from(count)))
            }
            Self::Seconds(seconds) => cx.seconds_to_ticks(at, seconds).map(Frac::coarse),
        };
        ticks.ok_or_else(too_long)
    }

    /// The same length in seconds at 120 bpm in 4/4, if it is in notes or bars.
    fn in_seconds(&self) -> Option<Self> {
        let whole_notes = match *self {
            Self::Note(part) => Some(part),
            Self::Beats(count) => Frac::new(1, 4).and_then(|beat| count.times(beat)),
            Self::Bars(count) => Some(count),
            Self::Ticks { .. } | Self::Seconds(_) => None,
        };
        let milli = whole_notes.and_then(|notes| notes.times(Frac::whole(2000)));
        let seconds = milli.and_then(|milli| Frac::new(milli.round().max(1).into(), 1000));
        seconds.map(Self::Seconds)
    }

    /// The error for notes and bars in a file that counts seconds.
    fn timeless(&self) -> ValueError {
        ValueError::sentence("this file counts SMPTE frames, it has no notes and bars")
            .maybe_fix(self.in_seconds().map(|seconds| seconds.to_string()))
    }
}

fn too_long() -> ValueError {
    ValueError::new(format!("is longer than {} ticks", grouped(TICK)))
}

/// A length: a note value, beats, bars, ticks, seconds, or a sum of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dur(Vec<Term>);

impl Dur {
    /// The prefix of a number of ticks.
    pub const TICKS: &'static str = "ticks:";

    /// A fraction of a whole note: `note(1, 4)` is a quarter. `None` unless it is above 0.
    #[must_use]
    pub fn note(num: u32, den: u32) -> Option<Self> {
        Self::of_part(Frac::new(num.into(), den.into())?)
    }

    /// A part of a whole note. `None` unless it is above 0.
    #[must_use]
    pub fn of_part(part: Frac) -> Option<Self> {
        (part > Frac::ZERO).then(|| Self(vec![Term::Note(part)]))
    }

    /// A number of ticks, shown as a note of exactly this length if there is one, else as ticks.
    ///
    /// `None` for 0 ticks, and for more than an op can write.
    #[must_use]
    pub fn of_ticks(ticks: u64, ppqn: Option<u32>) -> Option<Self> {
        let count = u32::try_from(ticks)
            .ok()
            .filter(|n| (1..=TICK).contains(n))?;
        let whole = ppqn.map(|ppqn| i128::from(ppqn) * 4);
        let note = whole
            .and_then(|whole| Frac::new(count.into(), whole))
            .filter(|part| signs(*part).is_some());
        let sure = ppqn.is_some_and(|ppqn| u64::from(count) * 16 < u64::from(ppqn));
        Some(Self(vec![match note {
            Some(part) => Term::Note(part),
            None => Term::Ticks { count, sure },
        }]))
    }

    /// The same length in seconds at 120 bpm in 4/4, if any of it is in notes or bars.
    #[must_use]
    pub fn in_seconds(&self) -> Option<Self> {
        let seconds: Vec<_> = self.0.iter().map(Term::in_seconds).collect();
        let any = seconds.iter().any(Option::is_some);
        let terms = seconds.into_iter().zip(&self.0);
        any.then(|| {
            Self(
                terms
                    .map(|(seconds, own)| seconds.unwrap_or(*own))
                    .collect(),
            )
        })
    }

    /// The parts, in sequence.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.0
    }

    /// The exact number of ticks from the tick `at`, so that a sum is rounded once.
    ///
    /// # Errors
    /// As for [`Term::exact`].
    pub fn exact(&self, cx: &dyn Clock, at: Frac) -> Result<Frac, ValueError> {
        let shorter = || too_long().maybe_fix(self.longest(cx, at).map(|dur| dur.to_string()));
        let mut sum = Frac::ZERO;
        for (ix, term) in self.0.iter().enumerate() {
            let from = at.plus(sum).ok_or_else(shorter)?;
            let length = term.exact(cx, from).map_err(|mut error| {
                error.fix = error.fix.map(|fix| self.spelled(ix, &fix));
                error
            });
            sum = sum.plus(length?).ok_or_else(shorter)?;
        }
        if sum > Frac::whole(TICK.into()) {
            return Err(shorter());
        }
        Ok(sum)
    }

    /// The length as written, with one of its parts replaced.
    fn spelled(&self, other: usize, text: &str) -> String {
        let terms = self.0.iter().enumerate();
        let terms = terms.map(|(ix, term)| match ix == other {
            true => text.to_owned(),
            false => term.to_string(),
        });
        terms.collect::<Vec<_>>().join("+")
    }

    /// For a single term: the largest whole number of its unit within range.
    fn longest(&self, cx: &dyn Clock, at: Frac) -> Option<Self> {
        let [term] = self.0.as_slice() else {
            return None;
        };
        let of = |count: u32| match term {
            Term::Beats(_) => Some(Term::Beats(Frac::whole(count.into()))),
            Term::Bars(_) => Some(Term::Bars(Frac::whole(count.into()))),
            Term::Seconds(_) => Some(Term::Seconds(Frac::whole(count.into()))),
            Term::Note(_) | Term::Ticks { .. } => None,
        };
        let fits = |count: u32| {
            let end = of(count)?.exact(cx, at).ok()?.plus(at)?;
            (end <= Frac::whole(TICK.into())).then_some(())
        };
        let mut longest = 0;
        for bit in (0..u32::BITS - 4).rev() {
            let more = longest + (1 << bit);
            if fits(more).is_some() {
                longest = more;
            }
        }
        Some(longest)
            .filter(|count| *count > 0)
            .and_then(of)
            .map(|term| Self(vec![term]))
    }

    /// The exact number of ticks from the tick `at`, for values that repeat from there: half a tick
    /// or more.
    ///
    /// # Errors
    /// As for [`Dur::exact`], or it is shorter than half a tick.
    pub fn period(&self, cx: &dyn Clock, at: Frac) -> Result<Frac, ValueError> {
        let length = self.exact(cx, at)?;
        if length.round() < 1 {
            return Err(ValueError::new("is shorter than a tick").fix("ticks:1"));
        }
        Ok(length)
    }

    /// The number of ticks from the tick `at`, 1 or more.
    ///
    /// # Errors
    /// As for [`Dur::period`].
    pub fn ticks(&self, cx: &dyn Clock, at: u64) -> Result<u64, ValueError> {
        let start = i64::try_from(at).map_err(|_| too_long())?;
        let length = self.period(cx, Frac::whole(start))?.round();
        u64::try_from(length).map_err(|_| too_long())
    }
}

impl fmt::Display for Dur {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (ix, term) in self.0.iter().enumerate() {
            if ix > 0 {
                f.write_str("+")?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}

impl FcpValue for Dur {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["ticks"],
        unit: Some(Unit {
            prefix: Self::TICKS,
            columns: TICK_COLUMNS,
            others: &[],
        }),
        ..ValueSpec::new(
            "DUR",
            "w h q e s t x, q. e3, 1/8, 8th, 2b, 1bar, ticks, 0.5s, h+e",
        )
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl Dur {
    fn read(text: &str) -> Result<Self, ValueError> {
        if text.len() > LONGEST {
            return Err(ValueError::new(format!(
                "is over {LONGEST} bytes, too long for a length"
            )));
        }
        let rest = text.trim_start_matches(['+', '-']);
        if rest.len() < text.len() {
            return Err(ValueError::new("has a sign, a length has none")
                .maybe_fix(Self::read(rest).ok().map(|length| length.to_string())));
        }
        let terms = read_signed(text, false)?;
        if terms.iter().any(|(back, _)| *back) {
            return Err(ValueError::new("subtracts, but a length is a sum"));
        }
        Ok(Self(terms.into_iter().map(|(_, term)| term).collect()))
    }
}

/// An offset forward or back in time: `+e`, `-s`, `+1bar-e`; its parts apply in sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shift(Vec<(bool, Term)>);

impl Shift {
    /// The parts in order, with `true` for those that go back.
    #[must_use]
    pub fn terms(&self) -> &[(bool, Term)] {
        &self.0
    }

    /// A part of a position, already parsed.
    pub(super) fn of(terms: Vec<(bool, Term)>) -> Option<Self> {
        (!terms.is_empty()).then_some(Self(terms))
    }

    /// The exact target tick from the tick `at`. It may be negative.
    ///
    /// # Errors
    /// As for [`Term::exact`].
    pub fn from_tick(&self, cx: &dyn Clock, at: Frac) -> Result<Frac, ValueError> {
        let mut place = at;
        for (ix, (back, term)) in self.0.iter().enumerate() {
            let next = if *back {
                term.back(cx, place)
            } else {
                term.exact(cx, place)
                    .and_then(|length| place.plus(length).ok_or_else(too_long))
            };
            place = next.map_err(|mut error| {
                error.fix = error.fix.map(|fix| self.spelled((ix, &fix)));
                error
            })?;
        }
        Ok(place)
    }

    /// The offset as written, with one of its parts replaced: each keeps its sign.
    fn spelled(&self, (other, text): (usize, &str)) -> String {
        let mut spelled = String::new();
        for (ix, (back, term)) in self.0.iter().enumerate() {
            spelled.push(if *back { '-' } else { '+' });
            if ix == other {
                spelled.push_str(text);
            } else {
                spelled.push_str(&term.to_string());
            }
        }
        spelled
    }
}

impl Term {
    /// The tick from which it leads to the tick `at`.
    fn back(&self, cx: &dyn Clock, at: Frac) -> Result<Frac, ValueError> {
        let back = match *self {
            Self::Beats(count) if cx.ppqn().is_some() => {
                count.negated().and_then(|count| cx.beats(at, count))
            }
            Self::Bars(count) if cx.ppqn().is_some() => {
                count.negated().and_then(|count| cx.bars(at, count))
            }
            Self::Seconds(seconds) => seconds
                .negated()
                .and_then(|seconds| cx.seconds_to_ticks(at, seconds))
                .map(Frac::coarse),
            _ => self.exact(cx, at)?.negated(),
        };
        back.and_then(|back| at.plus(back)).ok_or_else(too_long)
    }
}

impl fmt::Display for Shift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (back, term) in &self.0 {
            write!(f, "{}{term}", if *back { '-' } else { '+' })?;
        }
        Ok(())
    }
}

impl FcpValue for Shift {
    const SPEC: ValueSpec = ValueSpec::new("±DUR", "+e, -s, +1bar");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, Self::read)
    }
}

impl Shift {
    fn read(text: &str) -> Result<Self, ValueError> {
        if !text.starts_with(['+', '-']) {
            let length = Dur::parse(text).ok();
            return Err(ValueError::new("has no sign: + is later, - is earlier")
                .maybe_fix(length.map(|length| format!("+{length}"))));
        }
        // An empty repair has no direction.
        read_signed(text, true).map(Self).map_err(|mut error| {
            error.fix = error.fix.filter(|fix| !fix.is_empty());
            error
        })
    }
}

/// A gap, which may be empty: `0`, or a length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gap(pub Option<Dur>);

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(length) => length.fmt(f),
            None => f.write_str("0"),
        }
    }
}

impl FcpValue for Gap {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["ticks"],
        unit: Dur::SPEC.unit,
        ..ValueSpec::new("DUR", "0, or a length: s, ticks:10")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        if !text.is_empty() && text.bytes().all(|b| b == b'0') {
            return Ok(Self(None));
        }
        Dur::parse(text).map(|length| Self(Some(length)))
    }
}

/// The letter of each binary note value, from the whole to the 64th.
pub(super) const LETTERS: [char; 7] = ['w', 'h', 'q', 'e', 's', 't', 'x'];

/// Tuplets: their sign, the number of notes, and the number in whose time they sound.
pub(super) const TUPLETS: [(char, i128, i128); 3] = [('3', 3, 2), ('5', 5, 4), ('7', 7, 4)];

/// A note value in letters, if it has this form: `q.`, `e3`.
pub(super) fn letters(part: Frac) -> Option<String> {
    let (letter, tuplet, dots) = signs(part)?;
    let signs = [Some(letter), tuplet].into_iter().flatten();
    Some(signs.chain(dots.chars()).collect())
}

/// The letter of a note value, the sign of its tuplet and its dots, if it has this form.
fn signs(part: Frac) -> Option<(char, Option<char>, &'static str)> {
    for (dots, num, den) in [("", 1, 1), (".", 3, 2), ("..", 7, 4)] {
        let tuplets = TUPLETS.map(|(sign, count, time)| (Some(sign), count, time));
        for (tuplet, count, time) in [(None, 1, 1)].into_iter().chain(tuplets) {
            // Without the dots and the tuplet, it is one part of a power of two.
            let own = i128::from(part.num()) * den * count;
            let all = i128::from(part.den()) * num * time;
            let mut powers = LETTERS.iter().zip(0_u32..);
            if let Some((letter, _)) = powers.find(|(_, power)| own << power == all) {
                return Some((*letter, tuplet, dots));
            }
        }
    }
    None
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Note(part) => match letters(part) {
                Some(letters) => f.write_str(&letters),
                None => write!(f, "{}/{}", part.num(), part.den()),
            },
            Self::Beats(count) => write!(f, "{count}b"),
            Self::Bars(count) => write!(f, "{count}bar"),
            Self::Ticks { count, sure } => {
                let name = if sure { "ticks:" } else { "" };
                write!(f, "{name}{count}")
            }
            Self::Seconds(seconds) => write!(f, "{seconds}s"),
        }
    }
}

impl FcpValue for Term {
    const SPEC: ValueSpec = Dur::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        read_term(text)
    }
}

impl super::several::Ranked for Dur {
    fn is_after(&self, other: &Self) -> bool {
        // Both lengths in common time. In other meters the order may differ, which only the song
        // can decide.
        let clock = super::clock::Steady {
            ppqn: 480,
            meter: super::Meter::COMMON,
            micros: 500_000,
        };
        let ticks = |dur: &Self| dur.exact(&clock, Frac::ZERO).ok();
        ticks(self)
            .zip(ticks(other))
            .is_some_and(|(own, other)| own > other)
    }
}
