//! `add polygon`

use fcp::prelude::*;

use crate::create::{Drawn, Sketch};
use crate::model::Drawing;
use crate::values::PointList;

/// Draw a polygon, closed from its last point to its first.
///
/// ```fcp
/// add polygon id:peak points:"0,0 20,0 10,5" fill:gold
/// > + polygon peak @(0,0 20x5) gold
/// add polygon points:"0,0 10"
/// > ! points: …
/// >   try: add polygon points:0,0
/// ```
#[fcp_verb(category = "Draw", alias = "polygon")]
pub fn add_polygon(
    drawing: &mut Drawing,
    /// Its points, in the system of its container.
    points: PointList,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let points = points.to_string();
    let sketch = Sketch::new("polygon", vec![("points", points)]);
    drawing.create(sketch, &drawn, site)
}
