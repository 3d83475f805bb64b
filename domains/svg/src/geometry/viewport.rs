//! Viewports: viewBox, preserveAspectRatio, and lengths relative to them.

use fcp::prelude::FcpValue;
use fcp::value::{Length, LengthUnit};
use kurbo::{Affine, Rect, Size, Vec2};

/// The dimension that a percentage refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The viewport's width.
    X,
    /// Its height.
    Y,
    /// Its diagonal, divided by the root of 2.
    Both,
}

impl Axis {
    /// The length of 100%, in user units.
    #[must_use]
    pub fn of(self, viewport: Size) -> f64 {
        match self {
            Self::X => viewport.width,
            Self::Y => viewport.height,
            Self::Both => viewport.to_vec2().hypot() / std::f64::consts::SQRT_2,
        }
    }
}

/// A length in user units; `None` if the text is not one. The font size is computed only if the
/// length needs it.
#[must_use]
pub fn length(text: &str, font_size: impl FnOnce() -> f64, whole: f64) -> Option<f64> {
    if let Some(number) = plain(text) {
        return Some(number);
    }
    let length = Length::parse(text.trim()).ok()?;
    let of_font = matches!(length.unit(), LengthUnit::Em | LengthUnit::Ex);
    Some(length.to_user(if of_font { font_size() } else { 0.0 }, whole))
}

/// A number with a few digits and nothing else, as nearly every length is.
fn plain(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let (whole, part) = match digits.iter().position(|byte| *byte == b'.') {
        Some(at) => (digits.get(..at)?, digits.get(at + 1..)?),
        None => (digits, &b"0"[..]),
    };
    let few =
        |digits: &[u8]| (1..=8).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    (few(whole) && few(part)).then(|| text.parse().ok())?
}

/// The transform from the units of a `viewBox` to a frame of this size, by its
/// `preserveAspectRatio`.
#[must_use]
pub fn fit(view: Rect, size: Size, ratio: &str) -> Affine {
    let mut words = ratio.split_ascii_whitespace();
    let mut align = words.next().unwrap_or("xMidYMid");
    if align == "defer" {
        align = words.next().unwrap_or("xMidYMid");
    }
    let scale = Vec2::new(size.width / view.width(), size.height / view.height());
    let scale = match (align, words.next()) {
        ("none", _) => scale,
        (_, Some("slice")) => Vec2::splat(scale.x.max(scale.y)),
        _ => Vec2::splat(scale.x.min(scale.y)),
    };
    // The share of the remaining space that is in front of the drawing.
    let share = |min: &str, max: &str| match align {
        "none" => 0.0,
        _ if align.contains(min) => 0.0,
        _ if align.contains(max) => 1.0,
        _ => 0.5,
    };
    let room = Vec2::new(
        size.width - view.width() * scale.x,
        size.height - view.height() * scale.y,
    );
    let corner = Vec2::new(
        room.x * share("xMin", "xMax"),
        room.y * share("YMin", "YMax"),
    );
    Affine::translate(corner)
        * Affine::scale_non_uniform(scale.x, scale.y)
        * Affine::translate(-view.origin().to_vec2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_are_read_like_lengths() {
        for text in ["0", "-0", "12", "-12.5", "0.25", "12345678.00000001"] {
            let length = Length::parse(text).map(|length| length.to_user(0.0, 0.0));
            assert_eq!(plain(text), length.ok(), "{text}");
            assert!(plain(text).is_some(), "{text}");
        }
        for text in [
            "",
            "-",
            "1.",
            ".5",
            "1e3",
            "5px",
            "50%",
            "--1",
            "1.2.3",
            " 1",
            "123456789",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn a_view_box_fills_its_room() {
        let view = Rect::new(0.0, 0.0, 10.0, 10.0);
        let room = Size::new(40.0, 20.0);
        for (ratio, wanted) in [
            ("", Rect::new(10.0, 0.0, 30.0, 20.0)),
            ("xMinYMin meet", Rect::new(0.0, 0.0, 20.0, 20.0)),
            ("xMaxYMid", Rect::new(20.0, 0.0, 40.0, 20.0)),
            ("xMidYMax slice", Rect::new(0.0, -20.0, 40.0, 20.0)),
            ("none", Rect::new(0.0, 0.0, 40.0, 20.0)),
        ] {
            assert_eq!(
                fit(view, room, ratio).transform_rect_bbox(view),
                wanted,
                "{ratio}"
            );
        }
    }
}
