//! A standalone crate: settings that members of the workspace inherit are written out.

use std::path::Path;

use toml::{Table, Value};

use crate::workspace::{self, Result};

/// Files of the workspace that a standalone crate needs. The lock file makes it start with the
/// tested versions.
const BESIDE: &[&str] = &["Cargo.lock", "clippy.toml", "rustfmt.toml"];

/// The manifest of a member, changed to inherit nothing and to be a workspace of its own. Only the
/// runtime is referred to by path.
pub fn manifest(root: &Path, member: &str) -> Result<String> {
    let inherited: Table = workspace::read(&root.join("Cargo.toml"))?.parse()?;
    let inherited = &inherited["workspace"];
    let mut written = String::new();
    let mut section = "";
    for line in member.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        }
        if section == "lints" {
            continue;
        }
        match line.strip_suffix(".workspace = true") {
            Some(key) => {
                let table = if section == "package" {
                    "package"
                } else {
                    "dependencies"
                };
                let value = inherited
                    .get(table)
                    .and_then(|table| table.get(key))
                    .ok_or_else(|| format!("Cargo.toml has no {key} under workspace.{table}"))?;
                written += &format!("{key} = {}\n", absolute(root, value)?);
            }
            None => written += &format!("{line}\n"),
        }
    }
    if let Some(Value::Table(lints)) = inherited.get("lints") {
        for (tool, lints) in lints {
            let Value::Table(lints) = lints else {
                continue;
            };
            written = format!("{}\n\n[lints.{tool}]\n{lints}", written.trim_end());
        }
    }
    Ok(format!(
        "{}\n\n# A workspace of its own, wherever it lies.\n[workspace]\n",
        written.trim_end()
    ))
}

/// A dependency with its path, if it has one, made absolute.
fn absolute(root: &Path, value: &Value) -> Result<Value> {
    let mut value = value.clone();
    if let Some(path) = value.get_mut("path") {
        let whole = root.join(path.as_str().unwrap_or_default());
        let whole = whole.canonicalize()?;
        let whole = whole
            .to_str()
            .ok_or_else(|| format!("{} cannot be written in a manifest", whole.display()))?;
        *path = whole.into();
    }
    Ok(value)
}

/// The other files that the crate needs, by name.
pub fn beside(root: &Path) -> Result<Vec<(String, String)>> {
    let mut files = vec![(".gitignore".to_owned(), "/target\n".to_owned())];
    for name in BESIDE {
        if root.join(name).exists() {
            files.push(((*name).to_owned(), workspace::read(&root.join(name))?));
        }
    }
    Ok(files)
}
