//! The value of `viewBox`.

use kurbo::Rect;

use super::number::{scan, skip_blanks, skip_separator};

/// A `viewBox`: four numbers, the last two above 0. `None` for anything else.
#[must_use]
pub fn view_box(text: &str) -> Option<Rect> {
    let mut numbers = [0.0; 4];
    let mut at = skip_blanks(text, 0);
    for number in &mut numbers {
        let read = scan(text, at)?;
        *number = read.value;
        at = skip_separator(text, read.span.end);
    }
    let [x, y, width, height] = numbers;
    let drawn = at == text.len() && width > 0.0 && height > 0.0;
    drawn.then(|| Rect::new(x, y, x + width, y + height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_box_is_four_numbers() {
        for (text, wanted) in [
            ("0 0 100.00 60", Some(Rect::new(0.0, 0.0, 100.0, 60.0))),
            (" -5,-5,10,20 ", Some(Rect::new(-5.0, -5.0, 5.0, 15.0))),
            ("0 0 0 60", None),
            ("0 0 10", None),
            ("0 0 10 10 10", None),
            ("0 0 ten 10", None),
        ] {
            assert_eq!(view_box(text), wanted, "{text}");
        }
    }
}
