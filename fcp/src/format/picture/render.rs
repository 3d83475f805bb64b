//! Renders in this thread. For drawings from others, see
//! [`render_in_worker`](super::render_in_worker).

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use resvg::{
    tiny_skia::{Color, Pixmap},
    usvg::{self, Tree, roxmltree},
};
use serde::{Deserialize, Serialize};

use super::{
    Error, Fonts, Library, Region, Size,
    fonts::Found,
    images::{self, Images},
    size, uses,
};

/// The most elements of the renderer.
const MOST: usize = 1_000_000;

/// The deepest nesting of elements.
const DEEPEST: usize = 1_024;

/// The options of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Its size.
    pub size: Size,
    /// The part of the canvas; all of it if `None`.
    pub region: Option<Region>,
    /// The background color: red, green, blue, opacity; transparent if `None`.
    pub background: Option<[u8; 4]>,
    /// The fonts of texts.
    pub fonts: Fonts,
    /// The content of image files, by their `href` in the SVG. Any other `href` that is not `data:`
    /// is not drawn.
    #[serde(skip)]
    pub images: BTreeMap<String, Arc<Vec<u8>>>,
}

impl Default for Options {
    /// 800 pixels wide, the whole canvas, the bundled fonts, no images.
    fn default() -> Self {
        Self {
            size: Size::Width(800),
            region: None,
            background: None,
            fonts: Fonts::default(),
            images: BTreeMap::new(),
        }
    }
}

/// A rendered picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The encoded picture.
    pub png: Vec<u8>,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Differences from the drawing: missing fonts, images that are not drawn. One note each, at
    /// most 100.
    pub notes: Vec<String>,
}

/// Renders an SVG, plain or gzipped, in this thread. It may take any time and memory: see
/// [`render_in_worker`](super::render_in_worker).
///
/// # Errors
/// The text is not an SVG, the size is out of bounds, or a folder of fonts does not exist.
pub fn render(svg: &[u8], options: &Options) -> Result<Picture, Error> {
    let text = images::text(svg)?;
    let document = images::parse(&text)?;
    uses::check(&document)?;
    let found = Arc::new(Mutex::new(Found::default()));
    let images: Images = options.images.clone();
    let settings = usvg::Options {
        image_href_resolver: images::resolver(images, &found),
        ..Library::of(&options.fonts)?.options(&found)
    };
    let tree = Tree::from_xmltree(&document, &settings);
    let tree = tree.map_err(|error| refused(&error, &document))?;
    let frame = size::frame(&tree, &document, options.size, options.region)?;
    let no_room = || Error::Size {
        width: frame.width.into(),
        height: frame.height.into(),
        fits: None,
    };
    let mut pixels = Pixmap::new(frame.width, frame.height).ok_or_else(no_room)?;
    if let Some([red, green, blue, opacity]) = options.background {
        pixels.fill(Color::from_rgba8(red, green, blue, opacity));
    }
    resvg::render(&tree, frame.transform, &mut pixels.as_mut());
    let png = pixels
        .encode_png()
        .map_err(|error| Error::Svg(error.to_string()))?;
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Picture {
        png,
        width: frame.width,
        height: frame.height,
        notes: std::mem::take(&mut found.notes),
    })
}

/// The deepest nesting of elements in a document.
fn depth(document: &roxmltree::Document<'_>) -> usize {
    let mut depths: HashMap<roxmltree::NodeId, usize> = HashMap::new();
    for node in document.descendants() {
        let above = node.parent().and_then(|outer| depths.get(&outer.id()));
        let own = above.map_or(0, |above| above + 1);
        depths.insert(node.id(), own);
    }
    depths.into_values().max().unwrap_or_default()
}

fn refused(error: &usvg::Error, document: &roxmltree::Document<'_>) -> Error {
    Error::Svg(match error {
        usvg::Error::InvalidSize => "its width, height or viewBox gives no valid size".to_owned(),
        usvg::Error::ElementsLimitReached => "it has more than 1,000,000 elements".to_owned(),
        // The renderer has one error for two limits.
        usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => {
            let elements = document.descendants().filter(roxmltree::Node::is_element);
            let (deep, many) = (depth(document) > DEEPEST, elements.count() > MOST);
            match (deep, many) {
                (true, _) => "more than 1,024 elements lie inside each other".to_owned(),
                (false, true) => "it has more than 1,000,000 elements".to_owned(),
                (false, false) => {
                    "with what its use elements copy it has more than 1,000,000 elements, or \
                          more than 1,024 inside each other"
                        .to_owned()
                }
            }
        }
        usvg::Error::ParsingFailed(error) => error.to_string(),
        error => error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_over_a_limit_is_told_which() {
        let of = |inner: String| {
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">{inner}</svg>"
            )
        };
        let deep = format!("{}{}", "<g>".repeat(1_100), "</g>".repeat(1_100));
        for (inner, expected) in [
            (deep, "more than 1,024 elements lie inside each other"),
            (
                "<g/>".repeat(1_100_000),
                "it has more than 1,000,000 elements",
            ),
            ("<g/>".repeat(4_000_000), "it has more than 4000000 nodes"),
        ] {
            let error = render(of(inner).as_bytes(), &Options::default());
            assert_eq!(error, Err(Error::Svg(expected.to_owned())));
        }
    }
}
