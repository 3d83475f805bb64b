//! Bundled schemas give every asset the same verdict as before.

use serde_json::{Value, json};

use crate::kit::Served;
use crate::mutants::{Dice, libraries, library, mutant};

/// Whether a schema contains one of these keys. Only for schemas without properties of that name.
fn has_key(value: &Value, key: &str) -> bool {
    match value {
        Value::Object(members) => {
            members.contains_key(key) || members.values().any(|value| has_key(value, key))
        }
        Value::Array(items) => items.iter().any(|value| has_key(value, key)),
        _ => false,
    }
}

#[test]
fn a_bundle_says_of_every_asset_what_the_schema_says() {
    let (mut count, mut bad) = (0, 0);
    for folder in libraries() {
        let (served, schemas, examples) = library(&folder);
        let mut dice = Dice::new(23);
        let mutants: Vec<Value> = (0..60)
            .map(|at| mutant(&examples[at % examples.len()], &mut dice))
            .collect();
        for file in schemas.keys() {
            let bundled = served.answer("bundle_schema", &json!({ "name": file }))["schema"].take();
            assert!(!has_key(&bundled, "$id"), "{bundled}");
            // The bundle is served alone, without any file that it might refer to.
            let alone = Served::schemas([("alone.json", bundled.to_string())]);
            for asset in examples.iter().chain(&mutants) {
                let asset = asset.to_string();
                let (before, after) = (served.faults(file, &asset), alone.faults("alone", &asset));
                assert_eq!(before, after, "{file} {asset}\n{bundled}");
                count += 1;
                bad += usize::from(!before.is_empty());
            }
        }
    }
    eprintln!("{count} verdicts of bundles were compared, {bad} of them bad");
    assert!(bad > 100 && bad < count);
}

#[test]
fn references_of_every_form_are_rewritten() {
    let served = Served::schemas([
        (
            "root.json",
            r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://a.test/1/root.json","properties":{"a":{"$ref":"part.json"},"b":{"$ref":"part.json#/$defs/x~1y%20z"},"c":{"$ref":"part.json#named"},"e":{"$ref":"#/$defs/part"},"f":{"$ref":"part.json#/odd/place"},"g":{"const":{"$ref":"part.json"}},"$ref":{"type":"null"},"h":{"$ref":"https://json-schema.org/draft/2020-12/schema"},"i":{"$ref":"#"}},"$defs":{"part":{"type":"string"}}}"##
                .to_owned(),
        ),
        (
            "part.json",
            r##"{"$id":"https://a.test/2/part.json","type":"array","items":{"$ref":"root.json"},"contains":{"$ref":"https://b.test/inner"},"$defs":{"x/y z":{"type":"integer"},"n":{"$anchor":"named","type":"boolean"},"in":{"$id":"https://b.test/inner","$defs":{"q":{"minimum":3}},"$ref":"#/$defs/q"}},"odd":{"place":{"$ref":"#/$defs/n"}}}"##
                .to_owned(),
        ),
    ]);
    let bundled = served.answer("bundle_schema", &json!({ "name": "root" }))["schema"].take();
    assert_eq!(
        bundled,
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "properties": {
                "a": { "$ref": "#/$defs/part-2" },
                "b": { "$ref": "#/$defs/part-2/$defs/x~1y%20z" },
                "c": { "$ref": "#/$defs/part-2/$defs/n" },
                "e": { "$ref": "#/$defs/part" },
                "f": { "$ref": "#/$defs/part-2/odd/place" },
                "g": { "const": { "$ref": "part.json" } },
                "$ref": { "type": "null" },
                "h": { "$ref": "https://json-schema.org/draft/2020-12/schema" },
                "i": { "$ref": "#" }
            },
            "$defs": {
                "part": { "type": "string" },
                "part-2": {
                    "type": "array",
                    "items": { "$ref": "#" },
                    "contains": { "$ref": "#/$defs/part-2/$defs/in" },
                    "$defs": {
                        "x/y z": { "type": "integer" },
                        "n": { "type": "boolean" },
                        "in": {
                            "$defs": { "q": { "minimum": 3 } },
                            "$ref": "#/$defs/part-2/$defs/in/$defs/q"
                        }
                    },
                    "odd": { "place": { "$ref": "#/$defs/part-2/$defs/n" } }
                }
            }
        })
    );
}

#[test]
fn unbundled_schemas_are_reported() {
    let served = Served::schemas([
        (
            "dynamic.json",
            r##"{"$dynamicRef":"#x","$defs":{"x":{"$dynamicAnchor":"x"}}}"##.to_owned(),
        ),
        ("far.json", r#"{"$ref":"nowhere.json"}"#.to_owned()),
        (
            "old.json",
            r#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#.to_owned(),
        ),
        (
            "new.json",
            r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"old.json"}"#
                .to_owned(),
        ),
        ("all.json", "true".to_owned()),
    ]);
    for (name, wanted) in [
        (
            "dynamic",
            "\"reason\":\"unsupported\",\"detail\":\"the target of $dynamicRef",
        ),
        ("far", "argument name: \\\"far\\\" does not compile"),
        ("new", "\"detail\":\"old is of another dialect"),
        ("none", "\"reason\":\"not_found\""),
    ] {
        let message = served.refusal("bundle_schema", &json!({ "name": name }).to_string());
        assert!(message.contains(wanted), "{message}");
    }
    let all = served.text("bundle_schema", r#"{"name":"all"}"#);
    assert_eq!(all, r#"{"ok":true,"schema":true,"version":""}"#);
}
