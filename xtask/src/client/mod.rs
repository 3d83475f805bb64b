//! `client`: speaks to every program with an independent client, the official SDK for Python.
//!
//! It lists the tools, checks their schemas against the metaschema, calls each tool by its examples
//! and with invalid arguments, checks every structured reply against its schema, reads every
//! resource, and completes arguments, all with and without a handshake. It needs Python with
//! `venv`. The SDK comes from pip's package index, at the version of `requirements.txt`, into a
//! folder next to cargo's build output.

use std::{path::Path, process::Command};

use crate::{
    new_domain::TEMPLATES,
    python,
    workspace::{self, Result},
};

/// Use servers through the official SDK for Python.
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

/// The client's source.
const SCRIPT: &str = include_str!("client.py");

/// The packages required by the client.
const REQUIREMENTS: &str = include_str!("requirements.txt");

/// The eras of the protocol: revisions that begin with a handshake, and the newest revision.
const ERAS: [&str; 2] = ["legacy", "auto"];

/// Speaks to one server, or to all.
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
        // If a domain serves files of its start folder, it finds them in this folder.
        let library = root.join(&folder).join("tests/library");
        for era in ERAS {
            let command = [path.display().to_string()];
            good &= if library.is_dir() {
                speak(&python, era, &library, &command)?
            } else {
                // Examples may save files.
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
