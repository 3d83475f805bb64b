//! The units of computed values and of attributes, which differ under a transform.

use fcp::op::{OpWord, ParsedOp};
use fcp::prelude::*;
use kurbo::{Affine, Vec2};

use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::property::{self, ValueKind};
use crate::syntax::number::Precision;

/// Attributes for places in the units of their element.
const POINTS: &[&str] = &["x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "points", "d"];

/// Attributes for lengths along its axes.
const EXTENTS: &[&str] = &["width", "height", "rx", "ry", "dx", "dy", "size"];

/// Attributes and properties for lengths in any direction.
const LENGTHS: &[&str] = &[
    "r",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
    "font-size",
];

/// The difference from 1 of a scale that is the rounding noise of a rotation.
const NOISE: f64 = 1e-9;

/// Parameters of `modify` for places in the units of their element.
const PLACES: &[&str] = &["at", "center", "from", "to"];

/// Parameters of `animate` with values of the animated attribute.
const ANIMATED: &[&str] = &["from", "to", "values"];

/// Columns of `elements` in canvas units.
pub const ON_CANVAS: &[&str] = &["x", "y", "w", "h", "cx", "cy"];

/// Checks that an attribute is not computed from columns in other units than its own.
pub fn check(
    drawing: &Drawing,
    op: &ParsedOp<'_>,
    key: &str,
    reads: &dyn Fn(&[&str]) -> bool,
    rows: &[Row],
) -> Result<()> {
    // The attribute of `set SEL NAME value:=EXPR` is the word before.
    let mut names = op.words.iter().filter_map(OpWord::plain);
    let verb = &*op.verb.text;
    let attribute = match (verb, key) {
        ("set", "value") => names.next_back().unwrap_or(key),
        ("animate", key) if ANIMATED.contains(&key) => {
            let mut animated = op.params().filter(|param| param.key == "attribute");
            animated.next().map_or(key, |param| &*param.value)
        }
        _ => key,
    };
    let is_place = verb == "modify" && PLACES.contains(&key);
    let units = match is_place {
        true => Some(Units::Place),
        false => Units::of(attribute),
    };
    let Some(units) = units.filter(|_| reads(ON_CANVAS)) else {
        return Ok(());
    };
    let ids = rows.iter().map(|row| NodeId::new(row.id()));
    units.check((drawing, &drawing.geometry()), key, ids)
}

/// The system of the lengths in a value, and the part of a transform that changes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Units {
    /// That of the element, after its transform: the value is a place.
    Place,
    /// That of the element; the translation changes nothing.
    Axis,
    /// That of the element; only the scale changes the value.
    Length,
    /// That of its container: a transform and its animation.
    Container,
}

impl Units {
    /// The units of an attribute or a property; `None` if it has no lengths.
    pub fn of(attribute: &str) -> Option<Self> {
        let long = property::find(attribute).map_or(attribute, |property| property.name);
        let is_in = |list: &[&str]| list.contains(&attribute) || list.contains(&long);
        match attribute {
            "transform" | "translate" => Some(Self::Container),
            _ if is_in(POINTS) => Some(Self::Place),
            _ if is_in(EXTENTS) => Some(Self::Axis),
            _ => is_in(LENGTHS).then_some(Self::Length),
        }
    }

    /// Whether a value is the same number in these units and in those of the canvas.
    fn is_canvas(self, geometry: &Geometry<'_>, id: NodeId) -> bool {
        let affine = match self {
            Self::Container => geometry.outer(id),
            _ => geometry.inner(id),
        };
        let linear = affine.with_translation(Vec2::ZERO);
        match self {
            Self::Place | Self::Container => affine == Affine::IDENTITY,
            Self::Axis => linear == Affine::IDENTITY,
            Self::Length => {
                let [a, b, c, d, ..] = linear.as_coeffs();
                let is = |value: f64, wanted: f64| (value - wanted).abs() < NOISE;
                is(a.hypot(b), 1.0) && is(c.hypot(d), 1.0) && is(a * c + b * d, 0.0)
            }
        }
    }

    /// Checks that these units are those of the canvas.
    ///
    /// # Errors
    /// If they are not, for one of the elements.
    pub fn check(
        self,
        (drawing, geometry): (&Drawing, &Geometry<'_>),
        key: &str,
        mut ids: impl Iterator<Item = NodeId>,
    ) -> Result<()> {
        let Some(id) = ids.find(|id| !self.is_canvas(geometry, *id)) else {
            return Ok(());
        };
        let owner = match self {
            Self::Container => "its container",
            _ => "its transform",
        };
        let (columns, name) = (ON_CANVAS.join(", "), drawing.nodes.name(id));
        let error =
            format!("{columns} are canvas units, and {key} of {name} is in those of {owner}");
        let syntax = "UPDATE elements SET x=EXPR, y=EXPR … WHERE …, in canvas units";
        Err(Diagnostic::new(error).or_syntax(syntax))
    }
}

/// Parameters and columns whose numbers are not lengths, or may be anything.
const FACTORS: &[&str] = &["value", "scale", "rotate", "angle", "skew", "offset", "deg"];

/// The decimals of a computed number: those of computed lengths, and eight for other numbers, whose
/// effect does not depend on the size of the canvas.
pub fn decimals(drawing: &Drawing, key: &str) -> usize {
    let is_length = !FACTORS.contains(&key)
        && property::named(key).is_none_or(|known| {
            !matches!(
                known.takes,
                ValueKind::Share
                    | ValueKind::NumberFrom(_)
                    | ValueKind::NumberOr(_)
                    | ValueKind::Angle
                    | ValueKind::AngleOr(_)
            )
        });
    let precision = match is_length {
        true => drawing.geometry().precision(),
        false => Precision::EXACT,
    };
    precision.get().into()
}
