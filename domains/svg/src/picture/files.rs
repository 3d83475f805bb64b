//! The image files that a drawing refers to.

use std::collections::BTreeMap;
use std::sync::Arc;

use fcp::session::files::Root;

use crate::model::Drawing;

/// The most bytes of all images of a drawing: 128 MiB.
const MOST_BYTES: u64 = 128 << 20;

/// The content of the image files that a drawing refers to, by the reference: those below the root that are named by a
/// relative path, where the program draws image files at all. Any other is not drawn, and the picture's notes say so.
pub fn images(drawing: &Drawing) -> BTreeMap<String, Arc<Vec<u8>>> {
    let mut images = BTreeMap::new();
    let Some(root) = &drawing.host.images else {
        return images;
    };
    // A root that is gone holds no images.
    let Ok(root) = Root::open(root) else {
        return images;
    };
    let mut left = MOST_BYTES;
    for id in drawing.nodes.elements() {
        let Some(element) = drawing.nodes.element(id) else {
            continue;
        };
        if !matches!(element.local_name(), "image" | "feImage") {
            continue;
        }
        for (name, href) in element.values() {
            if name != "href" && !name.ends_with(":href") {
                continue;
            }
            let href = href.trim();
            if !is_relative(href) || images.contains_key(href) {
                continue;
            }
            let folder = drawing.folder.as_str();
            let path = if folder.is_empty() {
                href.to_owned()
            } else {
                format!("{folder}/{href}")
            };
            if let Ok((bytes, _)) = root.read(&path, left) {
                left = left.saturating_sub(bytes.len() as u64);
                images.insert(href.to_owned(), Arc::new(bytes));
            }
        }
    }
    images
}

/// Whether a reference is a path from the drawing's own folder, and no URL.
fn is_relative(href: &str) -> bool {
    let scheme = href.split(['/', '?', '#']).next().unwrap_or_default();
    !href.is_empty() && !href.starts_with(['/', '\\', '#']) && !scheme.contains(':')
}
