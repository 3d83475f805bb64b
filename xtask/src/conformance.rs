//! `conformance`: checks the contract, row by row, on any server that is started by a command and
//! speaks MCP on standard input and output. It needs no other information: see
//! [`fcp::testing::contract`].

use std::{fs, path::PathBuf};

use fcp::testing::contract::{self, Program};

use crate::workspace::Result;

/// Check the contract on an FCP server, row by row.
///
/// Exits with 0 if every row holds or does not apply to the server.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON with all requests and replies.
    #[arg(long)]
    json: bool,
    /// A script of ops that work on a new document, instead of the workflow in the server's codebook.
    #[arg(long, value_name = "SCRIPT.fcp")]
    samples: Option<PathBuf>,
    /// Only these rows, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "ROW")]
    rows: Vec<String>,
    /// The command that starts the server, and its arguments.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,
}

/// Judges, and prints the report.
pub fn run(args: &Args) -> Result<bool> {
    let Some((program, arguments)) = args.command.split_first() else {
        return Err("no command".into());
    };
    let samples = match &args.samples {
        None => None,
        Some(path) => Some(
            fs::read_to_string(path).map_err(|problem| format!("{}: {problem}", path.display()))?,
        ),
    };
    let server = Program::new(program, arguments.iter().cloned());
    let report = contract::judge(&server, samples.as_deref(), &args.rows)?;
    if args.json {
        println!("{:#}", report.json());
    } else {
        print!("{report}");
    }
    Ok(report.passes())
}
