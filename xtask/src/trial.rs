//! `trial`: eight whole tasks, solved through the real program over MCP and by plain scripts.
//!
//! The tasks, their files, the scripts and the checks are in `xtask/trial`. The checks are
//! independent of this project's code: they read with `mido` and `lxml`. The figures count what an
//! agent sends and reads: arguments and answers of calls; the text of scripts and their output,
//! including looks at the file by the author of a script. The descriptions of tools, which a client
//! reads once for all tasks, are reported separately.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    python,
    server::Server,
    workspace::{self, Result, text},
};

/// The packages that scripts and checks need.
const REQUIREMENTS: &str = include_str!("../judges/src/python/requirements.txt");

/// The maximum number of calls for a task.
const CALLS: usize = 4;

/// Solve whole tasks through the real programs and by plain scripts, and compare what that takes.
///
/// Fails if a task is not solved, or takes too many calls.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One task alone.
    task: Option<String>,
    /// Print what is sent and read.
    #[arg(long)]
    details: bool,
}

/// The costs of one way to solve a task.
#[derive(Clone, Copy, Default)]
struct Taken {
    solved: bool,
    calls: usize,
    sent: usize,
    read: usize,
}

/// Plays all tasks.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let folder = root.join("xtask/trial");
    let tasks: Value = serde_json::from_str(&fs::read_to_string(folder.join("tasks.json"))?)?;
    let metadata = workspace::metadata(root, false)?;
    let python = python::with(&metadata, "judges", REQUIREMENTS)?;
    println!(
        "{:<10} {:>4} | {:<10} {:>5} {:>6} {:>6} | {:<10} {:>5} {:>6} {:>6}",
        "task", "SQL", "FCP", "calls", "sent", "read", "script", "calls", "sent", "read"
    );
    let (mut good, mut own, mut other) = (true, Taken::default(), Taken::default());
    let (mut solved, mut by_sql) = (0, 0);
    let wanted = |task: &&Value| {
        let name = text(task, "name");
        args.task.as_deref().is_none_or(|wanted| wanted == name)
    };
    for task in tasks.as_array().into_iter().flatten().filter(wanted) {
        let one = by_program(root, &metadata, &folder, &python, task, args.details)?;
        let two = by_script(&folder, &python, task)?;
        let is_sql = task["sql"] == true;
        println!(
            "{:<10} {:>4} | {:<10} {:>5} {:>6} {:>6} | {:<10} {:>5} {:>6} {:>6}",
            text(task, "name"),
            if is_sql { "yes" } else { "" },
            word(one),
            one.calls,
            one.sent,
            one.read,
            word(two),
            two.calls,
            two.sent,
            two.read
        );
        good &= one.solved && two.solved && one.calls <= CALLS;
        solved += usize::from(one.solved);
        by_sql += usize::from(one.solved && is_sql);
        for (sum, taken) in [(&mut own, one), (&mut other, two)] {
            sum.calls += taken.calls;
            sum.sent += taken.sent;
            sum.read += taken.read;
        }
    }
    let part = |own: usize, other: usize| 100 * own / other.max(1);
    println!(
        "{solved} solved by FCP, {by_sql} of them by SQL alone; sent {} of {} bytes ({} %), read {} of {} bytes ({} %)",
        own.sent,
        other.sent,
        part(own.sent, other.sent),
        own.read,
        other.read,
        part(own.read, other.read)
    );
    for domain in ["midi", "svg"] {
        let program = program(root, &metadata, domain)?;
        let mut server = Server::start(&program, &folder)?;
        let tools = server.tools()?;
        let bytes: usize = tools
            .iter()
            .map(|tool| text(tool, "description").len())
            .sum();
        println!(
            "the descriptions of {domain}'s tools have {bytes} bytes, read once for all tasks"
        );
    }
    Ok(good)
}

fn word(taken: Taken) -> &'static str {
    if taken.solved { "solved" } else { "NOT SOLVED" }
}

fn program(root: &Path, metadata: &Value, domain: &str) -> Result<std::path::PathBuf> {
    let (package, program) = workspace::package(root, metadata, &format!("domains/{domain}"))?;
    let program = program.ok_or_else(|| format!("{package} has no program"))?;
    workspace::build(root, workspace::PROGRAMS, &program)
}

/// A folder with the file of a task.
fn stage(folder: &Path, task: &Value) -> Result<tempfile::TempDir> {
    let stage = tempfile::tempdir()?;
    let input = text(task, "input");
    fs::copy(folder.join("files").join(input), stage.path().join(input))?;
    Ok(stage)
}

/// Solves a task through the domain's program.
fn by_program(
    root: &Path,
    metadata: &Value,
    folder: &Path,
    python: &Path,
    task: &Value,
    details: bool,
) -> Result<Taken> {
    let domain = text(task, "domain");
    let stage = stage(folder, task)?;
    let mut server = Server::start(&program(root, metadata, domain)?, stage.path())?;
    let (mut taken, mut transcript) = (Taken::default(), String::new());
    for ops in task["calls"].as_array().into_iter().flatten() {
        let arguments = json!({ "ops": ops });
        let params = json!({ "name": domain, "arguments": arguments });
        let (answer, _) = server.request("tools/call", params)?;
        let answer = text(&answer["content"][0], "text").to_owned();
        taken.calls += 1;
        taken.sent += arguments.to_string().len();
        taken.read += answer.len();
        if details {
            println!("{ops}\n{answer}\n");
        }
        transcript.push_str(&answer);
        transcript.push('\n');
    }
    taken.solved = check(folder, python, task, stage.path(), &transcript)?;
    Ok(taken)
}

/// Solves a task by scripts: one looks at the file, and one changes it.
fn by_script(folder: &Path, python: &Path, task: &Value) -> Result<Taken> {
    let stage = stage(folder, task)?;
    let input = text(task, "input");
    let kind = match text(task, "domain") {
        "midi" => "midi",
        _ => input.trim_end_matches(".svg"),
    };
    let (mut taken, mut transcript) = (Taken::default(), String::new());
    for script in [format!("look_{kind}"), text(task, "name").to_owned()] {
        let path = folder.join("scripts").join(format!("{script}.py"));
        let source = fs::read_to_string(&path)?;
        let output = Command::new(python)
            .arg(&path)
            .current_dir(stage.path())
            .output()?;
        if !output.status.success() {
            let problem = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {problem}", path.display()).into());
        }
        taken.calls += 1;
        taken.sent += source.len();
        taken.read += output.stdout.len();
        transcript.push_str(&String::from_utf8_lossy(&output.stdout));
    }
    taken.solved = check(folder, python, task, stage.path(), &transcript)?;
    Ok(taken)
}

/// Whether a folder's files, or the output, are what the task asks for.
fn check(
    folder: &Path,
    python: &Path,
    task: &Value,
    stage: &Path,
    transcript: &str,
) -> Result<bool> {
    let mut child = Command::new(python)
        .arg(folder.join("checks.py"))
        .arg(text(task, "name"))
        .arg(stage)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(transcript.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        let problem = String::from_utf8_lossy(&output.stderr);
        println!(
            "{}: {}",
            text(task, "name"),
            problem.lines().last().unwrap_or_default()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim() == "solved")
}
