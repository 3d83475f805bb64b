//! `measure`

use fcp::format::picture::{self, Library, TextStyle};
use fcp::prelude::*;
use fcp::value::{Decimal, Unsigned};

use crate::create::LINE_HEIGHT;
use crate::model::Drawing;
use crate::syntax::number::spell_within;
use crate::values::Weight;

/// Say how large a text would be: width and height, from its base line up and down, and its lines if there are several.
///
/// ```fcp
/// ? measure Hello
/// > 40.6x18.6 ascent 14.9 descent 3.8 DejaVu Sans
/// ? measure "Save changes" size:20 weight:bold wrap:90
/// > 93.6x47.3 ascent 18.6 descent 4.7 DejaVu Sans
/// > 54.5 "Save"
/// > 93.6 "changes"
/// ? measure Hi font:Futura
/// > 16.5x18.6 ascent 14.9 descent 3.8 DejaVu Sans
/// > ? no font "Futura", drawn in DejaVu Sans
/// ```
#[fcp_query]
pub fn measure(
    drawing: &Drawing,
    /// The text.
    #[fcp(positional)]
    text: Text,
    /// The size of the font, in user units; 16 if left out.
    size: Option<Unsigned<Decimal>>,
    /// Families of fonts, by preference.
    font: Option<Text>,
    /// Its weight.
    weight: Option<Weight>,
    /// The width that lines are broken at.
    wrap: Option<Unsigned<Decimal>>,
) -> Result<Vec<String>> {
    let refused = |error: picture::Error| Diagnostic::new(error.to_string());
    let library = Library::of(&drawing.host.fonts).map_err(refused)?;
    let usual = TextStyle::default();
    let style = TextStyle {
        family: font.map_or(usual.family, |font| font.as_str().to_owned()),
        size: size.map_or(usual.size, |size| size.get().get()),
        weight: weight.map_or(usual.weight, |weight| weight.get()),
        italic: false,
    };
    let wrap = wrap.map(|wrap| wrap.get().get());
    let found = picture::measure(&library, text.as_str(), &style, wrap).map_err(refused)?;
    // The error is relative to the font size, so small texts are as precise as large ones.
    let off = (style.size / 200.0).clamp(1e-8, 0.05);
    let spelled = |number: f64| spell_within(number, off);
    let between = style.size * LINE_HEIGHT * found.lines.len().saturating_sub(1) as f64;
    let mut lines = vec![format!(
        "{}x{} ascent {} descent {} {}",
        spelled(found.width),
        spelled(found.ascent + found.descent + between),
        spelled(found.ascent),
        spelled(found.descent),
        found.family
    )];
    if found.lines.len() > 1 {
        let widths = found.lines.iter();
        lines.extend(widths.map(|line| format!("{} {:?}", spelled(line.width), line.text)));
    }
    lines.extend(found.notes.iter().map(|note| format!("? {note}")));
    Ok(lines)
}
