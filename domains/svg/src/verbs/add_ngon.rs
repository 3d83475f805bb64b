//! `add ngon`

use fcp::prelude::*;
use fcp::value::{Angle, Decimal, Unsigned};

use crate::create::shapes;
use crate::create::{Drawn, Position, Sketch};
use crate::model::Drawing;

/// Draw a polygon of equal sides; its first corner is at 12 o'clock.
///
/// ```fcp
/// add ngon id:stop at:50,50 r:20 sides:4 fill:red
/// > + polygon stop @(30,30 40x40) red
/// ```
#[fcp_verb(category = "Draw", alias = "ngon")]
pub fn add_ngon(
    drawing: &mut Drawing,
    /// From its centre to its corners.
    r: Unsigned<Decimal>,
    /// The number of sides; 6 if left out.
    sides: Option<u32>,
    /// The angle it is turned by, clockwise.
    angle: Option<Angle>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let radius = r.get().get();
    let center = position.local_center(drawing, site, radius)?;
    let precision = drawing.geometry().precision();
    let angle = angle.map_or(0.0, |angle| angle.degrees());
    let points = shapes::ngon(center, radius, sides.unwrap_or(6), angle, precision);
    let sketch = Sketch::shaped("ngon", "polygon", "points", points)?;
    drawing.create(sketch, &drawn, site)
}
