//! Kinds of elements: their names in replies and references.

use std::sync::LazyLock;

use fcp::format::xml::Node;
use fcp::model::Sort;
use rustc_hash::FxHashMap;

/// The elements that draw nothing, whatever refers to them.
pub const UNDRAWN: &[&str] = &["title", "desc", "metadata", "style", "script", "defs"];

/// The attributes by which a switch chooses among its children (SVG 2, section 5.7).
pub const CONDITIONS: &[&str] = &["systemLanguage", "requiredExtensions", "requiredFeatures"];

/// The role of a kind of element in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Is drawn.
    Graphic,
    /// Contains drawn elements.
    Container,
    /// Is drawn only if something refers to it.
    Definition,
    /// Belongs to another element, or is not drawn.
    Part,
}

/// A kind of element.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The word for it: `circle`, `group`.
    pub name: &'static str,
    /// The element's local name: `circle`, `g`.
    pub element: &'static str,
    /// Its role.
    pub role: Role,
}

impl Kind {
    /// Whether the content of such an element is drawn only if something refers to it.
    #[must_use]
    pub const fn defines(&self) -> bool {
        matches!(self.role, Role::Definition)
    }
}

/// The kinds of elements (SVG 2, appendix F), by role. Any other element is a part, named by its
/// local name.
pub const KINDS: &[Kind] = &[
    graphic("rect", "rect"),
    graphic("circle", "circle"),
    graphic("ellipse", "ellipse"),
    graphic("line", "line"),
    graphic("polyline", "polyline"),
    graphic("polygon", "polygon"),
    graphic("path", "path"),
    graphic("text", "text"),
    graphic("image", "image"),
    graphic("use", "use"),
    container("group", "g"),
    container("a", "a"),
    container("switch", "switch"),
    container("svg", "svg"),
    definition("gradient", "linearGradient"),
    definition("gradient", "radialGradient"),
    definition("pattern", "pattern"),
    definition("filter", "filter"),
    definition("marker", "marker"),
    definition("symbol", "symbol"),
    definition("clip", "clipPath"),
    definition("mask", "mask"),
    part("defs"),
    part("tspan"),
    part("textPath"),
    part("stop"),
    part("style"),
    part("title"),
    part("desc"),
    part("metadata"),
    part("script"),
    part("view"),
    part("foreignObject"),
    part("animate"),
    part("animateMotion"),
    part("animateTransform"),
    part("set"),
    part("mpath"),
    part("feBlend"),
    part("feColorMatrix"),
    part("feComponentTransfer"),
    part("feComposite"),
    part("feConvolveMatrix"),
    part("feDiffuseLighting"),
    part("feDisplacementMap"),
    part("feDistantLight"),
    part("feDropShadow"),
    part("feFlood"),
    part("feFuncA"),
    part("feFuncB"),
    part("feFuncG"),
    part("feFuncR"),
    part("feGaussianBlur"),
    part("feImage"),
    part("feMerge"),
    part("feMergeNode"),
    part("feMorphology"),
    part("feOffset"),
    part("fePointLight"),
    part("feSpecularLighting"),
    part("feSpotLight"),
    part("feTile"),
    part("feTurbulence"),
];

/// A group that drawing programs show as a layer.
pub const LAYER: &str = "layer";
/// A group of a shape and its label.
pub const BOX: &str = "box";
/// A group of the line between two objects and its label.
pub const LINK: &str = "link";
/// The DOCTYPE.
pub const DOCTYPE: &str = "doctype";
/// An entity that the DOCTYPE declares.
pub const ENTITY: &str = "entity";
/// The kind of an element of another namespace, or one that is not in SVG.
pub const FOREIGN: &str = "element";

/// The words that can qualify a name: `circle:dot`.
pub const SORTS: &[Sort] = &[
    sort("rect", "rects", &["rectangle"]),
    sort("circle", "circles", &[]),
    sort("ellipse", "ellipses", &[]),
    sort("line", "lines", &[]),
    sort("polyline", "polylines", &[]),
    sort("polygon", "polygons", &[]),
    sort("path", "paths", &[]),
    sort("text", "texts", &[]),
    sort("image", "images", &[]),
    sort("use", "uses", &[]),
    sort("group", "groups", &["g"]),
    sort(LAYER, "layers", &[]),
    sort(BOX, "boxes", &[]),
    sort(LINK, "links", &[]),
    sort("a", "anchors", &["anchor"]),
    sort("switch", "switches", &[]),
    sort("svg", "nested drawings", &[]),
    sort(
        "gradient",
        "gradients",
        &["linearGradient", "radialGradient"],
    ),
    sort("pattern", "patterns", &[]),
    sort("filter", "filters", &[]),
    sort("marker", "markers", &[]),
    sort("symbol", "symbols", &[]),
    sort("clip", "clips", &["clipPath"]),
    sort("mask", "masks", &[]),
    sort(DOCTYPE, "doctypes", &[]),
    sort(ENTITY, "entities", &[]),
];

const fn graphic(name: &'static str, element: &'static str) -> Kind {
    Kind {
        name,
        element,
        role: Role::Graphic,
    }
}

const fn container(name: &'static str, element: &'static str) -> Kind {
    Kind {
        name,
        element,
        role: Role::Container,
    }
}

const fn definition(name: &'static str, element: &'static str) -> Kind {
    Kind {
        name,
        element,
        role: Role::Definition,
    }
}

const fn part(element: &'static str) -> Kind {
    Kind {
        name: element,
        element,
        role: Role::Part,
    }
}

const fn sort(name: &'static str, plural: &'static str, aliases: &'static [&'static str]) -> Sort {
    Sort {
        name,
        plural,
        aliases,
    }
}

/// The kind of SVG elements with a local name.
#[must_use]
pub fn of_element(local: &str) -> Option<&'static Kind> {
    static BY_ELEMENT: LazyLock<FxHashMap<&str, &Kind>> =
        LazyLock::new(|| KINDS.iter().map(|kind| (kind.element, kind)).collect());
    BY_ELEMENT.get(local).copied()
}

/// Whether the content of elements with this local name is drawn only if something refers to it.
#[must_use]
pub fn holds_definitions(local: &str) -> bool {
    local == "defs" || of_element(local).is_some_and(Kind::defines)
}

/// Whether a node is a style sheet.
pub(super) fn is_sheet(node: &Node) -> bool {
    let element = node.element();
    element.is_some_and(|element| element.local_name() == "style")
}

/// The geometry attributes of a kind of element that can be animated smoothly.
#[must_use]
pub fn geometry_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "rect" => &["x", "y", "width", "height", "rx", "ry"],
        "circle" => &["cx", "cy", "r"],
        "ellipse" => &["cx", "cy", "rx", "ry"],
        "line" => &["x1", "y1", "x2", "y2"],
        "polyline" | "polygon" => &["points"],
        "path" => &["d"],
        "text" | "tspan" => &["x", "y", "dx", "dy"],
        "image" | "use" | "svg" => &["x", "y", "width", "height"],
        "gradient" => &["x1", "y1", "x2", "y2", "cx", "cy", "r", "fx", "fy"],
        "stop" => &["offset"],
        "pattern" | "filter" | "mask" => &["x", "y", "width", "height"],
        "feGaussianBlur" => &["stdDeviation"],
        "feOffset" | "feDropShadow" => &["dx", "dy", "stdDeviation"],
        "feTurbulence" => &["baseFrequency"],
        _ => &[],
    }
}
