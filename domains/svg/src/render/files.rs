//! Image files that a drawing refers to.

use std::collections::BTreeMap;
use std::sync::Arc;

use fcp::session::files::Root;

use crate::model::Drawing;

/// The maximum total size of a drawing's images, in bytes: 128 MiB.
const MOST_BYTES: u64 = 128 << 20;

/// The contents of the image files that a drawing refers to, by reference. Only relative paths
/// below the root count, and only if the program draws image files at all. Other images are not
/// drawn, and the picture's notes report them.
pub fn images(drawing: &Drawing) -> BTreeMap<String, Arc<Vec<u8>>> {
    let mut images = BTreeMap::new();
    let Some(root) = &drawing.host.images else {
        return images;
    };
    // A root that does not exist has no images.
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

/// Whether a reference is a path relative to the drawing's folder, not a URL.
fn is_relative(href: &str) -> bool {
    let scheme = href.split(['/', '?', '#']).next().unwrap_or_default();
    !href.is_empty() && !href.starts_with(['/', '\\', '#']) && !scheme.contains(':')
}
