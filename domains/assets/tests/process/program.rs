//! The program, started in a folder with environment variables.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The timeout of all waits.
const PATIENCE: Duration = Duration::from_secs(60);

/// The folder with the library of the worked session.
pub fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library")
}

/// The program, with only these of its variables set.
pub fn command(folder: &Path, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fcp-assets"));
    command.current_dir(folder).env("MCP_READY_FILE", "");
    for name in [
        "SYN_SCHEMAS_DIR",
        "SYN_EXAMPLES_DIR",
        "SYN_BACKEND_URL",
        "SYN_BACKEND_ASSETS_PATH",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command
}

/// A server that is ready.
pub struct Program {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
    log: mpsc::Receiver<String>,
    pub ready: String,
}

/// The lines of a stream, as they arrive. A last line without a line ending is marked.
fn lines(stream: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, heard) = mpsc::channel();
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            let text = String::from_utf8(std::mem::take(&mut line)).unwrap();
            let whole = text.strip_suffix('\n').map(str::to_owned);
            if sender
                .send(whole.unwrap_or(format!("{text}(no end)")))
                .is_err()
            {
                return;
            }
        }
    });
    heard
}

impl Program {
    pub fn start(folder: &Path, variables: &[(&str, &str)]) -> Self {
        Self::of(command(folder, variables))
    }

    pub fn of(mut command: Command) -> Self {
        let streams = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = streams.spawn().unwrap();
        let log = lines(child.stderr.take().unwrap());
        let ready = loop {
            let line = log.recv_timeout(PATIENCE).unwrap();
            if line.contains("mcp:ready") {
                break line;
            }
        };
        Self {
            input: child.stdin.take(),
            lines: lines(child.stdout.take().unwrap()),
            child,
            log,
            ready,
        }
    }

    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub fn say(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    pub fn hear(&self) -> String {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    pub fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear()
    }

    /// The result of a tool in the plain dialect.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let line = self.ask(&plain("1", tool, &arguments.to_string()));
        let mut reply: Value = serde_json::from_str(&line).unwrap();
        reply["result"].take()
    }

    pub fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(sent.success());
    }

    pub fn close(&mut self) {
        self.input.take();
    }

    /// The remaining replies, the log, and the exit code.
    pub fn end(mut self) -> (Vec<String>, Vec<String>, i32) {
        let code = self.code();
        (self.lines.iter().collect(), self.log.iter().collect(), code)
    }

    /// The exit code, with the input left open.
    pub fn code(&mut self) -> i32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It has ended, or the test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A call in the plain dialect.
pub fn plain(id: &str, tool: &str, arguments: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{tool}","params":{arguments}}}"#)
}

/// The output of the program for a whole input.
pub fn run(mut command: Command, input: &[u8]) -> Output {
    let streams = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    // It may close its input before reading all of it.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// A copy of the library, which tests may change.
pub fn copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut open = vec![PathBuf::new()];
    while let Some(rest) = open.pop() {
        fs::create_dir_all(folder.path().join(&rest)).unwrap();
        for entry in fs::read_dir(library().join(&rest)).unwrap() {
            let entry = entry.unwrap();
            let rest = rest.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(rest);
            } else {
                fs::copy(entry.path(), folder.path().join(rest)).unwrap();
            }
        }
    }
    folder
}
