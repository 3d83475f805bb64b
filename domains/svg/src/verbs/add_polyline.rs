//! `add polyline`

use fcp::prelude::*;

use crate::create::{Drawn, Sketch};
use crate::model::Drawing;
use crate::values::PointList;

/// Draw straight lines from point to point.
///
/// ```fcp
/// add polyline id:peak points:"0,0 10,5 20,0" fill:gold
/// > + polyline peak @(0,0 20x5) gold
/// add polyline points:"0,0 10"
/// > ! points: …
/// >   try: add polyline points:0,0
/// ```
#[fcp_verb(category = "Draw", alias = "polyline")]
pub fn add_polyline(
    drawing: &mut Drawing,
    /// Its points, in the system of its container.
    points: PointList,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let points = points.to_string();
    let sketch = Sketch::new("polyline", vec![("points", points)]);
    drawing.create(sketch, &drawn, site)
}
