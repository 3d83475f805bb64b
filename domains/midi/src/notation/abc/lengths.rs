//! Lengths in ABC: numbers of eighths, alone or in a tuplet.

use super::super::lengths::split;
use crate::values::Frac;

/// A note value, with its tuplet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The written number of eighths.
    pub eighths: Frac,
    /// The number of notes, and the number in whose time they sound; 1 and 1 outside tuplets.
    pub tuplet: (u64, u64),
}

/// No tuplet.
const ALONE: (u64, u64) = (1, 1);

/// A length as tied values, the longest first.
#[must_use]
pub fn written(ticks: u64, whole: u64) -> Vec<Written> {
    let values = split(ticks, whole);
    let plain = values.iter().map(|value| {
        let (_, _, triplet) = value.sign?;
        let tuplet = if triplet { (3, 2) } else { ALONE };
        let eighths = eighths(value.ticks, whole, tuplet)?;
        Some(Written { eighths, tuplet })
    });
    plain
        .collect::<Option<_>>()
        .or_else(|| uneven(ticks, whole))
        .unwrap_or_default()
}

/// The written number of eighths for a length in a tuplet.
fn eighths(ticks: u64, whole: u64, (many, time): (u64, u64)) -> Option<Frac> {
    let [ticks, whole, many, time] = [ticks, whole, many, time].map(i128::from);
    Frac::new(ticks * 8 * many, whole * time)
}

/// A length that needs a tuplet of its own.
fn uneven(ticks: u64, whole: u64) -> Option<Vec<Written>> {
    let alone = eighths(ticks, whole, ALONE)?;
    let many = odd(alone.den())?;
    // The tuplet with the smallest change of speed.
    let tuplet = (many, (many.div_ceil(2)).next_power_of_two());
    let mut rest = eighths(ticks, whole, tuplet)?;
    let mut values = Vec::new();
    while rest > Frac::ZERO {
        let part = i128::from(leading(rest.num()));
        let eighths = Frac::new(part, rest.den().into())?;
        values.push(Written { eighths, tuplet });
        rest = rest.minus(eighths)?;
    }
    Some(values)
}

/// The odd part of a number.
fn odd(number: i64) -> Option<u64> {
    let number = u64::try_from(number).ok()?;
    number.checked_shr(number.trailing_zeros())
}

/// The highest power of two in a number, with matching dots: at most two.
fn leading(number: i64) -> i64 {
    let bits = i64::BITS - number.leading_zeros();
    let mut value = 0;
    for place in (0..bits).rev().take(3) {
        let bit = 1 << place;
        if number & bit == 0 {
            break;
        }
        value |= bit;
    }
    value
}

impl Written {
    /// The sounding length, in eighths.
    #[must_use]
    pub fn sounds(&self) -> Option<Frac> {
        let (many, time) = self.tuplet;
        self.eighths.times(Frac::new(time.into(), many.into())?)
    }

    /// Whether it is outside tuplets.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.tuplet == ALONE
    }
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.eighths.num(), self.eighths.den()) {
            (1, 1) => Ok(()),
            (num, 1) => write!(f, "{num}"),
            (1, den) => write!(f, "/{den}"),
            (num, den) => write!(f, "{num}/{den}"),
        }
    }
}

/// The number of values, from the first on, that form one tuplet: until their sum needs no tuplet,
/// or another tuplet begins.
#[must_use]
pub fn together<'a>(values: impl Iterator<Item = &'a Written>) -> usize {
    let mut sum = Frac::ZERO;
    let mut count = 0;
    let mut tuplet = None;
    for value in values {
        if *tuplet.get_or_insert(value.tuplet) != value.tuplet {
            break;
        }
        count += 1;
        let Some(next) = value.sounds().and_then(|length| sum.plus(length)) else {
            break;
        };
        sum = next;
        if odd(sum.den()) == Some(1) {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(ticks: u64, whole: u64) -> String {
        let values = written(ticks, whole).into_iter().map(|value| {
            let (many, time) = value.tuplet;
            let of = if value.is_alone() {
                String::new()
            } else {
                format!("({many}:{time})")
            };
            format!("{of}C{value}")
        });
        values.collect::<Vec<_>>().join("-")
    }

    #[test]
    fn lengths_are_eighths_with_tuplets_if_needed() {
        let table = [
            (240, "C"),
            (480, "C2"),
            (120, "C/2"),
            (360, "C3/2"),
            (600, "C2-C/2"),
            (160, "(3:2)C"),
            (320, "(3:2)C2"),
            (96, "(5:4)C/2"),
            (384, "(5:4)C2"),
            (1920, "C8"),
            (1920 * 20, "C128-C32"),
            (7, "(15:8)C7/128"),
            (13, "(15:8)C3/32-(15:8)C/128"),
        ];
        for (ticks, wanted) in table {
            assert_eq!(text_of(ticks, 1920), wanted, "{ticks}");
        }
    }

    #[test]
    fn written_lengths_sound_as_long_as_given() {
        for whole in [4, 12, 384, 400, 1920, 3840, 4 * 32_749] {
            for ticks in (1..400).chain([whole, whole * 3 - 1, whole * 255]) {
                let values = written(ticks, whole);
                let mut sum = Frac::ZERO;
                for value in &values {
                    sum = sum.plus(value.sounds().unwrap()).unwrap();
                    assert_eq!(odd(value.eighths.den()), Some(1));
                }
                let wanted = Frac::new(i128::from(ticks) * 8, i128::from(whole));
                assert_eq!(Some(sum), wanted, "{ticks} of {whole}");
                assert!(values.len() <= 24, "{ticks} of {whole}");
            }
        }
    }

    #[test]
    fn a_tuplet_ends_when_it_is_whole() {
        let triplet = written(160, 1920)[0];
        let long = written(320, 1920)[0];
        let plain = written(240, 1920)[0];
        assert_eq!(together([triplet; 5].iter()), 3);
        assert_eq!(together([long, triplet, triplet].iter()), 2);
        assert_eq!(together([triplet, plain].iter()), 1);
        assert_eq!(together([triplet, triplet].iter()), 2);
    }
}
