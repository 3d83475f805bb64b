//! `attributes`

use std::collections::BTreeMap;

use fcp::format::xml;
use fcp::op::quote;
use fcp::prelude::*;

use super::{named, needed, node, row};
use crate::edit::rename::{remove_ids, set_ids};
use crate::model::{Drawing, NodeId};
use crate::style::{decided, refused};
use crate::syntax::id::ElementId;

/// An attribute as it is written.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct AttributeRow {
    pub row: Row,
    /// Its name, with its prefix.
    #[fcp(by = "DELETE and INSERT")]
    pub name: String,
    /// Its value, references expanded; NULL removes it. An id takes all references along.
    #[fcp(set_all = set_value)]
    pub value: String,
}

/// Attributes as they are written, in the order of the file.
#[fcp_table(
    insert = "set {ref} {name} {value}",
    insert_by = insert,
    delete_all = remove
)]
pub fn attributes(drawing: &Drawing) -> Vec<AttributeRow> {
    let mut rows = Vec::new();
    for id in drawing.nodes.elements() {
        let element = drawing.nodes.element(id);
        let values = element.into_iter().flat_map(xml::Element::values);
        rows.extend(values.map(|(name, value)| AttributeRow {
            row: row(id),
            name: name.to_owned(),
            value: value.into_owned(),
        }));
    }
    rows
}

fn set_value(
    drawing: &mut Drawing,
    rows: Vec<(&AttributeRow, Option<Text>)>,
) -> Result<Vec<String>> {
    let (mut gone, mut ids, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (row, value) in rows {
        let id = node(row.row);
        match value {
            Some(value) if row.name == "id" => {
                let new = ElementId::parse(value.as_str());
                let new = new.map_err(|error| Diagnostic::new(error.about(value.as_str())))?;
                ids.push((id, Some(new)));
            }
            None if row.name == "id" => ids.push((id, None)),
            None => gone.push(row),
            Some(value) => {
                let value = drawing.written_attribute(&[id], &row.name, value.as_str())?;
                values.push((id, Some(row.name.clone()), value));
            }
        }
    }
    let mut notes = drawing.set_attributes(values)?;
    notes.extend(set_ids(drawing, ids)?);
    remove(drawing, gone)?;
    Ok(notes)
}

/// The op for a new attribute. An attribute that the element has is not overwritten.
fn insert(drawing: &Drawing, new: NewRow<'_>) -> Result<String> {
    let id = named(drawing, &new)?;
    let (name, value) = (needed(&new, "name")?, needed(&new, "value")?);
    let called = drawing.nodes.name(id);
    if drawing.nodes.attr(id, &name).is_some() {
        let [to, of, own] = [&value, &called, &name].map(|text| text.replace('\'', "''"));
        bail!("{called} has {name} already"; try: "UPDATE attributes SET value='{to}' WHERE ref='{of}' AND name='{own}'")
    }
    if name == "id" {
        let new = quote(&value);
        bail!("ids are given by rename, which follows every use"; try: "rename {called} {new}")
    }
    let [called, name, value] = [&called, &name, &value].map(|text| quote(text));
    Ok(format!("set {called} {name} {value}"))
}

fn remove(drawing: &mut Drawing, rows: Vec<&AttributeRow>) -> Result<Vec<String>> {
    let mut by_name: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    for row in rows {
        let ids = by_name.entry(&row.name).or_default();
        ids.push(node(row.row));
    }
    if let Some(ids) = by_name.remove("id") {
        remove_ids(drawing, &ids)?;
    }
    for (name, ids) in by_name {
        let first = ids.first().map(|id| drawing.nodes.name(*id));
        refused(name, &first.unwrap_or_default())?;
        if let Some(decided) = decided(drawing, &ids, &[name.to_owned()])? {
            return Err(decided);
        }
        for id in ids {
            let tree = drawing.nodes.tree_mut();
            xml::modify_element(tree, id, |element| Ok(element.remove_attr(name)))?;
        }
    }
    Ok(Vec::new())
}
