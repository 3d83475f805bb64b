//! `define mask`

use fcp::prelude::*;

use crate::define::{Content, Holder};
use crate::model::Drawing;
use crate::syntax::id::ElementId;

/// Make a mask: what it covers is seen where the mask is light and opaque.
///
/// It holds objects, which are no longer drawn unless `keep:on` is given, or a shape.
///
/// ```fcp
/// # add circle id:dot r:20 at:50,50 fill:white
/// define mask id:spot from:dot keep:on
/// > + mask spot of circle dot, in a new <defs>
/// define mask id:frame type:ellipse at:50,50 size:80x40
/// > + mask frame ellipse at:50,50 size:80x40
/// modify frame type:rect at:0,0
/// > * mask frame rect at:0,0 size:80x40
/// define mask id:frame type:rect size:0x4
/// > ! id:frame is already a mask
/// >   syntax: define mask id:ID [SEL] [keep:on|off] [type:SHAPE] [at:X,Y] [size:WxH]
/// ```
#[fcp_verb(category = "Define")]
pub fn define_mask(
    drawing: &mut Drawing,
    /// Its id.
    id: Spanned<ElementId>,
    #[fcp(flatten)] source: Content,
) -> Result<Reply> {
    drawing.hold(Holder::Mask, &id, &source)
}
