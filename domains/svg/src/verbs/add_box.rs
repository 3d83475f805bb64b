//! `add box`

use fcp::format::xml::{self, Element};
use fcp::prelude::*;
use fcp::value::{Decimal, Length, Size, Unsigned};

use crate::create::{Drawn, LINE_HEIGHT, Layout, Position, Sketch, lines_of, properties};
use crate::model::kind::BOX;
use crate::model::{Drawing, MADE};
use crate::property::{self, Property};
use crate::style;
use crate::syntax::number::spell_given;
use crate::values::Valign;

/// The default fill of a box: light enough for black letters.
const FILL: &str = "#e8f0fe";
/// The default font size, in user units.
const TEXT_SIZE: f64 = 16.0;

/// Draw a rectangle with a label in its middle, which `connect` joins to others.
///
/// Styles are those of the rectangle.
///
/// ```fcp
/// add box API id:api at:400,40 size:100x40
/// > + box api @(400,40 100x40) #e8f0fe "API"
/// add box "User\nstore" id:db near:api dir:below gap:60 fill:gold rx:8
/// > + box db @(400,140 100x40) gold "User / store"
/// ? svg api
/// > <g id="api" data-fcp="box"><rect x="400" y="40" width="100" height="40" fill="#e8f0fe"/><text x="450" y="60" text-anchor="middle" dominant-baseline="central" font-size="16">API</text></g>
/// add box API
/// > ! box needs size:
/// >   try: add box API size:100x40
/// add box "" size:10x10
/// > ! box needs a label
/// >   try: add box Box size:10x10
/// add box X size:10x10 text-fill:gren
/// > ! no colour "gren"
/// >   try: add box X size:10x10 text-fill:green
/// ```
#[fcp_verb(category = "Draw", alias = "box")]
pub fn add_box(
    drawing: &mut Drawing,
    /// Its text; `\n` begins another line.
    #[fcp(positional)]
    label: Spanned<Text>,
    /// Its width and height; those of its neighbour if left out.
    #[fcp(alias = "{width}x{height}", alias = "{w}x{h}")]
    size: Option<Size>,
    /// The radius of its corners.
    rx: Option<Unsigned<Length>>,
    /// The size of its letters; 16 if left out.
    text_size: Option<Unsigned<Decimal>>,
    /// The fill of its letters.
    text_fill: Option<Spanned<Text>>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let text = label.get().as_str();
    if text.trim().is_empty() {
        let error = ValueError::sentence("box needs a label").fix("Box");
        return Err(label.wrong(error));
    }
    let site = drawn.site(drawing)?;
    let Some(extent) = position.extent(drawing, site, size.as_ref())? else {
        bail!("box needs size:"; add: "size:100x40")
    };
    let letters = text_fill.map(|fill| paint(drawing, &fill)).transpose()?;
    let mut drawn = drawn;
    let keys = std::mem::take(&mut drawn.style);
    let mut values = properties(&drawing.nodes, BOX, keys.iter(), &[])?;
    if let Some(fill) = property::named("fill").filter(|fill| !gives(&values, fill)) {
        values.insert(0, (fill, FILL.to_owned()));
    }

    let local = position.local_point(drawing, site, extent.size, false)?;
    let (middle, precision) = (
        local.point + extent.size.to_vec2() / 2.0,
        drawing.geometry().precision(),
    );
    let sketch = Sketch {
        element: "g",
        ..Sketch::new(BOX, vec![(MADE, BOX.to_owned())])
    };
    let group = drawing.draw(sketch, &drawn, site)?;

    let tree = drawing.nodes.tree_mut();
    let mut shape = Element::new(&xml::qualified_like(tree, group, "rect"))?
        .with("x", &local.x)?
        .with("y", &local.y)?
        .with("width", &extent.width)?
        .with("height", &extent.height)?;
    if let Some(rx) = rx {
        shape = shape.with("rx", &rx.to_string())?;
    }
    let shape = xml::insert_element(tree, shape, group, None)?;

    let lines = lines_of(text);
    let size = text_size.map_or(TEXT_SIZE, |size| size.get().get());
    let x = precision.spell(middle.x);
    let text = Element::new(&xml::qualified_like(tree, group, "text"))?
        .with("x", &x)?
        .with("y", &precision.spell(middle.y))?
        .with("text-anchor", "middle")?
        .with("dominant-baseline", "central")?
        .with("font-size", &spell_given(size))?;
    let text = xml::insert_element(tree, text, group, None)?;
    let layout = Layout {
        height: LINE_HEIGHT,
        above: Valign::Middle.above(),
    };
    drawing.write_lines(text, &lines, &x, layout)?;
    drawing.write_styles(&[shape], &values, None)?;
    if let Some(letters) = letters {
        drawing.write_styles(&[text], &[letters], None)?;
    }
    Ok(created!("{}", drawing.summary(&drawing.geometry(), group)))
}

fn gives(values: &[(&'static Property, String)], wanted: &Property) -> bool {
    values.iter().any(|(property, _)| *property == wanted)
}

/// A paint for letters, as files spell it.
fn paint(drawing: &Drawing, given: &Spanned<Text>) -> Result<(&'static Property, String)> {
    let Ok(fill) = property::find("fill") else {
        bail!("there is no property fill")
    };
    let value = style::value(&drawing.nodes, fill, given.get().as_str());
    Ok((fill, value.map_err(|error| given.wrong(error))?))
}
