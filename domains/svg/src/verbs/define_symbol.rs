//! `define symbol`

use fcp::prelude::*;

use crate::define::{Content, Holder};
use crate::model::Drawing;
use crate::syntax::id::ElementId;

/// Make a symbol, which is drawn only by `add use`.
///
/// It holds objects, which are no longer drawn unless `keep:on` is given, or a shape.
///
/// ```fcp
/// # add circle id:dot r:20 at:50,50 fill:red
/// define symbol id:spot from:dot
/// > + symbol spot of circle dot, in a new <defs>
/// add use id:one of:spot at:100,0
/// > + use one @(100,0 40x40)
/// add use of:spot at:0,100 size:80x80
/// > + use use~2 @(0,100 80x80)
/// define symbol id:card type:rect size:60x40
/// > + symbol card rect at:0,0 size:60x40
/// ```
#[fcp_verb(category = "Define")]
pub fn define_symbol(
    drawing: &mut Drawing,
    /// Its id.
    id: Spanned<ElementId>,
    #[fcp(flatten)] source: Content,
) -> Result<Reply> {
    drawing.hold(Holder::Symbol, &id, &source)
}
