//! `tidy`: rules that neither the compiler nor clippy checks. Each finding has a place and a fix.
//!
//! A check is a module with a function over the [`Tree`]. The exceptions to a rule are in one table
//! next to it, each with its reason; an exception no longer needed is a finding, too.

mod dependencies;
mod files;
mod layers;
mod links;
mod nouns;
mod prose;
mod readme;
mod rooms;
pub mod source;
mod words;

use std::path::Path;

use serde_json::Value;

use crate::workspace::{self, Result};
use source::Masked;

pub use readme::{README, commands};

/// A violation of a rule.
pub struct Finding {
    path: String,
    line: usize,
    what: String,
    fix: String,
}

/// A text file.
pub struct File {
    /// Its path relative to the workspace, with `/` between folders.
    pub path: String,
    /// Its content.
    pub text: String,
    /// For a Rust file, its content without everything that is not code.
    pub masked: Option<Masked>,
}

/// The workspace.
pub struct Tree {
    /// All text files.
    pub files: Vec<File>,
    /// The paths of all files.
    pub paths: Vec<String>,
    /// The output of `cargo metadata`.
    pub metadata: Value,
    findings: Vec<Finding>,
}

impl File {
    /// The code of a Rust file; empty for other files.
    pub fn code(&self) -> &str {
        self.masked.as_ref().map_or("", |masked| &masked.code)
    }

    /// The code with its strings.
    pub fn spoken(&self) -> &str {
        self.masked.as_ref().map_or("", |masked| &masked.spoken)
    }

    /// The extension of its name.
    pub fn ending(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    /// Whether it exists for tests only.
    pub fn is_test(&self) -> bool {
        let mut parts = self.path.split('/');
        parts.any(|part| part == "tests" || part == "tests.rs")
    }
}

impl Tree {
    fn read(root: &Path) -> Self {
        let paths = workspace::files(root);
        let mut files = Vec::new();
        for path in &paths {
            // Files that are not text are not checked.
            let Ok(text) = std::fs::read_to_string(root.join(path)) else {
                continue;
            };
            let masked = path.ends_with(".rs").then(|| source::masked(&text));
            files.push(File {
                path: path.clone(),
                text,
                masked,
            });
        }
        let mut tree = Self {
            files,
            paths,
            metadata: Value::Null,
            findings: Vec::new(),
        };
        match workspace::metadata(root, true) {
            Ok(metadata) => tree.metadata = metadata,
            Err(problem) => tree.findings.push(Finding {
                path: "Cargo.toml".to_owned(),
                line: 1,
                what: format!("cargo cannot read the workspace: {problem}"),
                fix: "fix what cargo metadata names".to_owned(),
            }),
        }
        tree
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether a file or a folder exists.
    pub fn has(&self, path: &str) -> bool {
        let folder = format!("{}/", path.trim_end_matches('/'));
        path.is_empty()
            || self
                .paths
                .iter()
                .any(|own| own == path || own.starts_with(&folder))
    }
}

/// Gathers findings.
pub struct Report<'a>(&'a mut Vec<Finding>);

impl Report<'_> {
    /// Adds a finding.
    pub fn add(
        &mut self,
        path: &str,
        line: usize,
        what: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.0.push(Finding {
            path: path.to_owned(),
            line,
            what: what.into(),
            fix: fix.into(),
        });
    }
}

/// Runs all checks, and prints their findings.
pub fn run(root: &Path) -> Result<bool> {
    let mut tree = Tree::read(root);
    let mut findings = std::mem::take(&mut tree.findings);
    for check in [
        layers::check,
        rooms::check,
        nouns::check,
        files::check,
        words::check,
        prose::check,
        links::check,
        dependencies::check,
        readme::check,
    ] {
        check(&tree, &mut Report(&mut findings));
    }
    findings.sort_by(|a, b| (&a.path, a.line, &a.what).cmp(&(&b.path, b.line, &b.what)));
    for Finding {
        path,
        line,
        what,
        fix,
    } in &findings
    {
        println!("{path}:{line}: {what}\n  fix: {fix}");
    }
    match findings.len() {
        0 => println!("tidy: {} files, nothing to fix", tree.paths.len()),
        n => println!("tidy: {n} to fix"),
    }
    Ok(findings.is_empty())
}

/// A path relative to a file's folder, as a path from the workspace; `None` if it leads out.
fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The folder of a file.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
