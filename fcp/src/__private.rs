//! What the macros' expansions name. Not for people.

use std::hash::{Hash, Hasher};

pub use crate::domain::Domain;
pub use crate::model::{
    AnyTable, Build, Entity, EntityShape, Fate, FieldInput, FieldKind, FieldShape, HasTable, Id,
    Ids, Journaled, Model, ModelShape, Part, PartShape, Row, RowTest, SelectorKind,
};
pub use crate::reply::{Listing, Reply};
pub use crate::value::{Choice, FcpValue, ValueError, ValueSpec, parse_choice};
pub use crate::verb::{
    Arg, Binder, Call, Example, FromArg, Lint, Param, Pick, Place, Registered, Role, Run, Scope,
    SelectorDef, Source, Takes, Verb,
};
pub use inventory;
pub use schemars;
pub use serde;

/// Feeds a field to a content hash.
pub fn feed<T: Hash + ?Sized>(value: &T, mut hasher: &mut dyn Hasher) {
    value.hash(&mut hasher);
}

/// The test of a selector made from a field, for equal values.
///
/// # Errors
/// The text is no value.
pub fn equal<T: 'static, V: FcpValue + PartialEq>(
    text: &str,
    get: impl Fn(&T) -> Option<&V> + 'static,
) -> Result<RowTest<T>, ValueError> {
    let wanted = V::parse(text)?;
    Ok(Box::new(move |row| get(row) == Some(&wanted)))
}

/// The test of a selector made from a field, for a span `LO-HI`, a bound `<V <=V >V >=V`, or an equal value.
///
/// # Errors
/// The text is no value, no span, or a reversed one.
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
    // A value may itself hold a hyphen, so every hyphen is tried as the one between the ends.
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

/// Sets a field from text.
///
/// # Errors
/// The text is no value, or an id was given where a value is wanted.
pub fn assign<V: FcpValue>(field: &mut V, input: FieldInput<'_>) -> Result<(), ValueError> {
    *field = value(input)?;
    Ok(())
}

/// A value from what a field is given.
///
/// # Errors
/// The text is no value, or an id was given where a value is wanted.
pub fn value<V: FcpValue>(input: FieldInput<'_>) -> Result<V, ValueError> {
    match input {
        FieldInput::Text(text) => V::parse(&text),
        FieldInput::Row(_) => Err(ValueError::sentence("this field holds no reference")),
    }
}

/// An id from what a field is given.
///
/// # Errors
/// A text was given where a reference is wanted.
pub fn reference<T>(input: FieldInput<'_>) -> Result<Id<T>, ValueError> {
    match input {
        FieldInput::Row(id) => Ok(Id::new(id)),
        FieldInput::Text(_) => Err(ValueError::sentence("this field holds a reference")),
    }
}

/// A field that must be given when a row is made.
///
/// # Errors
/// It is not given, or not a value.
pub fn given<V>(
    input: Option<FieldInput<'static>>,
    ix: usize,
    read: impl FnOnce(FieldInput<'_>) -> Result<V, ValueError>,
) -> Result<V, Build> {
    read(input.ok_or(Build::Missing(ix))?).map_err(|error| Build::Invalid(ix, error))
}

/// A field that may be left out when a row is made.
///
/// # Errors
/// It is given and not a value.
pub fn given_or<V>(
    input: Option<FieldInput<'static>>,
    ix: usize,
    read: impl FnOnce(FieldInput<'_>) -> Result<V, ValueError>,
    otherwise: impl FnOnce() -> V,
) -> Result<V, Build> {
    match input {
        Some(input) => read(input).map_err(|error| Build::Invalid(ix, error)),
        None => Ok(otherwise()),
    }
}
