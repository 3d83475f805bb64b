//! The images in a drawing: from `data:`, or from those given. Never from a disk or a network.

use std::{
    collections::BTreeMap,
    io::Read,
    sync::{Arc, Mutex, PoisonError},
};

use flate2::read::GzDecoder;
use resvg::usvg::{
    ImageHrefResolver, ImageKind, Options,
    roxmltree::{self, Document, ParsingOptions},
};

use super::{Error, fonts::Found, uses};

/// The largest size of an uncompressed SVG: 128 MiB.
const UNPACKED: u64 = 128 << 20;
/// The largest number of nodes in a document.
const NODES: u32 = 4_000_000;

/// The given images, by the `href` that refers to them.
pub(super) type Images = BTreeMap<String, Arc<Vec<u8>>>;

/// A resolver of `images` that notes in `found` what it does not draw.
pub(super) fn resolver(images: Images, found: &Arc<Mutex<Found>>) -> ImageHrefResolver<'static> {
    let (data_found, name_found) = (Arc::clone(found), Arc::clone(found));
    ImageHrefResolver {
        resolve_data: Box::new(move |mime, data, options| {
            let drawn = draw(mime, data, options);
            if drawn.is_none() {
                note(
                    &data_found,
                    "an embedded image cannot be read, not drawn".to_owned(),
                );
            }
            drawn
        }),
        resolve_string: Box::new(move |href, options| {
            let Some(data) = images.get(href) else {
                note(
                    &name_found,
                    format!("image \"{href}\" is not embedded, not drawn"),
                );
                return None;
            };
            // A type that leaves the decision to the content.
            let drawn = draw("text/plain", Arc::clone(data), options);
            if drawn.is_none() {
                note(
                    &name_found,
                    format!("image \"{href}\" cannot be read, not drawn"),
                );
            }
            drawn
        }),
    }
}

fn note(found: &Mutex<Found>, note: String) {
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    found.note(note);
}

fn draw(mime: &str, data: Arc<Vec<u8>>, options: &Options<'_>) -> Option<ImageKind> {
    // A nested drawing has the same limits.
    let nested = mime == "image/svg+xml" || (mime == "text/plain" && !is_raster(&data));
    let data = if nested {
        let text = text(&data).ok()?;
        uses::check(&parse(&text).ok()?).ok()?;
        Arc::new(text.into_bytes())
    } else {
        data
    };
    (ImageHrefResolver::default_data_resolver())(mime, data, options)
}

fn is_raster(data: &[u8]) -> bool {
    let starts = [
        &b"\x89PNG\r\n\x1a\n"[..],
        b"\xff\xd8\xff",
        b"GIF87a",
        b"GIF89a",
    ];
    starts.iter().any(|start| data.starts_with(start))
        || (data.starts_with(b"RIFF") && data.get(8..12) == Some(b"WEBP"))
}

/// The text of an SVG, decompressed if necessary.
pub(super) fn text(svg: &[u8]) -> Result<String, Error> {
    let bytes = if svg.starts_with(&[0x1f, 0x8b]) {
        let mut bytes = Vec::new();
        GzDecoder::new(svg)
            .take(UNPACKED + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Error::Svg(format!("it cannot be unpacked: {error}")))?;
        if bytes.len() as u64 > UNPACKED {
            return Err(Error::Svg(format!(
                "it unpacks to more than {} MiB",
                UNPACKED >> 20
            )));
        }
        bytes
    } else {
        svg.to_vec()
    };
    String::from_utf8(bytes).map_err(|_| Error::Svg("it is not UTF-8".to_owned()))
}

/// The tree of an SVG.
pub(super) fn parse(text: &str) -> Result<Document<'_>, Error> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: NODES,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        Error::Svg(match error {
            roxmltree::Error::EntityReferenceLoop(at) => {
                format!("entities refer to entities too often, at {at}")
            }
            roxmltree::Error::NodesLimitReached => format!("it has more than {NODES} nodes"),
            error => error.to_string(),
        })
    })
}
