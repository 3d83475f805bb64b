//! `add line`

use fcp::format::xml;
use fcp::prelude::*;

use crate::create::{Drawn, Sketch};
use crate::model::Drawing;
use crate::resolve::Spot;

/// Draw a straight line; black by default.
///
/// ```fcp
/// add line id:edge from:10,10 to:60,30 stroke:red
/// > + line edge @(10,10 50x20) stroke:red
/// add line from:0,0 to:edge.right
/// > + line line~2 @(0,0 60x20) stroke:black
/// add line from:0,0
/// > ! add line needs to:POINT
/// >   try: add line from:0,0 to:60,30
/// ```
#[fcp_verb(category = "Draw", alias = "line")]
pub fn add_line(
    drawing: &mut Drawing,
    /// Its start.
    #[fcp(alias = "{x1},{y1}")]
    from: Spot,
    /// Its end.
    #[fcp(alias = "{x2},{y2}")]
    to: Spot,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let (from, to) = (
        from.within(drawing, site.parent)?,
        to.within(drawing, site.parent)?,
    );
    let attrs = vec![("x1", from.x), ("y1", from.y), ("x2", to.x), ("y2", to.y)];
    let id = drawing.draw(Sketch::new("line", attrs), &drawn, site)?;
    let is_clear = drawing.styles().computed(id, "stroke").value == "none";
    if is_clear && drawn.style.get("stroke").is_none() {
        xml::set_attr(drawing.nodes.tree_mut(), id, "stroke", "black")?;
    }
    Ok(created!("{}", drawing.summary(&drawing.geometry(), id)))
}
