//! The schemas of tools: arguments and answers.

use super::*;

#[test]
fn arguments_have_a_closed_schema_with_the_words_of_the_author() {
    let shelf = shelf();
    let tool = shelf.find("titles").unwrap();
    assert_eq!(
        Value::Object(tool.input.clone()),
        json!({
            "type": "object",
            "properties": {
                "limit": { "type": "integer", "minimum": 1, "maximum": 99, "description": "The most entries.", "default": 10 },
                "from": { "type": ["integer", "null"], "minimum": 0, "maximum": 4294967295_u32, "description": "The first, from 1." },
                "cover": {
                    "anyOf": [{ "$ref": "#/$defs/Cover" }, { "type": "null" }],
                    "description": "Only those bound like this.",
                },
                "startsWith": { "type": "string", "default": "", "description": "Only those that begin so." },
            },
            "$defs": { "Cover": {
                "description": "The binding of a book.",
                "oneOf": [
                    { "type": "string", "const": "hard", "description": "Boards." },
                    { "type": "string", "const": "soft", "description": "Paper." },
                ],
            } },
            "additionalProperties": false,
        })
    );
    assert_eq!(
        Value::Object(shelf.find("clear").unwrap().input.clone()),
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
    assert_eq!(
        tool.input["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["limit", "from", "cover", "startsWith"]
    );
}

#[test]
fn an_enum_of_objects_is_one_of_several_with_constants_beside_the_error() {
    let schema = Value::Object(shelf().find("book.add").unwrap().output());
    assert_eq!(
        schema["oneOf"],
        json!([{ "$ref": "#/$defs/Added" }, { "$ref": "#/$defs/Error" }])
    );
    let forms = schema["$defs"]["Added"]["oneOf"].as_array().unwrap();
    let constants: Vec<_> = forms
        .iter()
        .map(|form| &form["properties"]["status"]["const"])
        .collect();
    assert_eq!(constants, ["added", "known"]);
    // Fields that a variant takes from another type become its own; otherwise that type would
    // reject the tag.
    assert_eq!(forms[0]["properties"]["books"]["type"], "integer");
    assert!(
        forms
            .iter()
            .all(|form| form["additionalProperties"] == false)
    );
    assert_eq!(
        schema["$defs"]["Error"]["properties"]["error"]["required"],
        json!(["message"])
    );
    let text = schema.to_string();
    for gone in ["anyOf", "format", "default", "$schema", "title\""] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
}

/// Shapes of `serde` that a closed schema must handle.
pub mod shapes {
    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Inner {
        pub a: u8,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    pub enum Tagged {
        Holds(Inner),
        Says { text: String },
        Nothing,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub enum Either {
        Inner(Inner),
        Many { many: Vec<Inner> },
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Whole {
        pub name: String,
        #[serde(flatten)]
        pub tagged: Tagged,
        #[serde(flatten)]
        pub inner: Option<Inner>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Loose {
        pub any: Value,
        pub map: BTreeMap<String, Inner>,
        pub boxed: Option<Box<Loose>>,
    }
}

/// Returns whether a value fits, and whether it fits with an additional field.
fn fits(schema: &Value, value: &Value) -> (bool, bool) {
    let checker = jsonschema::validator_for(schema).unwrap();
    let mut more = value.clone();
    more["more"] = json!(1);
    (checker.is_valid(value), checker.is_valid(&more))
}

#[test]
fn every_shape_takes_its_own_fields_and_no_others() {
    use shapes::{Either, Inner, Loose, Tagged, Whole};
    fn both<T: Serialize + JsonSchema>() -> [Value; 2] {
        [input::<T>(), output::<Result<T>>()]
    }
    for (schemas, value) in [
        (both::<Tagged>(), json!({ "kind": "holds", "a": 1 })),
        (both::<Tagged>(), json!({ "kind": "says", "text": "x" })),
        (both::<Tagged>(), json!({ "kind": "nothing" })),
        (both::<Either>(), json!({ "a": 1 })),
        (both::<Either>(), json!({ "many": [{ "a": 1 }] })),
        (
            both::<Whole>(),
            json!({ "name": "x", "kind": "says", "text": "x" }),
        ),
        (
            both::<Whole>(),
            json!({ "name": "x", "kind": "nothing", "a": 1 }),
        ),
        (
            both::<Whole>(),
            json!({ "name": "x", "kind": "holds", "a": 1 }),
        ),
        (
            both::<Loose>(),
            json!({ "any": { "b": 1 }, "map": { "x": { "a": 1 } }, "boxed": null }),
        ),
        (
            both::<Loose>(),
            json!({ "any": 1, "map": {}, "boxed": { "any": [], "map": {}, "boxed": null } }),
        ),
    ] {
        for schema in schemas {
            assert_eq!(fits(&schema, &value), (true, false), "{value}\n{schema:#}");
        }
    }
    let nested = json!({ "any": 1, "map": { "x": { "a": 1, "b": 2 } }, "boxed": null });
    assert!(!fits(&input::<Loose>(), &nested).0);
    assert!(fits(&input::<Inner>(), &json!({ "a": 255 })).0);
    assert!(!fits(&input::<Inner>(), &json!({ "a": 256 })).0);
}
