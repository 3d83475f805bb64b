//! Published test cases of patches, by `apply_patch`; their results are found again by
//! `diff_assets`.

use std::fs;

use serde_json::{Value, json};

use fcp::testing::{data, files};

use crate::kit::Served;

/// 1.0 equals 1 by our equality, but not by serde_json's.
fn same(one: &Value, other: &Value) -> bool {
    let read = |value: &Value| value.to_string();
    let (one, other) = (read(one), read(other));
    fcp_assets::json::read(&one).unwrap() == fcp_assets::json::read(&other).unwrap()
}

/// The result of the crate `json-patch`.
fn patched(base: &Value, patch: &Value) -> Value {
    let steps: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
    let mut value = base.clone();
    json_patch::patch(&mut value, &steps).unwrap();
    value
}

#[test]
fn the_cases_of_json_patch_hold() {
    let Some(folder) = data("json-patch") else {
        return;
    };
    let served = Served::fixture();
    let (mut count, mut refused) = (0, 0);
    for file in files(&folder, &["json"]) {
        let records: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        for record in records.as_array().unwrap() {
            if record["disabled"] == true {
                continue;
            }
            count += 1;
            let call = json!({ "base": record["doc"], "patch": record["patch"] }).to_string();
            let (text, is_error) = served.call("apply_patch", &call);
            let answer: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(is_error, record.get("error").is_some(), "{record}\n{text}");
            refused += usize::from(is_error);
            let Some(expected) = record.get("expected") else {
                continue;
            };
            assert!(same(&answer["result"], expected), "{record}\n{text}");
            let call = json!({ "base": record["doc"], "new": expected });
            let patch = &served.answer("diff_assets", &call)["patch"];
            assert!(
                same(&patched(&record["doc"], patch), expected),
                "{record}\n{patch}"
            );
        }
    }
    eprintln!("{count} records were checked, {refused} of them refused");
    assert!(count > 50);
}

#[test]
fn a_patch_takes_bounded_time_and_room() {
    let served = Served::fixture();
    let twice = r#"{"op":"copy","from":"","path":"/a"}"#;
    let deep = vec![twice; 200].join(",");
    let wide = vec![r#"{"op":"copy","from":"/a","path":"/a/-"}"#; 60].join(",");
    let list = format!("[{}0]", "0,".repeat(200_000));
    let often = vec![r#"{"op":"copy","from":"/a","path":"/b"}"#; 5_000].join(",");
    let again = vec![r#"{"op":"add","path":"/a/0","value":1}"#; 5_000].join(",");
    for (base, ops, why) in [
        ("{\"x\":1}".to_owned(), deep, "nested more than 128 deep"),
        ("{\"a\":[1]}".to_owned(), wide, "copy and shift"),
        (format!("{{\"a\":{list}}}"), often, "copy and shift"),
        (format!("{{\"a\":{list}}}"), again, "copy and shift"),
    ] {
        let start = std::time::Instant::now();
        let text = served.refusal(
            "apply_patch",
            &format!(r#"{{"base":{base},"patch":[{ops}]}}"#),
        );
        assert!(text.contains("/patch/") && text.contains(why), "{text}");
        assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    }
}
