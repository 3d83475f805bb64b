//! `add star`

use fcp::prelude::*;
use fcp::value::{Angle, Decimal, Unsigned};

use crate::create::shapes;
use crate::create::{Drawn, Position, Sketch};
use crate::model::Drawing;

/// Draw a star, a polygon; its first tip is at 12 o'clock.
///
/// ```fcp
/// add star id:spark at:480,140 r:24 fill:gold
/// > + polygon spark @(457.175,116 45.651x43.416) gold
/// add star r:24 points:2
/// > ! the number of corners or lines is not 3 to 10000
/// >   syntax: …
/// ```
#[fcp_verb(category = "Draw", alias = "star")]
pub fn add_star(
    drawing: &mut Drawing,
    /// From its centre to its tips.
    r: Unsigned<Decimal>,
    /// The number of tips; 5 if left out.
    points: Option<u32>,
    /// The radius of its inner corners, as a share of the outer one, 0 to 1; 0.382 if left out.
    inner: Option<Decimal>,
    /// The angle it is turned by, clockwise.
    angle: Option<Angle>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let radius = r.get().get();
    let center = position.local_center(drawing, site, radius)?;
    let precision = drawing.geometry().precision();
    let (tips, inner) = (
        points.unwrap_or(5),
        inner.map_or(0.382, |inner| inner.get()),
    );
    let angle = angle.map_or(0.0, |angle| angle.degrees());
    let points = shapes::star(center, radius, tips, inner, angle, precision);
    let sketch = Sketch::shaped("star", "polygon", "points", points)?;
    drawing.create(sketch, &drawn, site)
}
