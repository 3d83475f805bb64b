//! Writes `elements.text`: the lines of a text, or the only piece of text in another element.

use std::collections::HashSet;

use fcp::format::xml::{self, Node};
use fcp::prelude::*;
use fcp::reply::count;

use super::elements::ElementRow;
use super::node;
use crate::model::{Drawing, NodeId};
use crate::syntax::scripts;

/// Changes the texts of elements. Those of `text` elements, and labels, are written as `modify` does.
pub fn set_text(drawing: &mut Drawing, rows: Vec<(&ElementRow, Text)>) -> Result<Vec<String>> {
    let ids = rows.iter().map(|(row, _)| node(row.row));
    let ids: HashSet<NodeId> = ids.collect();
    let (mut pieces, mut lines, mut empty) = (Vec::new(), Vec::new(), Vec::new());
    for (row, new) in rows {
        let id = node(row.row);
        let (name, tree) = (drawing.nodes.name(id), drawing.nodes.tree());
        if let Some(runs) = drawing.nodes.element(id).and_then(scripts::in_element) {
            bail!("{runs}, which no op writes")
        }
        if let Some(outer) = tree.ancestors(id).find(|outer| ids.contains(outer)) {
            let outer = drawing.nodes.name(outer);
            bail!("{name} is in {outer}, and only one of them can get a text")
        }
        let several = || {
            let called = name.replace('\'', "''");
            Diagnostic::new(format!("{name} has more than one text")).or_try(format!(
                "? SELECT ref, n, text FROM texts WHERE ref IN (SELECT ref FROM elements WHERE ref='{called}' OR parent='{called}')"
            ))
        };
        let new = new.as_str().to_owned();
        let own = drawing.nodes.is_called(id, "text").then_some(id);
        if let Some(text) = own.or_else(|| drawing.nodes.shown_text(id)) {
            drawing
                .is_rewritable(text, None, &new)
                .map_err(|_| several())?;
            lines.push((id, text, new));
            continue;
        }
        let inner: Vec<NodeId> = tree.children(id).collect();
        let is_text = |id: &NodeId| tree.get(*id).is_some_and(|node| node.text().is_some());
        match inner.as_slice() {
            [only] if is_text(only) => pieces.push((*only, new)),
            [] if drawing.nodes.holds_text(id) => empty.push((id, new)),
            [] => bail!("{name} has no text"),
            _ => return Err(several()),
        }
    }
    drawing.set_texts(pieces)?;
    for (id, text) in empty {
        xml::insert_node(drawing.nodes.tree_mut(), Node::text_run(&text)?, id, None)?;
    }
    let mut lost = 0;
    for (id, text, new) in lines {
        if new == drawing.text_content(text) {
            continue;
        }
        let comments = drawing.comments_in(text);
        let is_centred = drawing.is_label_centred(id);
        let layout = drawing.layout(text);
        drawing.rewrite_at_source(text, &new, layout)?;
        if is_centred {
            drawing.centre_label(id)?;
        }
        lost += comments.saturating_sub(drawing.comments_in(text));
    }
    let told = (lost > 0).then(|| format!("- {}", count(lost, "comment")));
    Ok(told.into_iter().collect())
}
