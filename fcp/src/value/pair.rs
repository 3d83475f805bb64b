//! Two numbers in one word: points, offsets, sizes.

use std::fmt;

use super::decimal::{leading, meant, read};
use super::repair::repaired;
use super::text_form::text_form;
use super::{Decimal, FcpValue, ValueError, ValueSpec};

/// A position along an axis as it was spelled: `10`, or `50%` of a length given by the context.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    number: Decimal,
    percent: bool,
}

impl Coordinate {
    /// The position in the units of `whole`, of which a percentage is a part.
    #[must_use]
    pub fn of(&self, whole: f64) -> f64 {
        if self.percent {
            self.number.get() * whole / 100.0
        } else {
            self.number.get()
        }
    }

    fn read(text: &str) -> Option<Self> {
        let (number, percent) = match text.strip_suffix('%') {
            Some(number) => (number, true),
            None => (text, false),
        };
        Some(Self {
            number: read(number)?,
            percent,
        })
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number, if self.percent { "%" } else { "" })
    }
}

/// A point as it was spelled: `10,20`, `50%,10`.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The distance to the right.
    pub x: Coordinate,
    /// The distance along the other axis.
    pub y: Coordinate,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FcpValue for Point {
    const SPEC: ValueSpec = ValueSpec::new("X,Y", "10,20; each a number or a percentage");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            pair(text, ',', Coordinate::read)
                .map(|(x, y)| Self { x, y })
                .ok_or_else(|| {
                    ValueError::new("is no point").maybe_fix(meant_pair(text, ',', true))
                })
        })
    }
}

/// Distances along both axes, as they were spelled: `20,-5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Offset {
    /// The distance to the right.
    pub x: Decimal,
    /// The distance along the other axis.
    pub y: Decimal,
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl FcpValue for Offset {
    const SPEC: ValueSpec = ValueSpec::new("DX,DY", "20,-5");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            pair(text, ',', read)
                .map(|(x, y)| Self { x, y })
                .ok_or_else(|| {
                    let wordy = !text.bytes().any(|byte| byte.is_ascii_digit());
                    let example = wordy.then(|| "10,10".to_owned());
                    ValueError::new("is not an offset")
                        .maybe_fix(meant_pair(text, ',', false).or(example))
                })
        })
    }
}

/// A width and a height as they were spelled: `60x100`, or one number for both. Not below 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// The width.
    pub width: Decimal,
    /// The height.
    pub height: Decimal,
    square: bool,
}

impl Size {
    /// Returns whether it has no area.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.width.get() <= 0.0 || self.height.get() <= 0.0
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.square {
            self.width.fmt(f)
        } else {
            write!(f, "{}x{}", self.width, self.height)
        }
    }
}

impl FcpValue for Size {
    const SPEC: ValueSpec = ValueSpec::new("WxH", "60x100, or one number for a square");

    fn parse(text: &str) -> Result<Self, ValueError> {
        repaired(text, |text| {
            let pair = read(text)
                .map(|side| (side.clone(), side, true))
                .or_else(|| pair(text, 'x', read).map(|(width, height)| (width, height, false)));
            let Some((width, height, square)) = pair else {
                return Err(
                    ValueError::new("is not a size").maybe_fix(meant_pair(text, 'x', false))
                );
            };
            if width.get() < 0.0 || height.get() < 0.0 {
                return Err(ValueError::new("is below 0"));
            }
            Ok(Self {
                width,
                height,
                square,
            })
        })
    }
}

fn pair<T>(text: &str, sign: char, read: impl Fn(&str) -> Option<T>) -> Option<(T, T)> {
    let (x, y) = text.split_once(sign)?;
    Some((read(x)?, read(y)?))
}

/// Small numbers that are sometimes spelled out.
const WORDS: [&str; 11] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// The pair that was probably meant: `10;20`, `10 20`, `(10, 20)` and `10px,20px` as 10,20.
fn meant_pair(text: &str, sign: char, percent: bool) -> Option<String> {
    if text.len() > 128 {
        return None;
    }
    // The `x` of the unit would count as a separator.
    let text = text.replace("px", "");
    let text = text
        .trim()
        .trim_start_matches(['(', '['])
        .trim_end_matches([')', ']'])
        .trim();
    // The first kind of separator found splits the pair; next to another separator, a comma is a
    // decimal comma.
    let signs: [&[char]; 4] = [
        &[';', '*', '×', 'x', 'X', '|', '/', ':'],
        &[' ', '\t'],
        &[','],
        &['_'],
    ];
    let parts = signs.iter().find_map(|signs| {
        let parts: Vec<&str> = text
            .split(*signs)
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        (parts.len() == 2).then_some(parts)
    })?;
    let number = |part: &&str| {
        let part = part.trim_matches(',');
        if let Some(value) = WORDS
            .iter()
            .position(|word| word.eq_ignore_ascii_case(part))
        {
            return Some(value.to_string());
        }
        let (digits, unit) = leading(part);
        let digits = read(digits)
            .map(|number| number.to_string())
            .or_else(|| meant(digits))?;
        match unit.trim() {
            "" => Some(digits),
            "%" if percent => Some(format!("{digits}%")),
            _ => None,
        }
    };
    let numbers: Option<Vec<String>> = parts.iter().map(number).collect();
    Some(numbers?.join(&sign.to_string()))
}

text_form!(Point, Offset, Size);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_keep_their_spelling() {
        let point = Point::parse("50%,1e1").unwrap();
        assert_eq!((point.x.of(300.0), point.y.of(300.0)), (150.0, 10.0));
        assert_eq!(point.to_string(), "50%,1e1");
        let offset = Offset::parse("+20,-.5").unwrap();
        assert_eq!((offset.x.get(), offset.y.get()), (20.0, -0.5));
        let size = Size::parse("60x100.0").unwrap();
        assert_eq!((size.width.get(), size.height.get()), (60.0, 100.0));
        assert_eq!(size.to_string(), "60x100.0");
        let square = Size::parse("40").unwrap();
        assert_eq!(
            (square.height.get(), square.to_string().as_str()),
            (40.0, "40")
        );
    }

    #[test]
    fn invalid_pairs_are_repaired() {
        let point = |text| Point::parse(text).map(|_| ()).map_err(|error| error.fix);
        let offset = |text| Offset::parse(text).map(|_| ()).map_err(|error| error.fix);
        let size = |text| Size::parse(text).map(|_| ()).map_err(|error| error.fix);
        for (have, fix) in [
            (point("10;20"), Some("10,20")),
            (point("10 20"), Some("10,20")),
            (point("10, 20"), Some("10,20")),
            (point("(10,20)"), Some("10,20")),
            (point("10x20"), Some("10,20")),
            (point("10px,20px"), Some("10,20")),
            (point("1,5;2,5"), Some("1.5,2.5")),
            (point("50 %"), None),
            (point("50%;50%"), Some("50%,50%")),
            (point("ten,ten"), Some("10,10")),
            (point("ten"), None),
            (point("10"), None),
            (point("1,2,3"), None),
            (point("NaN,inf"), None),
            (point("1e10,0"), None),
            (offset("50%,0"), None),
            (offset("10/20"), Some("10,20")),
            (offset("fast"), Some("10,10")),
            (size("100*50"), Some("100x50")),
            (size("100X50"), Some("100x50")),
            (size("100,50"), Some("100x50")),
            (size("100 x 50"), Some("100x50")),
            (size("100×50"), Some("100x50")),
            (size("100x-50"), None),
            (size("big"), None),
        ] {
            assert_eq!(have, Err(fix.map(str::to_owned)));
        }
    }
}
