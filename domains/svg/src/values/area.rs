//! Areas of the canvas.

use std::fmt;

use fcp::prelude::*;
use fcp::value::Decimal;
use kurbo::{Point, Rect};

use crate::syntax::number::scan;

/// An area between two corners, in any order, as it was spelled: `0,0-100,50`, `-10,-10-100,50`.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    rect: Rect,
    text: Box<str>,
}

impl Area {
    /// The area, in canvas units.
    #[must_use]
    pub const fn rect(&self) -> Rect {
        self.rect
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl FcpValue for Area {
    const SPEC: ValueSpec =
        ValueSpec::new("X1,Y1-X2,Y2", "two corners: 0,0-100,50, -10,-10-100,50");

    fn parse(text: &str) -> Result<Self, ValueError> {
        // The separator is the minus sign with a point on either side.
        let mut corners = text.match_indices('-').filter_map(|(at, _)| {
            let (one, other) = (text.get(..at)?, text.get(at + 1..)?);
            Some((corner(one)?, corner(other)?))
        });
        match corners.next() {
            Some((one, other)) => Ok(Self {
                rect: Rect::from_points(one, other),
                text: text.into(),
            }),
            None => Err(ValueError::new("is not an area").maybe_fix(meant(text))),
        }
    }
}

fn corner(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    let number = |text| Decimal::parse(text).ok().map(|number| number.get());
    Some(Point::new(number(x)?, number(y)?))
}

/// The likely area in a text: any four numbers, with any separators.
fn meant(text: &str) -> Option<String> {
    if text.len() > 128 {
        return None;
    }
    let (mut numbers, mut at) = (Vec::new(), 0);
    while at < text.len() && numbers.len() < 5 {
        if let Some(read) = scan(text, at) {
            numbers.push(text.get(read.span.clone())?.trim_start_matches('+'));
            at = read.span.end;
        }
        // Skips the separator right after a number.
        at += text.get(at..)?.chars().next().map_or(1, char::len_utf8);
    }
    match numbers.as_slice() {
        [x1, y1, x2, y2] => Some(format!("{x1},{y1}-{x2},{y2}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_two_corners_in_any_order() {
        for (text, wanted) in [
            ("0,0-100,50", Rect::new(0.0, 0.0, 100.0, 50.0)),
            ("100,50-0,0", Rect::new(0.0, 0.0, 100.0, 50.0)),
            ("-10,-10-100,50", Rect::new(-10.0, -10.0, 100.0, 50.0)),
            ("5,5--5,-5", Rect::new(-5.0, -5.0, 5.0, 5.0)),
            ("-10,-20--5,-.5", Rect::new(-10.0, -20.0, -5.0, -0.5)),
        ] {
            assert_eq!(
                Area::parse(text).map(|area| area.rect()),
                Ok(wanted),
                "{text}"
            );
        }
        for (text, fix) in [
            ("0,0,100,50", Some("0,0-100,50")),
            ("0,0 100,50", Some("0,0-100,50")),
            ("0,0", None),
            ("here", None),
            ("0,0-NaN,1", None),
        ] {
            let fixed = Area::parse(text).map(|_| ()).map_err(|error| error.fix);
            assert_eq!(fixed, Err(fix.map(str::to_owned)), "{text}");
        }
    }
}
