//! Edits of items, and transforms on top of the whole list.

use std::fmt;
use std::ops::Range;

use kurbo::{Point, Vec2};

use super::{Function, Item, NewItem, Syntax, TransformFault, TransformList};
use crate::syntax::number::{Precision, skip_separator};

/// The reason why an edit of a list fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransformError {
    /// There is no such item.
    NoItem {
        /// The number of items.
        count: usize,
    },
    /// The new text is not an item.
    NotAnItem(TransformFault),
    /// The new text has several items, or none.
    NotOne,
    /// The list has a fault, so none of it is in effect; it must be replaced.
    Fault(TransformFault),
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoItem { count: 1 } => f.write_str("has 1 item"),
            Self::NoItem { count } => write!(f, "has {count} items"),
            Self::NotAnItem(fault) => fault.fmt(f),
            Self::NotOne => f.write_str("one item is needed"),
            Self::Fault(fault) => write!(f, "the transform is broken at {fault}"),
        }
    }
}

impl std::error::Error for TransformError {}

impl TransformList {
    /// Inserts an item before item `n`, counted from 1, or at the end if `n` is one more than the
    /// count.
    ///
    /// # Errors
    /// If there is no such item, the new text is not one item, or the list has a fault.
    pub fn insert(&self, n: usize, item: &str) -> Result<String, TransformError> {
        self.whole()?;
        let item = self.one(item)?;
        let count = self.items.len();
        match n.checked_sub(1) {
            Some(index) if index < count => Ok(self.inserted(index, &item)),
            Some(index) if index == count => Ok(match self.items.last() {
                Some(last) => self.replaced(last.span.end..last.span.end, &format!(" {item}")),
                None => item,
            }),
            _ => Err(TransformError::NoItem { count }),
        }
    }

    /// Replaces item `n`, counted from 1.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert).
    pub fn replace(&self, n: usize, item: &str) -> Result<String, TransformError> {
        let old = self.item(n)?;
        let item = self.one(item)?;
        Ok(self.replaced(old.span.clone(), &item))
    }

    /// Removes item `n`, counted from 1, with the separator after it, or the one before it if it is
    /// the last. Returns an empty text if no item is left.
    ///
    /// # Errors
    /// If there is no such item, or the list has a fault.
    pub fn remove(&self, n: usize) -> Result<String, TransformError> {
        let span = self.item(n)?.span.clone();
        let before = n.checked_sub(2).and_then(|index| self.items.get(index));
        Ok(match (self.items.get(n), before) {
            (Some(next), _) => self.replaced(span.start..next.span.start, ""),
            (None, Some(before)) => self.replaced(before.span.end..span.end, ""),
            (None, None) => String::new(),
        })
    }

    /// Moves the drawing: changes a leading translate, or adds one. Removes a translate that
    /// becomes 0.
    ///
    /// # Errors
    /// If the list has a fault.
    pub fn translated(&self, by: Vec2, precision: Precision) -> Result<String, TransformError> {
        self.whole()?;
        let Some(first) = self
            .items
            .first()
            .filter(|item| item.function == Function::Translate)
        else {
            return self.laid_over(&[NewItem::Translate(by)], precision);
        };
        let mut values = first.values();
        let (x, y) = (values.next().unwrap_or(0.0), values.next());
        let across = precision.spell_sum(x, by.x);
        let down = precision.spell_sum(y.unwrap_or(0.0), by.y);
        if across == "0" && down == "0" {
            return self.remove(1);
        }
        // An unchanged number keeps its spelling.
        let mut text = self.text.clone();
        let px = if self.syntax == Syntax::Css { "px" } else { "" };
        let last = first
            .arguments
            .last()
            .map_or(first.span.end, |argument| argument.span.end);
        if y.is_none() && by.y != 0.0 {
            let comma = if self.syntax == Syntax::Css {
                ", "
            } else {
                " "
            };
            text.insert_str(last, &format!("{comma}{down}{px}"));
        }
        for (argument, (new, step)) in first
            .arguments
            .iter()
            .zip([(across, by.x), (down, by.y)])
            .rev()
        {
            if step != 0.0 {
                let spelled = format!("{new}{px}");
                text = crate::syntax::number::respell(&text, &argument.span, &spelled);
            }
        }
        Ok(text)
    }

    /// Rotates the drawing: changes a leading rotation about the same point, or adds one. Removes a
    /// rotation that becomes 0 or full turns.
    ///
    /// # Errors
    /// If the list has a fault.
    pub fn rotated(
        &self,
        degrees: f64,
        center: Point,
        precision: Precision,
    ) -> Result<String, TransformError> {
        self.whole()?;
        let same = |a: f64, b: f64| precision.spell(a) == precision.spell(b);
        let about = |item: &Item| {
            let mut values = item.values().skip(1);
            Point::new(values.next().unwrap_or(0.0), values.next().unwrap_or(0.0))
        };
        let merged = self.turn().filter(|(_, item, by)| {
            let about = about(item) + *by;
            same(about.x, center.x) && same(about.y, center.y)
        });
        let Some((span, item, _)) = merged else {
            return self.laid_over(&[NewItem::Rotate(degrees, center)], precision);
        };
        let sum = (item.values().next().unwrap_or(0.0) + degrees) % 360.0;
        if Precision::EXACT.spell(sum) == "0" {
            let end = skip_separator(&self.text, span.end);
            let rest = self.items.iter().any(|item| item.span.start >= end);
            return Ok(if rest {
                self.replaced(span.start..end, "")
            } else {
                String::new()
            });
        }
        let deg = if self.syntax == Syntax::Css {
            "deg"
        } else {
            ""
        };
        let spelled = format!("{}{deg}", Precision::EXACT.spell(sum));
        let angle = item
            .arguments
            .first()
            .map_or(0..0, |argument| argument.span.clone());
        Ok(self.replaced(angle, &spelled))
    }

    /// Applies transforms on top of the list, as its leading items, except those without effect.
    ///
    /// # Errors
    /// If the list has a fault.
    pub fn laid_over(
        &self,
        made: &[NewItem],
        precision: Precision,
    ) -> Result<String, TransformError> {
        self.whole()?;
        let spelled: Vec<String> = made
            .iter()
            .filter(|made| !made.is_nothing())
            .map(|made| made.spelled(self.syntax, precision))
            .collect();
        let spelled = spelled.join(" ");
        Ok(match self.items.first() {
            _ if spelled.is_empty() => self.text.clone(),
            Some(_) => self.inserted(0, &spelled),
            None => spelled,
        })
    }

    /// The leading rotation, the bytes of all items that form it, and the shift of its centre.
    ///
    /// In a style this is `translate(p) rotate(a) translate(-p)`, or a rotation alone.
    fn turn(&self) -> Option<(Range<usize>, &Item, Vec2)> {
        let mut items = self.items.iter();
        let first = items.next()?;
        if first.function == Function::Rotate {
            return Some((first.span.clone(), first, Vec2::ZERO));
        }
        let (turn, back) = (items.next()?, items.next()?);
        let translation = |item: &Item| {
            (item.function == Function::Translate).then(|| item.affine().translation())
        };
        let there = translation(first)?;
        let comes_back = translation(back)? == -there;
        let is_turn = turn.function == Function::Rotate && turn.arguments.len() == 1;
        (self.syntax == Syntax::Css && is_turn && comes_back).then_some((
            first.span.start..back.span.end,
            turn,
            there,
        ))
    }

    /// Checks that there is no fault. A faulty list has no effect, and an edit could suddenly give
    /// it one.
    fn whole(&self) -> Result<(), TransformError> {
        self.fault
            .clone()
            .map_or(Ok(()), |fault| Err(TransformError::Fault(fault)))
    }

    fn item(&self, n: usize) -> Result<&Item, TransformError> {
        self.whole()?;
        let item = n.checked_sub(1).and_then(|index| self.items.get(index));
        item.ok_or(TransformError::NoItem {
            count: self.items.len(),
        })
    }

    /// A text that is one item, without surrounding whitespace.
    fn one(&self, text: &str) -> Result<String, TransformError> {
        let text = text.trim();
        let list = Self::checked(text, self.syntax).map_err(TransformError::NotAnItem)?;
        match list.items.as_slice() {
            [only] => Ok(list.spelled_item(only)),
            _ => Err(TransformError::NotOne),
        }
    }

    fn inserted(&self, index: usize, items: &str) -> String {
        let at = self
            .items
            .get(index)
            .map_or(self.text.len(), |item| item.span.start);
        self.replaced(at..at, &format!("{items} "))
    }

    fn replaced(&self, span: Range<usize>, with: &str) -> String {
        let before = self.text.get(..span.start).unwrap_or_default();
        let after = self.text.get(span.end..).unwrap_or_default();
        [before, with, after].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE: Precision = Precision::decimals(3);

    fn outcome(result: Result<String, TransformError>) -> String {
        result.unwrap_or_else(|error| format!("! {error}"))
    }

    fn list(text: &str) -> TransformList {
        TransformList::parse(text, Syntax::Attribute)
    }

    fn css(text: &str) -> TransformList {
        TransformList::parse(text, Syntax::Css)
    }

    #[test]
    fn items_are_edited_and_the_rest_keeps_its_bytes() {
        let two = list(" translate(10,10)  scale(.5) ");
        for (have, wanted) in [
            (
                two.insert(1, "rotate(9)"),
                " rotate(9) translate(10,10)  scale(.5) ",
            ),
            (
                two.insert(2, " rotate( 9 )"),
                " translate(10,10)  rotate( 9 ) scale(.5) ",
            ),
            (
                two.insert(3, "skewX(1)"),
                " translate(10,10)  scale(.5) skewX(1) ",
            ),
            (two.insert(4, "skewX(1)"), "! has 2 items"),
            (two.insert(0, "skewX(1)"), "! has 2 items"),
            (two.insert(1, "skewX(1) skewY(1)"), "! one item is needed"),
            (
                two.insert(1, "scale(0)"),
                "! item 1, column 1: scaling by 0 leaves nothing",
            ),
            (
                two.insert(1, "spin(4)"),
                "! item 1, column 1: no transform begins like this",
            ),
            (two.replace(2, "scale(2)"), " translate(10,10)  scale(2) "),
            (two.replace(3, "scale(2)"), "! has 2 items"),
            (two.remove(1), " scale(.5) "),
            (two.remove(2), " translate(10,10) "),
            (list("scale(2)").remove(1), ""),
            (list("").insert(1, "scale(2)"), "scale(2)"),
            (
                list("scale(2) x").remove(1),
                "! the transform is broken at item 2, column 10: no transform begins like this",
            ),
        ] {
            assert_eq!(outcome(have), wanted);
        }
    }

    #[test]
    fn a_transform_is_laid_over_a_list() {
        let by = Vec2::new;
        let about = Point::new(20.375, 15.0);
        for (have, wanted) in
            [
                (
                    list("translate(10,10)  scale(.5)").rotated(45.0, about, THREE),
                    "rotate(45 20.375 15) translate(10,10)  scale(.5)",
                ),
                (
                    list("rotate(45 20.375 15) scale(2)").rotated(5.5, about, THREE),
                    "rotate(50.5 20.375 15) scale(2)",
                ),
                (
                    list("rotate(45 20.375 15) scale(2)").rotated(-45.0, about, THREE),
                    "scale(2)",
                ),
                (
                    list("rotate(45 20.375 15)").rotated(315.0, about, THREE),
                    "",
                ),
                (
                    list("rotate(45)").rotated(1.0, Point::ZERO, THREE),
                    "rotate(46)",
                ),
                (
                    list("rotate(45)").rotated(1.0, about, THREE),
                    "rotate(1 20.375 15) rotate(45)",
                ),
                (list("").rotated(30.0, Point::ZERO, THREE), "rotate(30)"),
                (list("rotate(9)").rotated(0.0, about, THREE), "rotate(9)"),
                (
                    list("translate(10,10)  scale(.5)").translated(by(5.0, 0.0), THREE),
                    "translate(15,10)  scale(.5)",
                ),
                (
                    list("translate(1e1-5)").translated(by(0.5, 0.25), THREE),
                    "translate(10.5-4.75)",
                ),
                (
                    list("translate(1-5)").translated(by(0.0, 7.0), THREE),
                    "translate(1 2)",
                ),
                (
                    list("translate(10)").translated(by(0.0, 5.0), THREE),
                    "translate(10 5)",
                ),
                (
                    list("translate(10) scale(2)").translated(by(-10.0, 0.0), THREE),
                    "scale(2)",
                ),
                (
                    list("scale(2)").translated(by(1.0, 2.0), THREE),
                    "translate(1 2) scale(2)",
                ),
                (
                    list("scale(2)").laid_over(
                        &[
                            NewItem::Translate(by(1.0 / 3.0, 0.0)),
                            NewItem::Scale(1.0 / 3.0, 2.0),
                        ],
                        THREE,
                    ),
                    "translate(0.333 0) scale(0.33333333 2) scale(2)",
                ),
                (
                    list("x").translated(by(1.0, 2.0), THREE),
                    "! the transform is broken at item 1, column 1: no transform begins like this",
                ),
                (
                    css("none").translated(by(1.0, 2.0), THREE),
                    "translate(1px, 2px)",
                ),
                (
                    css("translate(10px, 5px)").translated(by(1.0, 0.0), THREE),
                    "translate(11px, 5px)",
                ),
                (
                    css("translate(1in)").translated(by(4.0, 1.0), THREE),
                    "translate(100px, 1px)",
                ),
                (
                    css("scale(2)").rotated(45.0, Point::ZERO, THREE),
                    "rotate(45deg) scale(2)",
                ),
                (
                    css("rotate(.25turn)").rotated(10.0, Point::ZERO, THREE),
                    "rotate(100deg)",
                ),
                (
                    css("scale(2)").rotated(45.0, Point::new(3.0, 4.0), THREE),
                    "translate(3px, 4px) rotate(45deg) translate(-3px, -4px) scale(2)",
                ),
                (
                    css("translate(3px, 4px) rotate(45deg) translate(-3px, -4px) scale(2)")
                        .rotated(15.0, Point::new(3.0, 4.0), THREE),
                    "translate(3px, 4px) rotate(60deg) translate(-3px, -4px) scale(2)",
                ),
                (
                    css("translate(3px, 4px) rotate(45deg) translate(-3px, -4px) scale(2)")
                        .rotated(-45.0, Point::new(3.0, 4.0), THREE),
                    "scale(2)",
                ),
            ]
        {
            assert_eq!(outcome(have), wanted);
        }
    }

    #[test]
    fn invalid_lists_are_rejected() {
        for (text, count) in [
            ("translate(1) , scale(2,3)rotate( 4 5,6 )", 3),
            ("matrix(1 0 0 1 5 6)", 1),
            ("matrix(1-1.5.5 1 5 6)", 1),
            ("", 0),
            ("skewX (5)", 1),
        ] {
            let list = TransformList::checked(text, Syntax::Attribute).unwrap();
            assert_eq!(list.items().len(), count, "{text}");
        }
        for (text, fault, fix) in [
            (
                "rotate(1 2)",
                "item 1, column 1: rotate takes 1 or 3 numbers",
                None,
            ),
            (
                "scale(1) scale()",
                "item 2, column 10: scale takes 1 or 2 numbers",
                None,
            ),
            (
                "matrix(1 2 3 4 5 6 7)",
                "item 1, column 1: matrix takes 6 numbers",
                None,
            ),
            ("skewX(1 2)", "item 1, column 1: it takes 1 number", None),
            (
                "scale(2 0)",
                "item 1, column 1: scaling by 0 leaves nothing",
                None,
            ),
            (
                "translate(1e10)",
                "item 1, column 1: a number is out of range",
                None,
            ),
            (
                "rotat(5)",
                "item 1, column 1: no transform begins like this",
                Some("rotate(5)"),
            ),
            (
                "rotate(45deg)",
                "item 1, column 10: a number in the attribute has no unit",
                Some("rotate(45)"),
            ),
            (
                "rotate(1turn) scale(2)",
                "item 1, column 9: a number in the attribute has no unit",
                Some("rotate(360) scale(2)"),
            ),
            ("rotate 5", "item 1, column 8: ( is missing", None),
            ("rotate(5", "item 1, column 9: ) is missing", None),
            ("rotate(x)", "item 1, column 8: this is not a number", None),
            (
                "translateX(5)",
                "item 1, column 1: no transform begins like this",
                Some("translate(5)"),
            ),
        ] {
            let have = TransformList::checked(text, Syntax::Attribute).unwrap_err();
            assert_eq!(
                (have.to_string().as_str(), have.fix.as_deref()),
                (fault, fix),
                "{text}"
            );
        }
        let list = css("translateX(10px) rotate(0.5turn) skew(1deg, 2deg) scaleY(2)");
        assert_eq!((list.items().len(), list.fault()), (4, None));
        assert!(css("translate(1em)").fault().is_some());
        assert_eq!(list.spelling(2), Some("rotate(0.5turn)"));
    }
}
