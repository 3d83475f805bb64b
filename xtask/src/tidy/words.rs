//! Checks text files for trailing whitespace, unfinished code, and paths of one machine.

use super::{File, Report, Tree, source};

/// Files that are generated or hold data, and are not checked.
const DATA: &[&str] = &["card.txt", "Cargo.lock"];

/// Extensions of files written by people.
const WRITTEN: &[&str] = &["fcp", "md", "rs", "sh", "toml", "txt", "yml"];

/// Files that name the words and paths searched for.
pub const SEEKERS: &[&str] = &[
    "xtask/src/tidy/links.rs",
    "xtask/src/tidy/prose.rs",
    "xtask/src/tidy/words.rs",
    "xtask/tests/tidy.rs",
];

/// Macro calls that mark unfinished code.
const LOOSE_CALLS: &[&str] = &["dbg", "todo", "unimplemented"];
/// Words that mark unfinished code in comments.
const LOOSE_WORDS: &[&str] = &["FIXME", "TODO", "XXX", "HACK"];

/// Paths that exist on one machine only.
const PLACES: &[&str] = &[
    "/work/",
    "/home/",
    "/root/",
    "/Users/",
    "C:\\Users\\",
    "file:///",
];

/// Names of package registries, which are left to the machine's settings.
const REGISTRIES: &[&str] = &[
    "artifactory",
    "index.crates.io",
    "static.crates.io",
    "[registries",
    "[source.",
    "replace-with",
];

/// Checks all text files.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    for file in &tree.files {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        lock(file, report);
        let script = file.text.starts_with("#!");
        if DATA.contains(&name) || !(WRITTEN.contains(&file.ending()) || script) {
            continue;
        }
        blanks(file, report);
        if !SEEKERS.contains(&file.path.as_str()) {
            loose_ends(file, report);
            places(file, report);
        }
    }
}

fn blanks(file: &File, report: &mut Report<'_>) {
    for (at, line) in file.text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').map_or(line, |line| {
            report.add(
                &file.path,
                at + 1,
                "a line ends with CR LF",
                "end it with LF",
            );
            line
        });
        if line.ends_with([' ', '\t']) {
            report.add(
                &file.path,
                at + 1,
                "spaces at the end of the line",
                "take them out",
            );
        }
        if line.contains('\t') {
            report.add(
                &file.path,
                at + 1,
                "a tab",
                "write spaces; in a string, \\t",
            );
        }
    }
    if !file.text.is_empty() && (!file.text.ends_with('\n') || file.text.ends_with("\n\n")) {
        let last = file.text.lines().count();
        report.add(
            &file.path,
            last.max(1),
            "the file does not end with one end of line",
            "end it with one",
        );
    }
}

fn loose_ends(file: &File, report: &mut Report<'_>) {
    for (at, name) in source::names(file.code()) {
        if LOOSE_CALLS.contains(&name) && file.code()[at + name.len()..].starts_with('!') {
            report.add(
                &file.path,
                source::line_of(file.code(), at),
                format!("{name}! is left in the code"),
                "finish it",
            );
        }
    }
    for (at, name) in source::names(&file.text) {
        if LOOSE_WORDS.contains(&name) {
            report.add(
                &file.path,
                source::line_of(&file.text, at),
                format!("{name}: something is unfinished"),
                "finish it, or say in plain words what does not work and why",
            );
        }
    }
}

fn places(file: &File, report: &mut Report<'_>) {
    for (at, line) in file.text.lines().enumerate() {
        for place in PLACES.iter().filter(|place| starts_with(line, place)) {
            report.add(
                &file.path,
                at + 1,
                format!("{place} is a path of one machine"),
                "write it relative to the workspace, or take it from an option",
            );
        }
        for registry in REGISTRIES.iter().filter(|name| line.contains(**name)) {
            report.add(
                &file.path,
                at + 1,
                format!("{registry} names where packages are fetched"),
                "leave it to the machine's own settings",
            );
        }
    }
}

/// Whether a line has a path that starts with `place`, rather than one that contains it.
fn starts_with(line: &str, place: &str) -> bool {
    line.match_indices(place).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}'))
    })
}

/// Checks that the lock file names only the public registry.
fn lock(file: &File, report: &mut Report<'_>) {
    if file.path != "Cargo.lock" {
        return;
    }
    const PUBLIC: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    for (at, line) in file.text.lines().enumerate() {
        if line.starts_with("source = ") && line != PUBLIC {
            report.add(
                &file.path,
                at + 1,
                format!("a package from elsewhere: {line}"),
                "take it from crates.io, or do without",
            );
        }
    }
}
