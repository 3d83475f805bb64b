//! The texts of replies, byte for byte.

use crate::kit::Served;

const MANY_FAULTS: &str = r#"{"schema":"nested-synesthetic-asset","asset":{"$schemaRef":5,"name":"","shader":{"name":"s","stage":"vertx","uniforms":[{"name":"u","value":"red"},{"value":1}],"colour":1},"tagz":[]},"detail":false}"#;

#[test]
fn replies_are_compact_in_the_order_of_their_keys_and_keep_spelling() {
    let served = Served::fixture();
    for _ in 0..2 {
        for (tool, arguments, wanted) in [
            (
                "list_schemas",
                "{}",
                r#"{"ok":true,"schemas":[{"name":"plain","version":"0.7.0","path":"libs/synesthetic-schemas/jsonschema/plain.json"},{"name":"shader","version":"0.6.2","path":"libs/synesthetic-schemas/jsonschema/shader.schema.json"},{"name":"synesthetic-asset","version":"0.7.0","path":"libs/synesthetic-schemas/jsonschema/synesthetic-asset.json"}]}"#,
            ),
            (
                "get_schema",
                r#"{"name":"plain.json"}"#,
                r#"{"ok":true,"schema":{"type":"object","required":["n"],"properties":{"n":{"type":"integer","minimum":0}}},"version":"0.7.0"}"#,
            ),
            (
                "list_examples",
                r#"{"component":"shader"}"#,
                r#"{"ok":true,"examples":[{"component":"Shader_Example","path":"libs/synesthetic-schemas/examples/Shader_Example.json"}]}"#,
            ),
            (
                "get_example",
                r#"{"path":"libs/synesthetic-schemas/examples/_skip/Odd_Example.json"}"#,
                r#"{"ok":true,"example":{"k":1.50},"schema":"Odd_Example","validated":false}"#,
            ),
            (
                "validate_asset",
                r#"{"asset":{"name":"A","shader":{"name":"s","stage":"vertex"}},"schema":"synesthetic-asset"}"#,
                r#"{"ok":true,"errors":[]}"#,
            ),
            (
                "validate_asset",
                MANY_FAULTS,
                r#"{"ok":false,"reason":"validation_failed","errors":[{"path":"/name","msg":"expected at least 1 character, got 0"},{"path":"/shader/colour","msg":"unexpected property \"colour\""},{"path":"/shader/stage","msg":"expected one of \"vertex\", \"fragment\", got \"vertx\"; did you mean \"vertex\"?"},{"path":"/shader/uniforms/0/value","msg":"expected boolean or number, got string \"red\""},{"path":"/shader/uniforms/1","msg":"missing required property \"name\""},{"path":"/tagz","msg":"unexpected property \"tagz\"; did you mean \"tags\"?"}]}"#,
            ),
            (
                "validate_asset",
                r#"{"asset":{"n":-1},"schema":"plain"}"#,
                r#"{"ok":false,"reason":"validation_failed","errors":[{"path":"/n","msg":"expected >= 0, got -1","keyword":"minimum","schema_path":"/properties/n/minimum","expected":">= 0","got":"-1"}]}"#,
            ),
            (
                "diff_assets",
                r#"{"base":{"a/b":1,"m":{"x":1,"y":[1,2]},"n":null,"t":true,"z":1.0},"new":{"m":{"x":1,"y":[1,3],"w":{}},"n":0,"t":1,"z":1,"é":"q"}}"#,
                r#"{"ok":true,"patch":[{"op":"remove","path":"/a~1b"},{"op":"add","path":"/m/w","value":{}},{"op":"replace","path":"/m/y","value":[1,3]},{"op":"replace","path":"/n","value":0},{"op":"replace","path":"/t","value":1},{"op":"add","path":"/é","value":"q"}]}"#,
            ),
        ] {
            assert_eq!(served.text(tool, arguments), wanted, "{tool} {arguments}");
        }
    }
}

#[test]
fn failures_have_reasons() {
    let served = Served::fixture();
    let fault = |path: &str, msg: &str| {
        let (path, msg) = (serde_json::json!(path), serde_json::json!(msg));
        format!(
            r#"{{"ok":false,"reason":"validation_failed","errors":[{{"path":{path},"msg":{msg}}}]}}"#
        )
    };
    for (tool, arguments, wanted) in [
        (
            "validate_asset",
            r#"{"asset":{},"schema":"shadr"}"#,
            fault(
                "/schema",
                "argument schema: no schema named \"shadr\"; did you mean \"shader\"?",
            ),
        ),
        (
            "validate_asset",
            r#"{"asset":{}}"#,
            fault("/schema", "argument schema is required"),
        ),
        (
            "validate_asset",
            r#"{"asset":{},"schema":"shader","detail":"no"}"#,
            fault("/detail", "argument detail is a string, not a boolean"),
        ),
        (
            "validate_asset",
            r#"{"asset":{},"schem":"shader"}"#,
            fault(
                "/schem",
                "argument schem: validate_asset takes no \"schem\", nearest is \"schema\"",
            ),
        ),
        (
            "validate_asset",
            "[1]",
            fault("", "arguments: the call is an array, not an object"),
        ),
        (
            "populate_backend",
            r#"{"asset":{"name":"A"}}"#,
            r#"{"ok":false,"reason":"unsupported","detail":"backend disabled"}"#.to_owned(),
        ),
        (
            "populate_backend",
            r#"{"aset":1,"validate_first":"no"}"#,
            r#"{"ok":false,"reason":"unsupported","detail":"backend disabled"}"#.to_owned(),
        ),
        (
            "get_schema",
            r#"{"name":"shadr","detail":false}"#,
            r#"{"ok":false,"reason":"not_found"}"#.to_owned(),
        ),
        (
            "get_schema",
            r#"{"name":"shadr"}"#,
            r#"{"ok":false,"reason":"not_found","detail":"did you mean \"shader\"?"}"#.to_owned(),
        ),
        (
            "get_example",
            r#"{"path":"../version.json"}"#,
            r#"{"ok":false,"reason":"not_found"}"#.to_owned(),
        ),
        (
            "apply_patch",
            r#"{"base":{},"patch":[{"op":"add","path":"/a","value":1},{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]}"#,
            fault("/patch/2/path", "argument patch: there is nothing"),
        ),
        (
            "validate_many",
            r#"{"items":[{"asset":1}]}"#,
            fault(
                "/items/0/schema",
                "argument items: \"items/0/schema\" is missing",
            ),
        ),
        (
            "validate_many",
            r#"{"items":[],"examples":"all"}"#,
            fault("/examples", "argument examples: items are given too"),
        ),
    ] {
        assert_eq!(
            served.refusal(tool, arguments),
            wanted,
            "{tool} {arguments}"
        );
    }
    let both = served.refusal("validate_asset", "{}");
    assert!(
        both.contains("/asset") && both.contains("/schema"),
        "{both}"
    );
}

#[test]
fn a_patch_keeps_spelling_and_its_result_is_judged() {
    let served = Served::fixture();
    for (arguments, wanted) in [
        (
            r#"{"base":{"n":1.50,"z":1e2},"patch":[{"op":"copy","from":"/n","path":"/a"}]}"#,
            r#"{"ok":true,"result":{"n":1.50,"z":1e2,"a":1.50}}"#,
        ),
        (
            r#"{"base":{"n":0},"patch":[{"op":"replace","path":"/n","value":-1}],"schema":"plain","detail":false}"#,
            r#"{"ok":true,"result":{"n":-1},"errors":[{"path":"/n","msg":"expected >= 0, got -1"}]}"#,
        ),
        (
            r#"{"base":{"n":0},"patch":[],"schema":"plain"}"#,
            r#"{"ok":true,"result":{"n":0},"errors":[]}"#,
        ),
    ] {
        assert_eq!(served.text("apply_patch", arguments), wanted);
    }
}
