//! `texts`

use std::collections::HashMap;

use fcp::format::xml::{Kind, Node};
use fcp::prelude::*;

use super::row;
use crate::edit::{comments, declared};
use crate::model::{Drawing, NodeId, characters};
use crate::syntax::scripts;

/// A piece of text.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct TextRow {
    pub row: Option<Row>,
    /// Its place among the texts and comments of its element, from 1.
    #[fcp(by = "move")]
    pub n: i64,
    /// Its characters, white space at its ends included; of an entity its value.
    #[fcp(set_all = set_text)]
    pub text: String,
    /// text, cdata, comment or entity.
    #[fcp(by = "replace")]
    pub kind: &'static str,
    /// The number of its node, which no other has.
    pub node: i64,
}

/// Pieces of text, comments and the values of entities, in the order of the file; of these only comments are deleted.
#[fcp_table(delete_all = remove)]
pub fn texts(drawing: &Drawing) -> Vec<TextRow> {
    let tree = drawing.nodes.tree();
    let mut counts: HashMap<Option<NodeId>, i64> = HashMap::new();
    let mut rows = Vec::new();
    for id in tree.ids() {
        let Some(node) = tree.get(id) else { continue };
        let kind = match node.kind() {
            Kind::Text(_) => "text",
            Kind::CData(_) => "cdata",
            Kind::Comment(_) => "comment",
            Kind::EntityDecl(declared) if !declared.is_parameter() => "entity",
            _ => continue,
        };
        let parent = tree.parent(id);
        let outer = match kind {
            "entity" => Some(id),
            _ => parent.filter(|outer| drawing.nodes.element(*outer).is_some()),
        };
        // Whitespace after the root is not a text.
        if outer.is_none() && kind != "comment" {
            continue;
        }
        let n = counts.entry(outer).or_default();
        *n += 1;
        rows.push(TextRow {
            row: outer.map(row),
            n: *n,
            text: characters(node).unwrap_or_default().into_owned(),
            kind,
            node: i64::from(id.number()),
        });
    }
    rows
}

fn set_text(drawing: &mut Drawing, rows: Vec<(&TextRow, Text)>) -> Result<Vec<String>> {
    let id_of = |row: &TextRow| NodeId::new(u32::try_from(row.node).unwrap_or_default());
    let (entities, rows): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(row, _)| row.kind == "entity");
    let values = entities.iter();
    let values = values.map(|(row, text)| (id_of(row), text.as_str()));
    declared::set_values(drawing, &values.collect::<Vec<_>>())?;
    let mut values = Vec::new();
    for (row, text) in rows {
        let (id, text) = (id_of(row), text.as_str());
        if row.kind != "comment" {
            let outer = drawing.nodes.tree().parent(id);
            let outer = outer.and_then(|outer| drawing.nodes.element(outer));
            if let Some(runs) = outer.and_then(scripts::in_element) {
                bail!("{runs}, which no op writes")
            }
            values.push((id, text.to_owned()));
            continue;
        }
        let mut done = Ok(false);
        let tree = drawing.nodes.tree_mut();
        tree.modify(id, |node: &mut Node| done = node.set_comment(text));
        done?;
    }
    drawing.set_texts(values)?;
    Ok(Vec::new())
}

fn remove(drawing: &mut Drawing, rows: Vec<&TextRow>) -> Result<Vec<String>> {
    comments::remove(drawing, rows.into_iter().map(|row| row.node))
}
