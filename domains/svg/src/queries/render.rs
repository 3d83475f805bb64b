//! `render`

use fcp::endpoint::Block;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::render::Framing;

/// Draw a picture of the drawing, or of some objects alone, cropped to them.
///
/// ```fcp
/// # add circle id:dot r:100 at:400,300 fill:gold
/// ? render width:300
/// > render 300x225 image/png
/// ? render dot scale:0.5 background:white marks:on
/// > render 100x100 image/png
/// ? render region:0,0-400,100 width:8000
/// > ! width:8000 is above 4096
/// >   try: render region:0,0-400,100 width:4096
/// ```
#[fcp_query]
pub fn render(
    drawing: &Drawing,
    /// The objects; all if left out.
    rows: Option<Rows>,
    #[fcp(flatten)] framing: Framing,
    /// Outlines and names over the objects.
    #[fcp(default = Switch(false))]
    marks: Switch,
) -> Result<Listing<'_>> {
    let objects: Vec<NodeId> = rows
        .iter()
        .flat_map(Rows::iter)
        .map(|row| NodeId::new(row.id()))
        .collect();
    let picture = drawing.picture(&objects, &framing, marks.0)?;
    let mut lines = vec![format!(
        "render {}x{} image/png",
        picture.width, picture.height
    )];
    lines.extend(picture.notes.iter().map(|note| format!("? {note}")));
    let mut listing = Listing::of(lines);
    listing.blocks.push(Block::Image {
        mime: "image/png",
        bytes: picture.png,
    });
    Ok(listing)
}
