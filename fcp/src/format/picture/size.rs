//! The pixel size of a picture, and the part of the canvas that it shows.

use resvg::{
    tiny_skia::Transform,
    usvg::{self, Node, Tree, roxmltree::Document},
};
use serde::{Deserialize, Serialize};

use super::Error;

/// The largest width in pixels.
pub const WIDEST: u32 = 4096;
/// The largest number of pixels: 16 Mpx.
pub const MOST_PIXELS: u64 = 16 << 20;

/// The size of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Size {
    /// The width in pixels, 1…[`WIDEST`]; the height follows.
    Width(u32),
    /// The number of pixels for each unit of the drawing's own size, above 0.
    Scale(f64),
}

/// A part of the canvas, in the user units of the root's `viewBox`. The corners may come in any order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// One corner: x, y.
    pub from: (f64, f64),
    /// The opposite corner: x, y.
    pub to: (f64, f64),
}

/// The pixels of a picture, and the drawing's transform to them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) transform: Transform,
}

/// The frame for a drawing.
pub(super) fn frame(
    tree: &Tree,
    document: &Document<'_>,
    size: Size,
    region: Option<Region>,
) -> Result<Frame, Error> {
    let whole = (0.0, 0.0, tree.size().width(), tree.size().height());
    let (x, y, across, down) = match region {
        Some(region) => placed(region, &canvas(document)).ok_or(Error::Region)?,
        None => whole,
    };
    // As in the renderer's own program, a drawing's size is rounded up to whole pixels before
    // scaling; that of a region is not.
    let (base_across, base_down) = if region.is_some() {
        (f64::from(across), f64::from(down))
    } else {
        (f64::from(across).ceil(), f64::from(down).ceil())
    };
    let (width, height) = match size {
        Size::Width(width) => (
            f64::from(width),
            up(f64::from(width) * base_down / base_across),
        ),
        Size::Scale(scale) => (up(base_across * scale), up(base_down * scale)),
    };
    let (width, height) = pixels(width, height)?;
    let scale = |pixels: u32, units: f32| pixels as f32 / units;
    let transform =
        Transform::from_scale(scale(width, across), scale(height, down)).pre_translate(-x, -y);
    if !transform.is_finite() {
        return Err(Error::Region);
    }
    Ok(Frame {
        width,
        height,
        transform,
    })
}

/// The next whole number, ignoring rounding errors.
fn up(number: f64) -> f64 {
    (number - 1e-4)
        .ceil()
        .max(if number > 0.0 { 1.0 } else { 0.0 })
}

/// The size as whole numbers, if it is allowed.
fn pixels(width: f64, height: f64) -> Result<(u32, u32), Error> {
    let most = MOST_PIXELS as f64;
    let sound = width >= 1.0 && height >= 1.0;
    if sound && width <= f64::from(WIDEST) && width * height <= most {
        // Both are in 1..=MOST_PIXELS.
        return Ok((width as u32, height as u32));
    }
    let ratio = width / height;
    let fits = (most * ratio).sqrt().min(f64::from(WIDEST)).floor();
    Err(Error::Size {
        // Casts saturate, and make 0 of NaN.
        width: width as u64,
        height: height as u64,
        fits: (sound && ratio.is_finite() && fits >= 1.0).then_some(fits as u32),
    })
}

/// The position of a region in the drawing, as x, y, width and height.
fn placed(region: Region, canvas: &Transform) -> Option<(f32, f32, f32, f32)> {
    let ((x1, y1), (x2, y2)) = (region.from, region.to);
    // Casts of values that are too large give infinities, which make no rectangle.
    let [left, top, right, bottom] =
        [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)].map(|n| n as f32);
    let rect = usvg::NonZeroRect::from_ltrb(left, top, right, bottom)?.transform(*canvas)?;
    Some((rect.x(), rect.y(), rect.width(), rect.height()))
}

/// The transform from canvas units to the drawing's size. The renderer does not expose it, so it is
/// measured on a drawing that has the same root and one square in it.
fn canvas(document: &Document<'_>) -> Transform {
    const DECIDES: [&str; 6] = [
        "font-size",
        "height",
        "preserveAspectRatio",
        "transform",
        "viewBox",
        "width",
    ];
    let mut probe = "<svg xmlns='http://www.w3.org/2000/svg'".to_owned();
    for name in DECIDES {
        if let Some(value) = document.root_element().attribute(name) {
            probe.extend([" ", name, "=\"", &escaped(value), "\""]);
        }
    }
    probe.push_str("><path d='M0 0h1v1z'/></svg>");
    let tree = Tree::from_str(&probe, &usvg::Options::default()).ok();
    tree.as_ref()
        .and_then(|tree| square(tree.root()))
        .unwrap_or_default()
}

fn square(root: &usvg::Group) -> Option<Transform> {
    let mut group = root;
    loop {
        match group.children().first()? {
            Node::Path(path) => return Some(path.abs_transform()),
            Node::Group(inner) => group = inner,
            _ => return None,
        }
    }
}

/// Text escaped for XML, in quotes or between tags. Characters that XML forbids become spaces.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
