//! Patches from pairs of values, checked by another's hand: the crate `json-patch`.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp_assets::diff::diff;
use fcp_assets::json::{Json, read};
use fcp_assets::patch::apply;
use proptest::prelude::*;
use serde_json::Value;

fn patch(base: &str, new: &str) -> String {
    let (base, new) = (read(base).unwrap(), read(new).unwrap());
    let ops = diff(&base, &new);
    let ops: Vec<String> = ops.iter().map(ToString::to_string).collect();
    format!("[{}]", ops.join(","))
}

#[test]
fn a_patch_is_short_sorted_and_spelled_as_given() {
    for (base, new, wanted) in [
        (
            r#"{"a":1}"#,
            "[1]",
            r#"[{"op":"replace","path":"","value":[1]}]"#,
        ),
        (
            r#"{"":{"~":0}}"#,
            r#"{"":{"~":-0.0},"a!":1,"a":{"b":2},"a/b":3}"#,
            r#"[{"op":"add","path":"/a","value":{"b":2}},{"op":"add","path":"/a!","value":1},{"op":"add","path":"/a~1b","value":3}]"#,
        ),
        (
            r#"{"k":[0]}"#,
            r#"{"k":[false]}"#,
            r#"[{"op":"replace","path":"/k","value":[false]}]"#,
        ),
        (
            r#"{"1":0,"2":0,"10":0}"#,
            "{}",
            r#"[{"op":"remove","path":"/1"},{"op":"remove","path":"/10"},{"op":"remove","path":"/2"}]"#,
        ),
        (r#"{"v":1e2}"#, r#"{"v":100}"#, "[]"),
        (
            r#"{"v":9007199254740993}"#,
            r#"{"v":9007199254740992.0}"#,
            r#"[{"op":"replace","path":"/v","value":9007199254740992.0}]"#,
        ),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, "[]"),
        (r#"{"a":null}"#, "{}", r#"[{"op":"remove","path":"/a"}]"#),
        (
            r#"{"a/b":1,"m":{"x":1,"y":[1,2]},"n":null,"t":true,"z":1.0}"#,
            r#"{"m":{"x":1,"y":[1,3],"w":{}},"n":0,"t":1,"z":1,"é":"q"}"#,
            r#"[{"op":"remove","path":"/a~1b"},{"op":"add","path":"/m/w","value":{}},{"op":"replace","path":"/m/y","value":[1,3]},{"op":"replace","path":"/n","value":0},{"op":"replace","path":"/t","value":1},{"op":"add","path":"/é","value":"q"}]"#,
        ),
    ] {
        assert_eq!(patch(base, new), wanted, "{base} -> {new}");
    }
}

/// Values with keys that pointers must escape, and numbers that differ in spelling alone.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("0".to_owned()),
        Just("-0.0".to_owned()),
        Just("1".to_owned()),
        Just("1.0".to_owned()),
        Just("\"é\\n\"".to_owned()),
        (-9_i32..9).prop_map(|n| n.to_string()),
    ];
    let key = prop_oneof![
        Just("a"),
        Just("b"),
        Just("a/b"),
        Just("~"),
        Just(""),
        Just("~1"),
        Just("0"),
        Just("é")
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4);
        let members = prop::collection::vec((key.clone(), inner), 0..5);
        prop_oneof![
            list.prop_map(|items| format!("[{}]", items.join(","))),
            members.prop_map(|members| {
                let members = members
                    .iter()
                    .map(|(key, value)| format!("\"{key}\":{value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }),
        ]
    })
}

/// 1.0 is 1, as our equality has it and serde_json's has not.
fn normal(value: Value) -> Value {
    match value {
        Value::Number(number) => number
            .as_f64()
            .map_or(Value::Null, |number| Value::from(number + 0.0)),
        Value::Array(items) => items.into_iter().map(normal).collect(),
        Value::Object(members) => members
            .into_iter()
            .map(|(key, value)| (key, normal(value)))
            .collect(),
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100_000))]

    #[test]
    fn a_patch_makes_one_of_the_other((base, new) in (value(), value())) {
        let (one, other) = (read(&base).unwrap(), read(&new).unwrap());
        let ops = diff(&one, &other);
        prop_assert!(ops.is_sorted_by_key(|op| (op.path.clone(), op.kind)));
        let text = patch(&base, &new);
        let steps: json_patch::Patch = serde_json::from_str(&text).unwrap();
        let mut patched: Value = serde_json::from_str(&base).unwrap();
        json_patch::patch(&mut patched, &steps).unwrap();
        prop_assert_eq!(normal(patched), normal(serde_json::from_str(&new).unwrap()), "{}", text);
        let steps = read(&text).unwrap();
        prop_assert!(apply(&one, &steps).unwrap() == other);
        prop_assert!(diff(&one, &one).is_empty());
        prop_assert_eq!(ops.is_empty(), one == other);
        let Json::Array(steps) = &steps else { panic!() };
        prop_assert!(steps.iter().all(|op| op.get("op").is_some()));
    }
}
