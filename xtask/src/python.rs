//! A private Python, with packages at the versions pinned by a list of requirements.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::workspace::{self, Result};

/// A Python with the packages of `requirements`, in a folder of this name next to cargo's build
/// output. It is made once for each version of the requirements.
pub fn with(metadata: &Value, name: &str, requirements: &str) -> Result<PathBuf> {
    let target = workspace::text(metadata, "target_directory");
    let folder = Path::new(target).join(name);
    let python = folder.join("bin/python");
    let list = folder.join("requirements.txt");
    if fs::read_to_string(&list).is_ok_and(|made| made == requirements) {
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
    workspace::write(&wanted, requirements)?;
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
