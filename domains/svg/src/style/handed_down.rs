//! Tells of the properties that an op wrote on moved elements.

use fcp::format::xml::Element;
use fcp::model::TreeChange;
use rustc_hash::FxHashMap;

use crate::model::{Drawing, DrawingEvent, NodeId};
use crate::property;
use crate::syntax::effective::effective;

/// The most lines.
const TOLD: usize = 5;

/// The lines about the properties written on moved elements, so that they keep their appearance:
/// `* x1: fill:maroon (attr)`. `edited` holds the elements that the op edited, as they were.
pub(super) fn handed_down(
    drawing: &Drawing,
    changes: &[DrawingEvent],
    edited: &FxHashMap<NodeId, &Element>,
) -> Vec<String> {
    let moved = changes.iter().filter_map(|change| match change {
        DrawingEvent::Nodes(TreeChange::Moved { id, from, to }) if from.parent != to.parent => {
            Some(NodeId::new(*id))
        }
        _ => None,
    });
    let written = |id: NodeId| {
        let (before, after) = (edited.get(&id)?, drawing.nodes.element(id)?);
        let declared = |element: &Element| {
            let style = element.attr("style").unwrap_or_default();
            let all = effective(&style).map(|one| (one.name.to_owned(), one.value.to_owned()));
            all.collect::<Vec<_>>()
        };
        let is_style = |name: &str| property::named(name).is_some_and(|known| known.inherited);
        let new = after.values().filter(|(name, value)| {
            is_style(name) && before.attr(name).is_none_or(|before| before != *value)
        });
        let new: Vec<String> = new.map(|(name, value)| format!("{name}:{value}")).collect();
        let mut places = Vec::new();
        if !new.is_empty() {
            places.push(format!("{} (attr)", new.join(" ")));
        }
        let known = declared(before);
        let new = declared(after).into_iter();
        let new = new.filter(|one| is_style(&one.0) && !known.contains(one));
        let new: Vec<String> = new.map(|(name, value)| format!("{name}:{value}")).collect();
        if !new.is_empty() {
            places.push(format!("{} (style)", new.join(" ")));
        }
        (!places.is_empty()).then(|| places.join(", "))
    };
    let mut told: Vec<(String, Vec<NodeId>)> = Vec::new();
    for id in moved {
        let Some(text) = written(id) else { continue };
        match told.last_mut().filter(|(known, _)| *known == text) {
            Some((_, ids)) => ids.push(id),
            None => told.push((text, vec![id])),
        }
    }
    let more: usize = told.iter().skip(TOLD).map(|(_, ids)| ids.len()).sum();
    let told = told.into_iter().take(TOLD);
    let lines = told.map(|(text, ids)| format!("* {}: {text}", drawing.names_of(&ids)));
    let mut lines: Vec<String> = lines.collect();
    if more > 0 {
        lines.push(format!("* … {more} more"));
    }
    lines
}
