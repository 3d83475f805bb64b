//! `xtask tidy` on a small workspace that breaks one rule at a time.

// Helpers of tests are not tests to clippy.
#![allow(clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

const README: &str = "# Toy\n\n```sh\ncargo test --workspace\ncargo run -p fcp-toy\n```\n";

fn package(name: &str, rest: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\nlicense = \"MIT\"\n{rest}"
    )
}

/// A workspace without findings.
fn clean() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in [
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"fcp\", \"fcp-macros\", \"domains/*\", \"templates/domain\"]\n\n\
             [workspace.dependencies]\nfcp = { path = \"fcp\" }\n",
        ),
        ("README.md", README),
        ("fcp/Cargo.toml", &package("fcp", "")),
        (
            "fcp/src/lib.rs",
            "//! The runtime.\npub mod diag;\npub mod mcp;\npub mod model;\npub mod op;\npub mod session;\n",
        ),
        ("fcp/src/diag.rs", "//! Problems, of `midi` for example.\n"),
        (
            "fcp/src/op/mod.rs",
            "//! The language.\nmod lex;\nuse crate::diag;\n#[cfg(test)]\nmod tests {\n    use crate::session;\n}\n",
        ),
        ("fcp/src/op/lex.rs", "//! Words.\nuse super::super::diag;\n"),
        (
            "fcp/src/model/mod.rs",
            "//! State. Not crate::session.\nconst A: &str = \"crate::session\";\n",
        ),
        (
            "fcp/src/session/mod.rs",
            "//! Sessions.\nuse crate::{diag::Span, model::{self, mcp}};\n",
        ),
        (
            "fcp/src/mcp/mod.rs",
            "//! The protocol.\nuse rmcp::model;\n",
        ),
        ("fcp-macros/Cargo.toml", &package("fcp-macros", "")),
        ("fcp-macros/src/lib.rs", "//! Macros.\n"),
        (
            "domains/toy/Cargo.toml",
            &package("fcp-toy", "\n[dependencies]\nfcp.workspace = true\n"),
        ),
        (
            "domains/toy/src/main.rs",
            "//! Toys.\nuse fcp as _;\nfn main() {}\n",
        ),
        ("domains/toy/src/verbs/put.rs", "//! `put`.\n"),
        ("domains/box/Cargo.toml", &package("fcp-box", "")),
        ("domains/box/src/lib.rs", "//! Boxes.\n"),
        ("domains/midi/Cargo.toml", &package("fcp-midi", "")),
        ("domains/midi/src/lib.rs", "//! Music.\n"),
        ("domains/assets/Cargo.toml", &package("fcp-assets", "")),
        ("domains/assets/src/lib.rs", "//! Assets.\n"),
        ("templates/domain/Cargo.toml", &package("fcp-checklist", "")),
        ("templates/domain/src/lib.rs", "//! To begin with.\n"),
    ] {
        write(root.path(), path, text);
    }
    root
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Whether there were no findings, and the output.
fn tidy(root: &Path) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("--root")
        .arg(root)
        .arg("tidy")
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), log.into_owned())
}

/// Adds to a file of the clean workspace, and checks for the finding.
fn breaks(path: &str, added: &str, finding: &str) {
    let root = clean();
    let before = fs::read_to_string(root.path().join(path)).unwrap_or_default();
    write(root.path(), path, &format!("{before}{added}"));
    found(root.path(), finding);
}

fn found(root: &Path, finding: &str) {
    let (good, log) = tidy(root);
    assert!(!good, "nothing was found of: {finding}");
    let line = log.lines().position(|line| line.contains(finding));
    let line = line.unwrap_or_else(|| panic!("no finding says {finding}:\n{log}"));
    let fix = log.lines().nth(line + 1).unwrap_or_default();
    assert!(fix.starts_with("  fix: "), "{log}");
    assert!(log.ends_with("to fix\n"), "{log}");
    assert_eq!(
        log.lines()
            .filter(|line| line.starts_with("  fix: "))
            .count(),
        1,
        "more than that was found:\n{log}"
    );
}

#[test]
fn a_clean_workspace_has_nothing_to_mend() {
    let (good, log) = tidy(clean().path());
    assert!(good, "{log}");
    assert!(log.contains("nothing to fix"), "{log}");
}

#[test]
fn modules_name_only_what_is_below_them() {
    breaks(
        "fcp/src/op/mod.rs",
        "use crate::session::Session;\n",
        "fcp/src/op/mod.rs:8: op names session",
    );
    breaks(
        "fcp/src/op/lex.rs",
        "fn a() -> crate::model::Id {}\n",
        "fcp/src/op/lex.rs:3: op names model",
    );
    breaks(
        "fcp/src/model/mod.rs",
        "use crate::{\n    diag,\n    mcp::{session},\n};\n",
        "fcp/src/model/mod.rs:5: model names mcp",
    );
    breaks(
        "fcp/src/op/lex.rs",
        "use super::super::session;\n",
        "fcp/src/op/lex.rs:3: op names session",
    );
    breaks(
        "fcp/src/model/mod.rs",
        "use super::session;\n",
        "fcp/src/model/mod.rs:3: model names session",
    );
    breaks(
        "fcp/src/diag.rs",
        "use crate::op;\n",
        "fcp/src/diag.rs:2: diag names op, which is not below it: diag knows only work",
    );
    breaks(
        "fcp/src/new.rs",
        "//! New.\n",
        "fcp/src/new.rs:1: the module new is in no layer",
    );
}

#[test]
fn rooms_of_a_domain_name_only_those_below_them() {
    breaks(
        "domains/midi/src/values/pitch.rs",
        "//! Pitches.\nuse crate::model::Song;\n",
        "domains/midi/src/values/pitch.rs:2: the room values names model, which is not below it",
    );
    breaks(
        "domains/midi/src/smf/read_file.rs",
        "//! Bytes.\nuse super::{super::{smf::vlq, time::Division}, bytes};\n",
        "domains/midi/src/smf/read_file.rs:2: the room smf names time, which is not below it",
    );
    breaks(
        "domains/midi/src/edit/rows/set.rs",
        "//! Rows.\nuse crate::edit::{\n    rows,\n    notes::length::{self, set},\n};\n",
        "domains/midi/src/edit/rows/set.rs:4: the room edit/rows names edit/notes",
    );
    breaks(
        "domains/midi/src/model/song.rs",
        "//! Songs.\nfn a() -> crate::model::edit::B {}\n",
        "domains/midi/src/model/song.rs:2: the room model names model/edit",
    );
    breaks(
        "domains/midi/src/checks/silence.rs",
        "//! Silence.\nuse crate::Song;\n",
        "domains/midi/src/checks/silence.rs:2: the room checks names Song",
    );
    breaks(
        "domains/midi/src/attic/mod.rs",
        "//! More.\n",
        "domains/midi/src/attic/mod.rs:1: the room attic is in no layer",
    );
    breaks(
        "templates/domain/src/model.rs",
        "//! Lists.\nuse crate::verbs;\n",
        "templates/domain/src/model.rs:2: the room model names verbs",
    );
    let root = clean();
    for (path, text) in [
        (
            "model/edit/add.rs",
            "//! A.\nuse super::super::{index, rows};\nuse crate::values::A;\n",
        ),
        ("edit/mod.rs", "//! Edits.\npub mod rows;\n"),
        ("lib.rs", "//! Music.\nuse crate::verbs;\n"),
        (
            "verbs/note.rs",
            "//! N.\n#[cfg(test)]\nmod tests {\n    use crate::lints::A;\n}\n",
        ),
    ] {
        write(root.path(), &format!("domains/midi/src/{path}"), text);
    }
    let (good, said) = tidy(root.path());
    assert!(good, "{said}");
}

#[test]
fn rooms_of_any_domain_are_in_no_circle() {
    let root = clean();
    for (path, text) in [
        ("boards/mod.rs", "//! B.\nuse crate::{shelves, walls};\n"),
        ("shelves/mod.rs", "//! S.\nuse super::nails::A;\n"),
        ("nails/mod.rs", "//! N.\n"),
        ("walls/mod.rs", "//! W.\n"),
    ] {
        write(root.path(), &format!("domains/toy/src/{path}"), text);
    }
    let (good, said) = tidy(root.path());
    assert!(good, "{said}");
    write(
        root.path(),
        "domains/toy/src/nails/mod.rs",
        "//! N.\nuse crate::boards::B;\n",
    );
    found(
        root.path(),
        "domains/toy/src/boards/mod.rs:2: the rooms name each other: boards -> shelves -> nails -> boards",
    );
}

#[test]
fn no_file_lies_loose_beside_rooms() {
    breaks(
        "domains/toy/src/carry.rs",
        "//! Something.\n",
        "domains/toy/src/carry.rs:1: carry.rs lies loose beside the rooms of toy",
    );
    breaks(
        "templates/domain/src/lists.rs",
        "//! Lists.\n",
        "templates/domain/src/lists.rs:1: lists.rs lies loose beside the rooms of checklist",
    );
    let root = clean();
    for path in ["model.rs", "files.rs", "tests.rs"] {
        let path = format!("domains/toy/src/{path}");
        write(root.path(), &path, "//! Something.\n");
    }
    let (good, said) = tidy(root.path());
    assert!(good, "{said}");
}

#[test]
fn an_unneeded_exception_is_reported() {
    let root = clean();
    write(
        root.path(),
        "fcp/src/verb/registry.rs",
        "//! R.\nuse crate::session;\n",
    );
    let (_, log) = tidy(root.path());
    assert!(
        log.contains("fcp/src/verb/registry.rs:1: it may name verbs, and does not"),
        "{log}"
    );
    assert!(!log.contains("registry.rs:2"), "{log}");
}

#[test]
fn only_the_transport_knows_the_protocol() {
    breaks(
        "fcp/src/session/mod.rs",
        "use tokio::sync;\n",
        "fcp/src/session/mod.rs:3: tokio is named outside fcp/src/mcp",
    );
    breaks(
        "domains/toy/src/verbs/put.rs",
        "fn a(_: rmcp::Tool) {}\n",
        "domains/toy/src/verbs/put.rs:2: rmcp is named",
    );
    breaks(
        "templates/domain/src/lib.rs",
        "use tokio::sync;\n",
        "templates/domain/src/lib.rs:2: tokio is named outside fcp/src/mcp",
    );
}

#[test]
fn no_domain_knows_another() {
    breaks(
        "domains/toy/src/verbs/put.rs",
        "use fcp_box::Box;\n",
        "domains/toy/src/verbs/put.rs:2: the domain toy names the domain crate fcp_box",
    );
    breaks(
        "domains/toy/src/verbs/put.rs",
        "use fcp_checklist::Checklist;\n",
        "domains/toy/src/verbs/put.rs:2: the domain toy names the domain crate fcp_checklist",
    );
    breaks(
        "templates/domain/src/lib.rs",
        "use fcp_toy::Toy;\n",
        "templates/domain/src/lib.rs:2: the domain checklist names the domain crate fcp_toy",
    );
    let root = clean();
    let needs = "\n[dependencies]\nfcp-box = { path = \"../domains/box\" }\n";
    write(root.path(), "fcp/Cargo.toml", &package("fcp", needs));
    write(root.path(), "fcp/src/diag.rs", "//! D.\nuse fcp_box;\n");
    found(
        root.path(),
        "fcp/Cargo.toml:8: the runtime needs a domain: fcp-box",
    );
}

#[test]
fn the_runtime_names_no_domain_noun() {
    breaks(
        "fcp/src/diag.rs",
        "fn midi_file() {}\n",
        "fcp/src/diag.rs:2: the runtime is independent of domains, but names midi_file",
    );
    breaks(
        "fcp/src/diag.rs",
        "const A: &str = \"an SVG\";\n",
        "fcp/src/diag.rs:2: the runtime is independent of domains, but names SVG",
    );
    breaks(
        "fcp/src/diag.rs",
        "struct Note;\n",
        "fcp/src/diag.rs:2: the runtime is independent of domains, but names Note",
    );
}

#[test]
fn files_stay_small() {
    breaks(
        "domains/toy/src/verbs/put.rs",
        &"const _: () = ();\n".repeat(150),
        "domains/toy/src/verbs/put.rs:151: 151 lines without tests; the most is 150",
    );
    breaks(
        "templates/domain/src/verbs/add.rs",
        &format!("//! `add`.\n{}", "const _: () = ();\n".repeat(150)),
        "templates/domain/src/verbs/add.rs:151: 151 lines without tests; the most is 150",
    );
    breaks(
        "fcp/src/diag.rs",
        &"const _: () = ();\n".repeat(500),
        "fcp/src/diag.rs:501: 501 lines without tests; the most is 500",
    );
    let root = clean();
    let tests = format!(
        "//! D.\n#[cfg(test)]\nmod tests {{\n{}}}\n",
        "const _: () = ();\n".repeat(600)
    );
    write(root.path(), "fcp/src/diag.rs", &tests);
    assert!(tidy(root.path()).0);
}

#[test]
fn modules_have_docs_and_names() {
    let root = clean();
    write(root.path(), "fcp/src/diag.rs", "pub struct A;\n");
    found(
        root.path(),
        "fcp/src/diag.rs:1: the module has no doc comment",
    );
    for name in ["utils", "helpers", "io_common", "manager", "put_v2"] {
        breaks(
            &format!("domains/toy/src/verbs/{name}.rs"),
            "//! Something.\n",
            &format!("domains/toy/src/verbs/{name}.rs:1: the name {name}.rs is vague"),
        );
    }
}

#[test]
fn untidy_and_unfinished_text_is_reported() {
    let path = "fcp/src/diag.rs";
    for (added, finding) in [
        (
            "const A: u8 = 1; \n",
            "fcp/src/diag.rs:2: spaces at the end of the line",
        ),
        (
            "// A line. \n",
            "fcp/src/diag.rs:2: spaces at the end of the line",
        ),
        ("\tconst A: u8 = 1;\n", "fcp/src/diag.rs:2: a tab"),
        (
            "// No end",
            "fcp/src/diag.rs:2: the file does not end with one end of line",
        ),
        (
            "fn a() { todo!() }\n",
            "fcp/src/diag.rs:2: todo! is left in the code",
        ),
        (
            "fn a() { dbg!(1); }\n",
            "fcp/src/diag.rs:2: dbg! is left in the code",
        ),
        (
            "// FIXME later\n",
            "fcp/src/diag.rs:2: FIXME: something is unfinished",
        ),
        (
            "// XXX\n",
            "fcp/src/diag.rs:2: XXX: something is unfinished",
        ),
        (
            "const A: &str = \"/home/me/a\";\n",
            "fcp/src/diag.rs:2: /home/ is a path of one machine",
        ),
        (
            "// See /work/notes.\n",
            "fcp/src/diag.rs:2: /work/ is a path of one machine",
        ),
    ] {
        breaks(path, added, finding);
    }
    breaks(
        ".cargo/config.toml",
        "[alias]\n[source.crates-io]\n",
        ".cargo/config.toml:2: [source. names where packages are fetched",
    );
}

#[test]
fn prose_is_plain() {
    let path = "fcp/src/diag.rs";
    let clause = "fcp/src/diag.rs:2: a comment begins with a clause: ";
    for (added, finding) in [
        ("/// What is told of a row.\n", format!("{clause}What")),
        ("// How it ends.\n", format!("{clause}How")),
        ("    //! Where it is. Why?\n", format!("{clause}Where")),
        ("/** What it is. */\n", format!("{clause}What")),
        (
            "// It is no row.\n",
            "fcp/src/diag.rs:2: \"is no\" is not plain English here".to_owned(),
        ),
        (
            "// Rows that are\n// none.\n",
            "fcp/src/diag.rs:2: \"are none\" is not plain English here".to_owned(),
        ),
        (
            "const A: &str = \"{x} is \\\n    no number\";\n",
            "fcp/src/diag.rs:2: \"is no\" is not plain English here".to_owned(),
        ),
        (
            "#[cfg(test)]\nconst A: &str = r#\"a is none\"#;\n",
            "fcp/src/diag.rs:3: \"is none\" is not plain English here".to_owned(),
        ),
        (
            "// The row stands in a table.\n",
            "fcp/src/diag.rs:2: \"stands\" is not plain English here".to_owned(),
        ),
        (
            "const A: &str = \"a\\nrows stand there\";\n",
            "fcp/src/diag.rs:2: \"stand\" is not plain English here".to_owned(),
        ),
        (
            "fn told() {}\n",
            "fcp/src/diag.rs:2: a function is named told".to_owned(),
        ),
        (
            "fn said() {}\n",
            "fcp/src/diag.rs:2: a function is named said".to_owned(),
        ),
        (
            "#[cfg(test)]\nmod tests {\n    fn what_is_wrong_is_refused() {}\n}\n",
            "fcp/src/diag.rs:4: a function is named what_is_wrong_is_refused".to_owned(),
        ),
        (
            "fn how_many() {}\n",
            "fcp/src/diag.rs:2: a function is named how_many".to_owned(),
        ),
        (
            "fn where_it_is() {}\n",
            "fcp/src/diag.rs:2: a function is named where_it_is".to_owned(),
        ),
    ] {
        breaks(path, added, &finding);
    }
    breaks(
        "domains/toy/tests/sessions/a.fcp",
        "new\n# What is new.\n",
        "domains/toy/tests/sessions/a.fcp:2: a comment begins with a clause: What",
    );
    let root = clean();
    let plain = "//! Problems.\n\n\
        // What clears redo? How often?\n// Where is it, if one asks\n// nobody?\n\
        // There is no row, and there are none. It is no longer here, and stands for another.\n\
        // The user writes \"it is no row\" or `stands`; a stand-in.\n\
        const A: &str = \"{a} says \\\"b is none\\\"; standalone\";\n\
        fn untold() {}\n";
    write(root.path(), path, plain);
    let (good, log) = tidy(root.path());
    assert!(good, "{log}");
}

#[test]
fn paths_must_not_leave_the_workspace() {
    breaks(
        "fcp/src/diag.rs",
        "const A: &str = include_str!(\"../../../a.txt\");\n",
        "fcp/src/diag.rs:2: ../../../a.txt leads out of the workspace",
    );
    breaks(
        "fcp/src/diag.rs",
        "fn a(p: &Path) { p.join(\"../../notes\"); }\n",
        "fcp/src/diag.rs:2: ../../notes leads out",
    );
    breaks(
        "README.md",
        "See ../shared/notes.md.\n",
        "README.md:7: See ../shared/notes.md. leads out",
    );
    breaks(
        "README.md",
        "[Notes](../notes.md)\n",
        "README.md:7: ../notes.md leads out",
    );
    breaks(
        "README.md",
        "[Notes](docs/notes.md#one)\n",
        "README.md:7: the link docs/notes.md#one is broken",
    );
    let root = clean();
    write(
        root.path(),
        "fcp/src/diag.rs",
        "//! D.\nfn a(p: &Path) { p.join(\"../fixtures\"); p.join(\"../../shared/data/toy\"); }\n",
    );
    let (good, log) = tidy(root.path());
    assert!(good, "{log}");
}

#[test]
fn the_readme_shows_what_can_be_run() {
    let shown = |command: &str| {
        README.replace(
            "cargo run -p fcp-toy\n",
            &format!("cargo run -p fcp-toy\n{command}\n"),
        )
    };
    for (command, finding) in [
        (
            "cargo run -p fcp-tony",
            "README.md:6: cargo run -p fcp-tony: there is no package fcp-tony",
        ),
        (
            "cargo run --bin toy",
            "there is no program toy; there are fcp-toy",
        ),
        ("cargo run --example toy", "there is no example toy"),
        ("cargo xtask tidi", "there is no command tidi"),
        ("target/release/fcp-boy help", "there is no program fcp-boy"),
        ("fcp-toy run docs/a.fcp", "there is no docs/a.fcp"),
        ("echo | ./.ci/run", "there is no .ci/run"),
    ] {
        let root = clean();
        write(root.path(), "README.md", &shown(command));
        found(root.path(), finding);
    }
    let root = clean();
    write(
        root.path(),
        "README.md",
        &shown("RUST_LOG=off cargo xtask tidy && target/debug/fcp-toy run domains/toy/src/main.rs"),
    );
    let (good, log) = tidy(root.path());
    assert!(good, "{log}");
    write(
        root.path(),
        "README.md",
        "# Toy\n\n```sh\ncargo test\n```\n",
    );
    found(
        root.path(),
        "README.md:1: it does not show a command that shows what this is",
    );
    fs::remove_file(root.path().join("README.md")).unwrap();
    found(root.path(), "README.md:1: there is no README.md");
}

#[test]
fn dependencies_are_named_and_permissive() {
    let root = clean();
    let needs = "\n[dependencies]\nfcp.workspace = true\n\n[dev-dependencies]\nfcp-macros = { path = \"../../fcp-macros\" }\n";
    write(
        root.path(),
        "domains/toy/Cargo.toml",
        &package("fcp-toy", needs),
    );
    found(
        root.path(),
        "domains/toy/Cargo.toml:11: fcp-toy needs fcp-macros, which none of its sources names",
    );
    write(
        root.path(),
        "domains/toy/tests/a.rs",
        "//! A.\nuse fcp_macros as _;\n",
    );
    assert!(tidy(root.path()).0);

    let root = clean();
    let strict = package("fcp-macros", "").replace("MIT", "MIT AND GPL-3.0-only");
    write(root.path(), "fcp-macros/Cargo.toml", &strict);
    found(
        root.path(),
        "fcp-macros/Cargo.toml:5: fcp-macros is under MIT AND GPL-3.0-only",
    );

    breaks(
        "Cargo.toml",
        "serde = \"1\"\n",
        "Cargo.toml:7: no crate of the workspace takes serde",
    );

    let root = clean();
    write(root.path(), "domains/toy/Cargo.toml", "[package\n");
    let (good, log) = tidy(root.path());
    assert!(
        !good && log.contains("Cargo.toml:1: cargo cannot read the workspace"),
        "{log}"
    );
}

#[test]
fn packages_come_from_the_public_registry() {
    let root = clean();
    // Generated by cargo, then changed by hand.
    assert!(tidy(root.path()).0);
    let lock = root.path().join("Cargo.lock");
    let text = fs::read_to_string(&lock).unwrap();
    write(
        root.path(),
        "Cargo.lock",
        &format!("{text}source = \"git+https://example.org/a\"\n"),
    );
    let (good, log) = tidy(root.path());
    assert!(!good && log.contains("a package from elsewhere"), "{log}");
}
