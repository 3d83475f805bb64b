//! Names that macro expansions use. Not a public API.

use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use crate::value::parse_choice;

pub use crate::domain::Domain;
pub use crate::model::{
    AnyTable, Build, Entity, EntityShape, Fate, FieldInput, FieldKind, FieldShape, HasTable, Id,
    Ids, Journaled, Label, Model, ModelShape, Part, PartShape, Row, RowTest, SelectorKind, Table,
};
pub use crate::reply::{Exported, Listing, Reply};
pub use crate::table::{
    Column, Set, TableDef, TableRow, pour, remove as remove_row, remove_all as remove_rows,
    set as set_column, set_all as set_columns,
};
pub use crate::tool::{
    Hints, Outcome, RegisteredTool, Run as ToolRun, Tool, call as tool_call, input as tool_input,
    output as tool_output, trouble as tool_trouble,
};
pub use crate::value::{Cell, Choice, ColumnValue, FcpValue, Steps, ValueError, ValueSpec};
pub use crate::verb::{
    Arg, Binder, Call, Check, Example, FromArg, Group, Lint, Param, Params, Pick, Place,
    Registered, Role, Run, Scope, SelectorDef, Source, Takes, Verb, agree, count, grouped, join,
};
pub use inventory;
pub use schemars;
pub use serde;

/// Feeds a field to a content hash.
pub fn feed<T: Hash + ?Sized>(value: &T, mut hasher: &mut dyn Hasher) {
    value.hash(&mut hasher);
}

/// The test of a selector made from a field: equal values.
///
/// # Errors
/// The text is not a value.
pub fn equal<T: 'static, V: FcpValue + PartialEq>(
    text: &str,
    get: impl Fn(&T) -> Option<&V> + 'static,
) -> Result<RowTest<T>, ValueError> {
    let wanted = V::parse(text)?;
    Ok(Box::new(move |row| get(row) == Some(&wanted)))
}

/// The test of a selector made from a field: a span `LO-HI`, a bound `<V <=V >V >=V`, or an equal
/// value.
///
/// # Errors
/// The text is neither a value nor a span, or the span is reversed.
pub fn range<T: 'static, V: FcpValue + PartialOrd>(
    text: &str,
    get: impl Fn(&T) -> Option<&V> + 'static,
) -> Result<RowTest<T>, ValueError> {
    for (sign, bound) in [("<=", 0_u8), (">=", 1), ("<", 2), (">", 3)] {
        if let Some(rest) = text.strip_prefix(sign) {
            let limit = V::parse(rest)?;
            return Ok(Box::new(move |row| {
                get(row).is_some_and(|value| match bound {
                    0 => *value <= limit,
                    1 => *value >= limit,
                    2 => *value < limit,
                    _ => *value > limit,
                })
            }));
        }
    }
    let whole = V::parse(text);
    if let Ok(wanted) = whole {
        return Ok(Box::new(move |row| {
            get(row).is_some_and(|value| *value == wanted)
        }));
    }
    // A value may itself contain a hyphen, so every hyphen is tried as the separator of the ends.
    for (at, _) in text.match_indices('-').filter(|(at, _)| *at > 0) {
        if let (Ok(low), Ok(high)) = (V::parse(&text[..at]), V::parse(&text[at + 1..])) {
            if low > high {
                let message = format!("{text} is reversed");
                return Err(ValueError::sentence(message).fix(format!(
                    "{}-{}",
                    &text[at + 1..],
                    &text[..at]
                )));
            }
            return Ok(Box::new(move |row| {
                get(row).is_some_and(|value| *value >= low && *value <= high)
            }));
        }
    }
    whole.map(|_| -> RowTest<T> { Box::new(|_| false) })
}

/// Describes, shows and reads the values of a field that holds a `V`.
///
/// In one struct, so that a field type that is not a value gives one compile error.
pub struct Values<V> {
    /// Describes its values.
    pub spec: fn() -> ValueSpec,
    /// Formats a value as text.
    pub show: fn(&V) -> String,
    /// Reads a value from a field's input.
    pub read: fn(FieldInput<'_>) -> Result<V, ValueError>,
    /// Reads a value from a field's input, or `None` from `none`.
    pub read_option: fn(FieldInput<'_>) -> Result<Option<V>, ValueError>,
}

/// The functions that describe, show and read the values of a field that holds a `V`.
#[must_use]
pub const fn values<V: FcpValue>() -> Values<V> {
    Values {
        spec: || V::SPEC,
        show: ToString::to_string,
        read: value,
        read_option: optional_value,
    }
}

fn value<V: FcpValue>(input: FieldInput<'_>) -> Result<V, ValueError> {
    match input {
        FieldInput::Text(text) => V::parse(&text),
        FieldInput::Row(_) => Err(ValueError::sentence("this field holds no reference")),
    }
}

fn optional_value<V: FcpValue>(input: FieldInput<'_>) -> Result<Option<V>, ValueError> {
    if clears(&input) {
        return Ok(None);
    }
    value(input).map(Some)
}

/// Reads an id from a field's input.
///
/// # Errors
/// The input is a text, not a reference.
pub fn reference<T>(input: FieldInput<'_>) -> Result<Id<T>, ValueError> {
    match input {
        FieldInput::Row(id) => Ok(Id::new(id)),
        FieldInput::Text(_) => Err(ValueError::sentence("this field holds a reference")),
    }
}

/// Reads an id from a field's input, or `None` from `none`.
///
/// # Errors
/// The input is a text, not a reference.
pub fn optional_reference<T>(input: FieldInput<'_>) -> Result<Option<Id<T>>, ValueError> {
    if clears(&input) {
        return Ok(None);
    }
    reference(input).map(Some)
}

fn clears(input: &FieldInput<'_>) -> bool {
    matches!(input, FieldInput::Text(text) if text == "none")
}

/// The error for a field that cannot be set from outside.
#[must_use]
pub fn fixed(shape: &EntityShape, ix: usize) -> ValueError {
    let field = shape.fields.get(ix).map_or("this", |field| field.name);
    ValueError::sentence(format!("{field}: of a {} cannot be set", shape.kind))
}

/// The error for a field that does not give a selector.
#[must_use]
pub fn no_selector(shape: &EntityShape, ix: usize) -> ValueError {
    let field = shape.fields.get(ix).map_or("this", |field| field.name);
    ValueError::sentence(format!("no selector @{field}"))
}

/// Reads a field that is required when a row is made.
///
/// # Errors
/// The field is missing, or its input is not a value.
pub fn given<V>(
    input: Option<FieldInput<'static>>,
    ix: usize,
    read: impl FnOnce(FieldInput<'_>) -> Result<V, ValueError>,
) -> Result<V, Build> {
    read(input.ok_or(Build::Missing(ix))?).map_err(|error| Build::Invalid(ix, Box::new(error)))
}

/// Reads a field that may be omitted when a row is made.
///
/// # Errors
/// The field is given, but its input is not a value.
pub fn given_or<V>(
    input: Option<FieldInput<'static>>,
    ix: usize,
    read: impl FnOnce(FieldInput<'_>) -> Result<V, ValueError>,
    otherwise: impl FnOnce() -> V,
) -> Result<V, Build> {
    match input {
        Some(input) => read(input).map_err(|error| Build::Invalid(ix, Box::new(error))),
        None => Ok(otherwise()),
    }
}

/// The value spec of a field that refers to a row.
#[must_use]
pub fn reference_spec() -> ValueSpec {
    ValueSpec::new("REF", "a name, #id, or KIND:NAME")
}

/// The value spec of a field without a value.
#[must_use]
pub fn no_value() -> ValueSpec {
    ValueSpec::new("", "")
}

/// A query's answer as lines.
///
/// # Errors
/// Those of the query.
pub fn listing<'m, T: Into<Listing<'m>>>(
    answer: crate::diag::Result<T>,
) -> crate::diag::Result<Listing<'m>> {
    answer.map(Into::into)
}

/// An export's file, and the content that it leaves out.
///
/// # Errors
/// Those of the export.
pub fn exported<T: Into<Exported>>(
    answer: crate::diag::Result<T>,
) -> crate::diag::Result<Exported> {
    answer.map(Into::into)
}

/// The value of an enum that `text` names.
///
/// # Errors
/// The text is not the name of a value.
pub fn choose<V: FcpValue>(all: &[V], text: &str) -> Result<V, ValueError> {
    let ix = parse_choice(V::SPEC.choices, text)?;
    let value = all.get(ix).cloned();
    value.ok_or_else(|| ValueError::new("is not one of the words here"))
}

/// Reads the value of a selector that requires one.
///
/// # Errors
/// The value is missing, or the text is not a value.
pub fn with_value<M: Domain, T: FromArg<M>>(
    name: &str,
    arg: &Arg<'_>,
    scope: &Scope<'_, M>,
) -> Result<T, ValueError> {
    if arg.text.is_empty() && !arg.quoted {
        return Err(ValueError::sentence(format!("@{name} needs a value")));
    }
    T::from_arg(arg, scope)
}

/// Reads the value of a selector whose value is optional.
///
/// # Errors
/// The text is not a value.
pub fn maybe_value<M: Domain, T: FromArg<M>>(
    arg: &Arg<'_>,
    scope: &Scope<'_, M>,
) -> Result<Option<T>, ValueError> {
    if arg.text.is_empty() {
        return Ok(None);
    }
    T::from_arg(arg, scope).map(Some)
}

/// Checks that a selector has no value.
///
/// # Errors
/// It has a value.
pub fn without_value(name: &str, arg: &Arg<'_>) -> Result<(), ValueError> {
    if arg.text.is_empty() {
        return Ok(());
    }
    let whole = format!("@{name}");
    Err(ValueError::sentence(format!("{whole} takes no value")).fix_selector(Some(whole)))
}

/// The problem that a lint finds with a row, if the row exists.
pub fn check<M: HasTable<T>, T: Entity>(
    model: &M,
    id: u32,
    look: impl FnOnce(&M, Id<T>, &T) -> Option<String>,
) -> Option<String> {
    let id = Id::new(id);
    look(model, id, model.table().get(id)?)
}

/// The line that replies show for a row, if the row exists.
pub fn line<M: HasTable<T>, T: Entity>(
    model: &M,
    row: Row,
    show: impl FnOnce(&M, Id<T>, &T) -> String,
) -> Option<String> {
    let id = row.of();
    Some(show(model, id, model.table().get(id)?))
}

/// The row that a change is about, with the index of its table.
#[must_use]
pub fn row_of(part: usize, change: Option<(u32, Fate)>) -> Option<(Row, Fate)> {
    change.map(|(id, fate)| (Row::new(part, id), fate))
}

/// The counter that the rows of a model draw their ids from.
#[must_use]
pub fn ids<'a>(parts: &[Option<&'a Ids>]) -> &'a Ids {
    // Nothing draws from the counter of a model without rows.
    static NONE: LazyLock<Ids> = LazyLock::new(Ids::default);
    parts.iter().find_map(|part| *part).unwrap_or(&NONE)
}
