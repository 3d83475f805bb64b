//! `add group`

use fcp::prelude::*;

use crate::create::{Drawn, Sketch};
use crate::model::Drawing;

/// Make an empty group.
///
/// ```fcp
/// add group id:bars fill:navy
/// > + group bars
/// add rect size:10x10 at:0,0 in:bars
/// > + rect rect~1 @(0,0 10x10) navy in:bars
/// ```
#[fcp_verb(category = "Draw")]
pub fn add_group(drawing: &mut Drawing, #[fcp(flatten)] drawn: Drawn) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let sketch = Sketch {
        element: "g",
        ..Sketch::new("group", Vec::new())
    };
    drawing.create(sketch, &drawn, site)
}
