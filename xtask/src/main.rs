//! The project's own commands: `cargo xtask COMMAND`. Each command is a module that documents it.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for people at a terminal"
)]

mod bench;
mod cards;
mod ci;
mod client;
mod conformance;
mod fidelity;
mod fuzz;
mod judges;
mod names;
mod new_domain;
mod new_verb;
mod parse;
mod python;
mod server;
mod soak;
mod tidy;
mod trial;
mod workspace;

use std::{path::PathBuf, process::ExitCode};

use clap::{Parser, Subcommand};

/// The project's own commands.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", max_term_width = 100)]
struct Args {
    /// The folder of the workspace, if it is not this program's own.
    #[arg(long, value_name = "DIR", global = true, hide = true)]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Parse(parse::Args),
    NewDomain(new_domain::Args),
    NewVerb(new_verb::Args),
    Cards(cards::Args),
    /// Check the project's own rules, which no compiler checks.
    Tidy,
    Ci(ci::Args),
    Conformance(conformance::Args),
    Client(client::Args),
    Fidelity(fidelity::Args),
    Fuzz(fuzz::Args),
    /// Make the Python that tests check tables with.
    Judges,
    Bench(bench::Args),
    Soak(soak::Args),
    Trial(trial::Args),
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = workspace::root(args.root).and_then(|root| match args.command {
        Command::Parse(args) => parse::run(&args),
        Command::NewDomain(args) => new_domain::run(&root, &args),
        Command::NewVerb(args) => new_verb::run(&root, &args),
        Command::Cards(args) => cards::run(&root, &args),
        Command::Tidy => tidy::run(&root),
        Command::Ci(args) => ci::run(&root, &args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Client(args) => client::run(&root, &args),
        Command::Fidelity(args) => fidelity::run(&root, &args),
        Command::Fuzz(args) => fuzz::run(&root, &args),
        Command::Judges => judges::run(&root),
        Command::Bench(args) => bench::run(&root, &args),
        Command::Soak(args) => soak::run(&root, &args),
        Command::Trial(args) => trial::run(&root, &args),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
