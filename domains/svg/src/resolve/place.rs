//! Points of the canvas.

use fcp::prelude::*;
use fcp::value::{Offset, Point as Pair};
use kurbo::{Point, Rect, Vec2};

use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};

/// A corner, the middle of a side, or the centre of a box.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// The upper left corner.
    TopLeft,
    /// The middle of the upper side.
    Top,
    /// The upper right corner.
    TopRight,
    /// The middle of the left side.
    Left,
    /// The centre.
    Center,
    /// The middle of the right side.
    Right,
    /// The lower left corner.
    BottomLeft,
    /// The middle of the lower side.
    Bottom,
    /// The lower right corner.
    BottomRight,
}

impl Corner {
    /// Its point on a box.
    #[must_use]
    pub fn of(self, frame: Rect) -> Point {
        let center = frame.center();
        let x = match self {
            Self::TopLeft | Self::Left | Self::BottomLeft => frame.x0,
            Self::Top | Self::Center | Self::Bottom => center.x,
            Self::TopRight | Self::Right | Self::BottomRight => frame.x1,
        };
        let y = match self {
            Self::TopLeft | Self::Top | Self::TopRight => frame.y0,
            Self::Left | Self::Center | Self::Right => center.y,
            Self::BottomLeft | Self::Bottom | Self::BottomRight => frame.y1,
        };
        Point::new(x, y)
    }
}

/// A point on the canvas, in canvas units: `10,20`, `50%,10`, `center`, `card.right`, each with an
/// optional `+DX,DY`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place(pub Point);

impl FromArg<Drawing> for Place {
    fn spec() -> ValueSpec {
        ValueSpec::new(
            "POINT",
            "X,Y, each a number or a percentage of the canvas; center, top-left; REF.right; each with +DX,DY",
        )
    }

    fn from_arg(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Result<Self, ValueError> {
        let geometry = scope.model.geometry();
        let plain = match Pair::parse(arg.text) {
            Ok(pair) if arg.kind.is_none() => {
                let canvas = geometry.canvas();
                return Ok(Self(on_canvas(&pair, canvas)));
            }
            Ok(_) => ValueError::new("is no point"),
            Err(error) => error,
        };
        let wrong = match named(arg, scope, &geometry) {
            Some(Ok(point)) => return Ok(Self(point)),
            Some(Err(error)) => error,
            None => plain,
        };
        // An offset after it: the first `+` that leaves a valid place before it.
        for (at, _) in arg.text.match_indices('+') {
            let (Some(place), Some(offset)) = (arg.text.get(..at), arg.text.get(at + 1..)) else {
                continue;
            };
            let Ok(offset) = Offset::parse(offset) else {
                continue;
            };
            let by = Vec2::new(offset.x.get(), offset.y.get());
            if let Ok(pair) = Pair::parse(place) {
                return Ok(Self(on_canvas(&pair, geometry.canvas()) + by));
            }
            let place = Arg {
                text: place,
                ..arg.clone()
            };
            if let Some(found) = named(&place, scope, &geometry) {
                return found.map(|point| Self(point + by));
            }
        }
        // A word that is not a point was probably meant as a name.
        let near = |wrong: &ValueError| {
            let named = arg
                .text
                .starts_with(|c: char| c.is_alphabetic() || c == '_');
            let found = (named && wrong.fix.is_none()).then(|| Rows::from_arg(arg, scope));
            found.and_then(Result::err).and_then(|error| error.fix)
        };
        let fix = wrong.fix.clone().or_else(|| near(&wrong));
        Err(wrong.maybe_fix(fix))
    }
}

fn on_canvas(pair: &Pair, canvas: Rect) -> Point {
    // Percentages are relative to the canvas's corner, numbers to the origin.
    let along = |coordinate: &fcp::value::Coordinate, from: f64, whole: f64| {
        let plain = coordinate.of(0.0);
        let share = coordinate.of(whole) - plain;
        if coordinate.to_string().ends_with('%') {
            from + share
        } else {
            plain
        }
    };
    Point::new(
        along(&pair.x, canvas.x0, canvas.width()),
        along(&pair.y, canvas.y0, canvas.height()),
    )
}

/// A corner or point of the canvas or of an object; `None` if the text names neither.
fn named(
    arg: &Arg<'_>,
    scope: &Scope<'_, Drawing>,
    geometry: &Geometry<'_>,
) -> Option<Result<Point, ValueError>> {
    if arg.kind.is_none()
        && let Ok(corner) = Corner::parse(arg.text)
    {
        return Some(Ok(corner.of(geometry.canvas())));
    }
    // A whole name takes precedence over a name with a side.
    if let Some(id) = row(arg, scope) {
        return Some(corner_of(scope.model, geometry, id, Corner::Center));
    }
    let (name, side) = arg.text.rsplit_once('.')?;
    let corner = Corner::parse(side);
    let of = Arg {
        text: name,
        ..arg.clone()
    };
    match (row(&of, scope), corner) {
        (Some(id), Ok(corner)) => Some(corner_of(scope.model, geometry, id, corner)),
        (Some(id), Err(error)) => {
            let name = scope.model.nodes.name(id);
            let near = error.fix.map(|side| format!("{name}.{side}"));
            let error = ValueError::sentence(format!("{side} is not a side of {name}"));
            Some(Err(
                error.maybe_fix(near.or_else(|| Some(format!("{name}.center"))))
            ))
        }
        (None, Ok(_)) => {
            let rows = Rows::from_arg(&of, scope);
            rows.err().map(|error| {
                let fix = error.fix.clone().map(|name| format!("{name}.{side}"));
                Err(error.maybe_fix(fix))
            })
        }
        (None, Err(_)) => None,
    }
}

fn corner_of(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    corner: Corner,
) -> Result<Point, ValueError> {
    let found = geometry.bbox(id).map(|found| corner.of(found));
    let name = || drawing.nodes.name(id);
    found.ok_or_else(|| {
        ValueError::sentence(format!("{} draws nothing, so it has no position", name()))
    })
}

fn row(arg: &Arg<'_>, scope: &Scope<'_, Drawing>) -> Option<NodeId> {
    let arg = Arg {
        selectors: &[],
        picked: None,
        ..arg.clone()
    };
    let rows = Rows::from_arg(&arg, scope).ok()?;
    let mut rows = rows.iter();
    match (rows.next(), rows.next()) {
        (Some(row), None) => Some(NodeId::new(row.id())),
        _ => None,
    }
}
