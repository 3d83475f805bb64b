//! `add text`

use fcp::prelude::*;
use fcp::value::{Decimal, Length, Unsigned};
use kurbo::Size;

use crate::create::{Drawn, Position, Sketch, WRAP};
use crate::model::{Drawing, NodeId};
use crate::property;
use crate::values::{Valign, Wrapping};

/// Write a text; `\n` begins another line.
///
/// Styles are `size`, `font`, `weight`, `anchor:start|middle|end`, `fill` and all others. What is broken by `wrap:` is
/// broken again when `modify` changes the text or its size.
///
/// ```fcp
/// add text "JAZZ\nNIGHT" id:headline at:300,560 size:96 weight:bold anchor:middle fill:white
/// > + text headline @(300,560) middle 2 lines "JAZZ / NIGHT" white
/// add text Hi at:10,20 italic:on
/// > + text text~2 @(10,20) "Hi"
/// add text "The quick brown fox" id:fox at:10,100 wrap:90
/// > + text fox @(10,100) 2 lines "The quick / brown fox"
/// # add path id:curve d:"M0 50 Q50 0 100 50"
/// add text "Hello World" to:path:curve start-offset:10%
/// > + text text~4 on curve "Hello World"
/// ? svg text~4
/// > <text><textPath href="#curve" startOffset="10%">Hello World</textPath></text>
/// add text Hi to:fox
/// > ! fox is a text, which no text can follow
/// >   try: add text Hi to:curve
/// add text ""
/// > ! text needs a character
/// >   try: add text Text
/// ```
#[fcp_verb(category = "Draw", alias = "text")]
pub fn add_text(
    drawing: &mut Drawing,
    /// Its text.
    #[fcp(positional)]
    content: Spanned<Text>,
    /// Slanted.
    italic: Option<Switch>,
    /// Which part of it lies at its point; the base line if left out.
    valign: Option<Valign>,
    /// From line to line, as a multiple of the font's size; 1.2 if left out.
    line_height: Option<Unsigned<Decimal>>,
    /// The width that lines are broken at, by what they measure, or none.
    wrap: Option<Wrapping>,
    /// The path that it follows, instead of a place.
    to: Option<Spanned<Row>>,
    /// The place on that path at which it begins: a length, or a share of the path.
    start_offset: Option<Spanned<Length>>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let text = content.get().as_str();
    if text.trim().is_empty() {
        return Err(content.wrong(ValueError::sentence("text needs a character").fix("Text")));
    }
    let site = drawn.site(drawing)?;
    let slant = italic.map(|italic| if italic.0 { "italic" } else { "normal" });
    let base = valign.map(Valign::baseline);
    let width = wrap.as_ref().and_then(Wrapping::width);
    let styled = |mut sketch: Sketch| {
        for (name, value) in [("font-style", slant), ("dominant-baseline", base)] {
            if let (Some(property), Some(value)) = (property::named(name), value) {
                sketch.properties.push((property, value.to_owned()));
            }
        }
        sketch
    };
    if let Some(to) = &to {
        if width.is_some() || line_height.is_some() || text.contains('\n') {
            let line = fcp::op::quote(&text.replace('\n', " ")).into_owned();
            let name = drawing.nodes.name(NodeId::new(to.get().id()));
            bail!("a text on a path has one line"; try: "add text {line} to:{name}")
        }
        if !position.is_open() {
            bail!("to: sets the position; drop at:, center:, near:")
        }
        let path = drawing.followed(to)?;
        let sketch = styled(Sketch::new("text", Vec::new()));
        let id = drawing.draw(sketch, &drawn, site)?;
        let offset = start_offset.map(|offset| offset.get().to_string());
        drawing.write_along(id, path, offset.as_deref(), text)?;
        return Ok(created!("{}", drawing.summary(&drawing.geometry(), id)));
    }
    if let Some(offset) = start_offset {
        return Err(offset.wrong(ValueError::sentence("start-offset: needs to:, the path")));
    }
    let local = position.local_point(drawing, site, Size::ZERO, true)?;
    let x = local.x.clone();
    let mut attrs = vec![("x", local.x), ("y", local.y)];
    attrs.extend(width.map(|width| (WRAP, width.to_string())));
    let id = drawing.draw(styled(Sketch::new("text", attrs)), &drawn, site)?;
    let mut layout = drawing.layout(id);
    if let Some(height) = &line_height {
        layout.height = height.get().get();
    }
    let lines = drawing.broken(id, text)?;
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    drawing.write_lines(id, &lines, &x, layout)?;
    Ok(created!("{}", drawing.summary(&drawing.geometry(), id)))
}
