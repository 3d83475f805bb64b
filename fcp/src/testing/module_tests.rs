//! Tests that are modules of one program.

use std::path::Path;

/// The files in a package's `tests` that are not part of any test program, in packages whose tests
/// are modules of `tests/all.rs`: the tests in them never run.
#[must_use]
pub fn unnamed_tests(package: &Path) -> Vec<String> {
    let read = |path: &str| std::fs::read_to_string(package.join(path)).unwrap_or_default();
    let (all, manifest) = (read("tests/all.rs"), read("Cargo.toml"));
    let entries = std::fs::read_dir(package.join("tests")).into_iter();
    let files = entries.flatten().flatten().map(|entry| entry.path());
    let stems = files.filter(|path| path.is_file()).filter_map(|path| {
        let stem = path.file_stem()?.to_str()?;
        Some(stem.to_owned())
    });
    let is_named = |stem: &str| {
        let has = |text: &str, line: &str| text.lines().any(|own| own == line);
        has(&all, &format!("mod {stem};")) || has(&manifest, &format!("name = \"{stem}\""))
    };
    let mut unnamed: Vec<String> = stems
        .filter(|stem| !is_named(stem))
        .map(|stem| format!("tests/all.rs has no line `mod {stem};`"))
        .collect();
    unnamed.sort_unstable();
    unnamed
}

#[cfg(test)]
mod tests {
    use super::unnamed_tests;

    #[test]
    fn only_unnamed_files_are_reported() {
        let package = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = package.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "Cargo.toml",
            "[[test]]\nname = \"all\"\n\n[[test]]\nname = \"apart\"\n",
        );
        write("tests/all.rs", "mod part;\n");
        for stem in ["part", "apart", "lost", "support/mod"] {
            write(&format!("tests/{stem}.rs"), "");
        }
        assert_eq!(
            unnamed_tests(package.path()),
            ["tests/all.rs has no line `mod lost;`"]
        );
    }
}
