//! `bench`: the figures by which speed and memory are judged, in one table.
//!
//! Nothing is judged here: a figure depends on the machine, so no test asserts one. The ratio at the end holds on any.
//! There is no folder `benches/`; this is all of it. The command builds the domain's program and itself, with the
//! feature `bench`, in release, and runs what it built: ops in process through `Box<dyn Endpoint>`, and over MCP
//! through the real program and real pipes. The song of N notes is a file that the benchmark writes.

#[cfg(feature = "bench")]
mod edits;
#[cfg(feature = "bench")]
mod inside;
#[cfg(feature = "bench")]
mod outside;
#[cfg(feature = "bench")]
mod song;
#[cfg(feature = "bench")]
mod table;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::workspace::{self, Result};

/// Measure speed and memory in release, and print a table.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The domain to measure.
    #[arg(default_value = "midi", value_parser = ["midi"])]
    domain: String,
    /// Fewer rounds.
    #[arg(long)]
    quick: bool,
    /// The size of the large song.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    notes: u32,
    /// The domain's program, already built.
    #[arg(long, hide = true)]
    program: Option<PathBuf>,
}

/// Builds in release and measures there.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    if let Some(program) = &args.program {
        return measure(program, args);
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
    let own = workspace::build(
        root,
        &["--release", "-p", "xtask", "--features", "bench"],
        "xtask",
    )?;
    let mut measured = Command::new(own);
    measured.arg("--root").arg(root);
    measured.args(["bench", &args.domain, "--notes", &args.notes.to_string()]);
    measured.arg("--program").arg(program);
    if args.quick {
        measured.arg("--quick");
    }
    Ok(measured.status()?.success())
}

#[cfg(not(feature = "bench"))]
fn measure(_: &Path, _: &Args) -> Result<bool> {
    Err("built without the feature `bench`; leave --program out".into())
}

#[cfg(feature = "bench")]
fn measure(program: &Path, args: &Args) -> Result<bool> {
    let effort = edits::Effort {
        rounds: if args.quick { 5 } else { 21 },
        starts: if args.quick { 5 } else { 20 },
    };
    let folder = song::Folder::new()?;
    let song = song::bytes(args.notes);
    std::fs::write(folder.path().join(song::FILE), &song)?;
    let mut table = table::Table::default();
    inside::parse(&mut table, &effort)?;
    let inside = inside::edits(&mut table, &effort, &folder, args.notes)?;
    inside::files(&mut table, &effort, &folder, &song, args.notes)?;
    let outside = outside::edits(&mut table, &effort, &folder, program, args.notes)?;
    outside::starts(&mut table, &effort, &folder, program)?;
    outside::memory(&mut table, &folder, program, args.notes)?;
    table.print();
    println!();
    for (how, [empty, full]) in [("in process", inside), ("over stdio", outside)] {
        println!(
            "1,000 notes in one call, {how}: at {} notes {:.2} times as long as at 0",
            table::thousands(f64::from(args.notes)),
            full / empty
        );
    }
    Ok(true)
}
