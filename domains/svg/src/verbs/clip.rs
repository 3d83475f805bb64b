//! `clip`

use fcp::prelude::*;

use crate::define::{Holder, cover};
use crate::model::Drawing;
use crate::resolve::Cover;

/// Show only what lies in a clip. A shape becomes one, where it lies.
///
/// ```fcp
/// # add rect id:card size:100x60 at:0,0
/// # add rect id:note size:10x10 at:0,0 transform:rotate(9)
/// # add circle id:dot r:20 at:50,30
/// # define gradient id:sunset colors:red,gold
/// clip card with:dot
/// > * rect card clip none -> dot-clip
/// >   + clip dot-clip of circle dot
/// clip card with:dot-clip
/// > = no change
/// clip card with:none
/// > * rect card clip dot-clip -> none
/// > ? dot-clip: unused
/// clip card with:card
/// > ! card cannot clip itself
/// >   try: ? describe card
/// clip card with:sunset
/// > ! sunset is a gradient
/// >   try: ? list @type:clip
/// ```
#[fcp_verb(category = "Define")]
pub fn clip(
    drawing: &mut Drawing,
    /// The objects.
    rows: Rows,
    /// The object that clips them.
    with: Cover,
) -> Result<Reply> {
    cover(drawing, Holder::Clip, &rows, with)
}
