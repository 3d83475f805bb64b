//! `add path`

use fcp::prelude::*;

use crate::create::{Drawn, Sketch};
use crate::model::Drawing;
use crate::values::PathData;

/// Draw a path.
///
/// ```fcp
/// add path id:tick d:"M10 10 l5 5 l10 -10" fill:none stroke:green
/// > + path tick @(10,5 15x10) none
/// add path d:"M0,0 L5,5 bogus"
/// > ! segment 3, column 11: …
/// >   try: add path d:"M0,0 L5,5"
/// ```
#[fcp_verb(category = "Draw", alias = "path")]
pub fn add_path(
    drawing: &mut Drawing,
    /// Its path data, in the system of its container.
    d: PathData,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let d = d.to_string();
    drawing.create(Sketch::new("path", vec![("d", d)]), &drawn, site)
}
