//! Exact fractions, so that fractions of a beat are rounded only once.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms, with numerator and denominator of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frac {
    num: i64,
    den: i64,
}

impl Frac {
    /// Zero.
    pub const ZERO: Self = Self::whole(0);

    /// A whole number.
    #[must_use]
    pub const fn whole(value: i64) -> Self {
        Self { num: value, den: 1 }
    }

    /// A tick as an exact place.
    #[must_use]
    pub fn of_tick(tick: u64) -> Self {
        Self::whole(i64::try_from(tick).unwrap_or(i64::MAX))
    }

    /// The nearest tick to an exact place; 0 before the start.
    #[must_use]
    pub fn tick(self) -> u64 {
        u64::try_from(self.round()).unwrap_or(0)
    }

    /// A multiple of an exact length, in ticks.
    #[must_use]
    pub fn multiple(self, times: u64) -> u64 {
        self.times(Self::of_tick(times))
            .map_or(u64::MAX, Self::tick)
    }

    /// `num/den`; `None` if `den` is 0 or a part does not fit in 64 bits.
    #[must_use]
    pub fn new(num: i128, den: i128) -> Option<Self> {
        if den == 0 {
            return None;
        }
        // Fast path: ticks are whole, and there are very many of them.
        if den == 1 {
            return i64::try_from(num).ok().map(Self::whole);
        }
        let divisor = gcd(num.unsigned_abs(), den.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?;
        let sign = if den < 0 { -1 } else { 1 };
        Some(Self {
            num: i64::try_from((num / divisor).checked_mul(sign)?).ok()?,
            den: i64::try_from((den / divisor).checked_mul(sign)?).ok()?,
        })
    }

    /// The numerator, with the sign.
    #[must_use]
    pub const fn num(self) -> i64 {
        self.num
    }

    /// The denominator, 1 or more.
    #[must_use]
    pub const fn den(self) -> i64 {
        self.den
    }

    /// The sum, if it fits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let (a, b) = (i128::from(self.num), i128::from(self.den));
        let (c, d) = (i128::from(other.num), i128::from(other.den));
        Self::new(a * d + c * b, b * d)
    }

    /// The difference, if it fits.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated()?)
    }

    /// The product, if it fits.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(
            i128::from(self.num) * i128::from(other.num),
            i128::from(self.den) * i128::from(other.den),
        )
    }

    /// The quotient, if it fits and `other` is not 0.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        Self::new(
            i128::from(self.num) * i128::from(other.den),
            i128::from(self.den) * i128::from(other.num),
        )
    }

    /// The negated value, if it fits.
    #[must_use]
    pub fn negated(self) -> Option<Self> {
        Self::new(-i128::from(self.num), i128::from(self.den))
    }

    /// The greatest whole number that is not above it.
    #[must_use]
    pub const fn floor(self) -> i64 {
        self.num.div_euclid(self.den)
    }

    /// The nearest whole number; halves round up.
    #[must_use]
    pub fn round(self) -> i64 {
        let (num, den) = (i128::from(self.num), i128::from(self.den));
        let nearest = (2 * num + den).div_euclid(2 * den);
        i64::try_from(nearest).unwrap_or(i64::MAX)
    }

    /// The nearest thousandth, if the denominator exceeds 1000.
    #[must_use]
    pub fn coarse(self) -> Self {
        if self.den <= 1000 {
            return self;
        }
        let parts = self.times(Self::whole(1000)).map(Self::round);
        let coarse = parts.and_then(|parts| Self::new(i128::from(parts), 1000));
        coarse.unwrap_or(Self::whole(self.round()))
    }

    /// The nearest floating-point number.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "the nearest is what is asked for"
    )]
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// The value of a decimal: digits, with at most `places` of them after a point.
    pub(super) fn decimal(text: &str, places: usize) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let pointless = text.ends_with('.') || whole.is_empty() && part.is_empty();
        if pointless || !digits(whole) || !digits(part) || part.len() > places {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        if whole.len() > 12 {
            return None;
        }
        let all: i128 = format!("0{whole}{part}").parse().ok()?;
        Self::new(all, 10i128.checked_pow(u32::try_from(part.len()).ok()?)?)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        // 128-bit division is much slower than 64-bit.
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return common_divisor(a, b).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

/// The greatest common divisor.
#[must_use]
pub const fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl PartialOrd for Frac {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Frac {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = i128::from(self.num) * i128::from(other.den);
        left.cmp(&(i128::from(other.num) * i128::from(self.den)))
    }
}

/// A decimal if six places are enough (`12.5`), else a fraction (`2/3`).
impl fmt::Display for Frac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PLACES: i64 = 1_000_000;
        if self.den == 1 {
            return self.num.fmt(f);
        }
        if PLACES % self.den != 0 {
            return write!(f, "{}/{}", self.num, self.den);
        }
        let sign = if self.num < 0 { "-" } else { "" };
        let size = self.num.unsigned_abs();
        let den = self.den.unsigned_abs();
        let part = size % den * (PLACES.unsigned_abs() / den);
        let part = format!("{part:06}");
        write!(f, "{sign}{}.{}", size / den, part.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frac(num: i128, den: i128) -> Frac {
        Frac::new(num, den).unwrap()
    }

    #[test]
    fn arithmetic_is_exact() {
        let third = frac(160, 3);
        let sum = third.plus(third).and_then(|two| two.plus(third));
        assert_eq!(sum, Some(Frac::whole(160)));
        assert_eq!(frac(1, 3).minus(frac(1, 2)), Some(frac(-1, 6)));
        assert_eq!(frac(2, -4), frac(-1, 2));
        assert_eq!(frac(3, 4).over(frac(3, 8)), Some(Frac::whole(2)));
        assert_eq!(frac(3, 4).over(Frac::ZERO), None);
        assert_eq!(Frac::whole(i64::MAX).plus(Frac::whole(1)), None);
        assert_eq!(Frac::whole(i64::MIN).negated(), None);
        assert!(frac(1, 3) < frac(1, 2));
    }

    #[test]
    fn a_half_rounds_up() {
        let rounded = [(5, 2), (-5, 2), (7, 3), (8, 3), (-1, 3)].map(|(n, d)| frac(n, d).round());
        assert_eq!(rounded, [3, -2, 2, 3, 0]);
        assert_eq!(frac(-1, 3).floor(), -1);
        assert_eq!(frac(12_345, 7_001).coarse(), frac(1763, 1000));
    }

    #[test]
    fn decimals_are_read_and_shown() {
        for text in ["0", "12.5", "0.001", "999.999"] {
            assert_eq!(Frac::decimal(text, 3).unwrap().to_string(), text);
        }
        for text in [
            "",
            ".",
            "5.",
            "-1",
            "1e3",
            "1.2.3",
            "0.1234",
            "1234567890123",
        ] {
            assert_eq!(Frac::decimal(text, 3), None, "{text}");
        }
        assert_eq!(frac(2, 3).to_string(), "2/3");
        assert_eq!(frac(-5, 4).to_string(), "-1.25");
    }
}
