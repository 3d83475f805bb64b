//! Dependencies of crates: each must be used in their sources and have a permissive licence.

use serde_json::Value;

use super::{File, Report, Tree, folder, source};
use crate::workspace::{list, text};

/// Licences that only require attribution.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Dependencies not named in any source: the package, the dependency, and the reason for it.
const UNNAMED: &[(&str, &str, &str)] = &[];

/// Checks licences and dependencies.
pub fn check(tree: &Tree, report: &mut Report<'_>) {
    let members = list(&tree.metadata, "workspace_members");
    for package in list(&tree.metadata, "packages") {
        licence(tree, package, report);
        if members.contains(&package["id"]) {
            named(tree, package, report);
        }
    }
    shared(tree, report);
}

fn licence(tree: &Tree, package: &Value, report: &mut Report<'_>) {
    let (name, licence) = (text(package, "name"), text(package, "license"));
    if permissive(licence) {
        return;
    }
    let what = if licence.is_empty() {
        format!("{name} has no licence")
    } else {
        format!("{name} is under {licence}, which asks for more than to be named")
    };
    // Members and copies in the workspace are reported in their own files.
    let root = text(&tree.metadata, "workspace_root");
    let inside = text(package, "manifest_path")
        .strip_prefix(root)
        .filter(|_| package["source"].is_null())
        .and_then(|path| tree.file(path.trim_start_matches('/')));
    let (path, line) = match (inside, tree.file("Cargo.lock")) {
        (Some(file), _) => (file.path.as_str(), line_with(&file.text, "license")),
        (None, Some(lock)) => (
            "Cargo.lock",
            line_with(&lock.text, &format!("name = \"{name}\"")),
        ),
        (None, None) => ("Cargo.toml", 1),
    };
    report.add(
        path,
        line,
        what,
        "do without it, or take another; licences that may be are in PERMISSIVE of xtask/src/tidy/dependencies.rs",
    );
}

/// Whether permissive licences alone satisfy a licence expression.
fn permissive(expression: &str) -> bool {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at) && at == words.len()
}

fn either(words: &[&str], at: &mut usize) -> bool {
    let mut good = both(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        good |= both(words, at);
    }
    good
}

fn both(words: &[&str], at: &mut usize) -> bool {
    let mut good = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        good &= one(words, at);
    }
    good
}

fn one(words: &[&str], at: &mut usize) -> bool {
    let Some(&word) = words.get(*at) else {
        return false;
    };
    *at += 1;
    if word == "(" {
        let good = either(words, at);
        *at += 1;
        return good;
    }
    if words.get(*at) == Some(&"WITH") {
        let whole = format!("{word} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
        return PERMISSIVE.contains(&whole.as_str());
    }
    PERMISSIVE.contains(&word)
}

/// Checks that every dependency of a member is named in its sources.
fn named(tree: &Tree, package: &Value, report: &mut Report<'_>) {
    let root = text(&tree.metadata, "workspace_root");
    let manifest = text(package, "manifest_path")
        .trim_start_matches(root)
        .trim_start_matches('/');
    let here = folder(manifest);
    let Some(manifest) = tree.file(manifest) else {
        return;
    };
    let own = text(package, "name");
    for dependency in list(package, "dependencies") {
        let name = text(dependency, "name");
        let key = dependency["rename"].as_str().unwrap_or(name);
        if UNNAMED
            .iter()
            .any(|(package, name, _)| *package == own && *name == key)
        {
            continue;
        }
        let dev = dependency["kind"] == "dev";
        let folders: &[&str] = if dev {
            &["benches/", "examples/", "src/", "tests/"]
        } else {
            &["build.rs", "src/"]
        };
        let ident = key.replace('-', "_");
        let mut sources = tree.files.iter().filter(|file| {
            let rest = file
                .path
                .strip_prefix(here)
                .map(|rest| rest.trim_start_matches('/'));
            rest.is_some_and(|rest| {
                rest.ends_with(".rs") && folders.iter().any(|folder| rest.starts_with(folder))
            })
        });
        if sources.any(|file| names(file, &ident, dev)) {
            continue;
        }
        let line = line_where(&manifest.text, |line| {
            line.split(['.', ' ', '=']).next() == Some(key)
        });
        report.add(
            &manifest.path,
            line,
            format!("{own} needs {key}, which none of its sources names"),
            "take it out; or name it in UNNAMED of xtask/src/tidy/dependencies.rs, and why",
        );
    }
}

/// Whether a source names a crate: in its code, or, for tests, in the code of its doc comments.
fn names(file: &File, ident: &str, dev: bool) -> bool {
    let text = if dev { &file.text } else { file.code() };
    source::names(text).any(|(_, name)| name == ident)
}

/// Checks that every dependency offered by the workspace is used by a member.
fn shared(tree: &Tree, report: &mut Report<'_>) {
    let Some(manifest) = tree.file("Cargo.toml") else {
        return;
    };
    let mut inside = false;
    for (at, line) in manifest.text.lines().enumerate() {
        if line.starts_with('[') {
            inside = line == "[workspace.dependencies]";
            continue;
        }
        let key = line.split(['.', ' ', '=']).next().unwrap_or_default();
        if !inside || key.is_empty() || key.starts_with('#') {
            continue;
        }
        let taken = tree.files.iter().any(|file| {
            file.path.ends_with("/Cargo.toml")
                && file.text.lines().any(|line| {
                    line.split(['.', ' ', '=']).next() == Some(key)
                        && line.replace(' ', "").contains("workspace=true")
                })
        });
        if !taken {
            report.add(
                &manifest.path,
                at + 1,
                format!("no crate of the workspace takes {key}"),
                "take it out",
            );
        }
    }
}

fn line_with(text: &str, part: &str) -> usize {
    line_where(text, |line| line.contains(part))
}

fn line_where(text: &str, test: impl Fn(&str) -> bool) -> usize {
    text.lines().position(test).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_is_good_if_it_can_be_met_permissively() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-3.0-only OR (ISC AND Zlib)",
        ] {
            assert!(permissive(good), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR Apache-2.0) AND MPL-2.0",
            "MIT WITH Strange-exception",
            "MIT Apache-2.0",
        ] {
            assert!(!permissive(bad), "{bad}");
        }
    }
}
