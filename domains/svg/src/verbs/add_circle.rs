//! `add circle`

use fcp::prelude::*;
use fcp::value::{Length, Size, Unsigned};

use crate::create::{Drawn, Position, Sketch};
use crate::model::Drawing;

/// Draw a circle.
///
/// ```fcp
/// add circle id:dot r:20 at:50,50 fill:red
/// > + circle dot @(30,30 40x40) red
/// add circle r:5.50 center:dot.right stroke:blue sw:2
/// > + circle circle~2 @(64.5,44.5 11x11)
/// add circle id:dot r:8
/// > ! id:dot is already a circle
/// >   try: modify dot r:8
/// add circle id:sun
/// > ! circle needs r:
/// >   try: add circle id:sun r:20
/// ```
#[fcp_verb(category = "Draw", alias = "circle")]
pub fn add_circle(
    drawing: &mut Drawing,
    /// Its radius.
    r: Option<Unsigned<Length>>,
    /// Its width and height instead.
    size: Option<Size>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let r = match (r, position.extent(drawing, site, size.as_ref())?) {
        (Some(_), Some(_)) if size.is_some() => bail!("r: and size: set the same; give one"),
        (Some(r), _) => (r.to_string(), r.get().to_user(16.0, 0.0)),
        (None, Some(extent)) => extent.radius(),
        (None, None) => bail!("circle needs r:"; add: "r:20"),
    };
    let (r, radius) = r;
    let size = kurbo::Size::new(radius * 2.0, radius * 2.0);
    let local = position.local_point(drawing, site, size, true)?;
    let words = format!("r:{r}");
    let attrs = vec![("cx", local.x), ("cy", local.y), ("r", r)];
    let sketch = Sketch {
        words,
        ..Sketch::new("circle", attrs)
    };
    drawing.create(sketch, &drawn, site)
}
