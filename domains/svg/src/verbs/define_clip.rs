//! `define clip`

use fcp::prelude::*;

use crate::define::{Content, Holder};
use crate::model::Drawing;
use crate::syntax::id::ElementId;

/// Make a clip, outside of which nothing of an object is seen.
///
/// It holds objects, which are no longer drawn unless `keep:on` is given, or a shape.
///
/// ```fcp
/// # add circle id:dot r:20 at:50,50
/// # add group id:pair
/// define clip id:frame type:rect at:10,10 size:80x40
/// > + clip frame rect at:10,10 size:80x40, in a new <defs>
/// modify frame size:90x40
/// > * clip frame rect at:10,10 size:90x40
/// define clip id:hole from:dot
/// > + clip hole of circle dot
/// # add rect id:a size:9x9 at:0,0
/// # add rect id:b size:9x9 at:20,0
/// define clip id:two from:a,b keep:on
/// > + clip two of a, b
/// define clip id:no
/// > ! clip needs from: or type:
/// >   try: define clip id:no type:rect size:100x100
/// define clip id:no from:pair
/// > ! pair is a group; a clip holds shapes and texts
/// >   try: define mask id:pair-mask from:pair
/// ```
#[fcp_verb(category = "Define")]
pub fn define_clip(
    drawing: &mut Drawing,
    /// Its id.
    id: Spanned<ElementId>,
    #[fcp(flatten)] source: Content,
) -> Result<Reply> {
    drawing.hold(Holder::Clip, &id, &source)
}
