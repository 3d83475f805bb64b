//! Definitions that follow an element's transform, but not its geometry.

use crate::geometry::Geometry;
use crate::model::reference::{targets, url_ids};
use crate::model::{Drawing, NodeId};

/// The properties with definitions that may use the element's own system.
const PAINTERS: [&str; 5] = ["clip-path", "mask", "filter", "fill", "stroke"];

/// The maximum number of gradients or patterns that refer to each other.
const MOST: usize = 20;

/// Whether something of an element is drawn by a definition in the element's own system, so that it
/// would be left behind if the geometry moved.
pub(super) fn in_own_system(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> bool {
    let nodes = &drawing.nodes;
    let spans = nodes
        .is_called(id, "text")
        .then(|| nodes.tree().descendants(id));
    let spans = spans.into_iter().flatten();
    let spans = spans.filter(|id| nodes.element(*id).is_some());
    std::iter::once(id).chain(spans).any(|id| {
        PAINTERS.iter().any(|property| {
            let value = match *property {
                "fill" | "stroke" => geometry.inherited_word(id, property),
                _ => geometry.own_word(id, property),
            };
            let value = value.filter(|value| value.contains("url("));
            let targets = value.map_or(Vec::new(), |value| url_ids(&value));
            targets.iter().any(|target| is_fixed(drawing, target))
        })
    })
}

/// Whether a definition uses the system of the element that refers to it.
fn is_fixed(drawing: &Drawing, id: &str) -> bool {
    let nodes = &drawing.nodes;
    let first = |id: &str| nodes.tree().index().first_with_id(id).map(NodeId::new);
    let Some(definition) = first(id) else {
        return false;
    };
    let has = |id: NodeId, name: &str, value: &str| {
        nodes.attr(id, name).is_some_and(|own| own.trim() == value)
    };
    let in_user = |name: &str| has(definition, name, "userSpaceOnUse");
    let in_box = |name: &str| has(definition, name, "objectBoundingBox");
    let Some(element) = nodes.element(definition) else {
        return false;
    };
    match element.local_name() {
        "clipPath" => !in_box("clipPathUnits"),
        "mask" => in_user("maskUnits") || !in_box("maskContentUnits"),
        "filter" => {
            let placed = |id: NodeId| {
                let at = ["x", "y", "width", "height", "pointsAtX"];
                at.iter().any(|name| nodes.attr(id, name).is_some())
            };
            let mut inner = nodes.tree().descendants(definition);
            in_user("filterUnits") || !in_box("primitiveUnits") && inner.any(placed)
        }
        "linearGradient" | "radialGradient" | "pattern" => {
            let units = match element.local_name() {
                "pattern" => "patternUnits",
                _ => "gradientUnits",
            };
            let mut at = Some(definition);
            for _ in 0..MOST {
                let Some(one) = at else { break };
                if let Some(own) = nodes.attr(one, units) {
                    return own.trim() == "userSpaceOnUse";
                }
                let next = nodes.element(one).map(targets).unwrap_or_default();
                at = next.first().and_then(|id| first(id));
            }
            false
        }
        _ => false,
    }
}
