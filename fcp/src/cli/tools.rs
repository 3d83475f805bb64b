//! The program of a domain of structured tools.

use std::{
    ffi::OsString,
    io::{self, Read},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use clap::{ArgMatches, Parser, Subcommand};
use serde_json::Value;

use super::{
    Out, command, complain, config, ends_at_signals, greet, json, parse, shortcut, whole_help,
};
#[cfg(feature = "http")]
use crate::endpoint;
use crate::{
    diag::shown_path,
    endpoint::{Config, Flag, MORE_ROOTS, REPLY_LIMIT, WORK_LIMIT},
    mcp::{self, Options},
    memory,
    tool::{Cancel, ToolProgram, Tools, codebook, unknown},
    worker,
};

/// Structured tools. Without a command it is an MCP server on standard input and output.
#[derive(Debug, Parser)]
#[command(disable_help_subcommand = true, max_term_width = 100)]
struct Args {
    /// The folder that the tools work in. A toolset that serves several takes the flag more than once.
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    root: Vec<PathBuf>,
    /// The longest request a client may send, in MiB.
    #[arg(long, value_name = "MIB", default_value = "64", value_parser = clap::value_parser!(u16).range(1..=1024), global = true)]
    max_request: u16,
    /// The most steps of a call, in millions [default: 20].
    #[arg(long, value_name = "MILLIONS", value_parser = clap::value_parser!(u32).range(1..=100_000), global = true)]
    work_limit: Option<u32>,
    /// The longest answer of a call, in KiB [default: 4096].
    #[arg(long, value_name = "KIB", value_parser = clap::value_parser!(u32).range(1..=4_194_304), global = true)]
    reply_limit: Option<u32>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP on standard input and output.
    Serve,
    /// Call a tool and print what it answers; 1 is an error of the tool.
    Call {
        /// The tool.
        tool: String,
        /// Its arguments, a JSON object; - is standard input.
        #[arg(default_value = "{}", value_name = "JSON")]
        arguments: String,
    },
    /// Print the tools with their schemas and examples as JSON.
    Schema,
    /// Print the tools in words, or one of them.
    Help {
        /// A tool.
        tool: Option<String>,
    },
}

/// Runs the program: reads this process's arguments, runs the command, and returns the exit code: 0
/// for success, 1 for a failure, 2 for invalid arguments.
///
/// ```no_run
/// # use fcp::tool::Toolset;
/// # fn program<S: Toolset>() -> std::process::ExitCode {
/// fcp::cli::tools(env!("CARGO_PKG_VERSION"), fcp::tool::program::<S>())
/// # }
/// ```
///
/// A process that was started as a worker runs its job and nothing else.
pub fn tools(version: &'static str, program: ToolProgram) -> ExitCode {
    memory::limit();
    if let Some(code) = worker::dispatch() {
        return code;
    }
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match dispatch(&arguments, version, program) {
        Ok(code) => code,
        // The reader needs no more output.
        Err(problem) if problem.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(problem) => complain(&problem.to_string(), 1),
    }
}

fn dispatch(
    arguments: &[OsString],
    version: &'static str,
    program: ToolProgram,
) -> io::Result<ExitCode> {
    let shortcuts = (program.shortcuts)();
    let command = shortcut::add(
        command::<Args>(arguments, version, program.flags),
        &shortcuts,
    );
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    let (args, matches) = match parse::<Args>(&command, arguments) {
        Ok(parsed) => parsed,
        Err(problem) => {
            if whole_help(&problem, arguments, &names)
                && let Ok(tools) = (program.make)(&Config::at("."))
                && let Ok(card) = tools.help(Some("all"))
            {
                Out::stdout().text(&format!("{}\n\n{}", card.trim_end(), problem.render()))?;
            } else {
                problem.print()?;
            }
            let code = u8::try_from(problem.exit_code()).unwrap_or(2);
            return Ok(ExitCode::from(code));
        }
    };
    let mut config = match rooted(args.root, program.flags, &matches) {
        Ok(config) => config,
        Err(wrong) => return Ok(complain(&wrong, 2)),
    };
    for (flag, given) in [
        (WORK_LIMIT, args.work_limit),
        (REPLY_LIMIT, args.reply_limit),
    ] {
        if let Some(given) = given {
            config.flags = config.flags.with(&flag, Some(given.to_string().into()));
        }
    }
    let tools = match (program.make)(&config) {
        Ok(tools) => tools,
        Err(error) => return Ok(complain(&error.message, 2)),
    };
    let mut out = Out::stdout();
    if let Some((name, sub)) = matches.subcommand()
        && let Some(shortcut) = shortcuts.iter().find(|own| own.command == name)
    {
        let arguments = shortcut::arguments(shortcut, sub).to_string();
        return call(&mut out, tools.as_ref(), shortcut.tool, arguments);
    }
    if args.command.is_none()
        && let Some(code) = tools.instead(&config)?
    {
        return Ok(code);
    }
    match args.command {
        None | Some(Command::Serve) => {
            let mut options = Options::new(version);
            options.max_request = usize::from(args.max_request) << 20;
            #[cfg(feature = "http")]
            if let Some(address) = config.flags.texts(&endpoint::HTTP).last() {
                return over_http(tools, options, address, &config);
            }
            greet("call");
            ends_at_signals(&options);
            let served = Arc::clone(&tools);
            tools.front(&|input, output| {
                mcp::serve_tools(Arc::clone(&served), options.clone(), input, output)
            })?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Call { tool, arguments }) => call(&mut out, tools.as_ref(), &tool, arguments),
        Some(Command::Schema) => json(&mut out, &codebook(tools.as_ref())),
        Some(Command::Help { tool }) => match tools.help(tool.as_deref()) {
            Ok(text) => {
                out.text(&text)?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => Ok(complain(&error.message, 1)),
        },
    }
}

/// The configuration of the program: the first root, and the others.
fn rooted(
    roots: Vec<PathBuf>,
    flags: &'static [Flag],
    matches: &ArgMatches,
) -> Result<Config, String> {
    let mut roots = roots.into_iter();
    let first = roots.next().unwrap_or_else(|| PathBuf::from("."));
    let mut config = config(first, flags, matches)?;
    for root in roots {
        if !root.is_dir() {
            return Err(format!("--root {} is not a folder", shown_path(&root)));
        }
        config.flags = config.flags.with(&MORE_ROOTS, Some(root.into()));
    }
    Ok(config)
}

/// Serves HTTP, and writes the address to standard error.
#[cfg(feature = "http")]
fn over_http(
    tools: Arc<dyn Tools>,
    options: Options,
    address: &std::ffi::OsStr,
    config: &Config,
) -> io::Result<ExitCode> {
    use std::io::Write;

    let texts = config.flags.texts(&endpoint::HTTP_HOST);
    let hosts = texts.map(|host| host.to_string_lossy().into_owned());
    let address = address.to_string_lossy();
    let http = match mcp::Http::listen(&address, hosts.collect()) {
        Ok(http) => http,
        Err(problem) => return Ok(complain(&format!("--http {address}: {problem}"), 2)),
    };
    ends_at_signals(&options);
    // If standard error is closed, there is nobody to inform.
    let _ = writeln!(io::stderr(), "Serving MCP at {}", http.url());
    mcp::serve_http(tools, options, http)?;
    Ok(ExitCode::SUCCESS)
}

fn call(
    out: &mut Out,
    tools: &dyn Tools,
    tool: &str,
    mut arguments: String,
) -> io::Result<ExitCode> {
    if arguments == "-" {
        arguments.clear();
        io::stdin().read_to_string(&mut arguments)?;
    }
    if let Err(problem) = serde_json::from_str::<Value>(&arguments) {
        let message = format!("the arguments are not JSON: {problem}");
        return Ok(complain(&message, 2));
    }
    let Some(reply) = tools.carry_out(tool, &arguments, &Cancel::never()) else {
        return Ok(complain(&unknown(tools, tool).message, 2));
    };
    out.text(&reply.text)?;
    Ok(if reply.is_error {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
