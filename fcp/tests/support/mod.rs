//! Runs the example server as a real process, over real pipes.
#![allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "only tests use it, and none all"
)]

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio},
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant, SystemTime},
};

use serde_json::{Value, json};

/// The newest revision with a handshake.
pub const HANDSHAKE: &str = "2025-11-25";

/// The example program with documents.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| example("echo"))
}

/// The example program with structured tools.
pub fn toolset() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| example("shelf"))
}

/// An example program, built if it is missing or older than its sources.
fn example(name: &str) -> PathBuf {
    let profile = env::current_exe()
        .unwrap()
        .parent()
        .unwrap()
        .parent()
        .unwrap()
        .to_owned();
    let path = profile
        .join("examples")
        .join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = ["src", "examples", "tests/support"].map(|folder| newest(&package.join(folder)));
    // `cargo test` builds examples; `cargo test --test NAME` does not.
    if fs::metadata(&path).and_then(|file| file.modified()).ok()
        < sources.into_iter().max().flatten()
    {
        let mut build = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
        build
            .args(["build", "--quiet", "--example", name])
            .current_dir(package);
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
    }
    path
}

fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .filter_map(|path| {
            if path.is_dir() {
                newest(&path)
            } else {
                fs::metadata(path).ok()?.modified().ok()
            }
        })
        .max()
}

/// Runs the example to its end.
pub fn run(arguments: &[&str], input: &str) -> Output {
    run_program(program(), arguments, input)
}

/// Runs a program to its end.
pub fn run_program(program: &Path, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

/// A server and its messages.
pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    next: i64,
}

impl Server {
    /// A server that has received no message yet.
    pub fn silent(arguments: &[&str]) -> Self {
        Self::of(program(), arguments)
    }

    /// A server of another program, without messages yet.
    pub fn of(program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            stdin,
            lines,
            next: 1000,
        }
    }

    /// A server after a handshake with this revision.
    pub fn speaking(revision: &str, arguments: &[&str]) -> Self {
        Self::silent(arguments).spoken_to(revision)
    }

    /// A server of structured tools, after its handshake.
    pub fn tools(arguments: &[&str]) -> Self {
        Self::of(toolset(), arguments).spoken_to(HANDSHAKE)
    }

    fn spoken_to(mut self, revision: &str) -> Self {
        let server = &mut self;
        let client = json!({ "name": "test", "version": "1" });
        let params =
            json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": client });
        let reply = server.ask("initialize", params);
        assert_eq!(reply["result"]["protocolVersion"], revision, "{reply}");
        server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        self
    }

    /// A server after its handshake.
    pub fn new() -> Self {
        Self::speaking(HANDSHAKE, &[])
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
        let line = self
            .lines
            .recv_timeout(Duration::from_secs(60))
            .expect("a reply");
        serde_json::from_str(&line).unwrap_or_else(|problem| panic!("{problem}: {line}"))
    }

    /// Sends a request and returns its reply, which is the next message.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.say(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        let reply = self.hear();
        assert_eq!(reply["id"], self.next, "{reply}");
        reply
    }

    /// Calls a tool. Returns the result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        assert!(reply["result"].is_object(), "{reply}");
        reply["result"].clone()
    }

    /// Calls a tool. Returns the text of the result, which must not be an error.
    pub fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Calls a tool. Returns the text of the result, which must be an error.
    pub fn error(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Ends the input. Returns the remaining messages and the exit status.
    pub fn end(mut self) -> (Vec<Value>, ExitStatus) {
        drop(self.stdin.take());
        let mut rest = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(60)) {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        (rest, self.wait())
    }

    /// Waits for the process to end. Returns its exit status.
    pub fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "the server does not end"
            );
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tool call as a request.
pub fn request(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params })
}
