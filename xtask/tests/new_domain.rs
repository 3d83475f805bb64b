//! `xtask new-domain` in temporary workspaces, and the walk-through in docs/authoring.md.
//!
//! New crates are built in the target folder of this workspace, so that only `fcp` and the new
//! crate are recompiled. The temporary folders are below it and always the same, so that new build
//! output replaces the old.

// Helpers of tests are not tests to clippy.
#![allow(clippy::panic, clippy::unwrap_used)]

#[allow(dead_code, reason = "shared with the commands")]
#[path = "../src/server.rs"]
mod server;
#[allow(dead_code, reason = "shared with the commands")]
#[path = "../src/workspace.rs"]
mod workspace;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use serde_json::json;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
}

/// An empty folder for a test. It builds with this workspace's profiles: otherwise standalone
/// crates would rebuild all their dependencies in another profile.
fn scratch(name: &str) -> PathBuf {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("new-domain");
    static PROFILES: Once = Once::new();
    PROFILES.call_once(|| {
        let manifest = read(&project().join("Cargo.toml"));
        let (_, profiles) = manifest.split_once("\n[profile.dev]\n").unwrap();
        let config = format!("[profile.dev]\n{profiles}");
        workspace::write(&all.join(".cargo/config.toml"), &config).unwrap();
    });
    let folder = all.join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// A workspace with the template and a domain without a program, which takes `fcp` from this
/// workspace.
fn workspace(name: &str) -> PathBuf {
    let (root, project) = (scratch(name), project());
    let manifest = read(&project.join("Cargo.toml"));
    let members = manifest
        .lines()
        .find(|line| line.starts_with("members = "))
        .unwrap();
    let manifest = manifest
        .replace(
            members,
            "members = [\"domains/*\", \"templates/domain\", \"templates/tools\"]",
        )
        .replace("path = \"", &format!("path = \"{}/", project.display()));
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    for name in ["Cargo.lock", "clippy.toml", "rustfmt.toml"] {
        fs::copy(project.join(name), root.join(name)).unwrap();
    }
    for path in workspace::files(&project) {
        if path.starts_with("templates/") {
            workspace::write(&root.join(&path), &read(&project.join(&path))).unwrap();
        }
    }
    // Cargo requires that a pattern of members matches something.
    for (path, text) in [
        (
            "domains/toy/Cargo.toml",
            "[package]\nname = \"fcp-bin\"\nedition = \"2024\"\n",
        ),
        ("domains/toy/src/lib.rs", "//! Toys.\n"),
    ] {
        workspace::write(&root.join(path), text).unwrap();
    }
    root
}

/// A command that builds in this workspace's target folder, without network.
fn offline(mut command: Command) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    command
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_NET_OFFLINE", "true")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn xtask(root: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("--root").arg(root).args(arguments);
    offline(command)
}

fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = workspace::cargo(folder);
    command.args(arguments);
    offline(command)
}

fn output_text(output: &Output) -> String {
    let output_text =
        String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    output_text.into_owned()
}

fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", output_text(output));
    output_text(output)
}

/// All files of a folder, with their contents.
fn files(root: &Path) -> Vec<(String, String)> {
    workspace::files(root)
        .into_iter()
        .map(|path| (read(&root.join(&path)), path))
        .map(|(text, path)| (path, text))
        .collect()
}

#[test]
fn bad_and_taken_names_are_refused_and_change_nothing() {
    let root = workspace("refused");
    for (path, text) in [("docs/cards/page.md", "# Page\n"), ("full/file", "")] {
        workspace::write(&root.join(path), text).unwrap();
    }
    let before = files(&root);
    let inside = root.join("domains/own");
    let full = root.join("full");
    let out = |name: &'static str, folder: &Path| {
        vec![
            name.to_owned(),
            "--out".to_owned(),
            folder.display().to_string(),
        ]
    };
    let form = "a name is one word of 2 to 32 lower-case letters and digits";
    for (arguments, why) in [
        (vec!["Recipes".to_owned()], form),
        (vec!["../recipes".to_owned()], form),
        (vec!["match".to_owned()], "keyword"),
        (vec!["session".to_owned()], form),
        // A name in the template's own code.
        (vec!["task".to_owned()], "something else in the template"),
        (vec!["toy".to_owned()], "there is domains/toy"),
        (vec!["page".to_owned()], "there is docs/cards/page.md"),
        (
            vec!["bin".to_owned()],
            "fcp-bin is taken by domains/toy/Cargo.toml",
        ),
        (
            vec!["checklist".to_owned()],
            "fcp-checklist is taken by templates/domain/Cargo.toml",
        ),
        (out("recipes", &full), "something is in it"),
        (out("recipes", &full.join("file")), "there is a file"),
        (out("recipes", &inside), "leave --out out"),
        (out("help", &root.join("new")), form),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = xtask(&root, &[&["new-domain"], arguments.as_slice()].concat());
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            output_text(&output).contains(why),
            "{arguments:?}: {}",
            output_text(&output)
        );
        assert_eq!(files(&root), before, "{arguments:?}");
        assert!(!inside.exists() && !root.join("new").exists());
    }
}

#[test]
fn a_domain_that_does_not_build_is_taken_back() {
    let root = workspace("broken");
    let main = root.join("templates/domain/src/main.rs");
    fs::write(
        &main,
        read(&main).replace("fcp::cli::main", "fcp::cli::mine"),
    )
    .unwrap();
    let before = files(&root);
    let output = xtask(&root, &["new-domain", "recipes"]);
    assert!(!output.status.success());
    assert!(
        output_text(&output).contains("cannot find function `mine`"),
        "{}",
        output_text(&output)
    );
    assert_eq!(files(&root), before);
    assert!(!root.join("domains/recipes").exists());
}

#[test]
fn a_crate_outside_is_standalone_and_serves() {
    let folder = scratch("outside").join("deep/recipes");
    let path = folder.display().to_string();
    let output = xtask(&project(), &["new-domain", "recipes", "--out", &path]);
    assert!(done(&output).contains("cargo test"));
    let text: String = files(&folder)
        .into_iter()
        .filter(|(path, _)| path != "Cargo.lock")
        .map(|(_, text)| text)
        .collect();
    assert!(!text.to_lowercase().contains("checklist"), "{text}");
    assert!(!text.contains("workspace = true"), "{text}");
    done(&cargo(&folder, &["fmt", "--check"]));
    let tests = done(&cargo(&folder, &["test"]));
    for test in [
        "the_domain_holds_together",
        "every_transcript_is_true",
        "documents_hold_together_on_any_walk",
        "finish_examples",
        "left_examples",
    ] {
        assert!(tests.contains(&format!("{test} ... ok")), "{tests}");
    }
    let built = cargo(&folder, &["build", "--message-format=json"]);
    let built = String::from_utf8(built.stdout).unwrap();
    let program = built
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .unwrap();
    serves(&program, &scratch("served"));
    // A faulty writer that adds a space to unrelated lines is found by the crate's own tests.
    let writer = folder.join("src/files.rs");
    let text = read(&writer);
    let careless = text.replace("\"# {}\\n\"", "\"#  {}\\n\"");
    assert_ne!(careless, text);
    fs::write(&writer, careless).unwrap();
    let tests = cargo(&folder, &["test", "--test", "conformance", "changed_byte"]);
    assert!(!tests.status.success());
    let tests = output_text(&tests);
    assert!(
        tests.contains("every_changed_byte_is_accounted_for ... FAILED")
            && tests.contains("and no op changed them:"),
        "{tests}"
    );
}

/// Uses the domain's server like an agent.
fn serves(program: &Path, folder: &Path) {
    let mut server = server::Server::start(program, folder).unwrap();
    assert_eq!(server.hello["serverInfo"]["title"], "Recipes files");
    let tools = server.tools().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| workspace::text(tool, "name"))
        .collect();
    assert_eq!(
        names,
        [
            "recipes",
            "recipes_query",
            "recipes_session",
            "recipes_help"
        ]
    );
    let mut call = |tool: &str, key: &str, value: serde_json::Value| {
        let params = json!({ "name": tool, "arguments": { key: value } });
        let (result, _) = server.request("tools/call", params).unwrap();
        let answer = workspace::text(&result["content"][0], "text").to_owned();
        assert_ne!(result["isError"], true, "{answer}");
        answer
    };
    let mut act = |action: &str| call("recipes_session", "action", json!(action));
    assert!(act("new").starts_with("+ New recipes 0 sections, 0 tasks\n"));
    act("checkpoint empty");
    let ops = json!([
        "add section Dough",
        "add task Knead in:Dough minutes:20",
        "copy Knead name:Rest minutes:90",
        "modify @minutes:>=60 priority:low",
        "finish Knead",
        "remove Knead",
    ]);
    let added = call("recipes", "ops", ops);
    assert!(added.contains("+ task Rest in:Dough minutes:90"), "{added}");
    let mut act = |action: &str| call("recipes_session", "action", json!(action));
    assert!(act("undo").starts_with("* undone 1 op: remove\n"));
    assert!(act("save as:bread.recipes").starts_with("* Saved bread.recipes"));
    assert!(act("open bread.recipes").starts_with("+ Opened bread.recipes: 1 section, 2 tasks"));
    let mut ask = |query: &str| call("recipes_query", "q", json!(query));
    assert_eq!(
        ask("list @done:on"),
        "#2 task Knead in:Dough minutes:20 priority:normal done:on"
    );
    assert!(ask("describe Rest").contains("priority: low"));
    assert!(ask("find Rest").contains("task Rest"));
    assert_eq!(ask("left Dough"), "90 minutes");
    call("recipes", "ops", json!(["rename Rest Proof"]));
    let mut ask = |query: &str| call("recipes_query", "q", json!(query));
    assert!(ask("history").contains("rename Rest Proof"));
    assert_eq!(
        read(&folder.join("bread.recipes")),
        "# Dough\n- [x] normal 20m Knead\n- [ ] low 90m Rest\n"
    );
}

/// The fenced blocks of a page: the text after the fence, and the lines.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if let Some(info) = line.strip_prefix("```") {
            open = !open;
            if open {
                blocks.push((info.to_owned(), String::new()));
            }
        } else if let Some((_, body)) = blocks.last_mut().filter(|_| open) {
            *body += &format!("{line}\n");
        }
    }
    blocks
}

/// Applies a difference to a file.
fn patch(path: &Path, difference: &str) {
    let side = |sign: char| -> String {
        let lines = difference
            .lines()
            .filter(|line| line.starts_with([' ', sign]));
        lines.map(|line| format!("{}\n", &line[1..])).collect()
    };
    let (old, new) = (side('-'), side('+'));
    let text = read(path);
    let found = text.matches(&old).count();
    assert_eq!(found, 1, "{} does not say once:\n{old}", path.display());
    fs::write(path, text.replace(&old, &new)).unwrap();
}

#[test]
fn the_walk_through_works_as_it_is_written() {
    let root = workspace("walk");
    let mut steps = 0;
    for (info, body) in blocks(&read(&project().join("docs/authoring.md"))) {
        let (kind, path) = info.split_once(' ').unwrap_or((&info, ""));
        let own = ["domains/chores/", "domains/pantry/"]
            .iter()
            .any(|own| path.starts_with(own));
        match kind {
            "sh" => {
                for line in body.lines() {
                    let words: Vec<&str> = line.split(' ').collect();
                    let output = match words.as_slice() {
                        ["cargo", "xtask", arguments @ ..] => xtask(&root, arguments),
                        ["cargo", arguments @ ..] => cargo(&root, arguments),
                        _ => panic!("nobody knows how to run {line}"),
                    };
                    assert!(output.status.success(), "{line}\n{}", output_text(&output));
                    steps += 1;
                }
            }
            "diff" if own => patch(&root.join(path), &body),
            "rust" | "fcp" if own => workspace::write(&root.join(path), &body).unwrap(),
            _ => {}
        }
    }
    assert!(steps >= 11, "{steps} commands were run");
    for package in ["fcp-chores", "fcp-pantry"] {
        done(&cargo(&root, &["fmt", "-p", package, "--check"]));
    }
    done(&xtask(&root, &["cards", "--check"]));
    let card = read(&root.join("domains/chores/card.txt"));
    assert!(
        card.contains("share TASK PEOPLE") || card.contains("share TASK N"),
        "{card}"
    );
    assert!(root.join("docs/cards/chores.md").exists());
    let card = read(&root.join("domains/pantry/card.txt"));
    assert!(card.contains("\ntake (destructive)\n"), "{card}");
}

#[test]
fn a_crate_of_structured_tools_is_standalone_and_serves() {
    let folder = scratch("tools").join("pantry");
    let path = folder.display().to_string();
    let output = xtask(
        &project(),
        &["new-domain", "pantry", "--tools", "--out", &path],
    );
    assert!(done(&output).contains("a tool is a file of src/tools"));
    let mut own = files(&folder);
    own.retain(|(path, _)| path != "Cargo.lock");
    assert!(
        own.iter()
            .all(|(_, text)| !text.to_lowercase().contains("tally")),
        "{own:?}"
    );
    done(&cargo(&folder, &["fmt", "--check"]));
    let tests = done(&cargo(&folder, &["test"]));
    for test in [
        "the_tools_hold_together",
        "the_program_keeps_the_contract",
        "counts_last_until_reset",
        "count_examples",
        "reset_examples",
        "total_examples",
    ] {
        assert!(tests.contains(&format!("{test} ... ok")), "{tests}");
    }
}

#[test]
fn the_templates_are_short() {
    for template in ["domain", "tools"] {
        let source = project().join("templates").join(template).join("src");
        let mut lines = 0;
        // A table of its own is an optional example; there are tables without it, too.
        let own = files(&source).into_iter();
        for (_, text) in own.filter(|(path, _)| !path.starts_with("tables")) {
            lines += text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with("//"))
                .count();
        }
        assert!(
            (50..160).contains(&lines),
            "{template}: {lines} lines of code"
        );
    }
}
