//! A domain's program, used over MCP as by an agent.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::workspace::Result;

/// The newest protocol revision that starts with a handshake.
const REVISION: &str = "2025-11-25";

/// A running server. It ends when dropped.
pub struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next: u64,
    /// The server's reply to the handshake.
    pub hello: Value,
}

impl Server {
    /// Starts a program that serves the files of a folder, and performs the handshake.
    pub fn start(program: &Path, folder: &Path) -> Result<Self> {
        Self::with(program, folder, &[])
    }

    /// Starts a program with flags, and performs the handshake.
    pub fn with(program: &Path, folder: &Path, flags: &[&str]) -> Result<Self> {
        let mut child = Command::new(program)
            .arg("--root")
            .arg(folder)
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|problem| format!("{}: {problem}", program.display()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the server has no pipes".into());
        };
        let mut server = Self {
            child,
            stdin,
            stdout: BufReader::new(stdout),
            next: 0,
            hello: Value::Null,
        };
        let about = json!({
            "protocolVersion": REVISION,
            "capabilities": {},
            "clientInfo": { "name": "xtask", "version": "0" },
        });
        server.hello = server.request("initialize", about)?.0;
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(server)
    }

    /// Sends a request, and returns the result with the time until it arrived.
    pub fn request(&mut self, method: &str, params: Value) -> Result<(Value, Duration)> {
        self.next += 1;
        let id = self.next;
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        let start = Instant::now();
        self.line(&request)?;
        loop {
            let mut line = String::new();
            if self.stdout.read_line(&mut line)? == 0 {
                return Err(format!("the server ended without an answer to {method}").into());
            }
            let time = start.elapsed();
            let mut answer: Value = serde_json::from_str(&line)?;
            if answer["id"] != id {
                continue;
            }
            if !answer["error"].is_null() {
                return Err(format!("{method}: {}", answer["error"]).into());
            }
            return Ok((answer["result"].take(), time));
        }
    }

    /// Sends any line, and returns the next answer with the time until it arrived.
    pub fn exchange(&mut self, line: &str) -> Result<(Value, Duration)> {
        let start = Instant::now();
        self.line(line)?;
        let mut answer = String::new();
        if self.stdout.read_line(&mut answer)? == 0 {
            let shown: String = line.chars().take(200).collect();
            return Err(format!("the server ended without an answer to {shown}").into());
        }
        Ok((serde_json::from_str(&answer)?, start.elapsed()))
    }

    /// Calls a tool, and returns the text of its answer with the time it took.
    #[cfg(any(feature = "fidelity", feature = "measures"))]
    pub fn call(&mut self, tool: &str, arguments: Value) -> Result<(String, Duration)> {
        let params = json!({ "name": tool, "arguments": arguments });
        let (result, time) = self.request("tools/call", params)?;
        let answer = crate::workspace::text(&result["content"][0], "text");
        if result["isError"] == true {
            return Err(format!("{tool}: {answer}").into());
        }
        Ok((answer.to_owned(), time))
    }

    /// The tools listed by the server.
    pub fn tools(&mut self) -> Result<Vec<Value>> {
        let (mut result, _) = self.request("tools/list", json!({}))?;
        match result["tools"].take() {
            Value::Array(tools) => Ok(tools),
            _ => Err("the server lists no tools".into()),
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        self.line(&message.to_string())
    }

    fn line(&mut self, line: &str) -> Result<()> {
        let mut line = line.to_owned();
        line.push('\n');
        self.stdin.write_all(line.as_bytes())?;
        Ok(self.stdin.flush()?)
    }

    /// Its current memory in bytes, if the system reports it.
    pub fn memory(&self) -> Option<u64> {
        self.kibibytes("VmRSS:").map(|size| size * 1024)
    }

    /// Its peak memory in bytes, if the system reports it.
    #[cfg(feature = "measures")]
    pub fn peak(&self) -> Option<u64> {
        self.kibibytes("VmHWM:").map(|size| size * 1024)
    }

    fn kibibytes(&self, name: &str) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }

    /// The processor time of all its threads so far, if the system reports it.
    pub fn processor(&self) -> Option<Duration> {
        let mut nanoseconds = 0;
        for task in fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()? {
            let times = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            nanoseconds += times.split(' ').next()?.parse::<u64>().ok()?;
        }
        Some(Duration::from_nanos(nanoseconds))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Errors are ignored: the process is over either way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
