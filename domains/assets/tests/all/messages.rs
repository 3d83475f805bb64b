//! The messages of each keyword, and of alternatives.

use serde_json::json;

use crate::kit::Served;

/// A schema, an asset, and its errors.
type Row = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const ROWS: &[Row] = &[
    (
        r#"{"type":"number"}"#,
        r#""red""#,
        &[("", "expected number, got string \"red\"")],
    ),
    (
        r#"{"type":["number","boolean"]}"#,
        "null",
        &[("", "expected boolean or number, got null")],
    ),
    (
        r#"{"type":"string"}"#,
        "{}",
        &[("", "expected string, got object")],
    ),
    (
        r#"{"type":"string"}"#,
        "1.50",
        &[("", "expected string, got number 1.50")],
    ),
    (
        r#"{"type":"string"}"#,
        "12345678901234567890123",
        &[("", "expected string, got integer 12345678901234567890123")],
    ),
    (
        r#"{"required":["a","b"]}"#,
        "{}",
        &[
            ("", "missing required property \"a\""),
            ("", "missing required property \"b\""),
        ],
    ),
    (
        r#"{"properties":{"name":{}},"additionalProperties":false}"#,
        r#"{"nmae":1,"a/b~":2}"#,
        &[
            ("/a~1b~0", "unexpected property \"a/b~\""),
            (
                "/nmae",
                "unexpected property \"nmae\"; did you mean \"name\"?",
            ),
        ],
    ),
    (
        r#"{"properties":{"name":{}},"unevaluatedProperties":false}"#,
        r#"{"name":1,"nam":2}"#,
        &[("/nam", "unexpected property \"nam\"")],
    ),
    (
        r#"{"enum":["a","b",1.0,"d","e","f","g","h","i","j","k","l","m"]}"#,
        r#""x""#,
        &[(
            "",
            "expected one of \"a\", \"b\", 1.0, \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\" (+3 more), got \"x\"",
        )],
    ),
    (
        r#"{"enum":["vertex","fragment"]}"#,
        r#""Vertx""#,
        &[(
            "",
            "expected one of \"vertex\", \"fragment\", got \"Vertx\"; did you mean \"vertex\"?",
        )],
    ),
    (r#"{"const":1.50}"#, "2", &[("", "expected 1.50, got 2")]),
    (
        r#"{"minLength":1}"#,
        r#""""#,
        &[("", "expected at least 1 character, got 0")],
    ),
    (
        r#"{"maxLength":2}"#,
        r#""éàü""#,
        &[("", "expected at most 2 characters, got 3")],
    ),
    (
        r#"{"minItems":1}"#,
        "[]",
        &[("", "expected at least 1 item, got 0")],
    ),
    (
        r#"{"maxItems":3}"#,
        "[1,2,3,4]",
        &[("", "expected at most 3 items, got 4")],
    ),
    (
        r#"{"minProperties":2}"#,
        r#"{"a":1,"$schemaRef":1}"#,
        &[("", "expected at least 2 properties, got 1")],
    ),
    (
        r#"{"maxProperties":0}"#,
        r#"{"a":1}"#,
        &[("", "expected at most 0 properties, got 1")],
    ),
    (r#"{"minimum":0}"#, "-1", &[("", "expected >= 0, got -1")]),
    (
        r#"{"maximum":1e1}"#,
        "10.50",
        &[("", "expected <= 1e1, got 10.50")],
    ),
    (
        r#"{"exclusiveMinimum":0}"#,
        "0",
        &[("", "expected > 0, got 0")],
    ),
    (
        r#"{"exclusiveMaximum":0}"#,
        "0",
        &[("", "expected < 0, got 0")],
    ),
    (
        r#"{"multipleOf":0.5}"#,
        "0.7",
        &[("", "expected a multiple of 0.5, got 0.7")],
    ),
    (
        r#"{"pattern":"^a"}"#,
        r#""b""#,
        &[("", "does not match pattern \"^a\"")],
    ),
    (
        r#"{"uniqueItems":true}"#,
        "[1,1.0]",
        &[("", "items are not unique")],
    ),
    (
        r#"{"contains":{"type":"string"}}"#,
        "[1]",
        &[("", "contains no matching item")],
    ),
    (
        r#"{"not":{"type":"string"}}"#,
        r#""a""#,
        &[("", "matches what \"not\" forbids")],
    ),
    (
        r#"{"properties":{"a":false}}"#,
        r#"{"a":1}"#,
        &[("/a", "nothing is allowed here")],
    ),
    (
        r#"{"dependentRequired":{"a":["b"]}}"#,
        r#"{"a":1}"#,
        &[("", "missing required property \"b\"")],
    ),
    (
        r#"{"propertyNames":{"maxLength":1}}"#,
        r#"{"ab":1}"#,
        &[("", "fails \"propertyNames\"")],
    ),
    // Alternatives of another type are excluded; the errors of the only one left are reported.
    (
        r#"{"anyOf":[{"type":"object","required":["a"]},{"type":"null"}]}"#,
        "{}",
        &[("", "missing required property \"a\"")],
    ),
    (
        r#"{"oneOf":[{"type":"string"},{"type":"integer"},{"type":["null","string"]}]}"#,
        "1.5",
        &[("", "expected integer or null or string, got number 1.5")],
    ),
    (
        r#"{"anyOf":[{"const":"low"},{"enum":["mid","high","low"]}]}"#,
        r#""hihg""#,
        &[(
            "",
            "expected one of \"low\", \"mid\", \"high\", got \"hihg\"; did you mean \"high\"?",
        )],
    ),
    (
        r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
        "{}",
        &[("", "matches none of 2 alternatives")],
    ),
    (
        r#"{"oneOf":[{"minimum":1},{"minimum":2},{"minimum":9}]}"#,
        "3",
        &[("", "matches 2 of 3 alternatives, expected exactly 1")],
    ),
    (
        r##"{"$defs":{"n":{"type":"number"}},"properties":{"a":{"allOf":[{"$ref":"#/$defs/n"},{"if":true,"then":{"type":"integer"}}]}}}"##,
        r#"{"a":""}"#,
        &[
            ("/a", "expected integer, got string \"\""),
            ("/a", "expected number, got string \"\""),
        ],
    ),
    (
        r#"{"items":{"type":"null"}}"#,
        "[0,null,0,0,0,0,0,0,0,0,0]",
        &[
            ("/0", "expected null, got integer 0"),
            ("/10", "expected null, got integer 0"),
            ("/2", "expected null, got integer 0"),
            ("/3", "expected null, got integer 0"),
            ("/4", "expected null, got integer 0"),
            ("/5", "expected null, got integer 0"),
            ("/6", "expected null, got integer 0"),
            ("/7", "expected null, got integer 0"),
            ("/8", "expected null, got integer 0"),
            ("/9", "expected null, got integer 0"),
        ],
    ),
    (
        r#"{"allOf":[{"minimum":5},{"minimum":5}]}"#,
        "1",
        &[("", "expected >= 5, got 1")],
    ),
    ("false", "1", &[("", "nothing is allowed here")]),
];

#[test]
fn each_keyword_has_its_sentence() {
    let names: Vec<String> = (0..ROWS.len()).map(|at| format!("row{at}.json")).collect();
    let schemas = names
        .iter()
        .map(String::as_str)
        .zip(ROWS.iter().map(|row| row.0.to_owned()));
    let served = Served::schemas(schemas);
    for (name, (schema, asset, wanted)) in names.iter().zip(ROWS) {
        let found = served.faults(name, asset);
        let found: Vec<(&str, &str)> = found.iter().map(|(at, msg)| (&**at, &**msg)).collect();
        assert_eq!(found, *wanted, "{schema} {asset}");
    }
}

#[test]
fn alternatives_say_what_each_finds() {
    let served = Served::schemas([(
        "s.json",
        r#"{"anyOf":[{"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}"#
            .to_owned(),
    )]);
    let call = json!({ "asset": { "b": 1 }, "schema": "s" });
    let answer = served.answer("validate_asset", &call);
    assert_eq!(
        answer["errors"][0]["alternatives"],
        json!([
            [{ "path": "", "msg": "missing required property \"a\"" }],
            [{ "path": "/b", "msg": "expected string, got integer 1" }]
        ])
    );
}

#[test]
fn long_values_are_cut_at_a_character() {
    let served = Served::schemas([("s.json", r#"{"type":"null"}"#.to_owned())]);
    let found = served.faults("s", &format!("\"{}\"", "é".repeat(80)));
    let shown = found[0]
        .1
        .strip_prefix("expected null, got string ")
        .unwrap();
    assert_eq!(shown, format!("\"{}…", "é".repeat(58)));
    let found = served.faults("s", &format!("\"{}\"", "a".repeat(118)));
    assert!(found[0].1.ends_with("a\""), "{found:?}");
}

#[test]
fn markers_are_set_aside_at_the_top_alone() {
    let closed = r#"{"properties":{"a":{"$ref":"closed.json"}},"additionalProperties":false}"#;
    let declares = r#"{"properties":{"$schema":{"type":"string"}},"additionalProperties":false}"#;
    let served = Served::schemas([
        ("closed.json", closed.to_owned()),
        ("declares.json", declares.to_owned()),
    ]);
    let unexpected =
        |path: &str, name: &str| vec![(path.to_owned(), format!("unexpected property \"{name}\""))];
    for (schema, asset, wanted) in [
        ("closed", r#"{"$schemaRef":[],"$schema":1}"#, vec![]),
        (
            "closed",
            r#"{"a":{"$schemaRef":"x"}}"#,
            unexpected("/a/$schemaRef", "$schemaRef"),
        ),
        (
            "closed",
            r#"{"a":{"$schema":"x"}}"#,
            unexpected("/a/$schema", "$schema"),
        ),
        (
            "declares",
            r#"{"$schemaRef":1,"$schema":1}"#,
            vec![(
                "/$schema".to_owned(),
                "expected string, got integer 1".to_owned(),
            )],
        ),
    ] {
        assert_eq!(served.faults(schema, asset), wanted, "{schema} {asset}");
    }
}

#[test]
fn of_many_faults_a_thousand_are_shown_and_all_are_counted() {
    let schema = r#"{"properties":{"name":{},"value":{},"n":{"items":{"type":"string"}}},"additionalProperties":false}"#;
    let served = Served::schemas([("s.json", schema.to_owned())]);
    let start = std::time::Instant::now();
    let members: Vec<String> = (0..100_000).map(|at| format!("\"nam{at:05}\":0")).collect();
    let call = format!(
        r#"{{"asset":{{{}}},"schema":"s","detail":false}}"#,
        members.join(",")
    );
    let text = served.text("validate_asset", &call);
    assert!(text.contains(r#"{"path":"/nam00000","msg":"unexpected property \"nam00000\""}"#));
    assert!(text.contains("/nam00999") && !text.contains("/nam01000"));
    assert!(text.ends_with(r#"],"truncated":true,"total":100000}"#));
    let list = format!("[{}0]", "0,".repeat(99_999));
    let call = format!(r#"{{"asset":{{"n":{list}}},"schema":"s","detail":false}}"#);
    let text = served.text("validate_asset", &call);
    assert!(text.ends_with(r#"],"truncated":true,"total":100000}"#));
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    eprintln!("200,000 faults took {:?}", start.elapsed());
}

#[test]
fn a_schema_that_is_broken_harms_no_other() {
    let served = Served::schemas([
        (
            "far.json",
            r#"{"$ref":"https://example.test/far"}"#.to_owned(),
        ),
        ("pattern.json", r#"{"pattern":"("}"#.to_owned()),
        (
            "draft07.json",
            r#"{"items":[{"type":"string"}]}"#.to_owned(),
        ),
        ("list.json", "[]".to_owned()),
        ("all.json", "true".to_owned()),
        ("good.json", r#"{"type":"object"}"#.to_owned()),
    ]);
    let listed = served.text("list_schemas", "{}");
    assert!(listed.contains("far") && !listed.contains("list.json"));
    for name in ["far", "pattern", "draft07"] {
        let call = json!({ "asset": {}, "schema": name }).to_string();
        let message = served.refusal("validate_asset", &call);
        let start =
            format!(r#"{{"path":"/schema","msg":"argument schema: \"{name}\" does not compile: "#);
        assert!(message.contains(&start), "{message}");
        served.text("get_schema", &json!({ "name": name }).to_string());
    }
    assert_eq!(served.faults("all", "1"), []);
    assert_eq!(served.faults("good", "{}"), []);
}
