//! `transform`

use fcp::op::quote;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::moving::{Edit, baked, cleared, editable, movable, report_transforms};
use crate::transform::{TransformError, TransformList};
use crate::values::ListEdit;

/// Edit the list of transforms, item by item.
///
/// Items count from 1, as `describe` shows them. `set "LIST"`, `insert N "ITEM"`, `replace N "ITEM"`, `remove N`, `clear`,
/// and `bake`, which folds them into the geometry.
///
/// ```fcp
/// # raw '<g id="logo" transform="translate(10,10)  scale(.5)"><rect width="40" height="20"/></g>'
/// # raw '<rect id="card" width="40" height="20" stroke="red" transform="translate(5 5)"/>'
/// transform logo insert 1 "rotate(9)"
/// > * group logo transform: rotate(9) translate(10,10) scale(.5)
/// transform logo remove 4
/// > ! logo has 3 items
/// >   try: ? describe logo
/// transform logo replace 3 "scale(2)"
/// > * group logo transform: rotate(9) translate(10,10) scale(2)
/// transform card bake
/// > * rect card transform: none
/// transform logo clear
/// > * group logo transform: none
/// ```
#[fcp_verb(category = "Arrange")]
pub fn transform(
    drawing: &mut Drawing,
    /// The objects.
    rows: Rows,
    /// The transformation.
    #[fcp(positional)]
    change: ListEdit,
    /// A number, an item or a list in quotes.
    #[fcp(rest)]
    words: Vec<Text>,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let words: Vec<&str> = words.iter().map(Text::as_str).collect();
    let mut edits = Vec::new();
    for id in &ids {
        if change == ListEdit::Bake {
            edits.extend(baked(drawing, &geometry, *id)?);
            continue;
        }
        let list = editable(drawing, &geometry, *id)?;
        let text = edited(drawing, *id, &list, change, &words)?;
        edits.push(Edit::transform(*id, &list, text));
    }
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    let done = match change {
        ListEdit::Bake => "baked",
        ListEdit::Clear => "without transforms",
        _ => "transformed",
    };
    Ok(report_transforms(drawing, &ids, done))
}

/// The list after the change.
fn edited(
    drawing: &Drawing,
    id: NodeId,
    list: &TransformList,
    change: ListEdit,
    words: &[&str],
) -> Result<String> {
    let name = drawing.nodes.name(id);
    let number = |word: &str| {
        let n: Option<usize> = word.parse().ok().filter(|n| *n > 0);
        n.ok_or_else(|| Diagnostic::new(format!("{word} is not an item number")))
    };
    let wrong = |error: TransformError, n: usize, item: Option<&str>| {
        let last = list.items().len() + 1;
        let item = item.map_or(String::new(), |item| format!(" {}", quote(item)));
        let fixed = match &error {
            TransformError::NoItem { count: 0 } if change != ListEdit::Insert => None,
            // Another item was not meant.
            TransformError::NoItem { .. } if change != ListEdit::Insert => {
                Some(format!("? describe {name}"))
            }
            TransformError::NoItem { .. } => {
                Some(format!("transform {name} {change} {last}{item}"))
            }
            TransformError::NotAnItem(fault) => fault
                .fix
                .as_ref()
                .map(|fix| format!("transform {name} {change} {n} {}", quote(fix))),
            TransformError::Fault(_) => Some(cleared(&name, list)),
            TransformError::NotOne => None,
        };
        let error = match error {
            TransformError::NoItem { .. } => Diagnostic::new(format!("{name} {error}")),
            other => Diagnostic::new(other.to_string()),
        };
        match fixed {
            Some(fixed) => error.or_try(fixed),
            None => error,
        }
    };
    match (change, words) {
        (ListEdit::Clear, []) => Ok(String::new()),
        (ListEdit::Set, [text]) => match TransformList::checked(*text, list.syntax()) {
            Ok(new) => Ok(new.spelled()),
            Err(fault) => {
                let error = Diagnostic::new(fault.to_string());
                Err(match fault.fix {
                    Some(fix) => error.or_try(format!("transform {name} set {}", quote(&fix))),
                    None => error,
                })
            }
        },
        (ListEdit::Insert, [n, item]) => {
            let n = number(n)?;
            list.insert(n, item)
                .map_err(|error| wrong(error, n, Some(item)))
        }
        (ListEdit::Replace, [n, item]) => {
            let n = number(n)?;
            list.replace(n, item)
                .map_err(|error| wrong(error, n, Some(item)))
        }
        (ListEdit::Remove, [n]) => {
            let n = number(n)?;
            list.remove(n).map_err(|error| wrong(error, n, None))
        }
        (ListEdit::Insert, _) => {
            bail!("insert takes a number and an item"; try: "transform {name} insert 1 \"rotate(9)\"")
        }
        (ListEdit::Replace, _) => {
            bail!("replace takes a number and an item"; try: "transform {name} replace 1 \"rotate(9)\"")
        }
        (ListEdit::Remove, _) => bail!("remove takes a number"; try: "? describe {name}"),
        (ListEdit::Set, _) => {
            bail!("set takes a list in quotes"; try: "transform {name} set \"rotate(9)\"")
        }
        (ListEdit::Clear | ListEdit::Bake, _) => {
            bail!("{change} takes nothing"; try: "transform {name} {change}")
        }
    }
}
