//! Schemas and examples are read once and never written.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::program::{Program, copy, library, run};

fn questions() -> Vec<(&'static str, Value)> {
    let shader = "libs/synesthetic-schemas/examples/Shader_Example.json";
    vec![
        ("list_schemas", json!({})),
        ("list_examples", json!({})),
        ("get_schema", json!({ "name": "shader" })),
        ("get_example", json!({ "path": shader })),
        (
            "validate_asset",
            json!({ "asset": { "name": 1 }, "schema": "shader" }),
        ),
    ]
}

#[test]
fn changes_on_disk_are_ignored_after_the_start() {
    let folder = copy();
    let mut program = Program::start(folder.path(), &[]);
    let mut answers = || -> Vec<Value> {
        let questions = questions().into_iter();
        questions
            .map(|(tool, arguments)| program.call(tool, &arguments))
            .collect()
    };
    let before = answers();
    let library = folder.path().join("libs/synesthetic-schemas");
    fs::write(library.join("jsonschema/shader.schema.json"), "true").unwrap();
    fs::write(library.join("jsonschema/new.json"), "{}").unwrap();
    fs::write(library.join("examples/Shader_Example.json"), "{}").unwrap();
    fs::remove_file(library.join("jsonschema/plain.json")).unwrap();
    fs::remove_dir_all(library.join("examples/_skip")).unwrap();
    assert_eq!(answers(), before);
}

/// Needs `strace`; without it, the test prints that nothing was proved.
#[test]
fn no_file_of_the_library_is_opened_for_writing_and_no_socket_opened() {
    if Command::new("strace").arg("-V").output().is_err() {
        println!("NOT PROVED: strace is not installed");
        return;
    }
    let folder = copy();
    let trace = folder.path().join("trace");
    let mut strace = Command::new("strace");
    strace
        .args([
            "-f",
            "-qq",
            "-e",
            "trace=open,openat,creat,socket,rename,renameat,renameat2,unlink,unlinkat,truncate",
        ])
        .arg("-o")
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_fcp-assets"))
        .current_dir(folder.path())
        .env("MCP_READY_FILE", folder.path().join("ready"))
        .env_remove("SYN_SCHEMAS_DIR")
        .env_remove("SYN_EXAMPLES_DIR")
        .env_remove("SYN_BACKEND_URL");
    let mut input = String::new();
    for (tool, arguments) in questions() {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        input += &format!(
            "{}\n{call}\n",
            crate::program::plain("1", tool, &arguments.to_string())
        );
    }
    let output = run(strace, input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let calls = fs::read_to_string(trace).unwrap();
    let of_library: Vec<&str> = calls
        .lines()
        .filter(|line| line.contains("synesthetic-schemas"))
        .collect();
    assert!(of_library.len() >= 8, "{calls}");
    for line in of_library {
        assert!(line.contains("O_RDONLY"), "{line}");
    }
    assert!(!calls.contains("socket("), "{calls}");
}

#[test]
fn every_listed_path_works_and_no_other() {
    let folder = copy();
    let examples = folder.path().join("libs/synesthetic-schemas/examples");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", examples.join("Out_Example.json")).unwrap();
    let schemas = folder.path().join("libs/synesthetic-schemas/jsonschema");
    for variables in [
        vec![],
        vec![
            ("SYN_SCHEMAS_DIR", schemas.to_str().unwrap()),
            ("SYN_EXAMPLES_DIR", examples.to_str().unwrap()),
        ],
    ] {
        let mut program = Program::start(folder.path(), &variables);
        let listed = program.call("list_examples", &json!({}));
        let listed = listed["examples"].as_array().unwrap();
        assert_eq!(listed.len(), 4);
        for example in listed {
            let path = example["path"].as_str().unwrap();
            assert!(folder.path().join(path).is_file(), "{path}");
            let found = program.call("get_example", &json!({ "path": path }));
            assert_eq!(found["ok"], true, "{found}");
            let valid = path.ends_with("/Shader_Example.json") || path.ends_with("_Example1.json");
            assert_eq!(found["validated"], valid, "{found}");
            let rest = path.split("examples/").nth(1).unwrap();
            assert_eq!(program.call("get_example", &json!({ "path": rest })), found);
        }
        let long = "a".repeat(300);
        let absolute = library().join("libs/synesthetic-schemas/version.json");
        for path in [
            "../version.json",
            "libs/synesthetic-schemas/examples/../version.json",
            "/etc/passwd",
            "Out_Example.json",
            "libs/synesthetic-schemas/examples/Out_Example.json",
            "Shader_Example.json\0",
            "",
            ".",
            &long,
            absolute.to_str().unwrap(),
        ] {
            let found = program.call("get_example", &json!({ "path": path }));
            assert_eq!(
                found,
                json!({ "ok": false, "reason": "not_found" }),
                "{path}"
            );
        }
    }
}

#[test]
fn with_nothing_configured_there_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path(), &[]);
    assert!(program.ready.ends_with(" schemas=0 examples=0"));
    for (tool, answer) in [
        ("list_schemas", json!({ "ok": true, "schemas": [] })),
        ("list_examples", json!({ "ok": true, "examples": [] })),
    ] {
        assert_eq!(program.call(tool, &json!({})), answer);
    }
    for (tool, argument) in [("get_schema", "name"), ("get_example", "path")] {
        let answer = program.call(tool, &json!({ argument: "x" }));
        assert_eq!(answer, json!({ "ok": false, "reason": "not_found" }));
    }
}
