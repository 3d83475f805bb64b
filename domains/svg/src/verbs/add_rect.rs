//! `add rect`

use fcp::prelude::*;
use fcp::value::{Length, Size, Unsigned};

use crate::create::{Drawn, Position, Sketch};
use crate::model::Drawing;

/// Draw a rectangle.
///
/// ```fcp
/// add rect id:card at:10,20 size:40x30 rx:5 fill:#eee
/// > + rect card @(10,20 40x30) #eee
/// add rect id:next near:card dir:below gap:10
/// > + rect next @(10,60 40x30)
/// add rect x:70 y:20 width:20 height:10
/// > + rect rect~3 @(70,20 20x10)
/// add rect x:100 y:20 w:20 h:10
/// > + rect rect~4 @(100,20 20x10)
/// add rect x:70 size:20x10
/// > ! x: needs y: with it
/// >   syntax: …
/// add rect
/// > ! rect needs size:
/// >   try: add rect size:100x60
/// ```
#[fcp_verb(category = "Draw", alias = "rect")]
pub fn add_rect(
    drawing: &mut Drawing,
    /// Its width and height; those of its neighbour if left out.
    #[fcp(alias = "{width}x{height}", alias = "{w}x{h}")]
    size: Option<Size>,
    /// The radius of its corners.
    rx: Option<Unsigned<Length>>,
    /// That radius downwards, if it differs.
    ry: Option<Unsigned<Length>>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let Some(extent) = position.extent(drawing, site, size.as_ref())? else {
        bail!("rect needs size:"; add: "size:100x60")
    };
    let local = position.local_point(drawing, site, extent.size, false)?;
    let mut attrs = vec![
        ("x", local.x),
        ("y", local.y),
        ("width", extent.width),
        ("height", extent.height),
    ];
    attrs.extend(rx.map(|rx| ("rx", rx.to_string())));
    attrs.extend(ry.map(|ry| ("ry", ry.to_string())));
    drawing.create(Sketch::new("rect", attrs), &drawn, site)
}
