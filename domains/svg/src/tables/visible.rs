//! The column `visible` of `elements`: whether an element, or something in it, draws anything.

use fcp::format::xml::Element;

use crate::geometry::Geometry;
use crate::model::{NodeId, Nodes};
use crate::style::ComputedStyle;
use crate::tables::paint;

/// The properties of the markers on a line.
const MARKERS: [&str; 3] = ["marker-start", "marker-mid", "marker-end"];

/// Whether an element draws something itself: it is displayed and visible, has a size, and is painted. Clips and masks
/// are left aside.
pub(super) fn draws(
    (nodes, geometry): (&Nodes, &Geometry<'_>),
    (id, element): (NodeId, &Element),
    computed: &ComputedStyle<'_>,
    stroke_width: f64,
) -> bool {
    if !is_shown(computed) {
        return false;
    }
    let Some(found) = geometry.bbox(id) else {
        return false;
    };
    let has_size = found.width() > 0.0 || found.height() > 0.0;
    let has_area = found.width() > 0.0 && found.height() > 0.0;
    let is_stroked = is_painted(nodes, computed, "stroke") && stroke_width > 0.0;
    let is_filled = is_painted(nodes, computed, "fill");
    let is_set = |property: &str| !matches!(computed.value(property).trim(), "" | "none");
    match element.local_name() {
        "image" | "foreignObject" => has_area,
        // Its copies have paints of their own.
        "use" => has_size,
        "text" => has_size && (is_filled || is_stroked),
        "line" | "polyline" | "polygon" | "path" => {
            // A line without length is a dot if it has caps.
            let is_dot = || computed.value("stroke-linecap").trim() != "butt";
            let is_line = element.local_name() == "line";
            is_stroked && (has_size || is_dot())
                || is_filled && has_area && !is_line
                || MARKERS.into_iter().any(is_set)
        }
        _ => is_stroked && has_size || is_filled && has_area,
    }
}

/// Whether a part of a text that is drawn is painted.
pub(super) fn draws_part(nodes: &Nodes, computed: &ComputedStyle<'_>, stroke_width: f64) -> bool {
    let is_painted = |property: &str| is_painted(nodes, computed, property);
    is_shown(computed) && (is_painted("fill") || is_painted("stroke") && stroke_width > 0.0)
}

/// Whether an element that is drawn has elements from an entity, which may draw something.
pub(super) fn draws_entity(nodes: &Nodes, id: NodeId, computed: &ComputedStyle<'_>) -> bool {
    let mut inner = nodes.tree().children(id);
    is_shown(computed) && inner.any(|inner| nodes.draws_by_entity(inner))
}

/// Whether a fill or a stroke has a paint: a colour that is not fully transparent, a paint server that is there, or the
/// fallback of one that is not.
fn is_painted(nodes: &Nodes, computed: &ComputedStyle<'_>, property: &str) -> bool {
    let text = paint(computed.value(property), computed.value("color"));
    let is_color = |text: &str| match text.trim() {
        "" | "none" => false,
        color => !(color.len() == 9 && color.starts_with('#') && color.ends_with("00")),
    };
    let url = text.strip_prefix("url(");
    let Some((server, fallback)) = url.and_then(|url| url.split_once(')')) else {
        return is_color(&text);
    };
    let server = server.trim().trim_matches(['"', '\'']).strip_prefix('#');
    server.is_some_and(|id| is_paint_server(nodes, id)) || is_color(fallback)
}

fn is_shown(computed: &ComputedStyle<'_>) -> bool {
    !computed.is_hidden && computed.value("visibility").trim() == "visible"
}

fn is_paint_server(nodes: &Nodes, id: &str) -> bool {
    let found = nodes.tree().index().first_with_id(id).map(NodeId::new);
    let Some((id, element)) = found.and_then(|id| Some((id, nodes.element(id)?))) else {
        return false;
    };
    let is_href = |name: &str| name == "href" || name.ends_with(":href");
    match element.local_name() {
        "pattern" => true,
        // Without stops it has no colour.
        "linearGradient" | "radialGradient" => {
            let mut inner = nodes.tree().children(id);
            inner.any(|id| nodes.element(id).is_some())
                || element.attrs().iter().any(|attr| is_href(attr.name()))
        }
        _ => false,
    }
}
