//! `add ellipse`

use fcp::prelude::*;
use fcp::value::{Length, Size, Unsigned};

use crate::create::{Drawn, Position, Sketch};
use crate::model::Drawing;
use crate::syntax::number::spell_given;

/// Draw an ellipse.
///
/// ```fcp
/// add ellipse id:pond rx:40 ry:20 at:100,50 fill:teal
/// > + ellipse pond @(60,30 80x40) teal
/// add ellipse id:lake size:80x40 center:100,150
/// > + ellipse lake @(60,130 80x40)
/// add ellipse
/// > ! ellipse needs rx: and ry:, or size:
/// >   try: add ellipse size:100x60
/// ```
#[fcp_verb(category = "Draw", alias = "ellipse")]
pub fn add_ellipse(
    drawing: &mut Drawing,
    /// Its radius across.
    rx: Option<Unsigned<Length>>,
    /// Its radius downwards.
    ry: Option<Unsigned<Length>>,
    /// Its width and height instead.
    size: Option<Size>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let given = |radius: &Unsigned<Length>| (radius.to_string(), radius.get().to_user(16.0, 0.0));
    let half = |side: f64| (spell_given(side / 2.0), side / 2.0);
    let extent = position.extent(drawing, site, size.as_ref())?;
    let ((rx, across), (ry, down)) = match (&rx, &ry, extent) {
        (rx, ry, Some(_)) if size.is_some() && (rx.is_some() || ry.is_some()) => {
            bail!("size: sets the same as rx: and ry:; give one")
        }
        (Some(rx), Some(ry), _) => (given(rx), given(ry)),
        (None, None, Some(extent)) => (half(extent.size.width), half(extent.size.height)),
        (Some(_), None, _) => bail!("ellipse needs ry: besides rx:"; add: "ry:20"),
        (None, Some(_), _) => bail!("ellipse needs rx: besides ry:"; add: "rx:40"),
        (None, None, None) => bail!("ellipse needs rx: and ry:, or size:"; add: "size:100x60"),
    };
    let size = kurbo::Size::new(across * 2.0, down * 2.0);
    let local = position.local_point(drawing, site, size, true)?;
    let attrs = vec![("cx", local.x), ("cy", local.y), ("rx", rx), ("ry", ry)];
    drawing.create(Sketch::new("ellipse", attrs), &drawn, site)
}
