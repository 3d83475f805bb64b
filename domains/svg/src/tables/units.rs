//! The units of columns and of attributes, which differ under a transform.

use fcp::domain::Written;
use fcp::op::{OpWord, ParsedOp};
use fcp::prelude::*;
use kurbo::{Affine, Vec2};

use super::attributes::AttributeRow;
use super::styles::StyleRow;
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
const ON_CANVAS: &[&str] = &["x", "y", "w", "h", "cx", "cy"];

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
        true => Some(Units::Own(Extent::Point)),
        false => Units::of(attribute),
    };
    let Some(units) = units.filter(|_| reads(ON_CANVAS)) else {
        return Ok(());
    };
    let ids = rows.iter().map(|row| NodeId::new(row.id()));
    units.check((drawing, &drawing.geometry()), key, ids)
}

/// Checks that an `UPDATE` does not compute an attribute or a style from columns in other units than its own.
pub fn check_written(drawing: &Drawing, written: &Written<'_>) -> Result<()> {
    let is_canvas = (written.reads)(ON_CANVAS) && (written.names)(&["elements", "points"]);
    if written.column != "value" || !is_canvas {
        return Ok(());
    }
    let geometry = drawing.geometry();
    for row in &written.rows {
        let own = match row.downcast_ref::<AttributeRow>() {
            Some(row) => Some((row.row, &row.name)),
            None => row
                .downcast_ref::<StyleRow>()
                .map(|row| (row.row, &row.property)),
        };
        if let Some((row, name)) = own
            && let Some(units) = Units::of(name)
        {
            units.check(
                (drawing, &geometry),
                name,
                std::iter::once(NodeId::new(row.id())),
            )?;
        }
    }
    Ok(())
}

/// The system of the lengths in a value.
#[derive(Clone, Copy)]
enum Units {
    /// That of the element, after its transform.
    Own(Extent),
    /// That of its container: a transform and its animation.
    Container,
}

/// The part of a transform that changes a value.
#[derive(Clone, Copy)]
enum Extent {
    /// All of it: the value is a place.
    Point,
    /// All but its translation.
    Axis,
    /// Only its scale.
    Length,
}

impl Extent {
    /// Whether a value is the same number before and after a transform.
    fn keeps(self, affine: Affine) -> bool {
        let linear = affine.with_translation(Vec2::ZERO);
        match self {
            Self::Point => affine == Affine::IDENTITY,
            Self::Axis => linear == Affine::IDENTITY,
            Self::Length => {
                let [a, b, c, d, ..] = linear.as_coeffs();
                let is = |value: f64, wanted: f64| (value - wanted).abs() < NOISE;
                is(a.hypot(b), 1.0) && is(c.hypot(d), 1.0) && is(a * c + b * d, 0.0)
            }
        }
    }
}

impl Units {
    /// The units of an attribute or a property; `None` if it has no lengths.
    fn of(attribute: &str) -> Option<Self> {
        let long = property::find(attribute).map_or(attribute, |property| property.name);
        let is_in = |list: &[&str]| list.contains(&attribute) || list.contains(&long);
        match attribute {
            "transform" | "translate" => Some(Self::Container),
            _ if is_in(POINTS) => Some(Self::Own(Extent::Point)),
            _ if is_in(EXTENTS) => Some(Self::Own(Extent::Axis)),
            _ => is_in(LENGTHS).then_some(Self::Own(Extent::Length)),
        }
    }

    /// Checks that these units are those of the canvas.
    fn check(
        self,
        (drawing, geometry): (&Drawing, &Geometry<'_>),
        key: &str,
        mut ids: impl Iterator<Item = NodeId>,
    ) -> Result<()> {
        let owner = match self {
            Self::Own(_) => "its transform",
            Self::Container => "its container",
        };
        let is_apart = |id: &NodeId| match self {
            Self::Own(extent) => !extent.keeps(geometry.inner(*id)),
            Self::Container => geometry.outer(*id) != Affine::IDENTITY,
        };
        let Some(id) = ids.find(is_apart) else {
            return Ok(());
        };
        let name = drawing.nodes.name(id);
        Err(Diagnostic::new(format!(
            "{} are canvas units, and {key} of {name} is in those of {owner}",
            ON_CANVAS.join(", ")
        ))
        .or_syntax("UPDATE elements SET x=EXPR, y=EXPR … WHERE …, in canvas units"))
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
        false => Precision::decimals(8),
    };
    precision.get().into()
}
