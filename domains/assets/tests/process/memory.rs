//! A line without an end takes no memory.

use crate::program::{Program, library, plain};

/// The peak memory of the process, in KiB.
#[cfg(target_os = "linux")]
fn peak(program: &Program) -> u64 {
    let path = format!("/proc/{}/status", program.child.id());
    let status = std::fs::read_to_string(path).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let figure = line.unwrap().split_whitespace().nth(1).unwrap();
    figure.parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_hundred_megabytes_without_an_end_take_less_than_two() {
    let mut program = Program::start(&library(), &[]);
    let list = plain("1", "list_schemas", "{}");
    program.ask(&list);
    let before = peak(&program);
    let block = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        program.write(&block);
    }
    program.write(b"\n");
    assert!(program.hear().contains("payload_too_large"));
    program.ask(&list);
    let after = peak(&program);
    assert!(after - before < 2048, "{before} KiB, then {after}");
}

/// Nested alternatives in a few hundred bytes.
#[cfg(target_os = "linux")]
#[test]
fn a_small_asset_takes_little_memory_by_any_schema() {
    let one = |name: &str| {
        format!(r##"{{"properties":{{"k":{{"const":"{name}"}},"child":{{"$ref":"#/$defs/n"}}}}}}"##)
    };
    let schema = format!(
        r##"{{"$ref":"#/$defs/n","$defs":{{"n":{{"anyOf":[{},{}]}}}}}}"##,
        one("a"),
        one("b")
    );
    let folder = crate::program::copy();
    let place = folder.path().join("libs/synesthetic-schemas/jsonschema");
    std::fs::write(place.join("nested.schema.json"), schema).unwrap();
    let mut program = Program::start(folder.path(), &[]);
    program.ask(&plain("1", "list_schemas", "{}"));
    let before = peak(&program);
    for depth in [18, 24, 100] {
        let asset = (0..depth).fold(r#"{"k":"c"}"#.to_owned(), |inner, _| {
            format!(r#"{{"k":"a","child":{inner}}}"#)
        });
        let arguments = format!(r#"{{"asset":{asset},"schema":"nested"}}"#);
        let reply = program.ask(&plain("1", "validate_asset", &arguments));
        assert!(reply.contains("matches none of 2 alternatives"), "{reply}");
    }
    let after = peak(&program);
    assert!(after - before < 200 * 1024, "{before} KiB, then {after}");
}

/// A library of one schema with many definitions, of about two MiB.
#[cfg(target_os = "linux")]
#[test]
fn a_large_schema_takes_some_twenty_times_its_size() {
    let definitions: Vec<String> = (0..7_000)
        .map(|at| {
            format!(
                r##""d{at}":{{"type":"object","required":["name","kind"],"additionalProperties":false,"properties":{{"name":{{"type":"string","minLength":1}},"kind":{{"enum":["a","b"]}},"next":{{"anyOf":[{{"$ref":"#/$defs/d{}"}},{{"type":"null"}}]}},"tags":{{"type":"array","items":{{"type":"string"}}}}}}}}"##,
                at / 2
            )
        })
        .collect();
    let schema = format!(
        r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d5"}}}},"$defs":{{{}}}}}"##,
        definitions.join(",")
    );
    let folder = crate::program::copy();
    let mut small = Program::start(folder.path(), &[]);
    small.ask(&plain("1", "list_schemas", "{}"));
    let before = peak(&small);
    let place = folder.path().join("libs/synesthetic-schemas/jsonschema");
    std::fs::write(place.join("large.schema.json"), &schema).unwrap();
    let mut program = Program::start(folder.path(), &[]);
    let wrong = r#"{"schema":"large","asset":{"a":{"kind":"c"}}}"#;
    let reply = program.ask(&plain("1", "validate_asset", wrong));
    assert!(reply.contains("missing required property"), "{reply}");
    let taken = (peak(&program) - before) * 1024;
    let size = u64::try_from(schema.len()).unwrap();
    assert!(taken < 26 * size, "{taken} bytes for {size}");
}
