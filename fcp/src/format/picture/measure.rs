//! Measures texts with the renderer's own shaper: a text is laid out as in a drawing, and its box
//! is read.

use std::sync::{Arc, Mutex, PoisonError};

use resvg::usvg::{self, Node, Tree};
use unicode_linebreak::linebreaks;

use super::{Error, Library, fonts::Found, placed, size::escaped};
use crate::work;

/// The most characters that are measured at once.
pub const LONGEST_TEXT: usize = 20_000;
/// The largest font size.
const LARGEST: f64 = 100_000.0;

/// The style of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStyle {
    /// Families as in `font-family`, in order of preference; empty for the default.
    pub family: String,
    /// The font size in user units, above 0, at most 100,000.
    pub size: f64,
    /// 1…1000; 400 is regular, 700 bold.
    pub weight: u16,
    /// Italic, if the family has such a font.
    pub italic: bool,
}

impl Default for TextStyle {
    /// 16 units of the default family, regular.
    fn default() -> Self {
        Self {
            family: String::new(),
            size: 16.0,
            weight: 400,
            italic: false,
        }
    }
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its text, without the spaces where it was broken.
    pub text: String,
    /// Its advance width, in user units.
    pub width: f64,
}

/// The measurements of a text, in user units.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The width of the widest line.
    pub width: f64,
    /// The height above the baseline of a line, of the tallest font used.
    pub ascent: f64,
    /// The depth below the baseline of a line, of the deepest font used.
    pub descent: f64,
    /// The family chosen for the style. Characters that it lacks are drawn with others.
    pub family: String,
    /// Differences from the style: `no font "Futura", drawn in DejaVu Sans`.
    pub notes: Vec<String>,
    /// The lines, at least one.
    pub lines: Vec<Line>,
}

/// The point of a line that is placed at the text's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Its start.
    #[default]
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// An area, in user units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Its left.
    pub x: f64,
    /// Its top.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// The box of a measured text whose first baseline is at `at`: from advance width, ascent and
/// descent. `leading` is the distance between baselines.
#[must_use]
pub fn text_box(text: &Measured, at: (f64, f64), anchor: Anchor, leading: f64) -> Rect {
    let left = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => text.width / 2.0,
        Anchor::End => text.width,
    };
    let between = leading * text.lines.len().saturating_sub(1) as f64;
    Rect {
        x: at.0 - left,
        y: at.1 - text.ascent,
        width: text.width,
        height: text.ascent + text.descent + between,
    }
}

/// Measures a text. Its line breaks are kept. With `wrap` it is also broken if a line would exceed
/// that width in user units, at places that Unicode allows; a part that cannot be broken sticks
/// out.
///
/// # Errors
/// The text is longer than [`LONGEST_TEXT`], or the size is out of bounds.
pub fn measure(
    library: &Arc<Library>,
    text: &str,
    style: &TextStyle,
    wrap: Option<f64>,
) -> Result<Measured, Error> {
    if text.chars().nth(LONGEST_TEXT).is_some() {
        let message = format!("a text of more than {LONGEST_TEXT} characters is not measured");
        return Err(Error::Text(message));
    }
    if !(style.size > 0.0 && style.size <= LARGEST) {
        let message = format!("a font of size {} cannot be measured", style.size);
        return Err(Error::Text(message));
    }
    let ruler = Ruler::new(library, style);
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match wrap {
            Some(width) => ruler.wrap(line, width, &mut lines)?,
            None => lines.push(line.to_owned()),
        }
    }
    let texts: Vec<&str> = lines.iter().map(String::as_str).collect();
    let laid = ruler.lay(&texts)?;
    let mut found = ruler.found.lock().unwrap_or_else(PoisonError::into_inner);
    let most = |of: fn(&Laid) -> f64| laid.iter().map(of).fold(0.0, f64::max);
    Ok(Measured {
        width: most(|line| line.width),
        ascent: most(|line| line.ascent),
        descent: most(|line| line.descent),
        family: std::mem::take(&mut found.family),
        notes: std::mem::take(&mut found.notes),
        lines: lines
            .into_iter()
            .zip(&laid)
            .map(|(text, laid)| Line {
                text,
                width: laid.width,
            })
            .collect(),
    })
}

/// Lays out texts in one style.
struct Ruler {
    options: usvg::Options<'static>,
    found: Arc<Mutex<Found>>,
    style: String,
}

/// The measurements of a line.
#[derive(Clone, Copy, Default)]
struct Laid {
    width: f64,
    ascent: f64,
    descent: f64,
}

impl Ruler {
    fn new(library: &Arc<Library>, style: &TextStyle) -> Self {
        let found = Arc::new(Mutex::new(Found::default()));
        let family = if style.family.trim().is_empty() {
            String::new()
        } else {
            format!(" font-family=\"{}\"", escaped(&style.family))
        };
        let slant = if style.italic { "italic" } else { "normal" };
        let (size, weight) = (style.size, style.weight);
        Self {
            options: library.options(&found),
            found,
            style: format!(
                "font-size='{size}' font-weight='{weight}' font-style='{slant}'{family}"
            ),
        }
    }

    /// Measures each of these texts. A blank one has the usual height, and only the width of its
    /// whitespace.
    fn lay(&self, texts: &[&str]) -> Result<Vec<Laid>, Error> {
        let steps = texts.iter().map(|text| placed::steps_of(text));
        work::spend(steps.sum()).map_err(|spent| Error::Text(spent.to_string()))?;
        let mut svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><g xml:space='preserve' {}><text id='xx'>xx</text>",
            self.style
        );
        for (at, text) in texts.iter().enumerate() {
            let mut text = escaped(text);
            // The renderer drops texts of nothing but whitespace.
            if blank(&text) {
                text = format!("x{text}x");
            }
            svg.push_str(&format!("<text id='{at}'>{text}</text>"));
        }
        svg.push_str("</g></svg>");
        let tree = Tree::from_str(&svg, &self.options)
            .map_err(|error| Error::Text(format!("the text cannot be measured: {error}")))?;
        let laid = |id: &str| match tree.node_by_id(id) {
            Some(Node::Text(text)) => {
                let bounds = text.bounding_box();
                Some(Laid {
                    width: f64::from(bounds.width()),
                    ascent: -f64::from(bounds.top()),
                    descent: f64::from(bounds.bottom()),
                })
            }
            _ => None,
        };
        let frame = laid("xx").unwrap_or_default();
        let lines = texts.iter().enumerate().map(|(at, text)| {
            let laid = laid(&at.to_string()).unwrap_or_default();
            let framed = if blank(&escaped(text)) {
                frame.width
            } else {
                0.0
            };
            Laid {
                width: (laid.width - framed).max(0.0),
                ..laid
            }
        });
        Ok(lines.collect())
    }

    /// Wraps a line.
    fn wrap(&self, line: &str, width: f64, lines: &mut Vec<String>) -> Result<(), Error> {
        let mut from = 0;
        let ends: Vec<usize> = linebreaks(line).map(|(end, _)| end).collect();
        let pieces = ends.iter().filter_map(|&end| {
            let piece = line.get(from..end);
            from = end;
            piece
        });
        let pieces: Vec<&str> = pieces.collect();
        let shown = pieces.iter().map(|piece| piece.trim_end_matches(' '));
        let full = self.lay(&pieces)?;
        let shown = self.lay(&shown.collect::<Vec<_>>())?;
        let mut rest = 0;
        while rest < pieces.len() {
            let mut advance = 0.0;
            let mut fitting = 0;
            for (full, shown) in full.iter().zip(&shown).skip(rest) {
                if fitting > 0 && advance + shown.width > width {
                    break;
                }
                advance += full.width;
                fitting += 1;
            }
            // The width of joined pieces may differ from the sum of their widths: the whole
            // decides.
            let mut text = taken(&pieces, rest, fitting);
            while fitting > 1 && self.lay(&[&text])?.iter().any(|laid| laid.width > width) {
                fitting -= 1;
                text = taken(&pieces, rest, fitting);
            }
            lines.push(text);
            rest += fitting.max(1);
        }
        if pieces.is_empty() {
            lines.push(String::new());
        }
        Ok(())
    }
}

fn blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// `count` pieces as one line.
fn taken(pieces: &[&str], from: usize, count: usize) -> String {
    let mut text: String = pieces.iter().skip(from).take(count).copied().collect();
    text.truncate(text.trim_end_matches(' ').len());
    text
}
