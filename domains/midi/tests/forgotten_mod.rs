//! A verb file without a `mod` line is reported by name, so that it cannot be forgotten.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;

use fcp_midi::Song;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_file_without_its_mod_line_is_reported_by_name() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let scratch = tempfile::tempdir().unwrap();
    copy(source, scratch.path());
    let before = fcp::testing::unregistered::<Song>(scratch.path());
    for (folder, module) in [
        ("verbs", "arpeggiate"),
        ("queries", "loudest"),
        ("selectors", "offbeat"),
        ("lints", "shrill"),
        ("actions", "publish"),
    ] {
        let file = scratch.path().join(folder).join(format!("{module}.rs"));
        fs::write(&file, "//! Says nothing yet.\n").unwrap();
        let mut lines = fcp::testing::unregistered::<Song>(scratch.path());
        lines.retain(|line| !before.contains(line));
        assert_eq!(
            lines,
            [format!(
                "src/{folder}/{module}.rs registers nothing: is `mod {module};` missing in src/{folder}/mod.rs?"
            )]
        );
        fs::remove_file(file).unwrap();
    }
    // Not only new files: also an existing one that was renamed.
    let verbs = scratch.path().join("verbs");
    fs::rename(verbs.join("transpose.rs"), verbs.join("transposed.rs")).unwrap();
    let lines = fcp::testing::unregistered::<Song>(scratch.path());
    assert!(
        lines
            .iter()
            .any(|line| line.contains("`mod transposed;` missing")),
        "{lines:?}"
    );
}
