//! The outline of a drawing, line by line.

use crate::connectors::Link;
use crate::geometry::Geometry;
use crate::model::kind::{BOX, LINK, Role, of_element};
use crate::model::{Drawing, NodeId, Nodes};
use crate::style::Styles;

/// The most definitions to name.
const NAMED: usize = 5;
/// The most elements in a container whose box is shown, since larger ones take long to measure.
const MEASURED: usize = 100;

/// `Night Jazz 600x800 viewBox 0,0,600,800`
pub fn headline(drawing: &Drawing, root: NodeId) -> String {
    let title = drawing.heading().unwrap_or_else(|| "untitled".to_owned());
    let mut line = format!("{title} {}", drawing.size_word());
    if let Some(view) = drawing.nodes.attr(root, "viewBox") {
        let numbers = view.split([' ', ',', '\t', '\n', '\r']);
        let numbers: Vec<&str> = numbers.filter(|number| !number.is_empty()).collect();
        line.push_str(&format!(" viewBox {}", numbers.join(",")));
    }
    line
}

/// `4 shapes, 1 text, 3 groups, 2 definitions`
pub fn counts(nodes: &Nodes) -> String {
    let tally = nodes.tally();
    let counted = [
        (tally.shapes, "shape"),
        (tally.texts, "text"),
        // Without the root, which contains all others.
        (tally.containers.saturating_sub(1), "group"),
        (tally.definitions, "definition"),
    ];
    let words = counted.map(|(n, word)| match n {
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    });
    words.join(", ")
}

/// `defs: sunset(gradient), arrow(marker) … 3 more`, with those in `<defs>` first.
pub fn definitions(nodes: &Nodes) -> Option<String> {
    let all = nodes.tally().definitions;
    if all == 0 {
        return None;
    }
    let tree = nodes.tree();
    let defines = |id: &NodeId| nodes.role(*id) == Role::Definition;
    let defs = tree.index().defs().map(NodeId::new);
    let within = defs.flat_map(|defs| tree.children(defs)).filter(defines);
    let mut named: Vec<NodeId> = within.take(NAMED).collect();
    if named.len() < all.min(NAMED) {
        named = nodes.elements().filter(defines).take(NAMED).collect();
    }
    let names = named.iter().map(|id| titled(nodes, *id));
    let names = names.collect::<Vec<_>>().join(", ");
    Some(match all.saturating_sub(named.len()) {
        0 => format!("defs: {names}"),
        more => format!("defs: {names} … {more} more"),
    })
}

/// `sun(circle)`
fn titled(nodes: &Nodes, id: NodeId) -> String {
    format!("{}({})", nodes.name(id), nodes.kind_name(id))
}

/// The objects directly in a container.
pub fn objects(nodes: &Nodes, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    nodes.tree().children(id).filter(|id| nodes.is_object(*id))
}

/// Whether an object is a container whose content is shown.
pub fn is_opened(nodes: &Nodes, id: NodeId) -> bool {
    nodes.role(id) == Role::Container && !matches!(nodes.kind_name(id), BOX | LINK)
}

/// `sun(circle) @(150,150 300x300) gradient:sunset`
pub fn mapped(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    styles: &Styles<'_>,
    id: NodeId,
) -> String {
    let nodes = &drawing.nodes;
    let mut line = titled(nodes, id);
    if let Some(link) = Link::of(nodes, id) {
        let [from, to] = link.ends.map(|end| nodes.name(end));
        return format!("{line} {from}{}{to}", link.arrow(nodes).as_str());
    }
    let tree = nodes.tree();
    if tree.descendants(id).nth(MEASURED).is_none() {
        line.push_str(&drawing.lying(geometry, id));
    }
    let kind = nodes.kind_name(id);
    let graphic = Some(id).filter(|id| nodes.role(*id) == Role::Graphic);
    let painted = graphic.filter(|_| !matches!(kind, "image" | "use"));
    if let Some(painted) = painted.or_else(|| nodes.painted(id)) {
        let property = if kind == "line" { "stroke" } else { "fill" };
        let paint = &styles.computed(painted, property).value;
        line.push_str(&format!(" {}", nodes.shown_value(paint)));
    }
    if let Some(text) = nodes
        .box_label(id)
        .or_else(|| graphic.filter(|_| kind == "text"))
    {
        line.push_str(&drawing.quoted(text));
    }
    if is_opened(nodes, id) {
        // Only counts them: their exact kinds are determined once they are shown.
        let inside = tree.children(id).filter(|inner| {
            let local = nodes
                .element(*inner)
                .map(fcp::format::xml::Element::local_name);
            let kind = local.and_then(of_element);
            kind.is_some_and(|kind| matches!(kind.role, Role::Graphic | Role::Container))
        });
        line.push_str(&format!(" {} inside", inside.count()));
    }
    line
}
