//! Validating many assets at once equals validating each alone; patches are inverse to diffs.

use serde_json::{Value, json};

use crate::kit::Served;
use crate::mutants::{Dice, libraries, library, mutant};

#[test]
fn many_are_each_as_one() {
    for folder in libraries() {
        let (served, schemas, examples) = library(&folder);
        let mut dice = Dice::new(11);
        let names: Vec<&str> = schemas
            .keys()
            .map(String::as_str)
            .chain(["nothing"])
            .collect();
        let items: Vec<Value> = (0..200)
            .map(|at| {
                let asset = mutant(&examples[at % examples.len()], &mut dice);
                json!({ "asset": asset, "schema": names[dice.below(names.len())] })
            })
            .collect();
        for detail in [true, false] {
            let many = json!({ "items": items, "detail": detail });
            let many = served.text("validate_many", &many.to_string());
            let singles: Vec<String> = items
                .iter()
                .map(|item| {
                    let call = json!({ "asset": item["asset"], "schema": item["schema"], "detail": detail });
                    served.call("validate_asset", &call.to_string()).0
                })
                .collect();
            let valid = singles
                .iter()
                .filter(|text| text.starts_with("{\"ok\":true"))
                .count();
            let invalid = singles.len() - valid;
            let all = singles.join(",");
            let wanted =
                format!(r#"{{"ok":true,"results":[{all}],"valid":{valid},"invalid":{invalid}}}"#);
            assert_eq!(many, wanted);
        }
    }
}

#[test]
fn more_than_a_thousand_are_too_many() {
    let served = Served::fixture();
    let items = |count: usize| {
        let items = vec![json!({ "asset": 1, "schema": "plain" }); count];
        json!({ "items": items }).to_string()
    };
    assert!(
        served
            .text("validate_many", &items(1_000))
            .ends_with("\"valid\":0,\"invalid\":1000}")
    );
    let message = served.refusal("validate_many", &items(1_001));
    assert!(
        message.contains("argument items: expected at most 1000, got 1001"),
        "{message}"
    );
}

#[test]
fn a_patch_makes_of_one_example_any_other() {
    for folder in libraries() {
        let (served, _, examples) = library(&folder);
        let mut dice = Dice::new(5);
        for base in &examples {
            for new in examples.iter().chain([&mutant(base, &mut dice)]) {
                let call = json!({ "base": base, "new": new });
                let patch = served.answer("diff_assets", &call);
                let call = json!({ "base": base, "patch": patch["patch"] });
                let result = served.answer("apply_patch", &call);
                let again = json!({ "base": result["result"], "new": new });
                assert_eq!(served.answer("diff_assets", &again)["patch"], json!([]));
            }
        }
    }
}
