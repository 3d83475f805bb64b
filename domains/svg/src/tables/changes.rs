//! Changes of attributes, declarations and rules, as rows of their tables.

use std::collections::{HashMap, VecDeque};

use fcp::account::FieldChange;
use fcp::domain::SqlChange;
use fcp::prelude::*;
use fcp::value::Cell;

use crate::display::diff::{CLOSED, PARENT, TAG};
use crate::model::{Drawing, NodeId};
use crate::style::{WrittenRule, written_rules};
use crate::syntax::declarations::Declarations;

/// The names and values of one state, in order.
type Named = Vec<(String, String)>;

/// The rows of tables that show a change of a field. `None` if it is a column of the table of its row.
pub fn values(drawing: &Drawing, row: Row, field: &FieldChange) -> Option<Vec<SqlChange>> {
    let id = NodeId::new(row.id());
    let nodes = &drawing.nodes;
    let [before, after] = sides(field);
    if nodes.element(id).is_none() {
        let sheet = nodes.tree().parent(id)?;
        let is_whole = nodes.is_called(sheet, "style") && nodes.sheet_texts(sheet).nth(1).is_none();
        let is_css = nodes
            .attr(sheet, "type")
            .is_none_or(|own| own == "text/css");
        let changes = match is_whole && is_css {
            true => rules(&before?, &after?),
            false => Vec::new(),
        };
        return (!changes.is_empty()).then_some(changes);
    }
    let column = field.cells.as_ref().map(|(column, _)| *column);
    let is_number = [&field.then, &field.now]
        .into_iter()
        .flatten()
        .any(|(_, number)| number.is_some());
    if column == Some(PARENT) || field.name == CLOSED || is_number {
        return None;
    }
    if column == Some(TAG) {
        // Only the prefix of its name, which the column leaves out.
        return (before == after).then(|| {
            let name = |side: &Option<(String, _)>| side.as_ref().map(|(name, _)| text(name));
            vec![SqlChange {
                table: "elements",
                field: "prefix".to_owned(),
                before: name(&field.then),
                after: name(&field.now),
            }]
        });
    }
    if field.name == "style" {
        let [then, now] =
            [&before, &after].map(|side| side.as_deref().map_or(Vec::new(), declared));
        let changes = differing("styles", then, now);
        if !changes.is_empty() {
            return Some(changes);
        }
    }
    let cell = |side: Option<String>| side.map(Cell::Text);
    Some(vec![SqlChange {
        table: "attributes",
        field: field.name.clone().into_owned(),
        before: cell(before),
        after: cell(after),
    }])
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
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
    let declared = all.all().iter().map(|one| {
        let value = text.get(one.value.start..one.span.end);
        (
            all.name(one).to_owned(),
            value.unwrap_or_default().to_owned(),
        )
    });
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
            changes.push(SqlChange {
                table,
                field,
                before: before.map(Cell::Text),
                after: Some(Cell::Text(value)),
            });
        }
    }
    let left = earlier.into_iter().flat_map(|(name, left)| {
        left.into_iter()
            .map(move |(at, value)| (at, name.clone(), value))
    });
    let mut left: Vec<_> = left.collect();
    left.sort_by_key(|(at, ..)| *at);
    changes.extend(left.into_iter().map(|(_, field, value)| SqlChange {
        table,
        field,
        before: Some(Cell::Text(value)),
        after: None,
    }));
    changes
}

/// The differences between two states of a style sheet.
fn rules(then: &str, now: &str) -> Vec<SqlChange> {
    const TABLE: &str = "rules";
    let [then, now] = [then, now].map(written_rules);
    let alike = |(then, now): (&WrittenRule, &WrittenRule)| then.at == now.at;
    if then.len() != now.len() || !then.iter().zip(&now).all(alike) {
        let all =
            |rules: Vec<WrittenRule>| rules.into_iter().flat_map(WrittenRule::named).collect();
        return differing(TABLE, all(then), all(now));
    }
    let mut changes = Vec::new();
    for (then, mut now) in then.into_iter().zip(now) {
        if then.selector != now.selector {
            let selectors = [&then.selector, &now.selector].map(|selector| Some(text(selector)));
            let [before, after] = selectors;
            changes.push(SqlChange {
                table: TABLE,
                field: "selector".to_owned(),
                before,
                after,
            });
            now.selector.clone_from(&then.selector);
        }
        changes.extend(differing(TABLE, then.named(), now.named()));
    }
    changes
}
