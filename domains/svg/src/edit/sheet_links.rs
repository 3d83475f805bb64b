//! The instructions `<?xml-stylesheet href="#ID"?>`, which refer to a `<style>` of the drawing (Associating Style Sheets
//! with XML documents 1.0, section 3).

use std::collections::HashSet;
use std::ops::Range;

use fcp::format::xml::Node;
use fcp::prelude::*;
use fcp::work;

use crate::model::reference::{by_name, edited, edits};
use crate::model::{Drawing, NodeId};

/// The name of these instructions.
pub(crate) const NAME: &str = "xml-stylesheet";

/// Updates the ids in the instructions. Returns the number of references updated.
///
/// # Errors
/// If an instruction cannot have the new id.
pub(super) fn follow(drawing: &mut Drawing, new: &dyn Fn(&str) -> Option<String>) -> Result<usize> {
    let mut changed: Vec<(NodeId, String)> = Vec::new();
    for (id, text, span) in links(drawing) {
        work::spend(1)?;
        let value = text.get(span.clone()).unwrap_or_default();
        let edits = edits(by_name("href", value), new);
        if !edits.is_empty() {
            let edits = edits.into_iter().map(|(part, id)| (part, escaped(&id)));
            let value = edited(value, &edits.collect::<Vec<_>>());
            changed.push((id, edited(text, &[(span, value)])));
        }
    }
    let count = changed.len();
    for (id, text) in changed {
        let mut done = Ok(());
        drawing
            .nodes
            .tree_mut()
            .modify(id, |node: &mut Node| done = node.set_instruction(&text));
        done?;
    }
    Ok(count)
}

/// The instructions that refer to some of these ids, with the ids.
pub(crate) fn users(drawing: &Drawing, ids: &HashSet<&str>) -> Vec<(NodeId, Vec<String>)> {
    let users = links(drawing).map(|(id, text, span)| {
        let value = text.get(span).unwrap_or_default();
        let found = by_name("href", value).into_iter().map(|one| one.id);
        (id, found.filter(|id| ids.contains(id.as_str())).collect())
    });
    users
        .filter(|(_, ids): &(_, Vec<String>)| !ids.is_empty())
        .collect()
}

/// The instructions with an address: their text, and the address in it.
fn links(drawing: &Drawing) -> impl Iterator<Item = (NodeId, &str, Range<usize>)> {
    let tree = drawing.nodes.tree();
    // They are before the root.
    let all = tree.children(fcp::model::Tree::<Node>::ROOT);
    all.filter_map(|id| match tree.get(id).and_then(Node::instruction) {
        Some((NAME, text)) => Some((id, text, href(text)?)),
        _ => None,
    })
}

fn escaped(id: &str) -> String {
    let id = id.replace('&', "&amp;").replace('<', "&lt;");
    id.replace('"', "&quot;").replace('\'', "&apos;")
}

/// The bytes of the value of the pseudo-attribute `href`.
fn href(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let (name, behind) = rest.split_once('=')?;
        let value = behind.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let start = text.len() - value.len() + 1;
        let len = text.get(start..)?.find(quote)?;
        if name.trim() == "href" {
            return Some(start..start + len);
        }
        at = start + len + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_found_among_other_parts() {
        for (text, found) in [
            ("type=\"text/css\" href=\"#a\"", Some("#a")),
            ("title='href=\"#b\"' href = '#a' media=\"all\"", Some("#a")),
            ("type=\"text/css\"", None),
            ("href=#a", None),
            ("href=\"#a", None),
            ("", None),
        ] {
            let span = href(text);
            assert_eq!(span.and_then(|span| text.get(span)), found, "{text}");
        }
    }
}
