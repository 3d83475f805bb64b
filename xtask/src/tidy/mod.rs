//! `tidy`: what neither the compiler nor clippy sees. Every finding says where, what, and how to mend it.
//!
//! A check is a module with a function over the [`Tree`]. Where a rule has exceptions they stand in one table beside
//! it, each with its reason, and one that is no longer needed is a finding too.

mod dependencies;
mod files;
mod layers;
mod links;
mod nouns;
mod readme;
mod rooms;
pub mod source;
mod words;

use std::path::Path;

use serde_json::Value;

use crate::workspace::{self, Result};
use source::Masked;

pub use readme::{README, commands};

/// Something to mend.
pub struct Finding {
    path: String,
    line: usize,
    what: String,
    fix: String,
}

/// A file of text.
pub struct File {
    /// Relative to the workspace, with `/` between folders.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// What it holds if it is Rust, without what is no code.
    pub masked: Option<Masked>,
}

/// The workspace.
pub struct Tree {
    /// Every file that is text.
    pub files: Vec<File>,
    /// Every file.
    pub paths: Vec<String>,
    /// What cargo knows of it.
    pub metadata: Value,
    findings: Vec<Finding>,
}

impl File {
    /// The code of a file of Rust; nothing for any other.
    pub fn code(&self) -> &str {
        self.masked.as_ref().map_or("", |masked| &masked.code)
    }

    /// The code with its strings.
    pub fn spoken(&self) -> &str {
        self.masked.as_ref().map_or("", |masked| &masked.spoken)
    }

    /// The ending of its name.
    pub fn ending(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    /// Whether it is there for tests only.
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
            // What is no text is nothing for people to read.
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
                fix: "mend what cargo metadata names".to_owned(),
            }),
        }
        tree
    }

    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether a file or a folder is there.
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
    /// One more thing to mend.
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

/// Runs all checks, and prints what they find.
pub fn run(root: &Path) -> Result<bool> {
    let mut tree = Tree::read(root);
    let mut findings = std::mem::take(&mut tree.findings);
    for check in [
        layers::check,
        rooms::check,
        nouns::check,
        files::check,
        words::check,
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
        0 => println!("tidy: {} files, nothing to mend", tree.paths.len()),
        n => println!("tidy: {n} to mend"),
    }
    Ok(findings.is_empty())
}

/// A path from one file, as a path from the workspace: nothing if it leads out of it.
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
