//! `ci`: all checks that a change must pass, step by step. `.ci/run` runs them on a fresh clone.
//!
//! All steps run, so that one run shows all failures. Tests wait for the disk and for programs, so
//! clippy and rustdoc run beside them, at the lowest priority. The README's commands are run as written: its
//! first `cargo test …`, which covers unit, integration and documentation tests, and its first
//! `cargo run …`, the demo. The tests called `*_random` run once more on `FCP_FUZZ_BYTES` bytes of
//! random input each, with the usual seed unless `FCP_FUZZ_SEED` sets another. `.ci/run` configures
//! cargo for fast builds; see there.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    cards, tidy,
    workspace::{self, Result, cargo},
};

/// Run all checks.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these steps: fmt, judges, build, clippy, doc, test, audio, fuzz, package, tidy, cards, client, demo.
    steps: Vec<String>,
}

/// Number of bytes of a bounded fuzz run, per target.
const FUZZ_BYTES: &str = "12000000";

/// Steps that run beside the tests.
const BESIDE: [&str; 2] = ["clippy", "doc"];

/// The action of a step.
enum Do {
    Run(Command),
    /// A command of the README, by its beginning, a fallback if the README has none, and arguments
    /// to add.
    Shown(&'static str, Option<&'static str>, &'static str),
    Tidy,
    Cards,
}

/// Runs the steps, and reports each result.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let steps = steps(root);
    if let Some(unknown) = args
        .steps
        .iter()
        .find(|name| !steps.iter().any(|(own, _)| own == name))
    {
        let names: Vec<&str> = steps.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no step {unknown}; there are {}", names.join(", ")).into());
    }
    let mut results = Vec::new();
    let start = Instant::now();
    let is_wanted = |name: &str| args.steps.is_empty() || args.steps.iter().any(|own| own == name);
    let (mut beside, steps): (Vec<_>, Vec<_>) = steps
        .into_iter()
        .filter(|(name, _)| is_wanted(name))
        .partition(|(name, _)| is_wanted("test") && BESIDE.contains(name));
    for (name, step) in steps {
        let beside = match name {
            "test" => std::mem::take(&mut beside),
            _ => Vec::new(),
        };
        let (own, others) = std::thread::scope(|scope| {
            let others = beside
                .into_iter()
                .map(|(name, step)| timed(name, || step.beside(name)));
            let others = scope.spawn(move || others.collect::<Vec<_>>());
            println!("\n=== {name}");
            let own = timed(name, || step.run(root));
            let others = others.join();
            (
                own,
                others.unwrap_or_else(|_| vec![("beside", false, Duration::ZERO)]),
            )
        });
        results.extend([own].into_iter().chain(others));
    }
    println!("\n=== result");
    for (name, good, time) in &results {
        println!("{} {name:<8} {}", mark(*good), seconds(*time));
    }
    let good = results.iter().all(|(_, good, _)| *good);
    println!("{} all      {}", mark(good), seconds(start.elapsed()));
    Ok(good)
}

/// Runs a step; an error fails it.
fn timed(
    name: &'static str,
    step: impl FnOnce() -> Result<bool>,
) -> (&'static str, bool, Duration) {
    let start = Instant::now();
    let good = step().unwrap_or_else(|problem| {
        println!("{problem}");
        false
    });
    (name, good, start.elapsed())
}

fn mark(good: bool) -> &'static str {
    if good { "ok    " } else { "FAILED" }
}

fn seconds(time: Duration) -> String {
    format!("{:>7.1} s", time.as_secs_f64())
}

fn steps(root: &Path) -> Vec<(&'static str, Do)> {
    let run = |line: &str, settings: &[(&str, String)]| {
        let mut cargo = cargo(root);
        cargo.args(line.split_whitespace());
        cargo.envs(settings.iter().map(|(name, value)| (name, value)));
        Do::Run(cargo)
    };
    let bytes = env::var("FCP_FUZZ_BYTES").unwrap_or_else(|_| FUZZ_BYTES.to_owned());
    vec![
        ("fmt", run("fmt --all --check", &[])),
        ("judges", run("xtask judges", &[])),
        (
            "build",
            Do::Shown("cargo test", Some("cargo test --workspace"), " --no-run"),
        ),
        (
            "clippy",
            // Includes the code of benchmarks, so that it stays valid.
            run(
                "clippy --workspace --all-targets --features xtask/bench,fcp/picture,fcp-midi/audio -- -D warnings",
                &[],
            ),
        ),
        (
            "doc",
            run(
                // With clippy's features, so that its results are reused.
                "doc --workspace --no-deps --document-private-items --features xtask/bench,fcp/picture,fcp-midi/audio",
                &[("RUSTDOCFLAGS", "-D warnings".to_owned())],
            ),
        ),
        (
            "test",
            Do::Shown("cargo test", Some("cargo test --workspace"), ""),
        ),
        (
            "audio",
            // Builds the whole workspace, so that features are the same as in earlier builds.
            run(
                "test --workspace --features fcp-midi/audio --test audio",
                &[],
            ),
        ),
        (
            "fuzz",
            run(
                "test --workspace --test *_random -- --nocapture",
                &[("FCP_FUZZ_BYTES", bytes)],
            ),
        ),
        (
            "package",
            // A build of each package would repeat the builds above.
            run(
                "package --package fcp-framework --package fcp-macros --no-verify --allow-dirty",
                &[],
            ),
        ),
        ("tidy", Do::Tidy),
        ("cards", Do::Cards),
        ("client", run("xtask client", &[])),
        ("demo", Do::Shown("cargo run", None, "")),
    ]
}

impl Do {
    /// Runs a command with the lowest priority, and prints its output at its end.
    fn beside(self, name: &str) -> Result<bool> {
        let Self::Run(command) = self else {
            return Err(format!("{name} prints while it runs").into());
        };
        let mut nice = Command::new("nice");
        nice.args(["-n", "19"])
            .arg(command.get_program())
            .args(command.get_args())
            .stdin(Stdio::null());
        for (variable, value) in command.get_envs() {
            match value {
                Some(value) => nice.env(variable, value),
                None => nice.env_remove(variable),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            nice.current_dir(folder);
        }
        let output = nice.output()?;
        let text =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        println!("\n=== {name}\n{text}");
        Ok(output.status.success())
    }

    fn run(self, root: &Path) -> Result<bool> {
        match self {
            Self::Run(mut command) => status(&mut command),
            Self::Shown(start, otherwise, more) => {
                let readme = workspace::read(&root.join(tidy::README)).unwrap_or_default();
                let shown = tidy::commands(&readme)
                    .into_iter()
                    .map(|shown| shown.command)
                    .find(|command| command.starts_with(start));
                let Some(line) = shown.or_else(|| otherwise.map(str::to_owned)) else {
                    return Err(
                        format!("README.md shows no command that starts with {start}").into(),
                    );
                };
                let mut shell = Command::new("bash");
                shell
                    .args(["-euo", "pipefail", "-c", &(line.clone() + more)])
                    .current_dir(root);
                println!("$ {line}{more}");
                status(&mut shell)
            }
            Self::Tidy => tidy::run(root),
            Self::Cards => cards::run(root, &cards::Args { check: true }),
        }
    }
}

fn status(command: &mut Command) -> Result<bool> {
    let status = command.stdin(Stdio::null()).status();
    let status = status
        .map_err(|problem| format!("{}: {problem}", command.get_program().to_string_lossy()))?;
    Ok(status.success())
}
