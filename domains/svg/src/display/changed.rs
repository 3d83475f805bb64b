//! Changes of attributes, declarations and rules, as rows of their tables.

use std::collections::{BTreeMap, HashMap, VecDeque};

use fcp::account::FieldChange;
use fcp::domain::SqlChange;
use fcp::prelude::*;
use fcp::value::Cell;

use super::diff::{CLOSED, PARENT, TAG};
use super::form::FORM;
use crate::model::{Drawing, NodeId};
use crate::style::{SheetRule, written_rules};
use crate::syntax::declarations::Declarations;

/// The names and values of one state, in order.
type Named = Vec<(String, String)>;

/// The rows of tables that show a change of a field. `None` if it is a column of the table of its row.
pub fn values(drawing: &Drawing, row: Row, field: &FieldChange) -> Option<Vec<SqlChange>> {
    let id = NodeId::new(row.id());
    let nodes = &drawing.nodes;
    let column = field.cells.as_ref().map(|(column, _)| *column);
    if column == Some(FORM) {
        return None;
    }
    let [before, after] = sides(field);
    if nodes.element(id).is_none() {
        let sheet = nodes.tree().parent(id)?;
        let is_whole = nodes.is_called(sheet, "style") && nodes.sheet_texts(sheet).nth(1).is_none();
        let kind = nodes.attr(sheet, "type");
        let is_css = kind.is_none_or(|own| own == "text/css");
        let changes = match is_whole && is_css {
            true => rules(&before?, &after?),
            false => Vec::new(),
        };
        return (!changes.is_empty()).then_some(changes);
    }
    let mut sides = field.then.iter().chain(&field.now);
    let is_number = sides.any(|(_, number)| number.is_some());
    if column == Some(PARENT) || field.name == CLOSED || is_number {
        return None;
    }
    if column == Some(TAG) {
        // Only the prefix of its name, which the column leaves out.
        let name = |side: &Option<(String, _)>| side.as_ref().map(|(name, _)| name.clone());
        let changed = change("elements", "prefix", name(&field.then), name(&field.now));
        return (before == after).then(|| vec![changed]);
    }
    if field.name == "style" {
        let declared = |side: &Option<String>| side.as_deref().map_or(Vec::new(), declared);
        let changes = differing("styles", declared(&before), declared(&after));
        if !changes.is_empty() {
            return Some(changes);
        }
    }
    Some(vec![change("attributes", &*field.name, before, after)])
}

/// A change of a value in a table.
fn change(
    table: &'static str,
    field: impl Into<String>,
    before: Option<String>,
    after: Option<String>,
) -> SqlChange {
    SqlChange {
        table,
        field: field.into(),
        before: before.map(Cell::Text),
        after: after.map(Cell::Text),
    }
}

/// The values of a field in its table, before and after.
fn sides(field: &FieldChange) -> [Option<String>; 2] {
    let own = |side: &Option<(String, _)>, at: usize| {
        let (text, _) = side.as_ref()?;
        let cell = field.cells.as_ref().and_then(|(_, cells)| cells.get(at));
        Some(match cell {
            Some(Cell::Text(value)) => value.clone(),
            _ => text.clone(),
        })
    };
    [own(&field.then, 0), own(&field.now, 1)]
}

/// The declarations of a `style` attribute.
fn declared(text: &str) -> Named {
    let all = Declarations::of_attribute(text);
    let declared = all.written();
    let declared = declared.map(|(name, value)| (name.to_owned(), value.to_owned()));
    declared.collect()
}

/// The values that differ between two states, with equal names in their order.
fn differing(table: &'static str, then: Named, now: Named) -> Vec<SqlChange> {
    let mut earlier: HashMap<String, VecDeque<(usize, String)>> = HashMap::new();
    for (at, (name, value)) in then.into_iter().enumerate() {
        earlier.entry(name).or_default().push_back((at, value));
    }
    let mut changes = Vec::new();
    for (field, value) in now {
        let before = earlier.get_mut(&field).and_then(VecDeque::pop_front);
        let before = before.map(|(_, before)| before);
        if before.as_ref() != Some(&value) {
            changes.push(change(table, field, before, Some(value)));
        }
    }
    let left = earlier.into_iter().flat_map(|(name, left)| {
        let left = left.into_iter();
        left.map(move |(at, value)| (at, (name.clone(), value)))
    });
    let left: BTreeMap<usize, (String, String)> = left.collect();
    let left = left.into_values();
    changes.extend(left.map(|(field, value)| change(table, field, Some(value), None)));
    changes
}

/// The differences between two states of a style sheet.
fn rules(then: &str, now: &str) -> Vec<SqlChange> {
    const TABLE: &str = "rules";
    let [then, now] = [then, now].map(written_rules);
    let alike = |(then, now): (&SheetRule, &SheetRule)| then.at == now.at;
    if then.len() != now.len() || !then.iter().zip(&now).all(alike) {
        let all = |rules: Vec<SheetRule>| rules.into_iter().flat_map(SheetRule::named).collect();
        return differing(TABLE, all(then), all(now));
    }
    let mut changes = Vec::new();
    for (then, mut now) in then.into_iter().zip(now) {
        if then.selector != now.selector {
            let new = std::mem::replace(&mut now.selector, then.selector.clone());
            let old = Some(then.selector.clone());
            changes.push(change(TABLE, "selector", old, Some(new)));
        }
        changes.extend(differing(TABLE, then.named(), now.named()));
    }
    changes
}
