//! `define marker`

use fcp::prelude::*;
use kurbo::Affine;

use crate::define::{MARKER_SIZE as SIZE, Marker, MarkerGiven};
use crate::model::{Drawing, NodeId};
use crate::moving::frame;
use crate::syntax::id::ElementId;

/// Make a marker, for the ends and corners of lines: `style LINE marker-end:MARKER`.
///
/// ```fcp
/// define marker id:tip type:triangle
/// > + marker tip triangle size:7 color:context-stroke, in a new <defs>
/// modify tip size:8 color:red
/// > * marker tip triangle size:8 color:red
/// modify tip type:bar
/// > * marker tip bar size:8 color:red
/// # add circle id:dot r:3 at:5,5
/// define marker id:bead from:dot size:4
/// > + marker bead size:4 of circle dot
/// define marker id:no
/// > ! marker needs type: or from:
/// >   try: define marker id:no type:triangle
/// ```
#[fcp_verb(category = "Define")]
pub fn define_marker(
    drawing: &mut Drawing,
    /// Its id.
    id: Spanned<ElementId>,
    #[fcp(flatten)] given: MarkerGiven,
    /// An object that it shows instead; its centre lies on the line.
    from: Option<Row>,
    /// The object stays, and a copy is shown.
    #[fcp(default = Switch(false))]
    keep: Switch,
) -> Result<Reply> {
    let own = id.get().as_str();
    drawing.is_free(&id, "marker", "")?;
    let (Some(from), None) = (from, given.r#type) else {
        let Some(kind) = given.r#type else {
            bail!("marker needs type: or from:"; add: "type:triangle")
        };
        if from.is_some() {
            bail!("from: and type: both set what is shown; give one"; try: "define marker id:{own} type:{kind}")
        }
        let mut marker = Marker::new(kind);
        marker.change(&given, own)?;
        let description = marker.describe();
        let (defs, new) = drawing.defs()?;
        drawing.build(own, &marker.blueprint(), defs)?;
        return Ok(created!("marker {own} {description}{new}"));
    };
    let object = NodeId::new(from.id());
    drawing.can_define(object, "marker")?;
    if given.color.is_some() {
        let name = drawing.nodes.name(object);
        bail!("{name} has colours of its own; color: is for a type:"; try: "define marker id:{own} from:{name}")
    }
    let (title, geometry) = (drawing.titled(object), drawing.geometry());
    let (found, precision) = (frame(drawing, &geometry, object)?, geometry.precision());
    if found.width() <= 0.0 || found.height() <= 0.0 {
        bail!("{title} is flat, and a marker has an area"; try: "define marker id:{own} type:bar")
    }
    let spell = |n: f64| precision.spell(n);
    let center = found.center();
    let size = given
        .size
        .as_ref()
        .map_or(SIZE.to_owned(), ToString::to_string);
    let corner = format!("{} {}", spell(found.x0), spell(found.y0));
    let view = format!(
        "{corner} {} {}",
        spell(found.width()),
        spell(found.height())
    );
    let attrs = [
        ("viewBox", view),
        ("refX", spell(center.x)),
        ("refY", spell(center.y)),
        ("markerWidth", size.clone()),
        ("markerHeight", size.clone()),
        ("orient", "auto".to_owned()),
        ("overflow", "visible".to_owned()),
    ];
    drop(geometry);
    let (_, new) = drawing.define_of(object, "marker", own, &attrs, Affine::IDENTITY, keep.0)?;
    Ok(created!("marker {own} size:{size} of {title}{new}"))
}
