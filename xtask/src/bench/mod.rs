//! `bench`: figures to judge speed and memory by, in one table.
//!
//! Nothing is judged here: figures depend on the machine, so no test asserts them. The ratio at the
//! end is valid on any machine. There is not a folder `benches/`; this is all of it. The command
//! builds the domain's program and itself, with the feature `bench-DOMAIN`, in release mode, and
//! runs both: ops in process through `Box<dyn Endpoint>`, and over MCP through the real program and
//! real pipes. The large document is a file written by the benchmark.

#[cfg(feature = "bench-assets")]
mod assets;
#[cfg(feature = "measures")]
#[cfg_attr(
    not(feature = "bench"),
    allow(dead_code, reason = "a part needs a part")
)]
mod folder;
#[cfg(feature = "bench-midi")]
mod midi;
#[cfg(feature = "bench-repair")]
mod repair;
#[cfg(feature = "measures")]
#[cfg_attr(
    not(feature = "bench"),
    allow(dead_code, reason = "a part needs a part")
)]
mod subject;
#[cfg(feature = "bench-svg")]
mod svg;
#[cfg(feature = "measures")]
#[cfg_attr(
    not(feature = "bench"),
    allow(dead_code, reason = "a part needs a part")
)]
mod table;
mod tables;
#[cfg(feature = "bench-workspace")]
mod workspace;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::workspace::{self as cargo, Result};

/// Measure speed and memory in release, and print a table.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    other: Option<Other>,
    #[command(flatten)]
    speed: Speed,
}

#[derive(Debug, clap::Subcommand)]
enum Other {
    Repair(Repair),
    Growth(Growth),
    /// Measure SQL over songs of three sizes against the goals, with memory and start.
    Tables,
}

/// Measure how the cost of every registered item grows on documents four times as large.
///
/// Fails if anything grows faster than n log n, or if an op takes longer than its counted steps allow.
#[derive(Debug, clap::Args)]
struct Growth {
    /// The domain to measure; checklist and tally are the templates.
    #[arg(value_parser = ["assets", "checklist", "midi", "svg", "tally", "workspace"])]
    domain: String,
    /// Number of rows of the smaller documents.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(100..=100_000))]
    rows: u32,
    /// This program is already built with the needed feature.
    #[arg(long, hide = true)]
    built: bool,
}

/// Measure the value of errors: make mistakes in a domain's examples and try the repairs.
///
/// Fails if a target is missed. docs/repair.md defines what is counted.
#[derive(Debug, clap::Args)]
struct Repair {
    /// The domain to measure.
    #[arg(value_parser = ["midi", "svg", "checklist"])]
    domain: String,
    /// Another seed picks other ops and other places in them.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of mistakes of each kind.
    #[arg(long, value_name = "N", default_value_t = 60)]
    count: usize,
    /// Print each mistake that is not repaired correctly.
    #[arg(long)]
    details: bool,
    /// This program is already built with the needed feature.
    #[arg(long, hide = true)]
    built: bool,
}

#[derive(Debug, clap::Args)]
struct Speed {
    /// The domain to measure.
    #[arg(default_value = "midi", value_parser = ["midi", "svg", "assets", "workspace"])]
    domain: String,
    /// Fewer rounds.
    #[arg(long)]
    quick: bool,
    /// Number of notes or elements in the large document.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1000..=4_000_000))]
    size: u32,
    /// The domain's program, already built.
    #[arg(long, hide = true)]
    program: Option<PathBuf>,
}

/// Builds the programs to be measured, and measures.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    match &args.other {
        Some(Other::Repair(args)) => repairs(root, args),
        Some(Other::Growth(args)) => growth(root, args),
        Some(Other::Tables) => tables::run(root),
        None => speed(root, &args.speed),
    }
}

/// Builds this program with the domains in it, and continues there.
fn again(root: &Path, how: &[&str], arguments: &[&str]) -> Result<bool> {
    let own = cargo::build(
        root,
        &[&["-p", "xtask", "--features"], how].concat(),
        "xtask",
    )?;
    let mut measured = Command::new(own);
    measured.arg("bench").args(arguments).arg("--built");
    Ok(measured.status()?.success())
}

/// The error of a program built without a feature.
#[cfg(not(all(feature = "bench-growth", feature = "bench-repair")))]
fn lacks(feature: &str) -> Result<bool> {
    Err(format!("built without the feature `{feature}`; leave --built out").into())
}

fn growth(root: &Path, args: &Growth) -> Result<bool> {
    match args.built {
        true => grown(args),
        false => again(
            root,
            &["bench-growth", "--release"],
            &["growth", &args.domain, "--rows", &args.rows.to_string()],
        ),
    }
}

#[cfg(not(feature = "bench-growth"))]
fn grown(_: &Growth) -> Result<bool> {
    lacks("bench-growth")
}

#[cfg(feature = "bench-growth")]
fn grown(args: &Growth) -> Result<bool> {
    use fcp::testing::{Growth, growth, growth_table, tool_growth};

    let measure = match &*args.domain {
        "assets" => tool_growth::<fcp_assets::Assets>,
        "midi" => growth::<fcp_midi::Song>,
        "svg" => growth::<fcp_svg::Drawing>,
        "tally" => tool_growth::<fcp_tally::Tally>,
        "workspace" => tool_growth::<fcp_workspace::Workspace>,
        _ => growth::<fcp_checklist::Checklist>,
    };
    let rows = measure(usize::try_from(args.rows)?);
    println!("{}", growth_table(&rows));
    let fails = |row: &Growth| row.is_marked() || row.is_uncounted();
    Ok(!rows.iter().any(fails))
}

fn repairs(root: &Path, args: &Repair) -> Result<bool> {
    if args.built {
        return mended(args);
    }
    let (seed, count) = (args.seed.to_string(), args.count.to_string());
    let mut arguments = vec!["repair", &args.domain, "--seed", &seed, "--count", &count];
    if args.details {
        arguments.push("--details");
    }
    again(root, &["bench-repair"], &arguments)
}

#[cfg(not(feature = "bench-repair"))]
fn mended(_: &Repair) -> Result<bool> {
    lacks("bench-repair")
}

#[cfg(feature = "bench-repair")]
fn mended(args: &Repair) -> Result<bool> {
    Ok(repair::measure(args))
}

/// Builds in release mode, and measures there.
fn speed(root: &Path, args: &Speed) -> Result<bool> {
    if let Some(program) = &args.program {
        return measure(program, args);
    }
    let metadata = cargo::metadata(root, false)?;
    let (package, program) = cargo::package(root, &metadata, &format!("domains/{}", args.domain))?;
    let Some(program) = program else {
        return Err(format!("{package} has no program yet").into());
    };
    let program = cargo::build(
        root,
        &["--release", "-p", &package, "--bin", &program],
        &program,
    )?;
    let feature = format!("bench-{}", args.domain);
    let own = cargo::build(
        root,
        &["--release", "-p", "xtask", "--features", &feature],
        "xtask",
    )?;
    let mut measured = Command::new(own);
    measured.arg("--root").arg(root);
    measured.args(["bench", &args.domain, "--size", &args.size.to_string()]);
    measured.arg("--program").arg(program);
    if args.quick {
        measured.arg("--quick");
    }
    Ok(measured.status()?.success())
}

#[cfg(not(feature = "measures"))]
fn measure(_: &Path, _: &Speed) -> Result<bool> {
    Err("built without what measures; leave --program out".into())
}

#[cfg(feature = "measures")]
fn measure(program: &Path, args: &Speed) -> Result<bool> {
    let effort = subject::Effort {
        rounds: if args.quick { 5 } else { 21 },
        starts: if args.quick { 5 } else { 20 },
    };
    match &*args.domain {
        #[cfg(feature = "bench-assets")]
        "assets" => assets::measure(program, &effort)?,
        #[cfg(feature = "bench-workspace")]
        "workspace" => workspace::measure(program, &effort, args.quick)?,
        #[cfg(feature = "bench-svg")]
        "svg" => svg::measure(program, &effort, args.size)?,
        #[cfg(feature = "bench-midi")]
        "midi" => midi::measure(program, &effort, args.size)?,
        other => return Err(format!("built without the feature `bench-{other}`").into()),
    }
    Ok(true)
}
