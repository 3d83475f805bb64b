//! Names, lengths and module headers of files.

use super::{File, Report, Tree};

/// The maximum number of lines in a file with one item: a verb, a query.
const ITEM: usize = 150;
/// The maximum number of lines in any other file.
const FILE: usize = 500;
/// Folders whose files contain one item each.
const ITEMS: &[&str] = &["actions", "lints", "queries", "selectors", "tools", "verbs"];

/// Meaningless names.
const EMPTY: &[&str] = &[
    "common", "helper", "helpers", "manager", "misc", "util", "utils", "v2",
];

/// Checks all Rust files.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    for file in tree.files.iter().filter(|file| file.masked.is_some()) {
        names(file, report);
        docs(file, report);
        length(file, report);
    }
}

fn names(file: &File, report: &mut Report<'_>) {
    for part in file.path.split('/') {
        let stem = part.trim_end_matches(".rs");
        if let Some(word) = stem.split(['_', '-']).find(|word| EMPTY.contains(word)) {
            report.add(
                &file.path,
                1,
                format!("the name {part} is vague: {word}"),
                "call it by what is in it",
            );
        }
    }
}

fn docs(file: &File, report: &mut Report<'_>) {
    // Inputs and outputs of macro tests.
    let sample = file
        .path
        .split_once("/tests/")
        .is_some_and(|(_, rest)| rest.contains('/') && !rest.ends_with("mod.rs"));
    let first = file.text.lines().find(|line| !line.trim().is_empty());
    if !sample && !first.is_some_and(|line| line.starts_with("//!")) {
        report.add(
            &file.path,
            1,
            "the module has no doc comment",
            "start the file with a line of //!",
        );
    }
}

fn length(file: &File, report: &mut Report<'_>) {
    let Some((package, source)) = file.path.split_once("src/") else {
        return;
    };
    if file.is_test() {
        return;
    }
    let item = ["domains/", "templates/"]
        .iter()
        .any(|folder| package.starts_with(folder))
        && source
            .split_once('/')
            .is_some_and(|(folder, file)| ITEMS.contains(&folder) && file != "mod.rs");
    let most = if item { ITEM } else { FILE };
    // Tests at the end of the file do not count.
    let total = file.text.lines().count();
    let lines = match file.text.find("#[cfg(test)]\nmod ") {
        Some(at) => file.text[..at].lines().count(),
        None => total,
    };
    if lines > most {
        report.add(
            &file.path,
            most + 1,
            format!("{lines} lines without tests; the most is {most}"),
            if item {
                "move its calculations into the model or a module next to the verbs"
            } else {
                "split it by idea"
            },
        );
    }
}
