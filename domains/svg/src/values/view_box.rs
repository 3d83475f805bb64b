//! The visible part of a drawing.

use std::fmt;

use fcp::prelude::*;
use kurbo::Rect;

use crate::syntax::number::{scan, skip_separator};
use crate::syntax::view_box::view_box;

/// A corner, a width and a height, as spelled: `0,0,800,600`. Neither side is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ViewBox {
    rect: Rect,
    text: Box<str>,
}

impl ViewBox {
    /// The part, in canvas units.
    #[must_use]
    pub const fn rect(&self) -> Rect {
        self.rect
    }
}

impl fmt::Display for ViewBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl FcpValue for ViewBox {
    const SPEC: ValueSpec = ValueSpec::new("X,Y,W,H", "0,0,800,600: corner, width, height");

    fn parse(text: &str) -> Result<Self, ValueError> {
        let far = |n: f64| n.abs() > 1e9;
        if let Some(rect) =
            view_box(text).filter(|rect| ![rect.x0, rect.y0, rect.x1, rect.y1].into_iter().any(far))
        {
            return Ok(Self {
                rect,
                text: text.into(),
            });
        }
        // Other common spellings: `0,0 800x600`, `800x600`.
        let plain = text.replace(['x', 'X', '+'], " ");
        let (mut numbers, mut at) = (Vec::new(), 0);
        while let Some(read) = scan(&plain, at).filter(|_| numbers.len() < 5) {
            numbers.push(plain.get(read.span.clone()).unwrap_or_default());
            at = skip_separator(&plain, read.span.end);
        }
        let meant = match numbers.as_slice() {
            [width, height] => Some(format!("0,0,{width},{height}")),
            [x, y, width, height] => Some(format!("{x},{y},{width},{height}")),
            _ => None,
        };
        let meant = meant.filter(|meant| meant != text && Self::parse(meant).is_ok());
        Err(ValueError::new("is not a viewBox").maybe_fix(meant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_box_is_four_numbers() {
        assert_eq!(
            ViewBox::parse("-5,-5 20 10").unwrap().rect(),
            Rect::new(-5.0, -5.0, 15.0, 5.0)
        );
        for (text, fix) in [
            ("0,0 800x600", Some("0,0,800,600")),
            ("800x600", Some("0,0,800,600")),
            ("0 0 0 600", None),
            ("0 0 1e300 1e300", None),
            ("all", None),
        ] {
            let error = ViewBox::parse(text).unwrap_err();
            assert_eq!(error.fix.as_deref(), fix, "{text}");
        }
    }
}
