//! Examples: listed, read and validated.

use std::fs;

use serde_json::{Value, json};

use fcp::testing::{data, files};

use crate::kit::Served;

#[test]
fn examples_are_found_by_every_name_of_their_component() {
    let served = Served::fixture();
    let listed = |component: Value| {
        let answer = served.answer("list_examples", &json!({ "component": component }));
        let examples = answer["examples"].as_array().unwrap().iter();
        let names: Vec<&str> = examples
            .map(|one| one["component"].as_str().unwrap())
            .collect();
        names.join(" ")
    };
    let all = "Odd_Example Shader_Example SynestheticAsset_Bad SynestheticAsset_Example1";
    for (component, wanted) in [
        (Value::Null, all),
        (json!("all"), all),
        (json!(""), all),
        (json!("*"), all),
        (json!("shader"), "Shader_Example"),
        (json!("SHADER_example"), "Shader_Example"),
        (json!("odd"), "Odd_Example"),
        (
            json!("synestheticasset"),
            "SynestheticAsset_Bad SynestheticAsset_Example1",
        ),
        (
            json!("synesthetic-asset"),
            "SynestheticAsset_Bad SynestheticAsset_Example1",
        ),
        (json!("nested-synesthetic-asset"), "SynestheticAsset_Bad"),
        (json!("tone"), ""),
    ] {
        assert_eq!(listed(component.clone()), wanted, "{component}");
    }
}

#[test]
fn an_example_is_judged_by_the_schema_that_it_names() {
    let served = Served::fixture();
    for (path, schema, validated) in [
        ("Shader_Example.json", "shader", true),
        ("SynestheticAsset_Example1.json", "synesthetic-asset", true),
        (
            "SynestheticAsset_Bad.json",
            "nested-synesthetic-asset",
            false,
        ),
        ("_skip/Odd_Example.json", "Odd_Example", false),
    ] {
        for root in ["libs/synesthetic-schemas/examples/", ""] {
            let answer = served.answer("get_example", &json!({ "path": format!("{root}{path}") }));
            assert_eq!(answer["schema"], schema, "{path}");
            assert_eq!(answer["validated"], validated, "{path}");
        }
    }
    for path in [
        "../version.json",
        "/etc/passwd",
        "",
        "\0",
        "_skip",
        &"x".repeat(300),
    ] {
        let (text, is_error) = served.call("get_example", &json!({ "path": path }).to_string());
        assert!(is_error && text.contains("not_found"), "{text}");
    }
}

#[test]
fn a_file_without_an_object_is_listed_and_reported() {
    let folder = tempfile::TempDir::new().unwrap();
    let place = folder.path().join("libs/synesthetic-schemas/examples");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("List_Example.json"), "[1]").unwrap();
    fs::write(place.join("Torn_Example.json"), "{\n\"a\":").unwrap();
    fs::write(place.join("Wild_Example.json"), b"{\"a\":\"\xff\"}").unwrap();
    let served = Served::at(folder.path());
    let all = served.answer("list_examples", &json!({}));
    assert_eq!(all["examples"].as_array().unwrap().len(), 3);
    for (path, msg) in [
        ("List_Example.json", "expected object, got array"),
        (
            "Torn_Example.json",
            "no JSON in line 2, column 5: the text ends where a value is expected",
        ),
        ("Wild_Example.json", "is not UTF-8"),
    ] {
        let text = served.text("get_example", &json!({ "path": path }).to_string());
        let wanted = format!(
            r#"{{"ok":false,"reason":"validation_failed","errors":[{{"path":"","msg":"{msg}"}}]}}"#
        );
        assert_eq!(text, wanted);
    }
}

/// A published library of nine schemas: all of them are listed, loaded and valid.
#[test]
fn a_published_library_is_served_whole() {
    let Some(data) = data("assets") else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let place = folder.path().join("libs/synesthetic-schemas");
    for file in files(&data, &["json"]) {
        let copy = place.join(file.strip_prefix(&data).unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(&file, copy).unwrap();
    }
    let served = Served::at(folder.path());
    let schemas = served.answer("list_schemas", &json!({}));
    let schemas = schemas["schemas"].as_array().unwrap();
    assert_eq!(schemas.len(), 9);
    for schema in schemas {
        let found = served.answer("get_schema", &json!({ "name": schema["name"] }));
        assert_eq!(found["version"], schema["version"]);
        let text = fs::read_to_string(folder.path().join(schema["path"].as_str().unwrap()));
        assert_eq!(
            found["schema"],
            serde_json::from_str::<Value>(&text.unwrap()).unwrap()
        );
    }
    let examples = served.answer("list_examples", &json!({}));
    let examples = examples["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 15);
    for example in examples {
        let answer = served.answer("get_example", &json!({ "path": example["path"] }));
        let skipped = example["path"].as_str().unwrap().contains("_skip");
        assert_eq!(answer["validated"], !skipped, "{example} {answer}");
    }
    let many = served.answer("validate_many", &json!({ "examples": "all" }));
    assert_eq!((&many["valid"], &many["invalid"]), (&json!(14), &json!(1)));
    eprintln!(
        "{} schemas and {} examples were checked",
        schemas.len(),
        examples.len()
    );
}
