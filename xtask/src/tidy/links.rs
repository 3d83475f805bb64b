//! Paths between files: they must stay inside the workspace, except for the folder of external
//! data; links must have a target.

use super::{File, Report, Tree, folder, resolve, source, words::SEEKERS};

/// The folder next to the workspace that tests and benchmarks may read, or report as missing.
const DATA: &str = "../shared/data";

/// Checks all paths that are relative to a file.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    for file in &tree.files {
        match file.ending() {
            "rs" => rust(tree, file, report),
            "toml" => manifest(file, report),
            "md" => links(tree, file, report),
            _ => {}
        }
        shared(file, report);
    }
}

/// The folder of a file's package.
fn package<'a>(tree: &Tree, path: &'a str) -> &'a str {
    let mut here = folder(path);
    while !here.is_empty() && !tree.has(&format!("{here}/Cargo.toml")) {
        here = folder(here);
    }
    here
}

fn outside(file: &File, line: usize, path: &str, report: &mut Report<'_>) {
    report.add(
        &file.path,
        line,
        format!("{path} leads out of the workspace"),
        format!("keep it inside; only {DATA} may be read, if it exists"),
    );
}

/// Whether a path stays inside, or leads to the data.
fn stays(folder: &str, path: &str) -> bool {
    let up = "../".repeat(folder.split('/').filter(|part| !part.is_empty()).count());
    resolve(folder, path).is_some()
        || path
            .trim_start_matches('/')
            .starts_with(&format!("{up}{DATA}"))
}

fn rust(tree: &Tree, file: &File, report: &mut Report<'_>) {
    let text = file.spoken();
    // Paths that the compiler resolves from the file's folder, and programs from the package's.
    let own = folder(&file.path).to_owned();
    let package = package(tree, &file.path).to_owned();
    let starts = [
        ("#[path = \"", &own),
        ("include!(\"", &own),
        ("include_str!(\"", &own),
        ("include_bytes!(\"", &own),
        (".join(\"", &package),
        ("CARGO_MANIFEST_DIR\"), \"", &package),
    ];
    for (start, folder) in starts {
        for (at, _) in text.match_indices(start) {
            let path = &text[at + start.len()..];
            let path = &path[..path.find('"').unwrap_or(0)];
            if path.contains("..") && !stays(folder, path) {
                outside(file, source::line_of(text, at), path, report);
            }
        }
    }
}

fn manifest(file: &File, report: &mut Report<'_>) {
    for (at, line) in file.text.lines().enumerate() {
        let Some((_, path)) = line.split_once("path = \"") else {
            continue;
        };
        let path = path.split('"').next().unwrap_or(path);
        if path.starts_with('/') || resolve(folder(&file.path), path).is_none() {
            outside(file, at + 1, path, report);
        }
    }
}

fn links(tree: &Tree, file: &File, report: &mut Report<'_>) {
    let mut fenced = false;
    for (at, line) in file.text.lines().enumerate() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        for (start, mark) in line.match_indices("](") {
            let target = &line[start + mark.len()..];
            let target = &target[..target.find(')').unwrap_or(0)];
            let path = target.split('#').next().unwrap_or(target);
            if path.is_empty() || path.contains(':') {
                continue;
            }
            match resolve(folder(&file.path), path) {
                Some(path) if tree.has(&path) => {}
                Some(path) => report.add(
                    &file.path,
                    at + 1,
                    format!("the link {target} is broken: there is no {path}"),
                    "fix the link, or remove it",
                ),
                None => outside(file, at + 1, path, report),
            }
        }
    }
}

/// Next to the workspace, only the data may be read.
fn shared(file: &File, report: &mut Report<'_>) {
    if SEEKERS.contains(&file.path.as_str()) {
        return;
    }
    for (at, line) in file.text.lines().enumerate() {
        for (start, found) in line.match_indices("../shared") {
            if !line[start + found.len()..].starts_with("/data") {
                outside(file, at + 1, line.trim(), report);
            }
        }
    }
}
