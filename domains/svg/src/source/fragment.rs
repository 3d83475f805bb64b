//! Inserts a piece of SVG from an op into the drawing.

use std::collections::HashMap;

use fcp::format::encoding;
use fcp::format::xml::{self, Node};
use fcp::model::{Level, Tree};
use fcp::op::{quote, quote_value};
use fcp::prelude::*;

use crate::create::Site;
use crate::edit::rename::follow;
use crate::model::{Drawing, Index, NodeId};
use crate::syntax::scripts;

/// The longest piece that a repair repeats, in bytes.
const REPEATED: usize = 2_000;

/// The source of a piece.
pub enum Source<'s> {
    /// Text in the op.
    Text(&'s str),
    /// A file.
    File(&'s FileBytes),
}

impl Source<'_> {
    /// The text of the piece; for a file, without its XML declaration and the whitespace around it.
    fn text(&self) -> Result<String> {
        let file = match self {
            Self::Text(text) => return Ok((*text).to_owned()),
            Self::File(file) => file,
        };
        let named = |error: Diagnostic| {
            Diagnostic::new(format!("{}: {}", file.path(), error.message)).or_try("raw '<g/>'")
        };
        let (text, _) = encoding::decode(file.bytes()).map_err(named)?;
        let text = text.trim();
        let declared = text
            .strip_prefix("<?xml")
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()));
        let rest = declared.and_then(|rest| rest.split_once("?>"));
        Ok(rest.map_or(text, |(_, rest)| rest.trim_start()).to_owned())
    }

    /// The op that inserts a piece, with more parameters; it names the same file if the piece is
    /// from one.
    fn op(&self, piece: &str, words: &str) -> Option<String> {
        match self {
            Self::File(file) => Some(format!("raw file:{} {words}", quote_value(file.path()))),
            Self::Text(_) if piece.len() > REPEATED => None,
            Self::Text(_) => Some(format!("raw {} {words}", quote(piece))),
        }
        .map(|op| op.trim_end().to_owned())
    }
}

/// Inserts a piece into the drawing. A prefix is added to all its ids, and its references follow.
/// Returns the inserted nodes.
///
/// # Errors
/// If it is not well-formed there, has a DOCTYPE, runs a script, or has an id that is taken or a
/// duplicate one.
pub fn insert(
    drawing: &mut Drawing,
    source: &Source<'_>,
    site: Site,
    prefix: Option<&str>,
) -> Result<Vec<NodeId>> {
    let put = xml::insert_piece;
    insert_by(drawing, source, site, prefix, put)
}

/// A function that inserts a text into a tree.
pub type Put =
    fn(&mut Tree<Node, Index>, &str, NodeId, Option<NodeId>, &xml::Limits) -> Result<Vec<NodeId>>;

/// Like [`insert`], with another function of [`xml`].
///
/// # Errors
/// Like [`insert`].
pub fn insert_by(
    drawing: &mut Drawing,
    source: &Source<'_>,
    site: Site,
    prefix: Option<&str>,
    put: Put,
) -> Result<Vec<NodeId>> {
    let text = source.text()?;
    if let Some(at) = doctype(&text) {
        let rest = text.get(at..).and_then(|rest| rest.split_once('>'));
        let piece = rest.map_or("<g/>", |(_, rest)| rest.trim_start());
        bail!("a piece has no DOCTYPE"; try: "raw {}", quote(piece))
    }
    let limits = drawing.host.bounds.xml;
    let tree = drawing.nodes.tree_mut();
    let made = put(tree, &text, site.parent, site.before, &limits)?;
    let all: Vec<NodeId> = {
        let tree = drawing.nodes.tree();
        let each = made.iter();
        each.flat_map(|id| std::iter::once(*id).chain(tree.descendants(*id)))
            .collect()
    };
    unscripted(drawing, source, &made, &all)?;
    if let Some(prefix) = prefix {
        rename_all(drawing, &all, prefix)?;
    }
    for id in &all {
        let Some(own) = drawing.nodes.attr(*id, "id").filter(|own| !own.is_empty()) else {
            continue;
        };
        let same = drawing.nodes.tree().index().with_id(&own, Level::Exact);
        let other = same.iter().find(|other| **other != id.number());
        let error = match other.copied().map(NodeId::new) {
            Some(other) if all.contains(&other) => {
                Diagnostic::new(format!("id:{own} is in the piece twice"))
            }
            Some(other) => {
                let kind = drawing.nodes.kind_name(other);
                Diagnostic::new(format!("id:{own} is already a {kind}"))
            }
            None if drawing.nodes.tree().index().is_in_entity(&own) => {
                Diagnostic::new(format!("id:{own} is already in the markup of an entity"))
            }
            None => continue,
        };
        let free = (1..).map(|n| match n {
            1 => "p-".to_owned(),
            n => format!("p{n}-"),
        });
        let index = drawing.nodes.tree().index();
        let is_free = |prefix: &String| {
            let taken = |id: &str| index.has_id(&format!("{prefix}{id}"));
            let own = all.iter().filter_map(|id| drawing.nodes.attr(*id, "id"));
            own.into_iter().all(|id| !taken(&id))
        };
        let free = free.take(100).find(is_free);
        let again = free.and_then(|prefix| source.op(&text, &format!("prefix:{prefix}")));
        return Err(match again {
            Some(again) => error.or_try(again),
            None => error,
        });
    }
    Ok(made)
}

/// The offset of a DOCTYPE before the first element.
fn doctype(text: &str) -> Option<usize> {
    let mut rest = text.trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<!DOCTYPE") => return Some(text.len() - rest.len()),
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => return None,
        };
        rest = rest.split_once(end)?.1.trim_start();
    }
}

/// Checks that no part of a piece runs a script. The repair is the piece without such parts.
fn unscripted(
    drawing: &mut Drawing,
    source: &Source<'_>,
    made: &[NodeId],
    all: &[NodeId],
) -> Result<()> {
    let element = |id: &NodeId| drawing.nodes.tree().get(*id).and_then(Node::element);
    let Some(runs) = all.iter().filter_map(element).find_map(scripts::in_element) else {
        return Ok(());
    };
    let error = Diagnostic::new(format!("{runs}, which no op writes"));
    if matches!(source, Source::File(_)) {
        return Err(error.or_try("? list"));
    }
    for id in all {
        let Some(element) = drawing.nodes.element(*id) else {
            continue;
        };
        let names = element
            .values()
            .filter(|(name, value)| scripts::in_attribute(name, value).is_some());
        let names: Vec<String> = names.map(|(name, _)| name.to_owned()).collect();
        let tree = drawing.nodes.tree_mut();
        for name in names {
            xml::modify_element(tree, *id, |element| Ok(element.remove_attr(&name)))?;
        }
        let element = tree.get(*id).and_then(Node::element);
        if element.and_then(scripts::in_element).is_some() {
            tree.remove(*id);
        }
    }
    let tree = drawing.nodes.tree();
    let left: String = made.iter().map(|id| tree.text_of(*id)).collect();
    Err(match source.op(left.trim(), "") {
        Some(op) if !left.trim().is_empty() => error.or_try(op),
        _ => error.or_try("raw '<g/>'"),
    })
}

/// Adds a prefix to every id of a piece, and to its references to them.
fn rename_all(drawing: &mut Drawing, all: &[NodeId], prefix: &str) -> Result<()> {
    let mut new_ids: HashMap<String, String> = HashMap::new();
    for id in all {
        if let Some(own) = drawing.nodes.attr(*id, "id").filter(|own| !own.is_empty()) {
            new_ids.insert(own.clone().into_owned(), format!("{prefix}{own}"));
        }
    }
    let follows = |id: &str| new_ids.get(id).cloned();
    for id in all {
        let own = drawing.nodes.attr(*id, "id").and_then(|own| follows(&own));
        if let Some(new) = own {
            drawing.put_attr(*id, "id", &new)?;
        }
    }
    follow(drawing, all, &follows)?;
    Ok(())
}
