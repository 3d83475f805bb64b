//! `describe`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::overview::description::Description;

/// Describe objects, as the document has them and as they are drawn.
///
/// That is the line of the file, boxes, properties with their origins, numbered transforms, geometry and other
/// attributes, what they use, what uses them, and children.
///
/// ```fcp
/// # raw '<linearGradient id="sky"/><g id="logo" font-size="12"><rect id="card" x="2" y="4" width="40" height="20" style="stroke:red" transform="translate(3) rotate(90)" data-k="v"/></g>'
/// # style card fill:gradient:sky
/// ? describe card
/// > rect card line 2 in:logo
/// >   box: -21,2 20x40
/// >   box with stroke: -21.5,1.5 21x41
/// >   fill: gradient:sky (style)
/// >   size: 12 (from logo)
/// >   stroke: red (style)
/// >   transform 1: translate(3)
/// >   transform 2: rotate(90)
/// >   x: 2
/// >   y: 4
/// >   width: 40
/// >   height: 20
/// >   data-k: v
/// >   uses: gradient sky (style)
/// ? describe logo,sky
/// > group logo line 2
/// >   box: -21,2 20x40
/// >   box with stroke: -21.5,1.5 21x41
/// >   size: 12 (attr)
/// >   children: 1: card
/// > gradient sky line 2
/// >   used by: rect card (style)
/// ```
#[fcp_query]
pub fn describe(
    drawing: &Drawing,
    /// The objects.
    rows: Rows,
) -> Result<Listing<'_>> {
    let ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
    let at = drawing.nodes.source_lines(&ids);
    let (geometry, styles) = (drawing.geometry(), drawing.styles());
    styles.whole()?;
    let description = move |id| Description::new(drawing, &geometry, &styles, &at).of(id);
    Ok(Listing::rows(ids.len(), ids.into_iter().map(description)))
}
