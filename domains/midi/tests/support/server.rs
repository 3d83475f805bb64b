//! The program as a client meets it: a process, two pipes, JSON-RPC.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(120);

/// A server, and what it says.
pub struct Server {
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    next: i64,
}

impl Server {
    /// A server in a folder, which has shaken hands.
    pub fn new(root: &Path) -> Self {
        Self::with(root, &[])
    }

    /// A server with more arguments.
    pub fn with(root: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fcp-midi"))
            .args(arguments)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (said, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if said.send(line).is_err() {
                    break;
                }
            }
        });
        let mut server = Self {
            child,
            stdin,
            lines,
            next: 1000,
        };
        let reply = server.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(reply["result"]["protocolVersion"], "2025-11-25", "{reply}");
        server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    /// Sends bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a message.
    pub fn say(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// The next message.
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

    /// Calls a tool; the text of the result and whether it is an error.
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

    fn fine(&mut self, tool: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let (text, error) = self.call(tool, arguments);
        assert!(!error, "{shown}\n{text}");
        text
    }

    fn wrong(&mut self, tool: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let (text, error) = self.call(tool, arguments);
        assert!(error, "{shown}\n{text}");
        text
    }

    /// Ops that succeed.
    pub fn run(&mut self, ops: &[&str]) -> String {
        self.fine("midi", json!({ "ops": ops }))
    }

    /// Ops of which nothing is applied.
    pub fn refused(&mut self, ops: &[&str]) -> String {
        self.wrong("midi", json!({ "ops": ops }))
    }

    /// A query that succeeds.
    pub fn query(&mut self, q: &str) -> String {
        self.fine("midi_query", json!({ "q": q }))
    }

    /// A query that fails.
    pub fn no_query(&mut self, q: &str) -> String {
        self.wrong("midi_query", json!({ "q": q }))
    }

    /// An action that succeeds.
    pub fn act(&mut self, action: &str) -> String {
        self.fine("midi_session", json!({ "action": action }))
    }

    /// An action that fails.
    pub fn no_act(&mut self, action: &str) -> String {
        self.wrong("midi_session", json!({ "action": action }))
    }

    /// Ends the input; how the process ended.
    pub fn end(mut self) -> ExitStatus {
        drop(self.stdin.take());
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

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A tool call as a line.
pub fn line(id: i64, tool: &str, arguments: Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    format!(
        "{}\n",
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
    )
}
