//! `add grid`

use fcp::prelude::*;
use fcp::value::Size;
use kurbo::Vec2;

use crate::create::shapes;
use crate::create::{Drawn, Position, Sketch};
use crate::model::Drawing;
use crate::property;
use crate::values::Factors;

/// Draw a grid, lines across and down, as one path without a fill.
///
/// ```fcp
/// add grid id:paper at:10,10 size:100x50 step:20,25 stroke:silver
/// > + path paper @(10,10 100x50) none
/// ```
#[fcp_verb(category = "Draw", alias = "grid")]
pub fn add_grid(
    drawing: &mut Drawing,
    /// Its width and height; those of its neighbour if left out.
    #[fcp(alias = "{width}x{height}", alias = "{w}x{h}")]
    size: Option<Size>,
    /// From line to line, across and down.
    step: Factors,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let Some(extent) = position.extent(drawing, site, size.as_ref())? else {
        bail!("grid needs size:"; add: "size:100x60")
    };
    let local = position.local_point(drawing, site, extent.size, false)?;
    let precision = drawing.geometry().precision();
    let size = Vec2::new(extent.size.width, extent.size.height);
    let d = shapes::grid(local.point, size, step.vec(), precision);
    let mut sketch = Sketch::shaped("grid", "path", "d", d)?;
    let plain = [("fill", "none"), ("stroke", "black")];
    for (name, value) in plain {
        if let Some(property) = property::named(name).filter(|_| drawn.style.get(name).is_none()) {
            sketch.properties.push((property, value.to_owned()));
        }
    }
    drawing.create(sketch, &drawn, site)
}
