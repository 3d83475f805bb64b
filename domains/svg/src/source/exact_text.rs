//! Exact source text: applies `replace` and `insert` to a drawing.

use fcp::diag::Repair;
use fcp::domain::TextSite;
use fcp::format::xml::{self, Element, Kind, Node, Rewritten};
use fcp::model::{Level, Row};
use fcp::prelude::*;

use crate::create::Site;
use crate::model::kind::{Role, of_element};
use crate::model::{Drawing, NodeId};
use crate::source::fragment::{Put, Source, insert_by};
use crate::syntax::scripts;

/// Replaces the whole text of a drawing. Nodes whose text is unchanged stay the same nodes.
///
/// # Errors
/// If the text is not a drawing, adds something that runs a script, or has a duplicate id.
pub fn rewrite(drawing: &mut Drawing, text: &str) -> Result<()> {
    let limits = drawing.host.bounds.xml;
    let found = xml::rewrite(drawing.nodes.tree_mut(), text, &limits)?;
    let root = drawing.nodes.root();
    match root
        .and_then(|root| drawing.nodes.element(root))
        .map(Element::local_name)
    {
        Some("svg") => {}
        Some(other) => bail!("the root element would be <{other}>, not <svg>"),
        None => bail!("the drawing would have no root element"),
    }
    for Rewritten { id, before } in &found {
        let before = before.as_ref().and_then(Node::element);
        sound(drawing, *id, before)?;
        let node = drawing.nodes.tree().get(*id);
        // A section that was sent stays one, so it takes no references.
        if let Some(section) = node.filter(|node| matches!(node.kind(), Kind::CData(_))) {
            section.clone().respell(drawing.envelope.encoding)?;
        }
    }
    Ok(())
}

/// Checks that a changed node runs no new script and has a unique id.
fn sound(drawing: &Drawing, id: NodeId, before: Option<&Element>) -> Result<()> {
    let tree = drawing.nodes.tree();
    let outer = tree
        .parent(id)
        .and_then(|outer| drawing.nodes.element(outer));
    if outer.is_some_and(|outer| outer.local_name().eq_ignore_ascii_case("script")) {
        bail!("<script> runs a script, which no op writes")
    }
    let Some(element) = tree.get(id).and_then(Node::element) else {
        return Ok(());
    };
    if let Some(before) = before {
        bound(drawing, id, before, element)?;
    }
    if let Some(runs) = scripts::in_element(element)
        && before.and_then(scripts::in_element).as_ref() != Some(&runs)
    {
        bail!("{runs}, which no op writes")
    }
    let own = element.attr("id").filter(|own| !own.is_empty());
    let was = before.and_then(|before| before.attr("id"));
    let Some(own) = own.filter(|own| was.as_ref() != Some(own)) else {
        return Ok(());
    };
    let same = tree.index().with_id(&own, Level::Exact);
    if let Some(other) = same.iter().find(|other| **other != id.number()) {
        let kind = drawing.nodes.kind_name(NodeId::new(*other));
        bail!("id:{own} is already a {kind}")
    }
    if tree.index().is_in_entity(&own) {
        bail!("id:{own} is already in the markup of an entity")
    }
    Ok(())
}

/// Checks that an element keeps its prefix bindings, which determine its meaning and that of its
/// content. The root may add some.
fn bound(drawing: &Drawing, id: NodeId, before: &Element, element: &Element) -> Result<()> {
    let bindings = |element: &Element| -> Vec<(String, String)> {
        let attrs = element.attrs().iter();
        let bound =
            attrs.filter(|attr| attr.name() == "xmlns" || attr.name().starts_with("xmlns:"));
        let mut bound: Vec<(String, String)> = bound
            .map(|attr| (attr.name().to_owned(), attr.raw_value().to_owned()))
            .collect();
        bound.sort_unstable();
        bound
    };
    let (was, mut is) = (bindings(before), bindings(element));
    if drawing.nodes.root() == Some(id) {
        is.retain(|(name, _)| name == "xmlns" || was.iter().any(|(own, _)| own == name));
    }
    if was == is {
        return Ok(());
    }
    let differs = |one: &&(String, String)| !(was.contains(one) && is.contains(one));
    let name = was.iter().chain(&is).find(differs);
    let name = name.map_or("xmlns", |(name, _)| name);
    bail!("{name} binds a prefix, which no op does")
}

/// Inserts a piece of source text into a drawing.
///
/// # Errors
/// If it is not well-formed there, runs a script, has an id that is taken, is empty, or would not be drawn there.
pub fn insert(drawing: &mut Drawing, text: &str, site: TextSite) -> Result<Vec<Row>> {
    let rows = insert_anywhere(drawing, text, site)?;
    let nodes = &drawing.nodes;
    let role = |id| of_element(nodes.svg_element(id)?.local_name()).map(|kind| kind.role);
    for id in rows.iter().map(|row| NodeId::new(row.id())) {
        let is_drawn = matches!(role(id), Some(Role::Graphic | Role::Container));
        let Some(parent) = nodes.tree().parent(id).filter(|_| is_drawn) else {
            continue;
        };
        // A text draws links in it.
        let is_link = nodes.kind_name(id) == "a" && nodes.kind_name(parent) == "text";
        if role(parent) == Some(Role::Graphic) && !is_link {
            let (parent, kind) = (nodes.name(parent), nodes.kind_name(parent));
            let after = format!("insert {} after:{parent}", fcp::op::quote(text));
            bail!("{parent} is a {kind}, which draws nothing in it"; try: "{after}")
        }
    }
    Ok(rows)
}

fn insert_anywhere(drawing: &mut Drawing, text: &str, site: TextSite) -> Result<Vec<Row>> {
    let id = match site {
        TextSite::First(row)
        | TextSite::Last(row)
        | TextSite::Before(row)
        | TextSite::After(row) => NodeId::new(row.id()),
        TextSite::End => match drawing.nodes.root() {
            Some(root) => root,
            None => bail!("the drawing has no root"),
        },
    };
    let tree = drawing.nodes.tree();
    let edge = match site {
        TextSite::First(_) => xml::Edge::First,
        TextSite::Last(_) | TextSite::End => xml::Edge::Last,
        TextSite::Before(_) => xml::Edge::Before,
        TextSite::After(_) => xml::Edge::After,
    };
    let site = match site {
        TextSite::First(_) => Site {
            parent: id,
            before: tree.first_child(id),
        },
        TextSite::Last(_) | TextSite::End => Site {
            parent: id,
            before: None,
        },
        TextSite::Before(_) | TextSite::After(_) => {
            let parent = tree.parent(id).filter(|_| drawing.nodes.root() != Some(id));
            let Some(parent) = parent else {
                let name = drawing.nodes.name(id);
                bail!("{name} is the drawing itself; nothing goes next to it")
            };
            let before = match site {
                TextSite::After(_) => tree.next_sibling(id),
                _ => Some(id),
            };
            Site { parent, before }
        }
    };
    if let Some(edge) = exact_edge(drawing, text, site.parent, edge) {
        let whole = xml::text_with(drawing.nodes.tree(), text, (id, edge));
        let new = drawing.nodes.next_id();
        rewrite(drawing, &whole)?;
        let is_new = |id: &NodeId| id.number() >= new;
        let tree = drawing.nodes.tree();
        let elements = drawing.nodes.elements().filter(is_new);
        let outermost = elements.filter(|id| tree.parent(*id).is_none_or(|outer| !is_new(&outer)));
        let rows = outermost.map(|id| Row::new(Drawing::NODES, id.number()));
        return Ok(rows.collect());
    }
    let put: Put = match drawing.nodes.preserves_space(site.parent) {
        true => xml::insert_raw,
        false => |tree, text, parent, before, limits| {
            xml::insert_indented(tree, text, parent, before, limits, |name| {
                name.rsplit(':').next() == Some("text")
            })
        },
    };
    let made = insert_by(drawing, &Source::Text(text), site, None, put);
    // The repairs of `raw` would insert it elsewhere.
    let made = made.map_err(|error| Diagnostic {
        repair: Repair::None,
        ..error
    })?;
    let made = made
        .into_iter()
        .filter(|id| drawing.nodes.element(*id).is_some());
    Ok(made
        .map(|id| Row::new(Drawing::NODES, id.number()))
        .collect())
}

/// The edge at which a piece is inserted byte for byte, if whitespace at its ends is content: next
/// to loose text, and in an element that holds text or preserves whitespace.
fn exact_edge(drawing: &Drawing, text: &str, parent: NodeId, edge: xml::Edge) -> Option<xml::Edge> {
    let inner = text.trim();
    let is_loose = !inner.starts_with('<') || !inner.ends_with('>');
    let holds = || {
        let nodes = &drawing.nodes;
        nodes.holds_text(parent) || nodes.draws_space(parent) || nodes.keeps_space(parent)
    };
    (inner.len() < text.len() && (is_loose || holds())).then_some(edge)
}
