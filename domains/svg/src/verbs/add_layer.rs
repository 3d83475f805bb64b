//! `add layer`

use fcp::format::xml;
use fcp::prelude::*;

use crate::create::{Drawn, Sketch};
use crate::model::{Drawing, INKSCAPE};

/// Make an empty layer, as Inkscape has them.
///
/// ```fcp
/// add layer Ink id:ink
/// > + layer ink
/// add circle r:5 at:10,10 in:Ink
/// > + circle circle~1 @(5,5 10x10) in:ink
/// ```
#[fcp_verb(category = "Draw", alias = "layer")]
pub fn add_layer(
    drawing: &mut Drawing,
    /// Its name in Inkscape.
    #[fcp(positional)]
    name: Name,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let site = drawn.site(drawing)?;
    let tree = drawing.nodes.tree();
    let bound = xml::prefix_of(tree, site.parent, INKSCAPE);
    let prefix = bound.clone().unwrap_or_else(|| "inkscape".to_owned());
    let declared = format!("xmlns:{prefix}");
    let (mode, label) = (format!("{prefix}:groupmode"), format!("{prefix}:label"));
    let mut sketch = Sketch {
        element: "g",
        ..Sketch::new("layer", Vec::new())
    };
    if bound.is_none() {
        sketch.attrs.push((declared.into(), INKSCAPE.to_owned()));
    }
    sketch.attrs.push((mode.into(), "layer".to_owned()));
    sketch.attrs.push((label.into(), name.to_string()));
    drawing.create(sketch, &drawn, site)
}
