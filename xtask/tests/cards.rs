//! `xtask cards` and `xtask ci` on a small workspace.

// Helpers of tests are not tests to clippy.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A server with three answers.
const PROGRAM: &str = r##"
use std::io::{BufRead, stdin};
fn main() {
    if std::env::args().nth(1).as_deref() == Some("help") {
        return println!("# Toys\n\n  put TOY  \n");
    }
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        if line.contains("\"initialize\"") {
            println!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"serverInfo":{{"name":"fcp-toy","title":"Toys"}}}}}}"#);
        } else if line.contains("tools/list") {
            println!(r#"{{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"toy","description":"TOYS put"}}]}}}}"#);
        } else if line.contains("tools/call") {
            println!(r#"{{"jsonrpc":"2.0","id":3,"result":{{"content":[{{"type":"text","text":""}}]}}}}"#);
        }
    }
}
"##;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn workspace() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    write(
        root.path(),
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"domains/*\"]\n",
    );
    for name in ["toy", "box"] {
        write(
            root.path(),
            &format!("domains/{name}/Cargo.toml"),
            &format!("[package]\nname = \"fcp-{name}\"\nedition = \"2024\"\n"),
        );
    }
    write(root.path(), "domains/toy/src/main.rs", PROGRAM);
    write(root.path(), "domains/box/src/lib.rs", "");
    root
}

fn run(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("--root")
        .arg(root)
        .args(arguments)
        .env("CARGO_TARGET_DIR", root.join("target"))
        .output()
        .unwrap()
}

fn output_text(output: &Output) -> String {
    let output_text =
        String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    output_text.into_owned()
}

#[test]
fn cards_are_written_and_checked() {
    let root = workspace();
    let root = root.path();
    let output = run(root, &["cards", "--check"]);
    assert!(!output.status.success());
    assert!(
        output_text(&output).contains("domains/toy/card.txt:1: differs from the program's output")
    );
    assert!(output_text(&output).contains("fix: cargo xtask cards"));

    let output = run(root, &["cards"]);
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(output_text(&output).contains("wrote domains/toy/card.txt\nwrote docs/cards/toy.md\n"));
    assert!(output_text(&output).contains("NO CARD for domains/box"));
    let card = fs::read_to_string(root.join("domains/toy/card.txt")).unwrap();
    assert!(
        card.starts_with("# Made by `cargo xtask cards` from the output of fcp-toy"),
        "{card}"
    );
    let compact = card.find("\nTOYS put\n").unwrap();
    let full = card.find("\n# Toys\n\n  put TOY\n").unwrap();
    assert!(compact < full);
    let page = fs::read_to_string(root.join("docs/cards/toy.md")).unwrap();
    assert!(page.starts_with("# Toys\n"), "{page}");
    assert!(!root.join("domains/box/card.txt").exists());

    let output = run(root, &["cards", "--check"]);
    assert!(output.status.success(), "{}", output_text(&output));

    write(
        root,
        "docs/cards/toy.md",
        &page.replace("TOYS put", "TOYS lose"),
    );
    let output = run(root, &["cards", "--check"]);
    assert!(!output.status.success());
    assert!(
        output_text(&output).contains("docs/cards/toy.md:8: differs"),
        "{}",
        output_text(&output)
    );
    assert!(output_text(&output).contains("  output: TOYS put\n"));

    run(root, &["cards"]);
    write(root, "docs/cards/gone.md", "# Gone\n");
    let output = run(root, &["cards", "--check"]);
    assert!(!output.status.success());
    assert!(output_text(&output).contains("docs/cards/gone.md: no domain"));
}

#[test]
fn the_template_has_a_card_and_no_page() {
    let root = workspace();
    let root = root.path();
    write(
        root,
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"domains/*\", \"templates/domain\"]\n",
    );
    write(
        root,
        "templates/domain/Cargo.toml",
        "[package]\nname = \"fcp-begin\"\nedition = \"2024\"\n",
    );
    write(root, "templates/domain/src/main.rs", PROGRAM);
    let output = run(root, &["cards"]);
    assert!(output.status.success(), "{}", output_text(&output));
    let card = fs::read_to_string(root.join("templates/domain/card.txt")).unwrap();
    assert!(card.contains("from the output of fcp-begin"), "{card}");
    assert_eq!(fs::read_dir(root.join("docs/cards")).unwrap().count(), 1);

    write(root, "templates/domain/card.txt", "stale\n");
    let output = run(root, &["cards", "--check"]);
    assert!(!output.status.success());
    assert!(
        output_text(&output)
            .contains("templates/domain/card.txt:1: differs from the program's output")
    );
}

#[test]
fn a_domain_without_its_program_is_an_error() {
    let root = workspace();
    write(root.path(), "domains/box/card.txt", "\n");
    let output = run(root.path(), &["cards", "--check"]);
    assert!(!output.status.success());
    assert!(output_text(&output).contains("fcp-box has no program any more"));
}

#[test]
fn ci_runs_the_readme_and_reports_all_failures() {
    let root = workspace();
    let root = root.path();
    let readme = |demo: &str| {
        write(
            root,
            "README.md",
            &format!("```sh\ncargo test --workspace --quiet\n{demo}\n```\n"),
        );
    };
    readme("cargo run -q -p fcp-toy -- help | grep TOY");
    let output = run(root, &["ci", "test", "demo"]);
    assert!(output.status.success(), "{}", output_text(&output));
    assert!(output_text(&output).contains("test result: ok"));
    assert!(output_text(&output).contains("\n  put TOY"));
    assert!(output_text(&output).contains("\nok     demo "));
    assert!(!output_text(&output).contains("clippy"));

    readme("cargo run -q -p fcp-toy -- help | grep lost");
    let output = run(root, &["ci", "demo", "test"]);
    assert!(!output.status.success());
    assert!(output_text(&output).contains("\nFAILED demo "));
    assert!(output_text(&output).contains("\nok     test "));

    readme("");
    let output = run(root, &["ci", "demo"]);
    assert!(!output.status.success());
    assert!(output_text(&output).contains("README.md shows no command that starts with cargo run"));

    let output = run(root, &["ci", "dome"]);
    assert!(output_text(&output).contains("there is no step dome; there are fmt, judges, "));
}
