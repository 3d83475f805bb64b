//! Properties without effect on some elements.

use crate::model::{NodeId, Nodes};

/// Shapes without content that could inherit.
const SHAPES: &[&str] = &[
    "rect", "circle", "ellipse", "line", "polyline", "polygon", "path", "image",
];

/// The shapes that markers are drawn on.
const MARKED: &[&str] = &["line", "polyline", "polygon", "path"];

/// Properties without effect on a group, which what it holds does not inherit.
const NOT_OF_GROUPS: &[&str] = &[
    "flood-color",
    "flood-opacity",
    "lighting-color",
    "overflow",
    "stop-color",
    "stop-opacity",
    "vector-effect",
];

/// The beginnings of the names of properties of text.
const OF_TEXT: &[&str] = &[
    "alignment-baseline",
    "baseline-shift",
    "direction",
    "dominant-baseline",
    "font",
    "glyph-orientation",
    "letter-spacing",
    "line-height",
    "text-",
    "unicode-bidi",
    "white-space",
    "word-spacing",
    "writing-mode",
];

/// The units that depend on the font.
const BY_FONT: &[&str] = &["em", "ex", "ch", "lh", "ic", "cap"];

/// Whether a property can affect an element, or what inherits from it.
pub(crate) fn applies(nodes: &Nodes, id: NodeId, property: &str) -> bool {
    let Some(element) = nodes.element(id) else {
        return false;
    };
    let name = element.local_name();
    if name == "g" {
        return !NOT_OF_GROUPS.contains(&property);
    }
    if !SHAPES.contains(&name) {
        return true;
    }
    if property.starts_with("marker") {
        return MARKED.contains(&name);
    }
    if !OF_TEXT.iter().any(|begin| property.starts_with(begin)) || property == "text-rendering" {
        return true;
    }
    let by_font = |value: &str| {
        let mut parts = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        parts.any(|part| {
            let unit = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            unit.len() < part.len() && BY_FONT.iter().any(|known| unit.starts_with(known))
        })
    };
    let mut values = element.values();
    property.starts_with("font")
        && values.any(|(name, value)| !matches!(name, "id" | "class" | "d") && by_font(&value))
}
