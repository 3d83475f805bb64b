//! `canvas`

use fcp::prelude::*;
use fcp::value::{Decimal, Size, Unsigned};

use crate::canvas::CanvasChange;
use crate::model::Drawing;
use crate::values::{Backdrop, ViewBox};

/// Change how large the drawing is, what part is shown, and what is behind it.
///
/// Objects keep their size: a new size is more room or less. With both `size:` and `viewbox:`, the
/// part that is shown is scaled to the size.
///
/// ```fcp
/// canvas size:400x300
/// > * canvas 800x600 -> 400x300
/// canvas background:#eee
/// > * canvas background #eee
/// canvas background:gold
/// > * canvas background #eee -> gold
/// canvas viewbox:-10,-10,420,320
/// > * canvas 0,0 400x300 -> -10,-10 420x320
/// # add circle r:20 at:50,50
/// canvas fit:on pad:5
/// > * canvas -10,-10 420x320 -> 25,25 50x50
/// canvas fit:on pad:5
/// > = no change
/// canvas background:none
/// > * canvas background none
/// canvas
/// > ! canvas needs size:, viewbox:, background: or fit:
/// >   try: canvas fit:on
/// canvas viewbox:200x100
/// > ! viewbox:200x100 is not a viewBox
/// >   try: canvas viewbox:0,0,200,100
/// canvas size:0x100
/// > ! size: 0x100 is empty
/// >   try: canvas size:100x100
/// ```
#[fcp_verb(category = "Define")]
pub fn canvas(
    drawing: &mut Drawing,
    /// Its width and height, in canvas units.
    size: Option<Spanned<Size>>,
    /// The part that is shown: corner, width, height.
    viewbox: Option<ViewBox>,
    /// The colour behind everything.
    background: Option<Backdrop>,
    /// It is fitted to what is drawn.
    #[fcp(default = Switch(false))]
    fit: Switch,
    /// The room around the drawn objects; 0 if left out.
    pad: Option<Unsigned<Decimal>>,
) -> Result<Reply> {
    if let Some(size) = size.as_ref().filter(|size| size.get().is_empty()) {
        return Err(size.wrong(crate::canvas::empty(size.get())));
    }
    if fit.0 && (size.is_some() || viewbox.is_some()) {
        bail!("fit: cannot go with size: or viewbox:"; try: "canvas fit:on")
    }
    if size.is_none() && viewbox.is_none() && background.is_none() && !fit.0 {
        bail!("canvas needs size:, viewbox:, background: or fit:"; add: "fit:on")
    }
    if pad.is_some() && !fit.0 {
        bail!("pad: goes with fit:, as room around it"; add: "fit:on")
    }
    let pad = pad.map_or(0.0, |pad| pad.get().get());
    drawing.change_canvas(&CanvasChange {
        size: size.map(|size| size.get().clone()),
        viewbox,
        background,
        fit: fit.0.then_some(pad),
    })
}
