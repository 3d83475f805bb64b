//! `soak`: hostile calls from several clients at once, for a given time.
//!
//! Each client has a server of its own, and all work in one folder. They send the examples of the
//! codebook, also with very long words, very large numbers, thousands of repetitions, and lines
//! that are not JSON. After some calls a client closes all its documents, or releases its leases, which shows what its
//! server keeps. The command fails if a late call has no error that names a limit, if a server keeps more
//! memory in the second half of the time than in the first, if a saved file cannot be opened, or if
//! a temporary file is left.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    server::Server,
    workspace::{self, Result, text},
};

/// Number of concurrent clients.
const CLIENTS: u64 = 4;

/// Time limit of a call, unless its error names a limit.
const IN_TIME: Duration = Duration::from_secs(2);

/// Number of calls after which a client starts over, and its server's memory is read.
const ROUND: usize = 100;

/// Maximum size of a call's ops, in bytes: more than a server takes.
const CALL: usize = 16 << 20;

/// Maximum growth of a server's memory from the first half of the time to the second, in bytes:
/// the allocator keeps some of what is freed in each thread's heap.
const MORE: u64 = 32 << 20;

/// Send hostile calls from four clients at once.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The domain, or `checklist` or `tally` of the templates.
    domain: String,
    /// Duration in minutes.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    minutes: u64,
    /// The clients, each with a server and calls of its own.
    #[arg(long, default_value_t = CLIENTS, value_parser = clap::value_parser!(u64).range(1..=CLIENTS))]
    clients: u64,
    /// Another seed sends other calls.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The domain's program, already built.
    #[arg(long, hide = true)]
    program: Option<PathBuf>,
}

/// Observations of one client.
#[derive(Default)]
struct Seen {
    calls: usize,
    errors: usize,
    limits: usize,
    /// The longest time, and its call.
    slowest: (Duration, String),
    /// The calls that took too long.
    late: Vec<String>,
    /// The server's minimum memory in each minute, in bytes: what it keeps without a document.
    memory: Vec<Option<u64>>,
}

/// Starts the clients, and reports their observations.
pub fn run(root: &Path, args: &Args) -> Result<bool> {
    let program = match &args.program {
        Some(program) => program.clone(),
        None => {
            let arguments = [&["--release"], workspace::PROGRAMS].concat();
            workspace::build(root, &arguments, &format!("fcp-{}", args.domain))?
        }
    };
    let folder = tempfile::tempdir()?;
    let repository = folder.path().join("files");
    fs::create_dir(&repository)?;
    let git = Command::new("git")
        .arg("init")
        .arg("-q")
        .arg(&repository)
        .status();
    git.map_err(|problem| format!("git: {problem}"))?;
    let end = Instant::now() + Duration::from_secs(60 * args.minutes);
    let clients = (0..args.clients).map(|client| {
        let (program, repository) = (program.clone(), repository.clone());
        let (state, seed) = (
            folder.path().join("state"),
            args.seed * CLIENTS + client + 1,
        );
        thread::spawn(move || {
            send(&program, &repository, &state, (seed, end)).map_err(|error| error.to_string())
        })
    });
    let clients: Vec<_> = clients.collect();
    let mut good = true;
    for (number, client) in (1..).zip(clients) {
        let seen = client.join().map_err(|_| "a client panicked")??;
        let (time, call) = &seen.slowest;
        println!(
            "client {number}: {} calls, {} errors, {} of them limits; slowest {:.2} s ({call})",
            seen.calls,
            seen.errors,
            seen.limits,
            time.as_secs_f64(),
        );
        let mebibytes = seen.memory.iter().map(|bytes| match bytes {
            Some(bytes) => (bytes >> 20).to_string(),
            None => "-".to_owned(),
        });
        println!(
            "  MiB by the minute: {}",
            mebibytes.collect::<Vec<_>>().join(" ")
        );
        for late in &seen.late {
            println!("  late: {late}");
        }
        // A leak goes on.
        let known: Vec<u64> = seen.memory.iter().flatten().copied().collect();
        let (first, second) = known.split_at(known.len() / 2);
        let most = |half: &[u64]| half.iter().copied().max().unwrap_or_default();
        let grows = known.len() > 2 && most(second) > most(first).saturating_add(MORE);
        if grows {
            println!("  memory grows");
        }
        good &= seen.late.is_empty() && !grows;
    }
    good &= whole(&program, &repository)?;
    Ok(good)
}

/// Whether every file can be opened, and no temporary file is left.
fn whole(program: &Path, folder: &Path) -> Result<bool> {
    let (mut good, mut count) = (true, 0);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == ".git" || !entry.file_type()?.is_file() {
            continue;
        }
        count += 1;
        if name.ends_with(".tmp") || name.starts_with(".fcp") {
            println!("left: {name}");
            good = false;
        } else if name.starts_with("soak.") {
            let mut check = Command::new(program);
            check.arg("--root").arg(folder).args(["check", &name]);
            let done = check.output()?;
            // Warnings do not make a file faulty.
            if done.status.code().is_none_or(|code| code > 1) {
                println!("{name}: {}", String::from_utf8_lossy(&done.stderr).trim());
                good = false;
            }
        }
    }
    println!("{count} files in the folder");
    Ok(good)
}

/// Pseudorandom numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or(0) % sides.max(1)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let at = self.roll(of.len());
        of.get(at)
    }
}

/// The lines and calls shown in the codebook.
struct Examples {
    domain: String,
    lines: Vec<String>,
    tools: Vec<(String, Value)>,
    ending: String,
}

impl Examples {
    fn of(server: &mut Server) -> Result<Self> {
        let about = text(&server.hello["serverInfo"], "name");
        let domain = about.strip_prefix("fcp-").unwrap_or(about).to_owned();
        let uri = json!({ "uri": format!("fcp://{domain}/codebook") });
        let (book, _) = server.request("resources/read", uri)?;
        let book: Value = serde_json::from_str(text(&book["contents"][0], "text"))?;
        let map = &book["schema_map"];
        let lines = workspace::list(map, "examples").iter();
        let lines = lines
            .filter_map(Value::as_str)
            .filter(|line| line.len() > 1);
        let mut tools = Vec::new();
        for tool in workspace::list(map, "tools") {
            for steps in workspace::list(tool, "examples") {
                for step in steps.as_array().into_iter().flatten() {
                    tools.push((text(step, "tool").to_owned(), step["arguments"].clone()));
                }
            }
        }
        let ending = map["formats"][0]["extensions"][0].as_str().unwrap_or("txt");
        Ok(Self {
            domain,
            lines: lines.map(str::to_owned).collect(),
            tools,
            ending: ending.to_owned(),
        })
    }

    /// A request, as a line of JSON or of something else.
    fn request(&self, dice: &mut Dice, id: usize) -> String {
        if dice.roll(20) == 0 {
            return broken(dice, id);
        }
        let (name, arguments) = match self.tools.is_empty() {
            false => {
                let (name, mut arguments) = dice.pick(&self.tools).cloned().unwrap_or_default();
                if dice.roll(2) == 0 {
                    spoil_json(dice, &mut arguments);
                }
                (name, arguments)
            }
            true => self.call(dice),
        };
        let params = json!({ "name": name, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    }

    fn call(&self, dice: &mut Dice) -> (String, Value) {
        let mut line = dice.pick(&self.lines).cloned().unwrap_or_default();
        let own = [
            format!("! save as:soak.{} force", self.ending),
            format!("! open soak.{}", self.ending),
            "! undo 100".to_owned(),
            "! undo batch".to_owned(),
            "! redo 100".to_owned(),
            "remove @all".to_owned(),
            "copy @all".to_owned(),
            "? find e".to_owned(),
            "? diff open".to_owned(),
            "? list @all".to_owned(),
            "? WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n".to_owned(),
            "? SELECT count(*) FROM changes a, changes b, changes c, changes d, changes e".to_owned(),
            "? SELECT replace(hex(zeroblob(1000000)), '0', 'long')".to_owned(),
        ];
        match dice.roll(10) {
            0..=1 => line = dice.pick(&own).cloned().unwrap_or_default(),
            2..=4 => line = spoil(dice, &line),
            _ => {}
        }
        let (tool, key) = match line.get(..2) {
            Some("? ") => ("_query", "q"),
            Some("! ") => ("_session", "action"),
            _ => ("", "ops"),
        };
        let text = line.trim_start_matches(['?', '!', ' ']).to_owned();
        let argument = match key {
            "ops" if dice.roll(12) == 0 => {
                let times = [100, 1_000, 20_000][dice.roll(3)];
                json!(vec![text.clone(); times.min(CALL / (text.len() + 1))])
            }
            "ops" => json!([text]),
            _ => json!(text),
        };
        (format!("{}{tool}", self.domain), json!({ key: argument }))
    }
}

/// An invalid word.
fn hostile(dice: &mut Dice) -> String {
    match dice.roll(8) {
        0 => "x".repeat(1 << (8 + dice.roll(13))),
        1 => "99999999999999999999".to_owned(),
        2 => "-1".to_owned(),
        3 => "1e308".to_owned(),
        4 => "\u{202e}\u{200b}\u{1b}[31m\n".to_owned(),
        5 => "@all".repeat(1 + dice.roll(200)),
        6 => "((((".repeat(1 + dice.roll(500)),
        _ => "times:999999".to_owned(),
    }
}

/// A line with one hostile word.
fn spoil(dice: &mut Dice, line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let word = hostile(dice);
    let at = dice.roll(words.len());
    let key = words[at]
        .split_once(':')
        .map(|(key, _)| format!("{key}:{word}"));
    let word = key.unwrap_or(word);
    words[at] = &word;
    words.join(" ")
}

/// Arguments with one hostile value.
fn spoil_json(dice: &mut Dice, arguments: &mut Value) {
    let Some(fields) = arguments.as_object_mut() else {
        return;
    };
    let at = dice.roll(fields.len());
    if let Some(value) = fields.values_mut().nth(at) {
        *value = match dice.roll(4) {
            0 => json!(u64::MAX),
            1 => json!(vec![hostile(dice); 1 + dice.roll(20)]),
            2 => Value::Null,
            _ => json!(hostile(dice)),
        };
    }
}

/// A line that no server accepts, although its id is valid.
fn broken(dice: &mut Dice, id: usize) -> String {
    let rest = match dice.roll(5) {
        0 => format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000)),
        1 => "\"\\ud83d\"".to_owned(),
        2 => "1e999".to_owned(),
        3 => format!("\"{}\"", "y".repeat(6 << 20)),
        _ => "{\"unclosed\":".to_owned(),
    };
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{rest}}}")
}

/// Sends calls to a server of its own until the time is over.
fn send(program: &Path, folder: &Path, state: &Path, (seed, end): (u64, Instant)) -> Result<Seen> {
    let state = state.display().to_string();
    let flags: &[&str] = match program.ends_with("fcp-workspace") {
        true => &["--state", &state],
        false => &[],
    };
    let mut server = Server::with(program, folder, flags)?;
    let examples = Examples::of(&mut server)?;
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut seen, start) = (Seen::default(), Instant::now());
    let mut leases: HashSet<String> = HashSet::new();
    let minutes = usize::try_from((end - start).as_secs().div_ceil(60)).unwrap_or(usize::MAX);
    while Instant::now() < end {
        if seen.calls % ROUND == 0 {
            if examples.tools.is_empty() {
                start_over(&mut server, &examples.domain)?;
            }
            for lease in leases.drain() {
                let arguments = json!({ "lease_id": lease, "action": "release" });
                let params = json!({ "name": "workspace.lease", "arguments": arguments });
                server.request("tools/call", params)?;
            }
            // A round that ends after the last minute counts for it.
            let minute = usize::try_from(start.elapsed().as_secs() / 60).unwrap_or(0);
            let minute = minute.min(minutes.saturating_sub(1));
            seen.memory.resize(seen.memory.len().max(minute + 1), None);
            let known = seen.memory[minute];
            seen.memory[minute] = server
                .memory()
                .map(|now| known.map_or(now, |least| least.min(now)));
        }
        let id = 1_000_000 + seen.calls;
        let line = examples.request(&mut dice, id);
        let before = server.processor();
        let (answer, time) = server.exchange(&line)?;
        let shown: String = line.chars().take(160).collect();
        // By its contract, the server of assets does not read a line that is too long.
        let is_unread = answer["id"].is_null() && answer.to_string().contains("payload_too_large");
        if answer["id"] != id && !is_unread {
            return Err(format!("answered under {} and not {id}: {shown}", answer["id"]).into());
        }
        let text = answer.to_string();
        let ids = text.split("\\\"lease_id\\\":\\\"").skip(1);
        leases.extend(ids.filter_map(|rest| Some(rest.split_once('\\')?.0.to_owned())));
        let is_limit =
            text.contains("(set ") || text.contains("moves it") || text.contains("TOO_LARGE");
        seen.calls += 1;
        seen.errors +=
            usize::from(!answer["error"].is_null() || answer["result"]["isError"] == true);
        seen.limits += usize::from(is_limit);
        if time > seen.slowest.0 {
            seen.slowest = (time, shown.clone());
        }
        if time > IN_TIME && !is_limit {
            let taken = server.processor().zip(before).map(|(now, then)| now - then);
            seen.late.push(format!(
                "{:.1} s, of them {:.1} of processor time, for {} bytes: {shown}",
                time.as_secs_f64(),
                taken.unwrap_or_default().as_secs_f64(),
                line.len(),
            ));
        }
    }
    Ok(seen)
}

/// Closes all documents, also those that were set aside, and makes a new one.
fn start_over(server: &mut Server, domain: &str) -> Result<()> {
    let name = format!("{domain}_session");
    let mut action = |action: &str| {
        let params = json!({ "name": name, "arguments": { "action": action } });
        server.request("tools/call", params)
    };
    loop {
        action("close discard")?;
        let (resumed, _) = action("resume")?;
        if resumed["isError"] == true {
            break;
        }
    }
    action("new").map(drop)
}
