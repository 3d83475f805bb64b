//! `add arc`

use fcp::prelude::*;
use fcp::value::{Angle, Decimal, Unsigned};

use crate::create::shapes;
use crate::create::{Drawn, Position, Sketch};
use crate::model::Drawing;

/// Draw a slice of a pie, or of a ring, as a closed path; angles count clockwise from 12 o'clock.
///
/// ```fcp
/// add arc id:third at:100,100 r:50 start:0 end:90 fill:tomato
/// > + path third @(100,50 50x50) tomato
/// add arc id:ring at:100,100 r:50 start:0 end:360 inner:20
/// > + path ring @(50,50 100x100)
/// ```
#[fcp_verb(category = "Draw", alias = "arc")]
pub fn add_arc(
    drawing: &mut Drawing,
    /// Its radius.
    r: Unsigned<Decimal>,
    /// Its start.
    start: Angle,
    /// Its end.
    end: Angle,
    /// The radius of the hole of a ring.
    inner: Option<Unsigned<Decimal>>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let radius = r.get().get();
    let center = position.local_center(drawing, site, radius)?;
    let precision = drawing.geometry().precision();
    let inner = inner.map(|inner| inner.get().get());
    let (start, end) = (start.degrees(), end.degrees());
    let d = shapes::slice(center, radius, start, end, inner, precision);
    let sketch = Sketch::shaped("arc", "path", "d", d)?;
    drawing.create(sketch, &drawn, site)
}
