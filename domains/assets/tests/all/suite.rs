//! The test suite of JSON Schema, run by `validate_asset`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use fcp::testing::{data, files};

use crate::kit::Served;

/// The schemas that cases refer to, by file name, each with its address as `$id`.
fn remotes(folder: &Path) -> Vec<(String, String)> {
    let all = files(folder, &["json"]);
    let last = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    let remotes = all.iter().map(|file| {
        let rest = file.strip_prefix(folder).unwrap().to_str().unwrap();
        let mut schema: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        if let Value::Object(members) = &mut schema
            && !members.contains_key("$id")
        {
            members.insert(
                "$id".to_owned(),
                json!(format!("http://localhost:1234/{rest}")),
            );
        }
        let name = last(file);
        let alone = all.iter().filter(|other| last(other) == name).count() == 1;
        let name = if alone { name } else { rest.replace('/', "_") };
        (name, schema.to_string())
    });
    remotes.collect()
}

#[test]
fn every_case_gets_its_verdict() {
    let Some(data) = data("json-schema") else {
        return;
    };
    let remotes = remotes(&data.join("remotes"));
    let folder = data.join("tests/draft2020-12");
    let (mut right, mut wrong, mut optional, mut bundles) = (0, Vec::new(), (0, 0), 0);
    for file in files(&folder, &["json"]) {
        let groups: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        for group in groups.as_array().unwrap() {
            let text = group["schema"].to_string();
            let far = text.contains("localhost:1234") || text.contains("$ref");
            let remotes = if far { remotes.as_slice() } else { &[] };
            let remotes = remotes
                .iter()
                .map(|(name, text)| (name.as_str(), text.clone()));
            let served = Served::schemas(remotes.chain([("the_case.json", text.clone())]));
            // A bundle needs no other schema and gives the same verdict.
            let bundled = served.answer("bundle_schema", &json!({ "name": "the_case" }));
            let alone = (far && bundled["ok"] == true)
                .then(|| Served::schemas([("the_case.json", bundled["schema"].to_string())]));
            for case in group["tests"].as_array().unwrap() {
                let call = json!({ "asset": case["data"], "schema": "the_case" });
                let (answer, is_error) = served.call("validate_asset", &call.to_string());
                let valid = answer == r#"{"ok":true,"errors":[]}"#;
                if let Some(alone) = &alone {
                    bundles += 1;
                    let (other, _) = alone.call("validate_asset", &call.to_string());
                    let same = other.starts_with("{\"ok\":true") == valid;
                    assert!(same, "{text}\n{bundled}\n{case}\n{other}");
                }
                let good = !is_error && valid == (case["valid"] == true);
                if file.to_str().unwrap().contains("/optional/") {
                    optional.0 += 1;
                    optional.1 += usize::from(good);
                } else if good {
                    right += 1;
                } else {
                    let (file, about) = (file.file_name().unwrap(), &group["description"]);
                    wrong.push(format!(
                        "{file:?} {about} {}: {answer}",
                        case["description"]
                    ));
                }
            }
        }
    }
    eprintln!(
        "{right} mandatory cases were checked, {bundles} cases by a bundle; of {} optional ones {} get their verdict",
        optional.0, optional.1
    );
    assert!(
        wrong.is_empty(),
        "{} of {right}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(right >= 640);
}
