//! The program from a client's view: a process, two pipes, JSON-RPC.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(120);

/// The action that allows calls of any length.
const ANY_LENGTH: &str = "set sql-steps:100000 work-limit:100000";

/// A domain's program as a server, and its messages. Its tools are named after the domain.
pub struct Server {
    /// The process.
    pub child: Child,
    domain: String,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    next: i64,
    started: Instant,
}

impl Server {
    /// A server in a folder, after its handshake. `program` is `env!("CARGO_BIN_EXE_fcp-…")`.
    pub fn new(program: &str, root: &Path) -> Self {
        Self::with(program, root, &[])
    }

    /// A server with arguments.
    pub fn with(program: &str, root: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut server = Self {
            child,
            domain: String::new(),
            stdin,
            lines,
            next: 1000,
            started: Instant::now(),
        };
        let reply = server.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(reply["result"]["protocolVersion"], "2025-11-25", "{reply}");
        server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        let tools = server.ask("tools/list", json!({}));
        let first = tools["result"]["tools"][0]["name"].as_str();
        server.domain = first.unwrap_or_default().to_owned();
        server
    }

    /// Sends raw bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a message.
    pub fn say(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// Reads the next message.
    pub fn hear(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request and returns its reply, which is the next message.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.say(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        let reply = self.hear();
        assert_eq!(reply["id"], self.next, "{reply}");
        reply
    }

    /// Calls a tool. Returns the text of the result and whether it is an error.
    pub fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let reply = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let result = &reply["result"];
        let text = result["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{reply}"));
        (text.to_owned(), result["isError"] == true)
    }

    /// Calls a structured tool that must succeed. Returns the structured content.
    pub fn answer(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        assert_eq!(reply["result"]["isError"], false, "{reply}");
        reply["result"]["structuredContent"].clone()
    }

    /// A call of one of its tools as a line: `""`, `_query`, `_session`, `_help`.
    #[must_use]
    pub fn line(&self, id: i64, kind: &str, arguments: Value) -> String {
        line(id, &format!("{}{kind}", self.domain), arguments)
    }

    fn fine(&mut self, kind: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let (text, error) = self.call(&format!("{}{kind}", self.domain), arguments);
        assert!(!error, "{shown}\n{text}");
        text
    }

    fn wrong(&mut self, kind: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let (text, error) = self.call(&format!("{}{kind}", self.domain), arguments);
        assert!(error, "{shown}\n{text}");
        text
    }

    /// Sends ops that must succeed.
    pub fn run(&mut self, ops: &[&str]) -> String {
        self.fine("", json!({ "ops": ops }))
    }

    /// Sends ops of which none may be applied.
    pub fn refused(&mut self, ops: &[&str]) -> String {
        self.wrong("", json!({ "ops": ops }))
    }

    /// Sends a query that must succeed.
    pub fn query(&mut self, q: &str) -> String {
        self.fine("_query", json!({ "q": q }))
    }

    /// Sends a query that must fail.
    pub fn no_query(&mut self, q: &str) -> String {
        self.wrong("_query", json!({ "q": q }))
    }

    /// Sends an action that must succeed.
    pub fn act(&mut self, action: &str) -> String {
        self.fine("_session", json!({ "action": action }))
    }

    /// Sends an action that must fail.
    pub fn no_act(&mut self, action: &str) -> String {
        self.wrong("_session", json!({ "action": action }))
    }

    /// Sends an op, or a query after `? `, that must fail with this repair; sends the repair as it is
    /// to the same tool, and takes back its change.
    pub fn repaired(&mut self, sent: &str, repair: &str) {
        let query = sent.strip_prefix("? ");
        let refused = match query {
            Some(query) => self.no_query(query),
            None => self.refused(&[sent]),
        };
        let mut lines = refused.lines();
        let found = lines.find_map(|line| line.strip_prefix("  try: "));
        assert_eq!(found, Some(repair), "{sent}\n{refused}");
        match query {
            Some(_) => self.query(repair),
            None => self.run(&[repair]),
        };
        if query.is_none() && !repair.starts_with("? ") {
            self.act("undo");
        }
    }

    /// Ends the input. Returns the exit status of the process.
    pub fn end(mut self) -> ExitStatus {
        drop(self.stdin.take());
        self.ended()
    }

    /// Sends a signal to the process: SIGTERM, or SIGINT.
    #[cfg(unix)]
    pub fn signal(&self, terminate: bool) {
        use rustix::process::{Pid, Signal, kill_process};
        let signal = if terminate { Signal::TERM } else { Signal::INT };
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// The processor time of the process, without its children; the elapsed time on systems other than Linux.
    #[must_use]
    pub fn processor_time(&self) -> Duration {
        let ticks = || -> Option<u64> {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
            // Behind the name, which may have spaces.
            let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
            Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
        };
        // Linux counts hundredths of seconds on every machine.
        ticks().map_or_else(
            || self.started.elapsed(),
            |ticks| Duration::from_millis(10 * ticks),
        )
    }

    /// The messages up to the end of the output.
    pub fn rest(&mut self) -> Vec<Value> {
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        rest
    }

    /// Begins a call that takes hours if calls may have any number of steps. Returns when it is under way.
    pub fn begin_endless(&mut self, id: i64) {
        const ENDLESS: &str =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n";
        let query = self.line(id, "_query", json!({ "q": ENDLESS }));
        let before = self.processor_time();
        self.write(query.as_bytes());
        let begun = before + Duration::from_millis(100);
        while self.processor_time() < begun {
            assert!(self.started.elapsed() < PATIENCE, "the call does not begin");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the process to end. Returns its exit status.
    pub fn ended(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "the server does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Checks that a server exits with 0 on SIGINT and on SIGTERM, and which of its calls are answered: all that it had read,
/// and otherwise the first ones, with none left out.
///
/// # Panics
/// The check fails.
#[cfg(unix)]
pub fn ends_at_signals(program: &str) {
    const CALLS: i64 = 50;
    for (terminate, is_all_read) in [(false, false), (false, true), (true, false), (true, true)] {
        let root = super::play::scratch();
        let mut server = Server::new(program, root.path());
        server.signal(terminate);
        assert_eq!(server.ended().code(), Some(0), "nothing is under way");

        let mut server = Server::new(program, root.path());
        for id in 0..CALLS {
            server.write(line(id, &server.domain.clone(), json!({ "ops": ["bogus"] })).as_bytes());
        }
        // A ping is answered when all before it is read.
        server.say(&json!({ "jsonrpc": "2.0", "id": CALLS, "method": "ping" }));
        let mut answered = std::collections::BTreeSet::new();
        let mut take = |reply: Value| {
            let id = reply["id"].as_i64().unwrap();
            assert!(answered.insert(id), "{reply}");
            id
        };
        while take(server.hear()) != CALLS && is_all_read {}
        server.signal(terminate);
        assert_eq!(server.ended().code(), Some(0), "calls are under way");
        for reply in server.rest() {
            take(reply);
        }
        answered.remove(&CALLS);
        let count = i64::try_from(answered.len()).unwrap();
        assert!(answered.iter().copied().eq(0..count), "{answered:?}");
        assert!(!is_all_read || count == CALLS, "{answered:?}");
    }
}

/// This platform has no signals.
#[cfg(not(unix))]
pub fn ends_at_signals(_program: &str) {}

/// Checks that a request that cannot be read is answered under its id, a number or a text, and the ping after it too.
///
/// # Panics
/// The check fails.
pub fn answers_every_id(program: &str) {
    let root = super::play::scratch();
    // A program without the flag reads at most 1 MiB.
    let help = Command::new(program).arg("--help").output().unwrap();
    let has_flag = String::from_utf8_lossy(&help.stdout).contains("--max-request");
    let flags: &[&str] = if has_flag {
        &["--max-request", "1"]
    } else {
        &[]
    };
    let mut server = Server::with(program, root.path(), flags);
    let tool = server.domain.clone();
    for (case, value) in unreadable_values() {
        for id in ["7", "\"seven\""] {
            for line in unreadable_lines(&tool, id, &value) {
                server.write(&[&line, &b"\n"[..]].concat());
                let reply = server.hear();
                let shown = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
                assert_eq!(reply["id"].to_string(), id, "{case}\n{shown}\n{reply:.500}");
                server.ask("ping", json!({}));
            }
        }
    }
    assert!(server.end().success());
}

/// Values that make a request of at most 1 MiB unreadable.
#[must_use]
pub fn unreadable_values() -> Vec<(&'static str, Vec<u8>)> {
    let deep = "[".repeat(200);
    let closed = format!("{deep}{}", "]".repeat(200));
    vec![
        ("a lone surrogate", br#""\ud83d""#.to_vec()),
        ("a number out of range", b"1e999".to_vec()),
        ("200 lists", closed.into_bytes()),
        ("200 lists without an end", deep.into_bytes()),
        ("a byte that is not UTF-8", b"\"\xff\"".to_vec()),
        (
            "a long text",
            format!("\"{}\"", "x".repeat(1 << 20)).into_bytes(),
        ),
    ]
}

/// Requests with a value in arguments of a tool, and outside of them, with the id first and last: behind lists without an
/// end nothing belongs to the request any more.
#[must_use]
pub fn unreadable_lines(tool: &str, id: &str, value: &[u8]) -> Vec<Vec<u8>> {
    let id = format!("\"id\":{id}");
    let head = r#""jsonrpc":"2.0","method":"tools/call","params":{"name":"#;
    let mut lines = Vec::new();
    for (before, behind) in [
        (format!(r#"{head}"{tool}","arguments":{{"ops":["#), "]}}"),
        (format!(r#"{head}"{tool}","arguments":{{}},"more":"#), "}"),
    ] {
        let first = format!("{{{id},{before}");
        lines.push([first.as_bytes(), value, behind.as_bytes(), b"}"].concat());
        let is_open = value.starts_with(b"[") && !value.ends_with(b"]");
        if !is_open {
            let last = format!("{behind},{id}}}");
            lines.push([format!("{{{before}").as_bytes(), value, last.as_bytes()].concat());
        }
    }
    lines
}

/// Checks that a call that would take hours ends when it is cancelled: it has no reply, the next call has its own soon, and
/// the document is as before.
///
/// # Panics
/// The check fails.
pub fn stops_when_cancelled(program: &str) {
    let root = super::play::scratch();
    let mut server = Server::new(program, root.path());
    server.act("new");
    server.act(ANY_LENGTH);
    let before = server.query("status");
    server.begin_endless(4);
    let started = Instant::now();
    let cancelled = json!({ "requestId": 4, "reason": "the user ended it" });
    server.say(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }),
    );
    assert_eq!(server.query("status"), before);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    drop(server.stdin.take());
    let late = server.rest();
    assert!(late.is_empty(), "{late:?}");
    assert!(server.ended().success());
}

/// Checks that a server ends when its replies are no longer read, even during a call that would
/// take minutes.
///
/// # Panics
/// The check fails.
#[cfg(unix)]
pub fn ends_when_unread(program: &str) {
    let root = super::play::scratch();
    let domain = Server::new(program, root.path()).domain.clone();
    let mut child = Command::new(program)
        .current_dir(root.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
    let mut server = Server {
        child,
        domain: domain.clone(),
        stdin,
        lines: mpsc::channel().1,
        next: 1000,
        started: Instant::now(),
    };
    let mut heard = BufReader::new(stdout).lines();
    let session = format!("{domain}_session");
    let calls = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } })
        .to_string()
            + "\n",
        line(2, &session, json!({ "action": "new" })),
        line(3, &session, json!({ "action": ANY_LENGTH })),
    ];
    for call in calls {
        server.write(call.as_bytes());
        heard.next().unwrap().unwrap();
    }
    server.begin_endless(4);
    let begun = server.child.try_wait().unwrap();
    assert_eq!(begun, None, "the call is under way");
    drop(heard);
    server.ended();
}

/// This platform does not report a closed reader.
#[cfg(not(unix))]
pub fn ends_when_unread(_program: &str) {}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tool call as a line.
#[must_use]
pub fn line(id: i64, tool: &str, arguments: Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    format!(
        "{}\n",
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    )
}
