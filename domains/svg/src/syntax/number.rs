//! Numbers: parsing those of a file, and spelling computed ones.

use std::ops::Range;

/// Whitespace in path data, lists of points and transforms.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// Skips whitespace; returns the offset after it.
pub(crate) fn skip_blanks(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_blank(**byte)).count()
}

/// Skips whitespace with at most one comma in it; returns the offset after it.
pub(crate) fn skip_separator(text: &str, at: usize) -> usize {
    let at = skip_blanks(text, at);
    if text.as_bytes().get(at) == Some(&b',') {
        skip_blanks(text, at + 1)
    } else {
        at
    }
}

/// A number and the bytes that spell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scanned {
    /// Its value, finite.
    pub value: f64,
    /// The bytes that spell it.
    pub span: Range<usize>,
}

/// Reads the number that begins at byte `at`: `10`, `+10`, `-3.5`, `.5`, `1e1`, `8.50`, `10.`.
///
/// It ends at the longest readable number, so `1-2.5.5` begins with `1`, then `-2.5`, then `.5`.
/// `None` if there is no number, it is not finite, or its exponent has no digits (`1e`). The `e` of
/// `1em` belongs to the unit.
#[must_use]
pub fn scan(text: &str, at: usize) -> Option<Scanned> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut end = at;
    if matches!(bytes.get(end), Some(b'+' | b'-')) {
        end += 1;
    }
    let whole = digits(end);
    end += whole;
    if bytes.get(end) == Some(&b'.') {
        let part = digits(end + 1);
        if whole + part == 0 {
            return None;
        }
        end += 1 + part;
    } else if whole == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E'))
        && !matches!(bytes.get(end + 1), Some(b'm' | b'x'))
    {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let power = digits(end + 1 + sign);
        if power == 0 {
            return None;
        }
        end += 1 + sign + power;
    }
    let value: f64 = text.get(at..end)?.parse().ok()?;
    value.is_finite().then_some(Scanned {
        value,
        span: at..end,
    })
}

/// The text with the number at `span` replaced, separated from numbers that it would join.
#[must_use]
pub(crate) fn respell(text: &str, span: &Range<usize>, spelled: &str) -> String {
    let (before, after) = (text.get(..span.start), text.get(span.end..));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let joins = before.ends_with(|c: char| c.is_ascii_digit() || c == '.')
        && !spelled.starts_with(['+', '-']);
    let joined = after.starts_with('.') && !spelled.contains('.');
    let blank = |needed: bool| if needed { " " } else { "" };
    [before, blank(joins), spelled, blank(joined), after].concat()
}

/// The number of decimals of computed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precision(u8);

impl Precision {
    /// The most decimals, for numbers whose rounding would show.
    pub const EXACT: Self = Self::decimals(8);

    /// A precision of `count` decimals, at most 8.
    #[must_use]
    pub const fn decimals(count: u8) -> Self {
        Self(if count > 8 { 8 } else { count })
    }

    /// The fewest decimals, 2 to 8, whose last is at most a hundred-thousandth of the canvas's
    /// longest side.
    #[must_use]
    pub fn of_canvas(longest_side: f64) -> Self {
        let fine = |decimals: &u8| longest_side * 10f64.powi(i32::from(*decimals)) >= 1e5;
        Self((2..8).find(fine).unwrap_or(8))
    }

    /// One more decimal, at most 8, so that the difference of two numbers is exact to this
    /// precision.
    #[must_use]
    pub const fn finer(self) -> Self {
        Self::decimals(self.0 + 1)
    }

    /// The number of decimals.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Spells a number: no trailing zeros, no exponent, no `-0`.
    ///
    /// A number that is not finite is spelled as 0; callers check beforehand.
    #[must_use]
    pub fn spell(self, value: f64) -> String {
        spell_decimals(value, self.0)
    }

    /// Spells the sum of an existing number and a step, with the number's own decimals if it has
    /// more, at most 8. So moving there and back restores the number.
    #[must_use]
    pub fn spell_sum(self, number: f64, step: f64) -> String {
        let given = spell_given(number);
        let own = given.split_once('.').map_or(0, |(_, part)| part.len());
        let decimals = u8::try_from(own.min(8)).unwrap_or(8);
        spell_decimals(number + step, self.0.max(decimals))
    }

    /// The value that [`spell`](Self::spell) writes.
    #[must_use]
    pub fn round(self, value: f64) -> f64 {
        self.spell(value).parse().unwrap_or(0.0)
    }
}

fn spell_decimals(value: f64, decimals: u8) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let mut text = format!("{value:.*}", usize::from(decimals));
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    if text == "-0" { "0".to_owned() } else { text }
}

/// Spells a number with the fewest decimals, at most 15, that are within `error` of it.
///
/// So sums and differences of decimal fractions get back their original decimals.
#[must_use]
pub fn spell_within(value: f64, error: f64) -> String {
    let mut unit = 1.0;
    for decimals in 0..15 {
        // Most numbers of decimals are excluded by arithmetic, whose own error is a few units in
        // the last place.
        let off = ((value * unit).round() / unit - value).abs();
        unit *= 10.0;
        if off > error + 8.0 * f64::EPSILON * value.abs() {
            continue;
        }
        let text = spell_decimals(value, decimals);
        if text
            .parse::<f64>()
            .is_ok_and(|read| (read - value).abs() <= error)
        {
            return text;
        }
    }
    spell_decimals(value, 15)
}

/// Spells a number with the fewest digits that read back as it, without an exponent.
#[must_use]
pub fn spell_given(value: f64) -> String {
    spell_within(value, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_at_the_longest_match() {
        for (text, value, end) in [
            ("+10", 10.0, 3),
            ("1e1", 10.0, 3),
            (".5", 0.5, 2),
            ("8.50", 8.5, 4),
            ("1-2.5", 1.0, 1),
            ("-2.5.5", -2.5, 4),
            ("10.", 10.0, 3),
            ("1E-2x", 0.01, 4),
            ("1em", 1.0, 1),
            ("1ex", 1.0, 1),
            ("7,8", 7.0, 1),
        ] {
            let read = scan(text, 0).unwrap();
            assert_eq!((read.value, read.span), (value, 0..end), "{text}");
        }
        for text in ["", "-", ".", "+.", "e5", "1e", "1e+", "1e999", "x", "- 1"] {
            assert_eq!(scan(text, 0), None, "{text}");
        }
        assert_eq!(scan("a.5", 1).unwrap().span, 1..3);
        assert_eq!(scan("5", 9), None);
    }

    #[test]
    fn decimals_follow_the_canvas() {
        for (side, decimals) in [
            (100_000.0, 2),
            (1000.0, 2),
            (999.0, 3),
            (800.0, 3),
            (100.0, 3),
            (1.0, 5),
            (0.001, 8),
            (0.0, 8),
            (f64::NAN, 8),
        ] {
            assert_eq!(Precision::of_canvas(side).get(), decimals, "{side}");
        }
    }

    #[test]
    fn computed_numbers_are_plain() {
        let three = Precision::decimals(3);
        for (value, text) in [
            (20.375, "20.375"),
            (10.0, "10"),
            (-0.0001, "0"),
            (-0.5, "-0.5"),
            (1e9, "1000000000"),
            (100.0, "100"),
            (0.1 + 0.2, "0.3"),
            (f64::NAN, "0"),
        ] {
            assert_eq!(three.spell(value), text);
        }
        assert_eq!(Precision::decimals(0).spell(100.2), "100");
        for (number, step, sum) in [
            (-79.55817, 7.0, "-72.55817"),
            (-72.55817, -7.0, "-79.55817"),
            (0.1, 0.2, "0.3"),
            (1.0, 1.0 / 3.0, "1.333"),
            (1.333, -1.0 / 3.0, "1"),
            (0.12345678901, 1.0, "1.12345679"),
            (2.5, -2.5, "0"),
        ] {
            assert_eq!(three.spell_sum(number, step), sum);
        }
        assert_eq!(spell_given(5.5), "5.5");
        assert_eq!(spell_given(1e-7), "0.0000001");
        assert_eq!(spell_within(0.1 + 0.2, 1e-12), "0.3");
    }
}
