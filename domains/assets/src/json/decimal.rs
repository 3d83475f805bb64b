//! The exact value of a number's text.

/// A number as digits and a power of ten: `0.digits * 10^power`, without zeros at either end.
#[derive(PartialEq, Eq)]
struct Decimal<'s> {
    negative: bool,
    /// The digits before and after the point.
    digits: (&'s str, &'s str),
    power: Power<'s>,
}

/// An exponent. `Far` holds one too long to be computed, as written.
#[derive(PartialEq, Eq)]
enum Power<'s> {
    Near(i128),
    Far(bool, &'s str, i128),
}

/// Whether two JSON numbers have the same value.
pub(super) fn equal(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (Decimal::of(one), Decimal::of(other));
    one.negative == other.negative && one.power == other.power && one.bytes().eq(other.bytes())
}

impl<'s> Decimal<'s> {
    fn of(text: &'s str) -> Self {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (number, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let whole = whole.trim_start_matches('0');
        let part = part.trim_end_matches('0');
        // 0.0012 is 0.12 * 10^-2; 1200 is 0.12 * 10^4.
        let (digits, shift) = match (whole, part) {
            ("", part) => {
                let first = part.trim_start_matches('0');
                (("", first), -length(part) + length(first))
            }
            (whole, "") => ((whole.trim_end_matches('0'), ""), length(whole)),
            (whole, part) => ((whole, part), length(whole)),
        };
        if digits == ("", "") {
            let power = Power::Near(0);
            return Self {
                negative: false,
                digits,
                power,
            };
        }
        Self {
            negative,
            digits,
            power: Power::of(exponent, shift),
        }
    }

    fn bytes(&self) -> impl Iterator<Item = u8> {
        self.digits.0.bytes().chain(self.digits.1.bytes())
    }
}

impl<'s> Power<'s> {
    fn of(exponent: &'s str, shift: i128) -> Self {
        let (down, digits) = match exponent.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
        };
        let digits = digits.trim_start_matches('0');
        match if digits.is_empty() {
            Ok(0)
        } else {
            digits.parse::<i64>()
        } {
            Ok(power) => {
                let power = i128::from(power);
                Self::Near(if down { shift - power } else { shift + power })
            }
            Err(_) => Self::Far(down, digits, shift),
        }
    }
}

fn length(digits: &str) -> i128 {
    digits.len() as i128
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn numbers_are_what_they_are_worth() {
        for alike in [
            &[
                "1",
                "1.0",
                "10e-1",
                "0.1e1",
                "100E-2",
                "1e0",
                "1e+0",
                "1e-0",
                "0.0001e004",
            ][..],
            &["0", "-0", "0.0", "-0.0", "0e9", "0e999999999999999999999"],
            &["-12.5", "-125e-1", "-0.125e2", "-12.50"],
            &["1200", "12e2", "1.2e3", "0.012e5"],
            &["1e-400", "10e-401", "0.1e-399"],
        ] {
            for one in alike {
                for other in alike {
                    assert!(equal(one, other), "{one} {other}");
                }
            }
        }
        for (one, other) in [
            ("9007199254740993", "9007199254740992.0"),
            ("1", "-1"),
            ("1", "10"),
            ("0.1", "0.01"),
            ("1e-400", "0"),
            ("12", "1.2"),
            (
                "1e99999999999999999999999999",
                "1e99999999999999999999999998",
            ),
        ] {
            assert!(!equal(one, other), "{one} {other}");
        }
    }
}
