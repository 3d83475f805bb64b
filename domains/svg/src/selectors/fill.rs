//! `@fill`

use fcp::prelude::*;

use crate::model::Drawing;
use crate::style;
use crate::values::PaintPick;

/// Graphics by their computed fill.
#[fcp_selector]
pub fn fill(drawing: &Drawing, paint: PaintPick) -> Result<Pick<'_>, ValueError> {
    style::painted(drawing, "fill", paint)
}
