//! Spellings of lists that browsers accept.

use kurbo::Vec2;

use super::item::Measure;
use super::{Function, Item, NewItem, Syntax, TransformList};
use crate::syntax::number::Precision;

impl TransformList {
    /// The text with its items as their syntax requires them; text between items stays.
    ///
    /// Numbers in the attribute are bare. A style separates them by commas, and browsers ignore the
    /// whole list there if a length or an angle has no unit.
    #[must_use]
    pub fn spelled(&self) -> String {
        let mut text = self.text.clone();
        for item in self.items.iter().rev() {
            text = crate::syntax::number::respell(&text, &item.span, &self.spelled_item(item));
        }
        text
    }

    /// The list in the syntax of the attribute, if it is in effect.
    #[must_use]
    pub fn as_attribute(&self) -> Option<String> {
        if self.fault.is_some() {
            return None;
        }
        let spelled = self.items.iter().map(|item| {
            let numbers = item.affine().as_coeffs().map(|number| number.to_string());
            format!("matrix({})", numbers.join(" "))
        });
        Some(spelled.collect::<Vec<_>>().join(" "))
    }

    /// An item as its syntax requires it.
    pub(super) fn spelled_item(&self, item: &Item) -> String {
        let written = |span: std::ops::Range<usize>| self.text.get(span).unwrap_or_default();
        let own = written(item.span.clone());
        if self.syntax == Syntax::Attribute {
            return own.to_owned();
        }
        if let (Function::Rotate, [angle, x, y]) = (item.function, item.arguments.as_slice()) {
            let center = Vec2::new(x.value, y.value);
            return NewItem::Rotate(angle.value, center.to_point())
                .spelled(Syntax::Css, Precision::EXACT);
        }
        let numbers = item.arguments.iter().enumerate().map(|(place, argument)| {
            let number = written(argument.span.clone());
            let bare = !number.ends_with(|c: char| c.is_ascii_alphabetic());
            let unit = match item.function.measure(place) {
                // The numbers of a matrix have no units.
                _ if item.function == Function::Matrix || !bare || argument.value == 0.0 => "",
                Measure::Length => "px",
                Measure::Angle => "deg",
                Measure::Factor => "",
            };
            (number, unit)
        });
        let numbers: Vec<(&str, &str)> = numbers.collect();
        let mut pairs = item.arguments.windows(2);
        let apart = pairs.all(|pair| match pair {
            [one, next] => written(one.span.end..next.span.start).contains(','),
            _ => true,
        });
        if apart && numbers.iter().all(|(_, unit)| unit.is_empty()) {
            return own.to_owned();
        }
        let numbers = numbers
            .iter()
            .map(|(number, unit)| format!("{number}{unit}"));
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        format!("{}({numbers})", item.function.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_in_styles_have_units() {
        for (written, spelled) in [
            ("translate(5,5)  scale(2)", "translate(5px, 5px)  scale(2)"),
            ("translate(5px 5)", "translate(5px, 5px)"),
            ("translate(0, 5px)", "translate(0, 5px)"),
            ("translateX(1e1)", "translateX(1e1px)"),
            ("rotate(45)", "rotate(45deg)"),
            ("rotate(.5turn) skewX( 3 )", "rotate(.5turn) skewX(3deg)"),
            ("skew(1 2)", "skew(1deg, 2deg)"),
            (
                "rotate(45 3 4)",
                "translate(3px, 4px) rotate(45deg) translate(-3px, -4px)",
            ),
            ("matrix(1 0 0 1 5 6)", "matrix(1, 0, 0, 1, 5, 6)"),
            ("matrix(1,0,0,1,5,6)", "matrix(1,0,0,1,5,6)"),
            ("none", "none"),
        ] {
            let list = TransformList::parse(written, Syntax::Css);
            assert_eq!(list.spelled(), spelled);
        }
        let plain = TransformList::parse("rotate(45 3 4) x", Syntax::Attribute);
        assert_eq!(plain.spelled(), "rotate(45 3 4) x");
    }
}
