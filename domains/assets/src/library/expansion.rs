//! Schemas that cannot be compiled in bounded time.
//!
//! For `unevaluatedProperties` and `unevaluatedItems` the validator compiles all schemas that apply
//! to the same value, once for each way of references to them, and there may be 2ⁿ ways.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::counted::{IN_PLACE, VALUES};
use super::schemas::Shelf;

/// The most ways for a schema file.
pub(super) const WAYS: usize = 100_000;

/// The most references and keywords that follow each other on a way.
const LENGTH: usize = 1_000;

/// Keywords that have the schemas of all ways compiled.
const UNEVALUATED: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];

/// Counts ways.
struct Ways<'s> {
    shelf: &'s Shelf,
    left: usize,
    /// The schemas on the current way. A reference to one of them ends it.
    on_way: HashSet<*const Value>,
}

/// Whether a schema file has few ways.
pub(super) fn is_bounded(shelf: &Shelf, file: &Value) -> bool {
    let mut ways = Ways {
        shelf,
        left: WAYS,
        on_way: HashSet::new(),
    };
    ways.inside(file, file).is_some()
}

impl<'s> Ways<'s> {
    /// Counts the ways from all schemas of a file that need them compiled; `None` if there are too
    /// many. Recursion is bounded by the depth of the parsed text.
    fn inside(&mut self, file: &'s Value, value: &'s Value) -> Option<()> {
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.inside(file, item)),
            Value::Object(members) => {
                if UNEVALUATED.iter().any(|key| members.contains_key(*key)) {
                    self.from(file, value)?;
                }
                let mut schemas = members.iter().filter(|(key, _)| !VALUES.contains(&&***key));
                schemas.try_for_each(|(_, value)| self.inside(file, value))
            }
            _ => Some(()),
        }
    }

    /// Counts the ways from a schema.
    fn from(&mut self, file: &'s Value, schema: &'s Value) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let Value::Object(members) = schema else {
            return Some(());
        };
        if self.on_way.len() >= LENGTH {
            return None;
        }
        if !self.on_way.insert(schema) {
            return Some(());
        }
        for key in IN_PLACE {
            match members.get(key) {
                Some(Value::Array(items)) => {
                    items.iter().try_for_each(|item| self.from(file, item))?;
                }
                Some(Value::Object(map)) if key == "dependentSchemas" => {
                    map.values().try_for_each(|value| self.from(file, value))?;
                }
                Some(value @ Value::Object(_)) => self.from(file, value)?,
                Some(Value::String(reference)) => {
                    if let Some((file, schema)) = self.target(file, reference) {
                        self.from(file, schema)?;
                    }
                }
                _ => {}
            }
        }
        self.on_way.remove(&std::ptr::from_ref(schema));
        Some(())
    }

    /// The schema that a reference names, and its file.
    fn target(&self, file: &'s Value, reference: &str) -> Option<(&'s Value, &'s Value)> {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let file = match address {
            "" => file,
            address => self.shelf.find(address)?,
        };
        let fragment = percent_decode_str(fragment).decode_utf8().ok()?;
        let schema = match &*fragment {
            "" => file,
            pointer if pointer.starts_with('/') => file.pointer(pointer)?,
            anchor => anchored(file, anchor)?,
        };
        Some((file, schema))
    }
}

/// The schema with an anchor. Recursion is bounded by the depth of the parsed text.
fn anchored<'s>(value: &'s Value, anchor: &str) -> Option<&'s Value> {
    match value {
        Value::Array(items) => items.iter().find_map(|item| anchored(item, anchor)),
        Value::Object(members) => {
            let keys = ["$anchor", "$dynamicAnchor"].iter();
            let mut names = keys.filter_map(|key| members.get(*key)?.as_str());
            match names.any(|name| name == anchor) {
                true => Some(value),
                false => members.values().find_map(|value| anchored(value, anchor)),
            }
        }
        _ => None,
    }
}
