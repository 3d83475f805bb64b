//! `@stroke`

use fcp::prelude::*;

use crate::model::Drawing;
use crate::style;
use crate::values::PaintPick;

/// Graphics by their computed stroke.
#[fcp_selector]
pub fn stroke(drawing: &Drawing, paint: PaintPick) -> Result<Pick<'_>, ValueError> {
    style::painted(drawing, "stroke", paint)
}
