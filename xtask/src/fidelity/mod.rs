//! `fidelity`: random sessions on files of a domain, checked with independent libraries.
//!
//! The command builds the domain's program and itself, with the feature `fidelity`, in release
//! mode, and runs both. Most sessions are played in this process, some also through the program.
//! See [`fcp::testing::fidelity`]. Python's libraries have the versions of
//! `xtask/judges/src/python/requirements.txt`, and are installed like those of
//! `cargo xtask client`.

#[cfg(feature = "fidelity")]
mod judged;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::workspace::{self, Result};

/// Play random sessions on files, and check saved files with independent readers.
///
/// Exits with 1 if a byte changed that no op accounts for, or if a reader disagrees.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The domain.
    #[arg(value_parser = ["midi", "svg"])]
    domain: String,
    /// The folder of files, with its subfolders; the shared data next to the project by default.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Ops in all.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    ops: usize,
    /// Another seed gives other sessions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Ops of a session.
    #[arg(long, value_name = "N", default_value_t = 16)]
    session: usize,
    /// Leave out the readers in Python.
    #[arg(long)]
    no_python: bool,
    /// The domain's program, already built.
    #[arg(long, hide = true)]
    program: Option<PathBuf>,
}

/// Builds the programs, and plays the sessions.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    if let Some(program) = &args.program {
        return judge(root, program, args);
    }
    let metadata = workspace::metadata(root, false)?;
    let (package, program) =
        workspace::package(root, &metadata, &format!("domains/{}", args.domain))?;
    let Some(program) = program else {
        return Err(format!("{package} has no program yet").into());
    };
    let program = workspace::build(
        root,
        &["--release", "-p", &package, "--bin", &program],
        &program,
    )?;
    let features = ["--release", "-p", "xtask", "--features", "fidelity"];
    let built = workspace::build(root, &features, "xtask")?;
    let mut played = Command::new(built);
    played.arg("--root").arg(root);
    played.args(["fidelity", &args.domain]);
    played.args(["--ops", &args.ops.to_string()]);
    played.args(["--seed", &args.seed.to_string()]);
    played.args(["--session", &args.session.to_string()]);
    played.arg("--program").arg(program);
    if let Some(folder) = &args.folder {
        played.arg("--folder").arg(folder);
    }
    if args.no_python {
        played.arg("--no-python");
    }
    Ok(played.status()?.success())
}

#[cfg(not(feature = "fidelity"))]
fn judge(_: &Path, _: &Path, _: &Args) -> Result<bool> {
    Err("built without the feature `fidelity`; leave --program out".into())
}

#[cfg(feature = "fidelity")]
fn judge(root: &Path, program: &Path, args: &Args) -> Result<bool> {
    judged::play(root, program, args)
}
