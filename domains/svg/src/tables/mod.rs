//! The tables for SQL, one per file: the elements of a drawing and their contents.
//! Edits that verbs share with tables are in `edit`.

mod attributes;
pub mod computed;
mod declarations;
mod elements;
mod moved;
mod placed;
mod points;
mod refs;
mod resized;
mod retexted;
mod rules;
mod styles;
pub mod texts;
mod visible;

use fcp::prelude::*;
use fcp::value::Cell;

use crate::model::{Drawing, NodeId};
use crate::syntax::paint::Paint;

/// The row of an element.
fn row(id: NodeId) -> Row {
    Row::new(Drawing::NODES, id.number())
}

/// The element of a row.
const fn node(row: Row) -> NodeId {
    NodeId::new(row.id())
}

/// A count as SQL has it.
fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts a number in a row to an index from 0.
fn index(number: i64) -> usize {
    let number = usize::try_from(number).unwrap_or_default();
    number.saturating_sub(1)
}

/// The new value of a declaration as its property spells it; `None` to remove it.
fn new_value(drawing: &Drawing, property: &str, value: Option<Text>) -> Result<Option<String>> {
    let value = value.map(|value| styles::declared(drawing, property, value.as_str()));
    value.transpose()
}

/// Rounds off the noise of binary fractions.
fn rounded(number: f64) -> f64 {
    const DECIMALS: f64 = 1e9;
    let rounded = (number * DECIMALS).round() / DECIMALS;
    if rounded.is_finite() { rounded } else { number }
}

/// The element in the column `ref` of a new row.
fn named(drawing: &Drawing, new: &NewRow<'_>) -> Result<NodeId> {
    let Some(name) = new.text("ref") else {
        bail!("a new row needs ref, the element that it belongs to")
    };
    element(drawing, &name)
}

/// The element with a name.
fn element(drawing: &Drawing, name: &str) -> Result<NodeId> {
    let found = fcp::verb::called(drawing, name, "object", true);
    let found = found.map_err(|error| Diagnostic::new(error.about(name)).or_try("? map"))?;
    let id = NodeId::new(found.id());
    drawing.only_elements(&[id])?;
    Ok(id)
}

/// A required column of a new row.
fn needed(new: &NewRow<'_>, column: &str) -> Result<String> {
    match new.text(column) {
        Some(text) => Ok(text),
        None => bail!("a new row needs {column}"),
    }
}

/// A colour as `#rrggbb`, with two more digits if it is not opaque.
fn hex([r, g, b, a]: [u8; 4]) -> String {
    match a {
        255 => format!("#{r:02x}{g:02x}{b:02x}"),
        a => format!("#{r:02x}{g:02x}{b:02x}{a:02x}"),
    }
}

/// `color('red')`: a colour as `#rrggbb`; NULL for any other text.
pub(crate) fn color(cells: &[Cell]) -> Cell {
    let text = cells.first().and_then(Cell::word);
    let color = text.and_then(|text| fcp::value::Color::read(text.trim()));
    let rgba = color.and_then(|color| color.rgba());
    rgba.map_or(Cell::Null, |rgba| Cell::Text(hex(rgba)))
}

/// A paint as tables show it: a colour as `#rrggbb` with `currentColor` resolved, or else as it is
/// spelled.
fn paint(value: &str, current: &str) -> String {
    let value = value.trim();
    let color = |text: &str| fcp::value::Color::read(text.trim());
    if let Some(known) = color(value) {
        let rgba = known.rgba().or_else(|| color(current)?.rgba());
        return rgba.map_or_else(|| value.to_owned(), hex);
    }
    match Paint::parse(value) {
        Ok(paint) => paint.written(),
        Err(_) => value.to_owned(),
    }
}
