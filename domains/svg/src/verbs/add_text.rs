//! `add text`

use fcp::prelude::*;
use fcp::value::{Decimal, Unsigned};
use kurbo::Size;

use crate::draw::{Drawn, LINE_HEIGHT, Position, Sketch, lines_of};
use crate::model::Drawing;
use crate::property;

/// Which part of a text lies at its point.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Valign {
    /// Its upper edge.
    Top,
    /// Its middle.
    Middle,
    /// Its lower edge.
    Bottom,
}

/// Write a text; `\n` begins another line.
///
/// Styles are `size`, `font`, `weight`, `anchor:start|middle|end`, `fill` and all others.
///
/// ```fcp
/// add text "JAZZ\nNIGHT" id:headline at:300,560 size:96 weight:bold anchor:middle fill:white
/// > + text headline @(300,560) middle 2 lines "JAZZ / NIGHT" white
/// add text Hi at:10,20 italic:on
/// > + text text~2 @(10,20) "Hi"
/// add text ""
/// > ! text needs a character
/// >   try: add text Text
/// ```
#[fcp_verb(category = "Draw", alias = "text")]
pub fn add_text(
    drawing: &mut Drawing,
    /// What it says.
    #[fcp(positional)]
    content: Spanned<Text>,
    /// Slanted.
    italic: Option<Switch>,
    /// Which part of it lies at its point; the base line if left out.
    valign: Option<Valign>,
    /// From line to line, as a multiple of the font's size; 1.2 if left out.
    line_height: Option<Unsigned<Decimal>>,
    #[fcp(flatten)] position: Position,
    #[fcp(flatten)] drawn: Drawn,
) -> Result<Reply> {
    let text = content.get().as_str();
    if text.trim().is_empty() {
        return Err(content.wrong(ValueError::sentence("text needs a character").fix("Text")));
    }
    let site = drawn.site(drawing)?;
    let stand = position.stand(drawing, site, Size::ZERO, true)?;
    let words = format!("text:{}", fcp::op::quote_value(text));
    let x = stand.x.clone();
    let attrs = vec![("x", stand.x), ("y", stand.y)];
    let mut sketch = Sketch::new("text", attrs, words);
    let slant = italic.map(|italic| if italic.0 { "italic" } else { "normal" });
    let base = valign.map(|valign| match valign {
        Valign::Top => "text-before-edge",
        Valign::Middle => "central",
        Valign::Bottom => "text-after-edge",
    });
    for (name, value) in [("font-style", slant), ("dominant-baseline", base)] {
        if let (Some(property), Some(value)) = (property::named(name), value) {
            sketch.properties.push((property, value.to_owned()));
        }
    }
    let id = drawing.draw(sketch, &drawn, site)?;
    let height = line_height.map_or(LINE_HEIGHT, |height| height.get().get());
    drawing.write_lines(id, &lines_of(text), &x, height)?;
    Ok(created!("{}", drawing.told(&drawing.geometry(), id)))
}
