//! `client`: every program, spoken to by a client that others wrote: the official SDK for Python.
//!
//! It lists the tools, holds their schemas against the metaschema, calls each tool as its examples do and as it is not to
//! be called, holds every structured reply against the schema that promised it, reads every resource, and completes. Both
//! with a handshake and without. Python with `venv` is needed; the SDK comes from the package index that pip is set to, at
//! the version of `requirements.txt`, into a folder beside what cargo builds.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::{
    new_domain::TEMPLATES,
    workspace::{self, Result},
};

/// Speak to servers as the official SDK for Python does.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The command that starts a server, and its arguments; without one, every program of the workspace.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,
}

/// What speaks.
const SCRIPT: &str = include_str!("client.py");

/// What it needs.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// The eras of the protocol: those that begin with a handshake, and the newest.
const ERAS: [&str; 2] = ["legacy", "auto"];

/// Speaks to a server, or to all.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let metadata = workspace::metadata(root, false)?;
    let python = python(&metadata)?;
    if !args.command.is_empty() {
        let mut good = true;
        for era in ERAS {
            good &= speak(&python, era, Path::new("."), &args.command)?;
        }
        return Ok(good);
    }
    let mut good = true;
    let domains = workspace::domains(root);
    let domains = domains.iter().map(|name| format!("domains/{name}"));
    let templates = TEMPLATES.map(|template| template.folder.to_owned());
    for folder in domains.chain(templates) {
        let (_, program) = workspace::package(root, &metadata, &folder)?;
        let Some(program) = program else { continue };
        let path = workspace::build(root, workspace::PROGRAMS, &program)?;
        println!("{program}");
        // What a domain serves when it is started in a folder, it has in this one.
        let library = root.join(&folder).join("tests/library");
        for era in ERAS {
            let command = [path.display().to_string()];
            good &= if library.is_dir() {
                speak(&python, era, &library, &command)?
            } else {
                // Examples may save.
                let empty = tempfile::tempdir()?;
                speak(&python, era, empty.path(), &command)?
            };
        }
    }
    Ok(good)
}

/// Speaks to one server, started in a folder.
fn speak(python: &Path, era: &str, folder: &Path, command: &[String]) -> Result<bool> {
    let mut client = Command::new(python);
    client.args(["-c", SCRIPT, era]).args(command);
    Ok(client.current_dir(folder).status()?.success())
}

/// The Python that has what the script needs. It is made once for each version of the requirements.
fn python(metadata: &Value) -> Result<PathBuf> {
    let target = workspace::text(metadata, "target_directory");
    let folder = Path::new(target).join("client");
    let python = folder.join("bin/python");
    let list = folder.join("requirements.txt");
    if fs::read_to_string(&list).is_ok_and(|made| made == REQUIREMENTS) {
        return Ok(python);
    }
    let done = |command: &mut Command| match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(problem) => Err(format!("{command:?}: {problem}")),
    };
    let venv = ["-m", "venv", "--clear"];
    done(Command::new("python3").args(venv).arg(&folder)).map_err(|problem| {
        format!("{problem}; Python 3.10 or later with its module venv is needed")
    })?;
    let wanted = folder.join("wanted.txt");
    workspace::write(&wanted, REQUIREMENTS)?;
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-r",
    ];
    done(Command::new(&python).args(pip).arg(&wanted))?;
    fs::rename(wanted, list)?;
    Ok(python)
}
