//! `fit`

use fcp::prelude::*;
use fcp::value::{Decimal, Unsigned};

use crate::canvas::CanvasChange;
use crate::model::Drawing;

/// Fit the canvas to what is drawn, as `canvas fit:on` does.
///
/// ```fcp
/// add circle r:20 at:50,50
/// ! fit pad:5
/// > * canvas 0,0 800x600 -> 25,25 50x50
/// ! undo
/// > * undone 1 op: fit
/// ```
#[fcp_action]
pub fn fit(
    drawing: &mut Drawing,
    /// The room around it; 0 if left out.
    pad: Option<Unsigned<Decimal>>,
) -> Result<Reply> {
    let pad = pad.map_or(0.0, |pad| pad.get().get());
    drawing.change_canvas(&CanvasChange {
        fit: Some(pad),
        ..CanvasChange::default()
    })
}
