//! Patches from pairs of values, checked with the crate `json-patch`.

use fcp_assets::json::diff::diff;
use fcp_assets::json::patch::apply;
use fcp_assets::json::read;
use serde_json::Value;

use crate::mutants::Dice;

fn patch(base: &str, new: &str) -> String {
    let ops = diff(base, new).unwrap();
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

/// A value with keys that pointers must escape, and numbers that differ only in spelling.
fn value(dice: &mut Dice, depth: usize, text: &mut String) {
    const LEAVES: [&str; 10] = [
        "null",
        "true",
        "0",
        "-0.0",
        "1",
        "1.0",
        "10e-1",
        "-7",
        "[]",
        "\"é\\n\"",
    ];
    const KEYS: [&str; 8] = ["a", "b", "a/b", "~", "", "~1", "0", "é"];
    match dice.below(if depth == 0 { 1 } else { 4 }) {
        0 => text.push_str(LEAVES[dice.below(LEAVES.len())]),
        1 => {
            text.push('[');
            for at in 0..dice.below(3) {
                text.push_str(if at == 0 { "" } else { "," });
                value(dice, depth - 1, text);
            }
            text.push(']');
        }
        _ => {
            text.push('{');
            for at in 0..dice.below(5) {
                text.push_str(if at == 0 { "" } else { "," });
                text.push_str(&format!("{:?}:", KEYS[dice.below(KEYS.len())]));
                value(dice, depth - 1, text);
            }
            text.push('}');
        }
    }
}

/// 1.0 equals 1 by our equality, but not by serde_json's.
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

#[test]
fn a_patch_makes_one_of_the_other() {
    let mut dice = Dice::new(3);
    let mut ops_of_all = 0;
    for _ in 0..100_000 {
        let (mut base, mut new) = (String::new(), String::new());
        value(&mut dice, 3, &mut base);
        value(&mut dice, 3, &mut new);
        let (one, other) = (read(&base).unwrap(), read(&new).unwrap());
        let ops = diff(&base, &new).unwrap();
        ops_of_all += ops.len();
        assert!(ops.is_sorted_by_key(|op| (&op.path, op.kind)));
        let text = patch(&base, &new);
        let steps: json_patch::Patch = serde_json::from_str(&text).unwrap();
        let mut patched: Value = serde_json::from_str(&base).unwrap();
        json_patch::patch(&mut patched, &steps).unwrap();
        let wanted = normal(serde_json::from_str(&new).unwrap());
        assert_eq!(normal(patched), wanted, "{base} -> {new}: {text}");
        let steps = read(&text).unwrap();
        assert!(apply(&one, &steps).unwrap() == other);
        let again = format!(" {}", one.to_string().replace("1.0", "10E-1"));
        assert!(diff(&base, &again).unwrap().is_empty(), "{base}");
        assert_eq!(ops.is_empty(), one == other);
    }
    eprintln!("100,000 pairs differ in {ops_of_all} places");
}
