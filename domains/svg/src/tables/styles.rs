//! `styles`

use std::collections::BTreeMap;

use fcp::op::quote;
use fcp::prelude::*;
use fcp::work;

use super::{index, named, needed, new_value, node, row};
use crate::css;
use crate::model::{Drawing, NodeId};
use crate::property;
use crate::style;
use crate::syntax::declarations::{Declaration, Declarations};

/// The bytes of an attribute that are read and written again in the time of a step.
const BYTES_A_STEP: usize = 16;

/// A declaration of a `style` attribute.
#[derive(FcpRow)]
#[fcp(model = Drawing, part = Drawing::NODES)]
pub struct StyleRow {
    pub row: Row,
    /// The property, as written.
    #[fcp(by = "DELETE and INSERT")]
    pub property: String,
    /// Its value, `!important` included; NULL removes the declaration.
    #[fcp(set_all = set_value)]
    pub value: String,
    /// Which of the declarations of its attribute it is, from 1.
    #[fcp(by = "DELETE and INSERT")]
    pub nth: i64,
}

/// The declarations of style="…" attributes, in the order of the file.
#[fcp_table(
    insert = "{ref} {property} {value}",
    insert_all = insert,
    delete_all = remove
)]
pub fn styles(drawing: &Drawing) -> Vec<StyleRow> {
    let mut rows = Vec::new();
    for id in drawing.nodes.elements() {
        let Some(text) = drawing.nodes.attr(id, "style") else {
            continue;
        };
        let all = Declarations::of_attribute(&text);
        rows.extend(
            all.written()
                .zip(1..)
                .map(|((property, value), nth)| StyleRow {
                    row: row(id),
                    property: property.to_owned(),
                    value: value.to_owned(),
                    nth,
                }),
        );
    }
    rows
}

/// The new values of declarations by index; `None` removes one.
type Edits = BTreeMap<NodeId, Vec<(usize, Option<String>)>>;

fn set_value(drawing: &mut Drawing, rows: Vec<(&StyleRow, Option<Text>)>) -> Result<Vec<String>> {
    let mut edits = Edits::new();
    for (row, value) in rows {
        let new = new_value(drawing, &row.property, value)?;
        let own = edits.entry(node(row.row)).or_default();
        own.push((index(row.nth), new));
    }
    let edits: Vec<_> = edits.into_iter().collect();
    drawing.redeclare(&edits)?;
    Ok(Vec::new())
}

fn remove(drawing: &mut Drawing, rows: Vec<&StyleRow>) -> Result<Vec<String>> {
    set_value(drawing, rows.into_iter().map(|row| (row, None)).collect())
}

fn insert(drawing: &mut Drawing, rows: &[NewRow<'_>]) -> Result<Vec<String>> {
    for new in rows {
        let id = named(drawing, new)?;
        let name = needed(new, "property")?;
        let value = declared(drawing, &name, &needed(new, "value")?)?;
        let text = drawing.nodes.attr(id, "style").unwrap_or_default();
        work::spend(text.len() / BYTES_A_STEP)?;
        if Declarations::of_attribute(&text).get(&name).is_some() {
            let called = drawing.nodes.name(id);
            bail!("the style of {called} has {name} already"; try: "UPDATE styles SET value='{}' WHERE ref='{called}' AND property='{name}'", value.replace('\'', "''"))
        }
        drawing.declare(&[(id, vec![(name.as_str(), value.as_str())])])?;
    }
    Ok(Vec::new())
}

/// A value as a declaration spells it, including `!important`.
///
/// # Errors
/// If the property does not accept it, or it would be more than one value.
pub(super) fn declared(drawing: &Drawing, name: &str, value: &str) -> Result<String> {
    let text = format!("{name}:{value}");
    let all = Declarations::of_attribute(&text);
    // Text left open at its end would include the following declarations.
    let next = format!("{text};a:b");
    let is_closed = css::is_closed(value) && Declarations::of_attribute(&next).all().len() == 2;
    let is_whole = |one: &&Declaration| {
        all.name(one) == name && one.span.end == text.trim_end().len() && is_closed
    };
    let only = all.all().first().filter(|_| all.all().len() == 1);
    let Some(one) = only.filter(|one| is_whole(one) && !value.contains(['{', '}'])) else {
        bail!("{name} {} is not one declaration", quote(value))
    };
    let bare = all.value(one);
    let Some(known) = property::named(&name.to_ascii_lowercase()) else {
        return Ok(value.trim().to_owned());
    };
    let checked = style::value(&drawing.nodes, known, bare)
        .map_err(|error| error.refusal(&format!("{name} {bare}")))?;
    let rest = text.get(one.value.end..one.span.end).unwrap_or_default();
    Ok(format!("{checked}{rest}"))
}
