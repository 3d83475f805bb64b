//! `set` and `modify` of values other than attributes: entities, the DOCTYPE, and texts of parts.

use fcp::format::xml::{self, Kind, Node};
use fcp::op::quote;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Sets the value of entities, or a part of the DOCTYPE. A new entity value applies everywhere the
/// entity is used.
///
/// # Errors
/// If a row has no such field, or a user of an entity would not be well-formed.
pub fn set(drawing: &mut Drawing, ids: &[NodeId], name: &str, value: &str) -> Result<Reply> {
    let mut olds = Vec::new();
    for id in ids {
        let (title, called) = (drawing.titled(*id), drawing.nodes.name(*id));
        let spelled = quote(value);
        let old = match drawing.nodes.entity_decl(*id) {
            Some(declared) => {
                if name != "value" {
                    bail!("{title} has no {name}, only a value"; try: "set {called} value {spelled}")
                }
                declared.text().unwrap_or_default().into_owned()
            }
            None if drawing.nodes.declared_kind(*id).is_some() => {
                let node = drawing.nodes.tree().get(*id).map(Node::kind);
                let old = match node {
                    Some(Kind::Doctype(doctype)) => doctype.external(name),
                    _ => None,
                };
                match old {
                    Some(old) => old.to_owned(),
                    None => {
                        bail!("{title} has no {name} to set; its entities are set one by one"; try: "? describe {called}")
                    }
                }
            }
            None => {
                bail!("{title} is not in the DOCTYPE; set the two separately"; try: "set {called} {name} {spelled}")
            }
        };
        olds.push((called, title, old));
    }
    let texts: Vec<(NodeId, &str)> = ids.iter().map(|id| (*id, value)).collect();
    let done = match name {
        "value" => set_values(drawing, &texts)?,
        _ => {
            let tree = drawing.nodes.tree_mut();
            let set = ids.iter().zip(&olds).map(|(id, (called, ..))| {
                let done = xml::set_external(tree, *id, name, value);
                done.map_err(|error| error.or_try(format!("? describe {called}")))
            });
            set.collect::<Result<_>>()?
        }
    };
    let shown = |text: &str| fcp::op::quote_value(text).into_owned();
    let changed = olds.iter().zip(done).filter(|(_, changed)| *changed);
    let changes: Vec<String> = changed
        .map(|((_, title, old), _)| format!("{title} {name} {} -> {}", shown(old), shown(value)))
        .collect();
    Ok(match changes.as_slice() {
        [] => unchanged!("no change"),
        changes => changed!("{}", changes.join(", ")),
    })
}

/// Sets the values of entities, all at once. Returns for each whether it changed.
///
/// # Errors
/// If a user of an entity would not be well-formed.
pub fn set_values(drawing: &mut Drawing, values: &[(NodeId, &str)]) -> Result<Vec<bool>> {
    let set = xml::set_entities(drawing.nodes.tree_mut(), values);
    set.map_err(|error| match values.first() {
        Some((id, _)) => error.or_try(format!("? describe {}", drawing.nodes.name(*id))),
        None => error,
    })
}

impl Drawing {
    /// Rejects rows that are not elements: the DOCTYPE and its entities.
    ///
    /// # Errors
    /// If there is such a row.
    pub fn only_elements(&self, ids: &[NodeId]) -> Result<()> {
        let mut declared = ids
            .iter()
            .filter(|id| self.nodes.declared_kind(**id).is_some());
        let Some(id) = declared.next() else {
            return Ok(());
        };
        let (title, called) = (self.titled(*id), self.nodes.name(*id));
        let only = match self.nodes.entity_decl(*id) {
            Some(_) => format!("{title} is declared in the DOCTYPE, and only its value is set"),
            None => "the DOCTYPE is not an object of the drawing".to_owned(),
        };
        bail!("{only}"; try: "? describe {called}")
    }
}

/// Sets the text of elements that contain only text: `style`, `title`, `desc`.
///
/// # Errors
/// If an element is of another kind, or contains more than a text.
pub fn set_text(drawing: &mut Drawing, ids: &[NodeId], text: &str) -> Result<Reply> {
    let mut changed = Vec::new();
    for id in ids {
        let (title, called) = (drawing.titled(*id), drawing.nodes.name(*id));
        let kind = drawing.nodes.kind_name(*id);
        let spelled = quote(text);
        match kind {
            "style" | "title" | "desc" => {}
            "text" | "tspan" | "textPath" | "box" | "link" => {
                bail!("the text of {title} is not an attribute"; try: "modify {called} text:{spelled}")
            }
            _ => {
                bail!("{title} has no attribute text and no text of its own"; try: "set {called} data-text {spelled}")
            }
        }
        let tree = drawing.nodes.tree_mut();
        let inner: Vec<NodeId> = tree.children(*id).collect();
        let is_text = |id: &NodeId| tree.get(*id).is_some_and(|node| node.text().is_some());
        let is_new = match inner.as_slice() {
            [] => {
                let node = Node::text_run(text)?;
                xml::insert_node(tree, node, *id, None)?;
                true
            }
            [only] if is_text(only) => {
                let mut done = Ok(false);
                tree.modify(*only, |node| done = node.set_text(text));
                done?
            }
            _ => bail!("{title} holds more than one text"; try: "? svg {called}"),
        };
        if is_new {
            changed.push(title);
        }
    }
    Ok(match changed.as_slice() {
        [] => unchanged!("no change"),
        titles => changed!("{} text -> {}", titles.join(", "), short(text)),
    })
}

/// The beginning of a text on one line.
pub fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let cut: String = line.chars().take(60).collect();
    let more = if cut.len() < line.len() { "…" } else { "" };
    format!("{}{more}", fcp::op::quote_value(&cut))
}
