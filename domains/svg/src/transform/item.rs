//! The functions of transform items, and the spelling of computed ones.

use kurbo::{Affine, Point, Vec2};

use super::Syntax;
use crate::syntax::number::Precision;

/// The function of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `matrix(a b c d e f)`
    Matrix,
    /// `translate(x [y])`
    Translate,
    /// `translateX(x)`, in styles.
    TranslateX,
    /// `translateY(y)`, in styles.
    TranslateY,
    /// `scale(k [k])`
    Scale,
    /// `scaleX(k)`, in styles.
    ScaleX,
    /// `scaleY(k)`, in styles.
    ScaleY,
    /// `rotate(a [x y])`
    Rotate,
    /// `skewX(a)`
    SkewX,
    /// `skewY(a)`
    SkewY,
    /// `skew(a [a])`, in styles.
    Skew,
}

/// The meaning of a number in an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Factor,
    Length,
    Angle,
}

impl Function {
    /// All functions in a syntax.
    pub(super) const fn of(syntax: Syntax) -> &'static [Self] {
        match syntax {
            Syntax::Attribute => &[
                Self::Matrix,
                Self::Translate,
                Self::Scale,
                Self::Rotate,
                Self::SkewX,
                Self::SkewY,
            ],
            Syntax::Css => &[
                Self::Matrix,
                Self::Translate,
                Self::Scale,
                Self::Rotate,
                Self::SkewX,
                Self::SkewY,
                Self::TranslateX,
                Self::TranslateY,
                Self::ScaleX,
                Self::ScaleY,
                Self::Skew,
            ],
        }
    }

    /// Its name in a file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Matrix => "matrix",
            Self::Translate => "translate",
            Self::TranslateX => "translateX",
            Self::TranslateY => "translateY",
            Self::Scale => "scale",
            Self::ScaleX => "scaleX",
            Self::ScaleY => "scaleY",
            Self::Rotate => "rotate",
            Self::SkewX => "skewX",
            Self::SkewY => "skewY",
            Self::Skew => "skew",
        }
    }

    /// Checks that it takes this number of values; the error says how many it takes.
    pub(super) const fn takes(self, count: usize) -> Result<(), &'static str> {
        match (self, count) {
            (Self::Matrix, 6) | (Self::Rotate, 1 | 3) => Ok(()),
            (Self::Translate | Self::Scale | Self::Skew, 1 | 2) => Ok(()),
            (Self::SkewX | Self::SkewY | Self::TranslateX | Self::TranslateY, 1) => Ok(()),
            (Self::ScaleX | Self::ScaleY, 1) => Ok(()),
            (Self::Matrix, _) => Err("matrix takes 6 numbers"),
            (Self::Rotate, _) => Err("rotate takes 1 or 3 numbers"),
            (Self::Translate, _) => Err("translate takes 1 or 2 numbers"),
            (Self::Scale, _) => Err("scale takes 1 or 2 numbers"),
            (Self::Skew, _) => Err("skew takes 1 or 2 numbers"),
            (_, _) => Err("it takes 1 number"),
        }
    }

    /// The meaning of the number at `place`.
    pub(super) const fn measure(self, place: usize) -> Measure {
        match (self, place) {
            (Self::Translate | Self::TranslateX | Self::TranslateY, _) => Measure::Length,
            (Self::Rotate, 0) | (Self::Skew | Self::SkewX | Self::SkewY, _) => Measure::Angle,
            (Self::Rotate, _) | (Self::Matrix, 4 | 5) => Measure::Length,
            _ => Measure::Factor,
        }
    }

    /// Its affine map for the numbers that `value` returns by index.
    pub(super) fn affine(self, value: impl Fn(usize) -> Option<f64>) -> Affine {
        let number = |place| value(place).unwrap_or(0.0);
        let first = number(0);
        let skew = |x: f64, y: f64| Affine::skew(x.to_radians().tan(), y.to_radians().tan());
        match self {
            Self::Matrix => Affine::new(std::array::from_fn(number)),
            Self::Translate => Affine::translate((first, number(1))),
            Self::TranslateX => Affine::translate((first, 0.0)),
            Self::TranslateY => Affine::translate((0.0, first)),
            Self::Scale => Affine::scale_non_uniform(first, value(1).unwrap_or(first)),
            Self::ScaleX => Affine::scale_non_uniform(first, 1.0),
            Self::ScaleY => Affine::scale_non_uniform(1.0, first),
            Self::Rotate => rotation(first, Point::new(number(1), number(2))),
            Self::SkewX => skew(first, 0.0),
            Self::SkewY => skew(0.0, first),
            Self::Skew => skew(first, number(1)),
        }
    }
}

fn rotation(degrees: f64, center: Point) -> Affine {
    Affine::rotate_about(degrees.to_radians(), center)
}

/// An item that an op computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NewItem {
    /// A translation.
    Translate(Vec2),
    /// A clockwise rotation, in degrees, about a point.
    Rotate(f64, Point),
    /// A scale about the origin, along each axis.
    Scale(f64, f64),
    /// A skew along x, in degrees.
    SkewX(f64),
    /// A skew along y, in degrees.
    SkewY(f64),
    /// Any combination of these.
    Matrix(Affine),
}

impl NewItem {
    /// Spells the item: lengths to the precision, and factors and angles with eight decimals, since
    /// small errors in them are large far from the origin. In a style, a rotation about a point
    /// takes three items, as CSS has no other form.
    #[must_use]
    pub fn spelled(&self, syntax: Syntax, precision: Precision) -> String {
        let fine = |value: f64| Precision::EXACT.spell(value);
        let (comma, px, deg) = match syntax {
            Syntax::Attribute => (" ", "", ""),
            Syntax::Css => (", ", "px", "deg"),
        };
        let length = |value: f64| format!("{}{px}", precision.spell(value));
        let translate = |x: f64, y: f64| format!("translate({}{comma}{})", length(x), length(y));
        match *self {
            Self::Translate(by) => translate(by.x, by.y),
            Self::Rotate(angle, center) => {
                let turn = fine(angle);
                let (x, y) = (precision.spell(center.x), precision.spell(center.y));
                match syntax {
                    _ if x == "0" && y == "0" => format!("rotate({turn}{deg})"),
                    Syntax::Attribute => format!("rotate({turn} {x} {y})"),
                    Syntax::Css => {
                        let (there, back) = (
                            translate(center.x, center.y),
                            translate(-center.x, -center.y),
                        );
                        format!("{there} rotate({turn}deg) {back}")
                    }
                }
            }
            Self::Scale(x, y) if x == y => format!("scale({})", fine(x)),
            Self::Scale(x, y) => format!("scale({}{comma}{})", fine(x), fine(y)),
            Self::SkewX(angle) => format!("skewX({}{deg})", fine(angle)),
            Self::SkewY(angle) => format!("skewY({}{deg})", fine(angle)),
            Self::Matrix(affine) => {
                let [a, b, c, d, e, f] = affine.as_coeffs();
                let parts = [fine(a), fine(b), fine(c), fine(d)];
                let moved = [precision.spell(e), precision.spell(f)];
                format!("matrix({}{comma}{})", parts.join(comma), moved.join(comma))
            }
        }
    }

    /// Whether it has no effect.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        match *self {
            Self::Translate(by) => by == Vec2::ZERO,
            Self::Rotate(angle, _) => angle % 360.0 == 0.0,
            Self::Scale(x, y) => x == 1.0 && y == 1.0,
            Self::SkewX(angle) | Self::SkewY(angle) => angle == 0.0,
            Self::Matrix(affine) => affine == Affine::IDENTITY,
        }
    }
}
