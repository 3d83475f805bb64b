//! `add image`

use fcp::prelude::*;
use fcp::value::Size;

use crate::create::{Drawn, Extent, Position, Sketch, href};
use crate::model::Drawing;
use crate::resolve::PictureSource;
use crate::values::Fit;

/// Put a picture into the drawing: a PNG, JPEG, GIF or WebP.
///
/// It is referred to by its path from the drawing's folder, or embedded. Without `size:` it is as large as it has pixels.
///
/// ```fcp
/// add image "data:image/gif;base64,R0lGODlhAgABAIAAAP8AAAAAACH5BAAAAAAALAAAAAACAAEAAAICRAoAOw==" id:dots at:5,5
/// > + image dots @(5,5 2x1)
/// add image "data:image/gif;base64,R0lGODlhAgABAIAAAP8AAAAAACH5BAAAAAAALAAAAAACAAEAAAICRAoAOw==" size:20x20 at:0,0 fit:slice
/// > + image image~2 @(0,0 20x20)
/// add image photo.png
/// > ! file "photo.png" not found
/// >   syntax: add image PICTURE …
/// ```
#[fcp_verb(category = "Draw", alias = "image")]
pub fn add_image(
    drawing: &mut Drawing,
    /// Its file, or an address that holds it.
    #[fcp(positional)]
    picture: PictureSource,
    /// Its width and height; one for each pixel if left out.
    #[fcp(alias = "{width}x{height}", alias = "{w}x{h}")]
    size: Option<Size>,
    /// Its fit in them; `meet` if left out.
    fit: Option<Fit>,
    /// It goes into the drawing itself.
    #[fcp(default = Switch(false))]
    embed: Switch,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let header = picture.header();
    let extent = match size {
        Some(size) => Extent::of(&size),
        None => Extent::pixels(header.width, header.height),
    };
    let local = position.local_point(drawing, site, extent.size, false)?;
    let mut attrs = vec![
        (href(drawing), picture.address(embed.0, &drawing.folder)),
        ("x", local.x),
        ("y", local.y),
        ("width", extent.width),
        ("height", extent.height),
    ];
    attrs.extend(fit.map(|fit| ("preserveAspectRatio", fit.ratio().to_owned())));
    drawing.create(Sketch::new("image", attrs), &drawn, site)
}
