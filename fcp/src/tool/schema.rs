//! The schemas of tools, from their types.
//!
//! `schemars` derives them; here they become what clients and checks need: objects without
//! additional fields, one branch of several and never two, and no formats that only Rust knows.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Map, Value, json};

use super::run::Outcome;

/// The schema of arguments.
#[must_use]
pub fn input<A: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_deserialize();
    let mut schema = generator.into_generator().into_root_schema_for::<A>();
    schema.remove("$schema");
    schema.remove("title");
    // The description of a flattened type does not describe the tool.
    schema.remove("description");
    // A function without parameters: clients need to see explicitly that there are none.
    if schema.get("properties").is_none() {
        schema.insert("properties".to_owned(), json!({}));
    }
    closed(schema)
}

/// The schema of a tool's answers: its reply, or its error.
#[must_use]
pub fn output<O: Outcome>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut generator = settings.into_generator();
    let reply = generator.subschema_for::<O::Reply>();
    let error = generator.subschema_for::<O::Error>();
    let definitions = generator.take_definitions(true);
    let mut schema = json_schema!({ "type": "object", "oneOf": [reply, error] });
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    one_of(&mut schema);
    closed(schema)
}

/// Closes every object: all of its fields, and no others.
fn closed(mut schema: Schema) -> Value {
    if let Some(Value::Object(defs)) = schema.get("$defs").cloned() {
        join(&mut schema, &defs);
    }
    Close { composed: false }.transform(&mut schema);
    schema.to_value()
}

/// Returns whether every value that a schema allows is an object. `defs` are the definitions that
/// it refers to.
pub(super) fn is_object(schema: &Value, defs: &Map<String, Value>) -> bool {
    // A type that only refers to itself never ends; the count stops it.
    let mut open = vec![schema];
    let mut looked = 0;
    while let Some(schema) = open.pop() {
        looked += 1;
        if looked > 1000 {
            return false;
        }
        if schema["type"] == "object" {
            continue;
        }
        let reference = schema["$ref"].as_str();
        let named = reference.and_then(|path| path.strip_prefix("#/$defs/"));
        if let Some(named) = named.and_then(|name| defs.get(name)) {
            open.push(named);
        } else if let Some(branches) = schema["oneOf"].as_array().filter(|all| !all.is_empty()) {
            open.extend(branches);
        } else {
            return false;
        }
    }
    true
}

/// Keywords that compose a schema from others.
const PARTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Merges the schema that an object refers to into the object, if it has its own fields as well:
/// closed separately, that schema would reject these.
fn join(schema: &mut Schema, defs: &Map<String, Value>) {
    if let Some(object) = schema.as_object_mut()
        && object.contains_key("properties")
        && let Some(path) = object.get("$ref").and_then(Value::as_str)
        && let Some(other) = path
            .strip_prefix("#/$defs/")
            .and_then(|name| defs.get(name))
        && let Some(fields) = other["properties"].as_object().cloned()
    {
        let required = other["required"].as_array().cloned().unwrap_or_default();
        object.remove("$ref");
        if let Some(Value::Object(own)) = object.get_mut("properties") {
            own.extend(fields);
        }
        if let Value::Array(own) = object.entry("required").or_insert_with(|| json!([])) {
            own.extend(required);
        }
    }
    transform_subschemas(&mut |schema: &mut Schema| join(schema, defs), schema);
}

/// Makes objects reject unknown fields.
struct Close {
    /// Whether the schema is part of one that has its own fields and is closed there.
    composed: bool,
}

impl Transform for Close {
    fn transform(&mut self, schema: &mut Schema) {
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        // Rust's names of number types mean nothing to a client; the bounds do.
        let format = object.get("format").and_then(Value::as_str);
        let bounds = match format.unwrap_or_default() {
            "uint32" => Some((json!(u32::MIN), json!(u32::MAX))),
            "int32" => Some((json!(i32::MIN), json!(i32::MAX))),
            _ => None,
        };
        let sizes = ["int", "uint", "float", "double"];
        if format.is_some_and(|format| sizes.iter().any(|start| format.starts_with(start))) {
            object.remove("format");
        }
        if let Some((low, high)) = bounds {
            object.entry("minimum").or_insert(low);
            object.entry("maximum").or_insert(high);
        }
        let fields = object.contains_key("properties");
        let open = !object.contains_key("additionalProperties");
        let parts: Vec<(&str, Value)> = PARTS
            .iter()
            .filter_map(|part| Some((*part, object.remove(*part)?)))
            .collect();
        let composed = fields && !parts.is_empty();
        if fields && open && !self.composed {
            let keyword = if composed {
                "unevaluatedProperties"
            } else {
                "additionalProperties"
            };
            object.insert(keyword.to_owned(), json!(false));
        }
        transform_subschemas(&mut Self { composed: false }, schema);
        let mut inner = Self {
            composed: composed || self.composed,
        };
        for (part, mut branches) in parts {
            for branch in branches.as_array_mut().into_iter().flatten() {
                if let Ok(branch) = <&mut Schema>::try_from(branch) {
                    inner.transform(branch);
                }
            }
            schema.insert(part.to_owned(), branches);
        }
    }
}

/// A reply has exactly one of several forms, and needs no default.
fn one_of(schema: &mut Schema) {
    schema.remove("default");
    if schema.get("oneOf").is_none()
        && let Some(branches) = schema.remove("anyOf")
    {
        schema.insert("oneOf".to_owned(), branches);
    }
    transform_subschemas(&mut one_of, schema);
}
