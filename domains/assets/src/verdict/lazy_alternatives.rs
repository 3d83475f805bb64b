//! Alternatives opened one by one: the errors of one are found only when they are to be reported.
//!
//! The validator collects the errors of all nested alternatives, which takes 2ⁿ steps at depth n.
//! If that is too much, it gets schemas whose `anyOf` and `oneOf` are inside `not: { not: … }`: it
//! then reports that they do not match, without errors of their alternatives.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use fcp::work;
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Value, json};

use super::alternatives::Branch;
use crate::json::{Pointer, Tape, Tapes, within};
use crate::library::{Closed, Lender, Library, Schema, VALUES, options};

/// The maximum number of alternatives opened for an asset.
const OPENED: usize = 1_000;

/// The maximum number of schemas compiled for an asset.
const COMPILED: usize = 100;

/// The maximum depth of nested alternatives.
const DEPTH: usize = 64;

/// The keywords of alternatives.
const ALTERNATIVES: [&str; 2] = ["anyOf", "oneOf"];

/// The bytes of a schema that are compiled in a step.
const BYTES_A_STEP: usize = 2;

/// Opens the alternatives of an asset.
pub(super) struct Opening<'s> {
    library: &'s Library,
    tape: &'s Tape<'s>,
    closed: &'s Closed,
    draft: Option<Draft>,
    validators: RefCell<HashMap<String, Option<Rc<Validator<Tapes>>>>>,
    opened: Cell<usize>,
    depth: Cell<usize>,
    /// The steps that are left.
    left: Cell<usize>,
    taken: Cell<usize>,
}

impl<'s> Opening<'s> {
    pub fn new(library: &'s Library, schema: &Schema, tape: &'s Tape<'s>, steps: usize) -> Self {
        let closed = library.closed(closed);
        Self {
            library,
            draft: closed.shelf.draft(&schema.tree().to_value()),
            tape,
            closed,
            validators: RefCell::default(),
            opened: Cell::new(0),
            depth: Cell::new(0),
            left: Cell::new(steps),
            taken: Cell::new(0),
        }
    }

    /// The number of steps taken.
    pub fn taken(&self) -> usize {
        self.taken.get()
    }

    /// The errors of a value by a schema's address; `None` if that takes too many steps.
    pub fn errors(&self, address: &str, path: &str) -> Option<Branch> {
        let validator = self.validator(address)?;
        let (errors, taken) = within(self.left.get(), self.closed.costs, || {
            let at = self.tape.root().below(Pointer::read(path)?.keys())?;
            let errors = validator.iter_errors(at);
            Some(errors.map(ValidationError::to_owned).collect())
        });
        self.taken.set(self.taken.get() + taken);
        let left = errors.is_ok().then(|| self.left.get() - taken);
        self.left.set(left.unwrap_or_default());
        errors.ok().flatten()
    }

    /// The errors of each alternative of an error. One that matches has no errors. `None` if they
    /// are too many, too deep or take too many steps.
    pub fn branches(&self, error: &ValidationError<'_>, path: &str) -> Option<Vec<Branch>> {
        let (keyword, count) = alternatives(error)?;
        let address = error.absolute_keyword_location()?.as_str();
        let opened = self.opened.get() + count;
        if opened > OPENED || self.depth.get() >= DEPTH {
            return None;
        }
        self.opened.set(opened);
        let branches =
            (0..count).map(|ix| self.errors(&format!("{address}/not/{keyword}/{ix}"), path));
        branches.collect()
    }

    /// Runs a closure one level deeper.
    pub fn deeper(&self, inner: impl FnOnce()) {
        self.depth.set(self.depth.get() + 1);
        inner();
        self.depth.set(self.depth.get() - 1);
    }

    fn validator(&self, address: &str) -> Option<Rc<Validator<Tapes>>> {
        let mut validators = self.validators.borrow_mut();
        if let Some(known) = validators.get(address) {
            return known.clone();
        }
        if validators.len() >= COMPILED {
            return None;
        }
        let document = address
            .split('#')
            .next()
            .and_then(|base| self.library.at_address(base));
        let steps = document.map_or(0, |schema| schema.served.text().len() / BYTES_A_STEP);
        let is_cheap = (steps as u64) < work::left() / 2;
        if !is_cheap || work::spend(steps).is_err() {
            return None;
        }
        let lender = Lender(Arc::clone(&self.closed.shelf));
        let options = options(self.draft, "fcp:///alternative".to_owned(), lender);
        let made = options.build(&json!({ "$ref": address }));
        let made = made.ok().map(Rc::new);
        validators.insert(address.to_owned(), made.clone());
        made
    }
}

/// The keyword and the number of the closed alternatives of an error.
pub(super) fn alternatives(error: &ValidationError<'_>) -> Option<(&'static str, usize)> {
    let Kind::Not { schema } = error.kind() else {
        return None;
    };
    let inner = schema.get("not")?;
    ALTERNATIVES.iter().find_map(|keyword| {
        let count = inner.get(keyword)?.as_array()?.len();
        Some((*keyword, count))
    })
}

/// A pointer into a closed schema, as a pointer into the original.
pub(super) fn restored(pointer: &str) -> String {
    let keys: Vec<&str> = pointer.split('/').collect();
    let (mut names, mut at) = (Vec::with_capacity(keys.len()), 0);
    while let Some(key) = keys.get(at) {
        match keys.get(at..at + 5) {
            Some(["allOf", _, "not", "not", keyword]) if ALTERNATIVES.contains(keyword) => at += 4,
            _ => {
                names.push(*key);
                at += 1;
            }
        }
    }
    names.join("/")
}

/// A schema with its alternatives closed. Recursion is bounded by the depth of the parsed text.
fn closed(schema: Value) -> Value {
    match schema {
        Value::Array(items) => items.into_iter().map(closed).collect(),
        Value::Object(members) => {
            let mut hidden = Vec::new();
            let mut shown = serde_json::Map::new();
            for (key, value) in members {
                let is_hidden = ALTERNATIVES.contains(&key.as_str()) && value.is_array();
                let value = match VALUES.contains(&key.as_str()) {
                    true => value,
                    false => closed(value),
                };
                if is_hidden {
                    hidden.push(json!({ "not": { "not": { key: value } } }));
                } else {
                    shown.insert(key, value);
                }
            }
            if !hidden.is_empty() {
                match shown.entry("allOf").or_insert_with(|| json!([])) {
                    Value::Array(all) => all.append(&mut hidden),
                    // The schema is invalid and does not compile.
                    other => *other = Value::Null,
                }
            }
            Value::Object(shown)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_schema_keeps_its_values_and_its_places() {
        let schema = json!({
            "properties": { "a": { "anyOf": [{ "oneOf": [true] }], "allOf": [false] } },
            "const": { "anyOf": [] },
        });
        let expected = json!({
            "properties": { "a": { "allOf": [
                false,
                { "not": { "not": { "anyOf": [
                    { "allOf": [{ "not": { "not": { "oneOf": [true] } } }] }
                ] } } },
            ] } },
            "const": { "anyOf": [] },
        });
        assert_eq!(closed(schema), expected);
        let inside = "/properties/a/allOf/1/not/not/anyOf/0/allOf/0/not/not/oneOf/0/type";
        assert_eq!(restored(inside), "/properties/a/anyOf/0/oneOf/0/type");
    }
}
