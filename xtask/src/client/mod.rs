//! `client`: every program, spoken to by a client that others wrote: the official SDK for Python.
//!
//! It lists the tools, holds their schemas against the metaschema, calls each tool as its examples do and as it is not to
//! be called, holds every structured reply against the schema that promised it, reads every resource, and completes. Both
//! with a handshake and without. Python with `venv` is needed; the SDK comes from the package index that pip is set to, at
//! the version of `requirements.txt`, into a folder beside what cargo builds.

use std::{path::Path, process::Command};

use crate::{
    new_domain::TEMPLATES,
    python,
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
    let python = python::with(&metadata, "client", REQUIREMENTS)?;
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
