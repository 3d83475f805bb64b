//! Finds subschemas and their addresses.

use jsonschema::Uri;
use jsonschema::uri::resolve_against;

use crate::json::{Json, Pointer, escaped};
use crate::library::MAPS;

/// Keywords whose value is a schema or a list of them.
const SCHEMAS: [&str; 17] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "extends",
];

/// A subschema.
#[derive(Clone)]
pub(super) struct Spot {
    /// Its place, as a JSON pointer.
    pub pointer: String,
    /// The address that its references are relative to.
    pub base: Uri<String>,
    /// Pointer to the start of its resource.
    pub resource: String,
}

/// Keywords of a schema that concern addresses.
#[derive(Default)]
pub(super) struct Keywords<'t> {
    /// Whether it starts a resource of its own.
    pub id: bool,
    /// Its names in its resource.
    pub anchors: Vec<&'t str>,
    /// The text of its `$ref`.
    pub reference: Option<&'t str>,
    /// Whether it has a reference that is resolved only during validation.
    pub dynamic: bool,
}

impl Spot {
    /// Reads the schema's address keywords. Its `$id` becomes the base of its subschemas.
    ///
    /// # Errors
    /// An `$id` that is not an address.
    pub fn look<'t>(&mut self, schema: &'t Json<'static>) -> Result<Keywords<'t>, String> {
        let text = |key: &str| schema.get(key).and_then(Json::as_str);
        let mut keywords = Keywords {
            reference: text("$ref"),
            dynamic: text("$dynamicRef").is_some() || schema.get("$recursiveRef").is_some(),
            ..Keywords::default()
        };
        keywords.anchors.extend(text("$anchor"));
        keywords.anchors.extend(text("$dynamicAnchor"));
        match text("$id").map(|id| (id, id.strip_prefix('#'))) {
            Some((_, Some(anchor))) => keywords.anchors.push(anchor),
            Some((id, None)) => {
                let base = resolve_against(&self.base.borrow(), id);
                self.base = base.map_err(|problem| problem.to_string())?;
                self.resource.clone_from(&self.pointer);
                keywords.id = true;
            }
            None => {}
        }
        Ok(keywords)
    }

    /// The subschemas of the schema.
    pub fn inner(&self, schema: &Json<'static>) -> Vec<Self> {
        let Json::Object(members) = schema else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut add = |rest: String, value: &Json<'static>| {
            if matches!(value, Json::Object(_) | Json::Bool(_)) {
                found.push(Self {
                    pointer: format!("{}/{rest}", self.pointer),
                    ..self.clone()
                });
            }
        };
        for (keyword, value) in members {
            match value {
                Json::Object(named) if MAPS.contains(&keyword.as_ref()) => {
                    for (name, value) in named {
                        add(format!("{keyword}/{}", escaped(name)), value);
                    }
                }
                Json::Array(listed) if SCHEMAS.contains(&keyword.as_ref()) => {
                    for (at, value) in listed.iter().enumerate() {
                        add(format!("{keyword}/{at}"), value);
                    }
                }
                value if SCHEMAS.contains(&keyword.as_ref()) => add(keyword.to_string(), value),
                _ => {}
            }
        }
        found
    }
}

/// The value at a pointer.
pub(super) fn at<'t>(tree: &'t Json<'static>, pointer: &str) -> Option<&'t Json<'static>> {
    tree.at(Pointer::read(pointer)?.keys())
}
