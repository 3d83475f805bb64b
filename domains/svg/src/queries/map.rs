//! `map`

use fcp::prelude::*;

use crate::geometry::Geometry;
use crate::linking::Link;
use crate::model::kind::{BOX, LINK, Role, of_element};
use crate::model::{Drawing, NodeId, Nodes};
use crate::style::Styles;

/// How many definitions are named.
const NAMED: usize = 5;
/// The most elements in a container whose box is told: a larger one would have to be measured.
const MEASURED: usize = 100;

/// Show what the drawing holds: its title, size and counts, its definitions, and what stands in it.
///
/// Of containers it says how much is in them. Where there is nothing but one, what stands in that is shown too.
///
/// ```fcp
/// # define gradient id:sunset colors:red,blue
/// # add circle id:sun r:150 at:300,300 fill:gradient:sunset
/// # add group id:bars
/// # add rect id:q1 at:40,140 size:60x100 fill:steelblue in:bars
/// # add box API id:api at:400,40 size:100x40 fill:#e8f0fe
/// # connect api -> sun
/// ? map
/// > untitled 800x600 viewBox 0,0,800,600
/// > 4 shapes, 1 text, 3 groups, 2 definitions
/// > defs: sunset(gradient), triangle-333(marker)
/// >   sun(circle) @(150,150 300x300) gradient:sunset
/// >   bars(group) @(40,140 60x100) 1 inside
/// >   api(box) @(400,40 100x40) #e8f0fe "API"
/// >   api-sun(link) api->sun
/// ```
#[fcp_query]
pub fn map(drawing: &Drawing) -> Result<Listing<'_>> {
    let nodes = &drawing.nodes;
    let Some(root) = nodes.root() else {
        bail!("there is no drawing"; try: "! new")
    };
    let mut rows: Vec<(usize, NodeId)> = Vec::new();
    let (mut level, mut outer) = (1, root);
    loop {
        let inner: Vec<NodeId> = objects(nodes, outer).collect();
        rows.extend(inner.iter().map(|id| (level, *id)));
        match inner.as_slice() {
            [only] if is_opened(nodes, *only) => (level, outer) = (level + 1, *only),
            _ => break,
        }
    }
    let (geometry, styles) = (drawing.geometry(), drawing.styles());
    let line = move |(level, id): (usize, NodeId)| {
        let indent = "  ".repeat(level.min(20));
        format!("{indent}{}", mapped(drawing, &geometry, &styles, id))
    };
    let mut listing = Listing::lines(rows.len(), rows.into_iter().map(line))
        .under(headline(drawing, root))
        .under(counts(nodes));
    if let Some(defs) = definitions(nodes) {
        listing = listing.under(defs);
    }
    Ok(listing)
}

/// `Night Jazz 600x800 viewBox 0,0,600,800`
fn headline(drawing: &Drawing, root: NodeId) -> String {
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
fn counts(nodes: &Nodes) -> String {
    let tally = nodes.tally();
    let counted = [
        (tally.shapes, "shape"),
        (tally.texts, "text"),
        // The root is what holds them all.
        (tally.containers.saturating_sub(1), "group"),
        (tally.definitions, "definition"),
    ];
    let words = counted.map(|(n, word)| match n {
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    });
    words.join(", ")
}

/// `defs: sunset(gradient), arrow(marker) … 3 more`, those in `<defs>` first.
fn definitions(nodes: &Nodes) -> Option<String> {
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

/// The objects that stand in a container directly.
fn objects(nodes: &Nodes, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    nodes.tree().children(id).filter(|id| nodes.is_object(*id))
}

/// Whether an object is a container whose objects are shown.
fn is_opened(nodes: &Nodes, id: NodeId) -> bool {
    nodes.role(id) == Role::Container && !matches!(nodes.kind_name(id), BOX | LINK)
}

/// `sun(circle) @(150,150 300x300) gradient:sunset`
fn mapped(drawing: &Drawing, geometry: &Geometry<'_>, styles: &Styles<'_>, id: NodeId) -> String {
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
        // Only how many: what they are in full is looked at when they are shown.
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
