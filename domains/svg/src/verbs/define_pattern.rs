//! `define pattern`

use fcp::prelude::*;
use kurbo::Affine;

use crate::define::{Pattern, PatternGiven};
use crate::model::{Drawing, NodeId};
use crate::moving::frame;
use crate::syntax::id::ElementId;

/// Make a pattern, to fill or stroke with.
///
/// ```fcp
/// define pattern id:spots type:dots size:12x12 color:navy
/// > + pattern spots dots size:12x12 color:navy, in a new <defs>
/// define pattern id:rain type:stripes background:#eef angle:60
/// > + pattern rain stripes size:10x10 color:#000 background:#eef angle:60
/// modify spots size:20 color:red
/// > * pattern spots dots size:20x20 color:red
/// modify rain background:none
/// > * pattern rain stripes size:10x10 color:#000 angle:60
/// # add circle id:dot r:3 at:5,5
/// define pattern id:bubbles from:dot size:10
/// > + pattern bubbles size:10x10 of circle dot
/// modify bubbles color:red
/// > ! bubbles repeats content drawn by hand; style that directly
/// >   try: ? svg bubbles
/// define pattern id:no
/// > ! pattern needs type: or from:
/// >   try: define pattern id:no type:dots
/// ```
#[fcp_verb(category = "Define")]
pub fn define_pattern(
    drawing: &mut Drawing,
    /// Its id.
    id: Spanned<ElementId>,
    #[fcp(flatten)] given: PatternGiven,
    /// An object that it repeats instead.
    from: Option<Row>,
    /// The object stays, and a copy is repeated.
    #[fcp(default = Switch(false))]
    keep: Switch,
) -> Result<Reply> {
    let own = id.get().as_str();
    drawing.is_free(&id, "pattern", "")?;
    if given.size.as_ref().is_some_and(fcp::value::Size::is_empty) {
        bail!("a tile without a size repeats nothing"; try: "define pattern id:{own} type:dots size:10")
    }
    let (Some(from), None) = (from, given.r#type) else {
        let Some(kind) = given.r#type else {
            bail!("pattern needs type: or from:"; add: "type:dots")
        };
        if from.is_some() {
            bail!("from: and type: both set what is repeated; give one"; try: "define pattern id:{own} type:{kind}")
        }
        let mut pattern = Pattern::new(kind);
        pattern.change(&given, own)?;
        let description = pattern.describe();
        let (defs, new) = drawing.defs()?;
        drawing.build(own, &pattern.blueprint(), defs)?;
        return Ok(created!("pattern {own} {description}{new}"));
    };
    let object = NodeId::new(from.id());
    drawing.can_define(object, "pattern")?;
    if given.is_of_content() {
        let name = drawing.nodes.name(object);
        bail!("{name} has colours of its own; color:, background: and width: are for a type:"; try: "define pattern id:{own} from:{name}")
    }
    let (title, geometry) = (drawing.titled(object), drawing.geometry());
    let (found, precision) = (frame(drawing, &geometry, object)?, geometry.precision());
    let (width, height) = match &given.size {
        Some(size) => (size.width.to_string(), size.height.to_string()),
        None => (
            precision.spell(found.width()),
            precision.spell(found.height()),
        ),
    };
    if width == "0" || height == "0" {
        bail!("{title} is flat, so size: must set the distance of copies"; add: "size:20")
    }
    let description = format!("size:{width}x{height}");
    let mut attrs = vec![
        ("x", precision.spell(found.x0)),
        ("y", precision.spell(found.y0)),
        ("width", width),
        ("height", height),
        ("patternUnits", "userSpaceOnUse".to_owned()),
    ];
    if let Some(angle) = &given.angle {
        attrs.push((
            "patternTransform",
            format!("rotate({})", precision.spell(angle.degrees())),
        ));
    }
    drop(geometry);
    let (_, new) = drawing.define_of(object, "pattern", own, &attrs, Affine::IDENTITY, keep.0)?;
    Ok(created!("pattern {own} {description} of {title}{new}"))
}
