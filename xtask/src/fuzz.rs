//! `fuzz`: coverage-guided runs of the targets in `fuzz/`, which share the given time.
//!
//! It needs the toolchain and a C++ compiler: `rustc` measures coverage by flags that every
//! toolchain has, and libFuzzer is compiled from the source in `libfuzzer-sys`.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::workspace::{Result, cargo, names};

/// Run the fuzz targets, guided by what they cover.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these targets; all if none is named.
    targets: Vec<String>,
    /// The minutes in all, shared out among the targets.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// List the targets and do nothing.
    #[arg(long)]
    list: bool,
    /// Run one target on one file, such as a finding.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Afterwards add the smallest inputs that cover something new to the seeds.
    #[arg(long)]
    keep: bool,
}

/// The coverage flags that cargo-fuzz passes to `rustc`, too.
const COVERAGE: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

/// The maximum length of an input, in bytes: longer inputs find the same faults more slowly.
const LENGTH: usize = 1024;

/// The target's maximum number of seed files, and their maximum total size in bytes.
const SEEDS: (usize, usize) = (150, 60_000);

/// Builds the targets and runs them. Returns whether nothing was found.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let known = targets(root);
    if let Some(unknown) = args.targets.iter().find(|name| !known.contains(name)) {
        return Err(format!(
            "there is no target {unknown}; there are {}",
            known.join(", ")
        )
        .into());
    }
    if args.list {
        known.iter().for_each(|name| println!("{name}"));
        return Ok(true);
    }
    let chosen = match args.targets.as_slice() {
        [] => known,
        some => some.to_vec(),
    };
    let programs = build(root, &chosen)?;
    if let Some(file) = &args.replay {
        let [target] = chosen.as_slice() else {
            return Err("--replay needs one target".into());
        };
        return Ok(program(&programs, target)?.arg(file).status()?.success());
    }
    let seconds = (args.minutes * 60.0 / chosen.len() as f64).max(1.0) as u64;
    let mut found = Vec::new();
    for target in &chosen {
        println!("\n=== {target}, {seconds} s");
        found.extend(hunt(root, &programs, target, seconds)?);
        if args.keep {
            keep(root, &programs, target)?;
        }
    }
    println!("\n=== findings: {}", found.len());
    for (target, file) in &found {
        println!("cargo xtask fuzz {target} --replay {}", file.display());
    }
    Ok(found.is_empty())
}

/// The targets: one per file.
fn targets(root: &Path) -> Vec<String> {
    let files = names(&root.join("fuzz/fuzz_targets")).into_iter();
    let stems = files.filter_map(|name| Some(name.strip_suffix(".rs")?.to_owned()));
    stems.collect()
}

/// Builds targets, and returns the paths of their programs.
fn build(root: &Path, targets: &[String]) -> Result<BTreeMap<String, PathBuf>> {
    let fuzz = root.join("fuzz");
    // Use the same versions as all other builds.
    if !fuzz.join("Cargo.lock").exists() {
        fs::copy(root.join("Cargo.lock"), fuzz.join("Cargo.lock"))?;
    }
    let mut cargo = cargo(&fuzz);
    // With an explicit target, build scripts are compiled without coverage.
    cargo.args(["build", "--release", "--target", &host()?]);
    cargo.arg("--message-format=json-render-diagnostics");
    for name in targets {
        cargo.args(["--bin", name]);
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", COVERAGE.join("\u{1f}"));
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the fuzz targets do not build".into());
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let programs = messages.filter_map(|message| {
        let program = message["executable"].as_str()?;
        Some((
            message["target"]["name"].as_str()?.to_owned(),
            program.into(),
        ))
    });
    Ok(programs.collect())
}

/// The target triple of this machine.
fn host() -> Result<String> {
    let rustc = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not name its host")?.to_owned())
}

fn program(programs: &BTreeMap<String, PathBuf>, target: &str) -> Result<Command> {
    let path = programs.get(target);
    Ok(Command::new(path.ok_or_else(|| {
        format!("cargo gave no program {target}")
    })?))
}

/// Runs a target until its time is over or something is found. Returns the findings.
fn hunt(
    root: &Path,
    programs: &BTreeMap<String, PathBuf>,
    target: &str,
    seconds: u64,
) -> Result<Vec<(String, PathBuf)>> {
    let fuzz = root.join("fuzz");
    let [corpus, findings] = ["corpus", "artifacts"].map(|kind| fuzz.join(kind).join(target));
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&findings)?;
    let before = names(&findings);
    let status = program(programs, target)?
        .args([&corpus, &fuzz.join("seeds").join(target)])
        .arg(format!("-artifact_prefix={}/", findings.display()))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LENGTH}"))
        .args(["-rss_limit_mb=2048", "-timeout=10", "-print_final_stats=1"])
        .stdin(Stdio::null())
        .status()?;
    let now = names(&findings).into_iter();
    let new: Vec<_> = now
        .filter(|name| !before.contains(name))
        .map(|name| (target.to_owned(), findings.join(name)))
        .collect();
    if !status.success() && new.is_empty() {
        return Err(format!("{target} ended with {status} and left no finding").into());
    }
    Ok(new)
}

/// Adds corpus files with new coverage to the seeds, the smallest first.
fn keep(root: &Path, programs: &BTreeMap<String, PathBuf>, target: &str) -> Result<()> {
    let fuzz = root.join("fuzz");
    let [corpus, seeds] = ["corpus", "seeds"].map(|kind| fuzz.join(kind).join(target));
    let least = fuzz.join("corpus").join(format!("{target}-least"));
    fs::create_dir_all(&least)?;
    let merged = program(programs, target)?
        .args(["-merge=1", "-timeout=10", "-rss_limit_mb=2048"])
        .args([&least, &seeds, &corpus])
        .stdin(Stdio::null())
        .status()?;
    if !merged.success() {
        return Err(format!("the corpus of {target} cannot be made smaller").into());
    }
    let read = |folder: &Path| -> Vec<Vec<u8>> {
        let names = names(folder).into_iter();
        let files = names.filter_map(|name| fs::read(folder.join(name)).ok());
        files.collect()
    };
    let own = read(&seeds);
    let (mut count, mut bytes) = (own.len(), own.iter().map(Vec::len).sum::<usize>());
    let mut new = names(&least);
    new.sort_by_key(|name| fs::metadata(least.join(name)).map_or(0, |file| file.len()));
    let mut added = 0;
    for name in new {
        let content = fs::read(least.join(&name))?;
        count += 1;
        bytes += content.len();
        if count > SEEDS.0 || bytes > SEEDS.1 {
            break;
        }
        if !own.contains(&content) {
            let short: String = name.chars().take(12).collect();
            fs::write(seeds.join(short), content)?;
            added += 1;
        }
    }
    fs::remove_dir_all(&least)?;
    println!("{added} seeds of {target} are new");
    Ok(())
}
