//! The workspace: its folder, its cargo metadata, and its files.

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

/// A result whose error is a sentence.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The folder of the workspace: the given one, or the one that this program belongs to.
pub fn root(given: Option<PathBuf>) -> Result<PathBuf> {
    let root = match (given, env::var_os("CARGO_MANIFEST_DIR")) {
        (Some(root), _) => root,
        (None, Some(package)) => Path::new(&package).join(".."),
        (None, None) => {
            let here = env::current_dir()?;
            let found = here.ancestors().find(|folder| {
                fs::read_to_string(folder.join("Cargo.toml"))
                    .is_ok_and(|text| text.contains("[workspace]"))
            });
            found
                .ok_or("no workspace here; run it as `cargo xtask`")?
                .to_owned()
        }
    };
    root.canonicalize()
        .map_err(|problem| format!("{}: {problem}", root.display()).into())
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|problem| format!("{}: {problem}", path.display()).into())
}

/// Writes a text file, and creates its parent folders.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let written = match path.parent() {
        Some(folder) => fs::create_dir_all(folder).and_then(|()| fs::write(path, text)),
        None => fs::write(path, text),
    };
    written.map_err(|problem| format!("{}: {problem}", path.display()).into())
}

/// The names in a folder, sorted, or no names if it does not exist.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The domains, by the names of their folders.
pub fn domains(root: &Path) -> Vec<String> {
    let folder = root.join("domains");
    let mut names = names(&folder);
    names.retain(|name| folder.join(name).join("Cargo.toml").is_file());
    names
}

/// A cargo command in the workspace.
pub fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    cargo
}

/// The output of `cargo metadata`; `deep` includes the dependencies of the workspace.
pub fn metadata(root: &Path, deep: bool) -> Result<Value> {
    let mut cargo = cargo(root);
    cargo.args(["metadata", "--quiet", "--format-version", "1"]);
    if !deep {
        cargo.arg("--no-deps");
    }
    let output = cargo.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr)
            .trim()
            .to_owned()
            .into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// A list in JSON, or an empty one.
pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// A text in JSON, or an empty one.
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The package in a folder, and the name of its program, if it has one.
pub fn package(root: &Path, metadata: &Value, folder: &str) -> Result<(String, Option<String>)> {
    let manifest = root.join(folder).join("Cargo.toml");
    let package = list(metadata, "packages")
        .iter()
        .find(|package| Path::new(text(package, "manifest_path")) == manifest)
        .ok_or_else(|| format!("{folder} is not a member of the workspace"))?;
    let own = text(package, "name");
    let programs: Vec<&str> = list(package, "targets")
        .iter()
        .filter(|target| list(target, "kind").iter().any(|kind| kind == "bin"))
        .map(|target| text(target, "name"))
        .collect();
    let program = programs
        .iter()
        .find(|program| **program == own)
        .or(programs.first());
    Ok((own.to_owned(), program.map(|program| (*program).to_owned())))
}

/// Arguments that build the programs of a workspace as `cargo test --workspace` does, so that none
/// is built twice: a package alone, or without the needs of its tests, would have other features.
pub const PROGRAMS: &[&str] = &["--workspace", "--bins", "--examples"];

/// Builds the targets chosen by the arguments, and returns the path of a program.
pub fn build(root: &Path, arguments: &[&str], program: &str) -> Result<PathBuf> {
    let output = cargo(root)
        .args(["build", "--message-format=json-render-diagnostics"])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("cargo build {} failed", arguments.join(" ")).into());
    }
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["target"]["name"] == program)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or_else(|| {
            format!(
                "cargo build {} gave no program {program}",
                arguments.join(" ")
            )
            .into()
        })
}

/// All files of the workspace that are or could be committed, relative to it, with `/`, sorted.
pub fn files(root: &Path) -> Vec<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(arguments)
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let own = git(&["rev-parse", "--show-toplevel"])
        .and_then(|top| Path::new(top.trim()).canonicalize().ok())
        .is_some_and(|top| top == root);
    let listed = own.then(|| {
        git(&[
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
    });
    let mut files: Vec<String> = match listed.flatten() {
        Some(listed) => listed
            .split('\0')
            .filter(|path| root.join(path).is_file())
            .map(str::to_owned)
            .collect(),
        // A copy without git history.
        None => {
            let mut files = Vec::new();
            walk(root, "", &mut files);
            files
        }
    };
    files.sort();
    files
}

fn walk(root: &Path, under: &str, files: &mut Vec<String>) {
    for name in names(&root.join(under)) {
        let path = if under.is_empty() {
            name.clone()
        } else {
            format!("{under}/{name}")
        };
        if root.join(&path).is_dir() {
            if name != "target" && name != ".git" {
                walk(root, &path, files);
            }
        } else {
            files.push(path);
        }
    }
}
