//! Positions and sizes of new objects.

use fcp::prelude::*;
use fcp::value::{Decimal, Size as Given};
use kurbo::{Affine, Point, Rect, Size, Vec2};

use super::Site;
use crate::geometry::{Geometry, LocalPoint};
use crate::model::{Drawing, NodeId};
use crate::moving::frame;
use crate::resolve::Spot;
use crate::syntax::number::spell_given;
use crate::values::Beside;

/// The default distance from a neighbour.
const GAP: f64 = 20.0;

/// The position of a new object; the middle of its container, or else of the canvas, if left out.
#[derive(FcpParams)]
pub struct Position {
    /// The place of its corner or, if it is round, of its centre.
    #[fcp(alias = "{x},{y}")]
    pub at: Option<Spot>,
    /// The place of its centre.
    #[fcp(alias = "{cx},{cy}")]
    pub center: Option<Spot>,
    /// The object it is next to.
    pub near: Option<Row>,
    /// On which side of that; right if left out.
    pub dir: Option<Beside>,
    /// The distance from that, in canvas units; 20 if left out.
    pub gap: Option<Decimal>,
}

/// A width and a height in the coordinate system of a container, as attributes spell them.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// The width.
    pub width: String,
    /// The height.
    pub height: String,
    /// Both, as numbers.
    pub size: Size,
}

impl Extent {
    /// The size in an op.
    #[must_use]
    pub fn of(given: &Given) -> Self {
        Self {
            width: given.width.to_string(),
            height: given.height.to_string(),
            size: Size::new(given.width.get(), given.height.get()),
        }
    }

    /// One unit for each pixel.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "no picture is that large")]
    pub fn pixels(width: usize, height: usize) -> Self {
        Self {
            width: width.to_string(),
            height: height.to_string(),
            size: Size::new(width as f64, height as f64),
        }
    }

    /// Half of the smaller side and its spelling: the radius of the inscribed circle.
    #[must_use]
    pub fn radius(&self) -> (String, f64) {
        let radius = self.size.min_side() / 2.0;
        (spell_given(radius), radius)
    }
}

impl Position {
    /// Whether no parameter sets the position.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.at.is_none()
            && self.center.is_none()
            && self.near.is_none()
            && self.dir.is_none()
            && self.gap.is_none()
    }

    /// The centre of a round object of this radius.
    ///
    /// # Errors
    /// As for [`Self::local_point`].
    pub fn local_center(&self, drawing: &Drawing, site: Site, radius: f64) -> Result<Point> {
        let size = Size::new(radius * 2.0, radius * 2.0);
        Ok(self.local_point(drawing, site, size, true)?.point)
    }

    /// The point for `at:`: the centre of a round object, or the corner of others. `center:` and
    /// `near:` set a centre, half of `size` away from the corner. A text has no size.
    ///
    /// # Errors
    /// If there are several positions, the neighbour draws nothing, or the container is squeezed
    /// flat.
    pub fn local_point(
        &self,
        drawing: &Drawing,
        site: Site,
        size: Size,
        round: bool,
    ) -> Result<LocalPoint> {
        let geometry = drawing.geometry();
        if self.near.is_none() && (self.dir.is_some() || self.gap.is_some()) {
            bail!("dir: and gap: need near:, to measure from")
        }
        let to_corner = if round {
            Vec2::ZERO
        } else {
            size.to_vec2() / -2.0
        };
        let (spot, shift) = match (&self.at, &self.center, self.near) {
            (Some(at), None, None) => (at.clone(), Vec2::ZERO),
            (None, Some(center), None) => (center.clone(), to_corner),
            (None, None, Some(near)) => {
                let near = NodeId::new(near.id());
                let own = geometry
                    .within(site.parent)
                    .transform_rect_bbox(size.to_rect());
                let center = self.beside(frame(drawing, &geometry, near)?, own.size());
                (Spot::Canvas(center), to_corner)
            }
            (None, None, None) => {
                let inside = geometry.bbox(site.parent);
                let inside = inside.filter(|_| drawing.nodes.root() != Some(site.parent));
                let around = inside.unwrap_or_else(|| geometry.canvas());
                (Spot::Canvas(around.center()), to_corner)
            }
            _ => bail!("at:, center: and near: all set the position; give one"),
        };
        spot.local_point(drawing, site.parent, shift)
    }

    /// The given size, or else that of the neighbour; `None` without either.
    ///
    /// # Errors
    /// If the neighbour draws nothing, or the container is squeezed flat.
    pub fn extent(
        &self,
        drawing: &Drawing,
        site: Site,
        given: Option<&Given>,
    ) -> Result<Option<Extent>> {
        if let Some(given) = given {
            return Ok(Some(Extent::of(given)));
        }
        let Some(near) = self.near else {
            return Ok(None);
        };
        let geometry = drawing.geometry();
        let found = frame(drawing, &geometry, NodeId::new(near.id()))?;
        let local = to_local(drawing, &geometry, site.parent)?.transform_rect_bbox(found);
        let precision = geometry.precision();
        let (width, height) = (
            precision.spell(local.width()),
            precision.spell(local.height()),
        );
        Ok(Some(Extent {
            width,
            height,
            size: Size::new(
                precision.round(local.width()),
                precision.round(local.height()),
            ),
        }))
    }

    /// The centre of an object next to a box.
    fn beside(&self, found: Rect, own: Size) -> Point {
        let gap = self.gap.as_ref().map_or(GAP, Decimal::get);
        let center = found.center();
        let (across, down) = (own.width / 2.0 + gap, own.height / 2.0 + gap);
        match self.dir.unwrap_or(Beside::Right) {
            Beside::Right => Point::new(found.x1 + across, center.y),
            Beside::Left => Point::new(found.x0 - across, center.y),
            Beside::Above => Point::new(center.x, found.y0 - down),
            Beside::Below => Point::new(center.x, found.y1 + down),
        }
    }
}

impl Spot {
    /// The point in the coordinate system of a container's children.
    ///
    /// # Errors
    /// If the container is squeezed flat.
    pub fn within(&self, drawing: &Drawing, parent: NodeId) -> Result<LocalPoint> {
        self.local_point(drawing, parent, Vec2::ZERO)
    }

    fn local_point(&self, drawing: &Drawing, parent: NodeId, shift: Vec2) -> Result<LocalPoint> {
        let geometry = drawing.geometry();
        let point = match self {
            Self::Local(pair) if shift == Vec2::ZERO => {
                return Ok(LocalPoint {
                    x: pair.x.to_string(),
                    y: pair.y.to_string(),
                    point: Point::new(pair.x.of(0.0), pair.y.of(0.0)),
                });
            }
            Self::Local(pair) => Point::new(pair.x.of(0.0), pair.y.of(0.0)),
            Self::Canvas(point) => to_local(drawing, &geometry, parent)? * *point,
        };
        let (point, precision) = (point + shift, geometry.precision());
        Ok(LocalPoint {
            x: precision.spell(point.x),
            y: precision.spell(point.y),
            point,
        })
    }
}

/// The transform from canvas units to the coordinate system of an element's children.
fn to_local(drawing: &Drawing, geometry: &Geometry<'_>, parent: NodeId) -> Result<Affine> {
    let within = geometry.within(parent);
    if within.determinant() == 0.0 || !within.is_finite() {
        let name = drawing.nodes.name(parent);
        bail!("{name} is inside something squeezed flat"; try: "? describe {name}")
    }
    Ok(within.inverse())
}
