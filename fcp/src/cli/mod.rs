//! The program of every domain: a server for agents, and a command line for people.
//!
//! ```no_run
//! # use fcp::domain::Domain;
//! # fn program<M: Domain>() -> std::process::ExitCode {
//! fcp::cli::main(env!("CARGO_PKG_VERSION"), fcp::session::program::<M>())
//! # }
//! ```
//!
//! `M` is the domain's model. The line is the body of its `main`. Domains of structured tools use
//! [`tools()`] instead.

mod flags;
mod out;
mod play;
mod repl;
mod shortcut;
mod tools;

pub use tools::tools;

use std::{
    ffi::OsString,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{
    ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, error::ErrorKind,
};
use out::Out;

use crate::{
    diag::{one_line, plain_lines, shown_path},
    endpoint::{Config, Endpoint, Flag, Program, Spelling},
    mcp::{self, Options, ToolNames},
    memory,
    signals::{self, Leave},
    worker,
};

/// Edits files through short ops. Without a command it is an MCP server on standard input and output.
#[derive(Debug, Parser)]
#[command(disable_help_subcommand = true, max_term_width = 100)]
struct Args {
    /// The folder that every path stays inside.
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    root: PathBuf,
    #[command(flatten)]
    serve: Serve,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Default, clap::Args)]
struct Serve {
    /// The tool names to list; calls by either are answered.
    #[arg(long, value_name = "NAMES")]
    tool_names: Option<Names>,
    /// The longest request a client may send, in MiB [default: 64].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u16).range(1..=1024))]
    max_request: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Names {
    /// NAME, NAME_query, NAME_session, NAME_help
    Domain,
    /// fcp_edit, fcp_query, fcp_session, fcp_help
    Fcp,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Cells between |, and a count of rows
    Table,
    /// Comma-separated values
    Csv,
    /// An array of objects
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP on standard input and output.
    Serve(Serve),
    /// Play scripts, and print them with their replies.
    Run {
        /// Compare the replies with those the scripts expect; print only where they differ.
        #[arg(long)]
        check: bool,
        /// The scripts; - is standard input.
        #[arg(required = true, value_name = "SCRIPT.fcp")]
        scripts: Vec<PathBuf>,
    },
    /// Read ops, ? queries and ! actions line by line.
    Repl,
    /// Print the reference card, or one topic of it.
    Help {
        /// A verb, a type, selectors, examples.
        topic: Vec<String>,
    },
    /// Print the vocabulary as JSON.
    Codebook,
    /// Print the model's JSON Schema.
    Schema,
    /// Ask a file in SQL: SELECT or WITH over the tables of the document.
    Sql {
        /// The file.
        #[arg(value_name = "FILE")]
        file: String,
        /// The statement.
        #[arg(value_name = "SELECT …")]
        statement: String,
        /// The format of the answer.
        #[arg(long, value_name = "FORMAT", default_value = "table")]
        format: Format,
        /// A setting, such as work-limit:100; see the topic set.
        #[arg(long = "set", value_name = "KEY:VALUE")]
        settings: Vec<String>,
    },
    /// Open files and say what they hold and whether saving keeps them whole.
    Check {
        /// The files.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
        /// A setting, such as work-limit:100; see the topic set.
        #[arg(long = "set", value_name = "KEY:VALUE")]
        settings: Vec<String>,
    },
}

/// Runs the program: reads this process's arguments, runs the command, and returns the exit code: 0
/// for success, 1 for a failure, 2 for invalid arguments.
///
/// A process that was started as a worker runs its job and nothing else.
pub fn main(version: &'static str, program: Program) -> ExitCode {
    memory::limit();
    if let Some(code) = worker::dispatch() {
        return code;
    }
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match dispatch(arguments, version, program) {
        Ok(code) => code,
        // The reader needs no more output.
        Err(problem) if problem.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(problem) => complain(&problem.to_string(), 1),
    }
}

fn complain(message: &str, code: u8) -> ExitCode {
    // If standard error is closed too, there is nobody to inform.
    let _ = writeln!(io::stderr(), "error: {}", plain_lines(message));
    ExitCode::from(code)
}

fn dispatch(
    arguments: Vec<OsString>,
    version: &'static str,
    program: Program,
) -> io::Result<ExitCode> {
    let command = command::<Args>(&arguments, version, program.flags);
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    let (args, matches) = match parse::<Args>(&command, &arguments) {
        Ok(parsed) => parsed,
        Err(problem) => {
            if whole_help(&problem, &arguments, &names) {
                let mut endpoint = made(program, &Config::at("."))?;
                let all = endpoint.help(Some("all"));
                let card = match all.is_error {
                    true => endpoint.help(None).text,
                    false => all.text,
                };
                Out::stdout().text(&format!("{}\n\n{}", card.trim_end(), problem.render()))?;
            } else {
                problem.print()?;
            }
            return Ok(ExitCode::from(
                u8::try_from(problem.exit_code()).unwrap_or(2),
            ));
        }
    };
    let config = match config(args.root, program.flags, &matches) {
        Ok(config) => config,
        Err(wrong) => return Ok(complain(&wrong, 2)),
    };
    // A server needs none of this while it runs.
    drop((command, names, matches, arguments));
    let new = || made(program, &config);
    let serving = matches!(args.command, None | Some(Command::Serve(_)));
    if !serving && (args.serve.tool_names.is_some() || args.serve.max_request.is_some()) {
        return Ok(complain(
            "--tool-names and --max-request are for serving",
            2,
        ));
    }
    let mut out = Out::stdout();
    match args.command {
        None => serve(new()?, version, &args.serve),
        Some(Command::Serve(more)) => {
            let tool_names = more.tool_names.or(args.serve.tool_names);
            let max_request = more.max_request.or(args.serve.max_request);
            serve(
                new()?,
                version,
                &Serve {
                    tool_names,
                    max_request,
                },
            )
        }
        Some(Command::Run { check, scripts }) => play::scripts(&mut out, &scripts, check, &new),
        Some(Command::Repl) => repl::run(&mut out, new()?.as_mut()),
        Some(Command::Help { topic }) => {
            let topic = topic.join(" ");
            let answer = new()?.help((!topic.is_empty()).then_some(topic.as_str()));
            if answer.is_error {
                return Ok(complain(answer.text.trim_start_matches("! "), 1));
            }
            out.text(&answer.text)?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Codebook) => json(&mut out, &new()?.codebook()),
        Some(Command::Schema) => json(&mut out, &new()?.schema()),
        Some(Command::Sql {
            file,
            statement,
            format,
            settings,
        }) => {
            let format = match format {
                Format::Table => Spelling::Table,
                Format::Csv => Spelling::Csv,
                Format::Json => Spelling::Json,
            };
            let mut endpoint = set(new()?, &settings)?;
            let answer = endpoint.sql(&file, &statement, format);
            if answer.is_error {
                return Ok(complain(answer.text.trim_start_matches("! "), 1));
            }
            out.text(&answer.text)?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Check { files, settings }) => {
            check(&mut out, &files, &|| set(new()?, &settings))
        }
    }
}

/// Parses the arguments. An error shows them on one line each, as replies do.
fn parse<A: FromArgMatches>(
    command: &clap::Command,
    arguments: &[OsString],
) -> Result<(A, ArgMatches), clap::Error> {
    let parsed = |arguments: Vec<OsString>| {
        let matches = command.clone().try_get_matches_from(arguments)?;
        Ok((A::from_arg_matches(&matches)?, matches))
    };
    let shown = |argument: &OsString| shown_path(Path::new(argument)).into();
    parsed(arguments.to_vec()).map_err(|problem| {
        let masked = arguments.iter().map(shown).collect();
        parsed(masked).err().unwrap_or(problem)
    })
}

/// The command line of this program, under the name it was started with.
fn command<A: CommandFactory>(
    arguments: &[OsString],
    version: &'static str,
    flags: &'static [Flag],
) -> clap::Command {
    let name = arguments
        .first()
        .and_then(|path| Path::new(path).file_stem());
    let name = name.map_or_else(
        || "fcp".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    A::command()
        .display_name(name.clone())
        .bin_name(name)
        .version(version)
        .args(flags::arguments(flags))
}

/// Whether the full help of the whole program was requested, not that of a command.
fn whole_help(problem: &clap::Error, arguments: &[OsString], commands: &[String]) -> bool {
    let mut rest = arguments.iter().skip(1);
    problem.kind() == ErrorKind::DisplayHelp
        && rest.clone().any(|argument| argument == "--help")
        && !rest.any(|argument| commands.iter().any(|name| argument == name.as_str()))
}

/// The configuration of the program, or an error about its arguments.
fn config(root: PathBuf, flags: &'static [Flag], matches: &ArgMatches) -> Result<Config, String> {
    if !root.is_dir() {
        return Err(format!("--root {} is not a folder", shown_path(&root)));
    }
    let flags = flags::given(flags, matches)?;
    Ok(Config { root, flags })
}

/// An endpoint, or the error that prevents it.
fn made(program: Program, config: &Config) -> io::Result<Box<dyn Endpoint>> {
    (program.make)(config).map_err(|error| io::Error::other(error.message))
}

/// An endpoint with settings, or the error of one of them.
fn set(mut endpoint: Box<dyn Endpoint>, settings: &[String]) -> io::Result<Box<dyn Endpoint>> {
    for setting in settings {
        let answer = endpoint.act(&format!("set {setting}"));
        if answer.is_error {
            let error = answer.text.trim_start_matches("! ").to_owned();
            return Err(io::Error::other(error));
        }
    }
    Ok(endpoint)
}

fn serve(endpoint: Box<dyn Endpoint>, version: &str, serve: &Serve) -> io::Result<ExitCode> {
    let mut options = Options::new(version);
    if let Some(Names::Fcp) = serve.tool_names {
        options.tool_names = ToolNames::Fcp;
    }
    if let Some(megabytes) = serve.max_request {
        options.max_request = usize::from(megabytes) << 20;
    }
    greet("repl");
    ends_at_signals(&options);
    memory::release();
    mcp::serve_stdio(endpoint, options)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes a signal stop the server in order, and a second one end the process.
fn ends_at_signals(options: &Options) {
    let stop = options.stop.clone();
    signals::serving(Leave {
        stop: Box::new(move || stop.ask()),
        drop: Box::new(|| ()),
    });
    if let Err(problem) = signals::watch() {
        // If standard error is closed, there is nobody to inform.
        let _ = writeln!(io::stderr(), "signals end the process at once: {problem}");
    }
}

/// Tells a user at a terminal what is running, and which command is for people.
fn greet(command: &str) {
    if io::stdin().is_terminal() {
        // If standard error is closed, there is nobody to inform.
        let _ = writeln!(
            io::stderr(),
            "Serving MCP on standard input and output, for a program to talk to. People: try {command}, or --help."
        );
    }
}

fn json(out: &mut Out, value: &serde_json::Value) -> io::Result<ExitCode> {
    out.text(&format!("{value:#}"))?;
    Ok(ExitCode::SUCCESS)
}

fn check(
    out: &mut Out,
    files: &[String],
    new: &dyn Fn() -> io::Result<Box<dyn Endpoint>>,
) -> io::Result<ExitCode> {
    let mut failed = false;
    for (at, file) in files.iter().enumerate() {
        if files.len() > 1 {
            let name = one_line(file);
            out.text(&format!("{}{name}:", if at > 0 { "\n" } else { "" }))?;
        }
        let answer = new()?.check(file);
        failed |= answer.is_error;
        out.reply(&answer, "")?;
    }
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
