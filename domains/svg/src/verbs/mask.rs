//! `mask`

use fcp::prelude::*;

use crate::define::{Holder, cover};
use crate::model::Drawing;
use crate::resolve::Cover;

/// Show objects only where a mask is light. An object becomes one, where it lies.
///
/// ```fcp
/// # add rect id:card size:100x60 at:0,0
/// # add group id:lights
/// # add circle id:dot r:20 at:50,30 fill:white in:lights
/// mask card with:lights
/// > * rect card mask none -> lights-mask
/// >   + mask lights-mask of group lights, in a new <defs>
/// mask card with:none
/// > * rect card mask lights-mask -> none
/// > ? lights-mask: unused
/// mask card with:none
/// > = no change
/// ```
#[fcp_verb(category = "Define")]
pub fn mask(
    drawing: &mut Drawing,
    /// The objects.
    rows: Rows,
    /// The object that masks them.
    with: Cover,
) -> Result<Reply> {
    cover(drawing, Holder::Mask, &rows, with)
}
