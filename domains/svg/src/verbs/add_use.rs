//! `add use`

use fcp::prelude::*;
use fcp::value::Size;

use crate::create::{Drawn, Sketch, href};
use crate::model::{Drawing, NodeId};
use crate::resolve::Spot;
use crate::syntax::number::spell_given;
use crate::syntax::view_box::view_box;

/// Draw another object again, wherever that changes.
///
/// Without `at:` it lies where the other does.
///
/// ```fcp
/// # add circle id:dot r:5 at:10,10
/// add use id:twin of:dot at:20,0
/// > + use twin @(25,5 10x10)
/// # add rect size:10x10 at:0,0
/// add use of:rect~1
/// > + use use~2 @(0,0 10x10)
/// >   rect~1 now has the id rect-1
/// ```
#[fcp_verb(category = "Draw", alias = "use")]
pub fn add_use(
    drawing: &mut Drawing,
    /// The other object.
    of: Spanned<Row>,
    /// The distance it is moved: its attributes `x` and `y`.
    #[fcp(alias = "{x},{y}")]
    at: Option<Spot>,
    /// The width and height of a symbol or a nested drawing.
    #[fcp(alias = "{width}x{height}", alias = "{w}x{h}")]
    size: Option<Size>,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let of_id = NodeId::new(of.get().id());
    if drawing.nodes.tree().is_within(site.parent, of_id) {
        let name = drawing.nodes.name(of_id);
        bail!("{name} would be drawn within itself"; try: "? list")
    }
    let called = drawing.nodes.name(of_id);
    let at = at.map(|at| at.within(drawing, site.parent)).transpose()?;
    let (target, is_new) = drawing.referable(of_id)?;
    let mut attrs = vec![(href(drawing), format!("#{target}"))];
    if let Some(at) = at {
        attrs.extend([("x", at.x), ("y", at.y)]);
    }
    // Without a size, a symbol would fill the drawing.
    let size = size.map(|size| (size.width.to_string(), size.height.to_string()));
    if let Some((width, height)) = size.or_else(|| symbol_size(drawing, of_id)) {
        attrs.extend([("width", width), ("height", height)]);
    }
    let sketch = Sketch::new("use", attrs);
    let id = drawing.draw(sketch, &drawn, site)?;
    let reply = created!("{}", drawing.summary(&drawing.geometry(), id));
    Ok(if is_new {
        reply.note(format!("{called} now has the id {target}"))
    } else {
        reply
    })
}

/// The width and height of a symbol's viewBox.
fn symbol_size(drawing: &Drawing, id: NodeId) -> Option<(String, String)> {
    let nodes = &drawing.nodes;
    if nodes.kind_name(id) != "symbol" || nodes.attr(id, "width").is_some() {
        return None;
    }
    let view = view_box(&nodes.attr(id, "viewBox")?)?;
    Some((spell_given(view.width()), spell_given(view.height())))
}
