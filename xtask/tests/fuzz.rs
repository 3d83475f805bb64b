//! `cargo xtask fuzz`: it lists all targets, and each target is complete.

// Helpers of tests are not tests to clippy.
#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, fs, path::Path, process::Command};

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.collect()
}

/// All bounded random tests of the workspace, in one text.
fn bounded(root: &Path) -> String {
    let domains = fs::read_dir(root.join("domains")).unwrap();
    let members = domains.map(|domain| domain.unwrap().path());
    let mut text = String::new();
    for member in members.chain([root.join("fcp")]) {
        for name in names(&member.join("tests")) {
            if name.ends_with("_random.rs") {
                text += &fs::read_to_string(member.join("tests").join(name)).unwrap();
            }
        }
    }
    text
}

#[test]
fn a_target_has_a_program_seeds_and_a_bounded_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let list = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["fuzz", "--list"])
        .output()
        .unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let targets: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    assert!(targets.len() > 3, "{list}");

    let files = names(&root.join("fuzz/fuzz_targets")).into_iter();
    let files: BTreeSet<String> = files.map(|name| name.replace(".rs", "")).collect();
    assert_eq!(targets, files, "fuzz/fuzz_targets/");
    assert_eq!(targets, names(&root.join("fuzz/seeds")), "fuzz/seeds/");

    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let bins = manifest["bin"].as_array().unwrap().iter();
    let bins: BTreeSet<String> = bins
        .map(|bin| bin["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(targets, bins, "the [[bin]] tables of fuzz/Cargo.toml");

    let bounded = bounded(&root);
    for target in targets {
        assert!(!names(&root.join("fuzz/seeds").join(&target)).is_empty());
        assert!(
            bounded.contains(&format!("\"{target}\"")),
            "no test in a file *_random.rs runs what {target} checks"
        );
    }
}

#[test]
fn an_unknown_target_is_an_error() {
    let run = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["fuzz", "nothing", "--list"])
        .output()
        .unwrap();
    assert!(!run.status.success());
    let message = String::from_utf8(run.stderr).unwrap();
    assert!(message.contains("there is no target nothing"), "{message}");
}
