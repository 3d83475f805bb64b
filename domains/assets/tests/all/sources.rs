//! The served files, and the verdicts by them.

use std::path::Path;

use fcp_assets::json::read;
use fcp_assets::library::{Library, NoFolder, Sources};
use fcp_assets::verdict::{Limits, judge};

/// The test library, as the environment would configure it.
fn library() -> Library {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    Library::load(&Sources::of(root, |_| None)).unwrap()
}

#[test]
fn schemas_and_examples_are_listed_by_name() {
    let library = library();
    assert_eq!(library.warnings, Vec::<String>::new());
    let schemas = library.schemas().iter();
    let schemas: Vec<(&str, &str)> = schemas
        .map(|s| (s.name.as_str(), s.version.as_str()))
        .collect();
    assert_eq!(
        schemas,
        [
            ("plain", "0.7.0"),
            ("shader", "0.6.2"),
            ("synesthetic-asset", "0.7.0")
        ]
    );
    let examples: Vec<&str> = library
        .examples()
        .iter()
        .map(|e| e.component.as_str())
        .collect();
    assert_eq!(
        examples,
        [
            "Odd_Example",
            "Shader_Example",
            "SynestheticAsset_Bad",
            "SynestheticAsset_Example1"
        ]
    );
    for name in [
        "shader",
        "shader.schema.json",
        "https://schemas.example.test/0.6.2/shader.schema.json",
    ] {
        assert_eq!(library.schema(name).unwrap().name, "shader");
    }
    assert_eq!(
        library.schema("nested-synesthetic-asset").unwrap().name,
        "synesthetic-asset"
    );
    assert!(library.schema("shadr").is_none());
    let odd = library.example("_skip/Odd_Example.json").unwrap();
    assert_eq!(library.example(&odd.path).unwrap().path, odd.path);
    for path in ["../version.json", "/etc/passwd", "", "\0", "_skip"] {
        assert!(library.example(path).is_none(), "{path}");
    }
}

#[test]
fn a_folder_that_is_asked_for_has_to_be_there() {
    let nowhere = Path::new("nowhere");
    let mut sources = Sources::of(".", |_| None);
    (sources.schemas, sources.examples) = (nowhere.into(), nowhere.into());
    let library = Library::load(&sources).unwrap();
    assert!(library.schemas().is_empty() && library.examples().is_empty());
    assert_eq!(library.warnings.len(), 2);
    sources.schemas_given = true;
    assert_eq!(
        Library::load(&sources).unwrap_err(),
        NoFolder(nowhere.into())
    );
}

fn findings(schema: &str, asset: &str) -> Vec<(String, String)> {
    let library = library();
    let asset = read(asset).unwrap();
    let schema = library.schema(schema).unwrap();
    let verdict = judge(&library, schema, &asset, Limits::USUAL).unwrap();
    let findings = verdict.findings.into_iter();
    findings
        .map(|finding| (finding.path, finding.msg))
        .collect()
}

#[test]
fn errors_are_reported_at_their_places() {
    assert_eq!(
        findings(
            "synesthetic-asset",
            r#"{"name":"A","shader":{"name":"s","stage":"vertex"}}"#
        ),
        []
    );
    let found = findings(
        "nested-synesthetic-asset",
        r#"{"$schemaRef":5,"name":"","shader":{"name":"s","stage":"vertx","uniforms":[{"name":"u","value":"red"},{"value":1}],"colour":1},"tagz":[]}"#,
    );
    let wanted = [
        ("/name", "expected at least 1 character, got 0"),
        ("/shader/colour", "unexpected property \"colour\""),
        (
            "/shader/stage",
            "expected one of \"vertex\", \"fragment\", got \"vertx\"; did you mean \"vertex\"?",
        ),
        (
            "/shader/uniforms/0/value",
            "expected boolean or number, got string \"red\"",
        ),
        ("/shader/uniforms/1", "missing required property \"name\""),
        (
            "/tagz",
            "unexpected property \"tagz\"; did you mean \"tags\"?",
        ),
    ];
    let wanted = wanted.map(|(path, msg)| (path.to_owned(), msg.to_owned()));
    assert_eq!(found, wanted);
}
