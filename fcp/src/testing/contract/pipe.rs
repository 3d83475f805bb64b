//! A server at the other end of two pipes: a program, or an endpoint of this process.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::endpoint::Endpoint;
use crate::mcp::{Options, serve, serve_tools};
use crate::tool::Tools;

/// The longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// One connection to a server, message by message.
pub trait Peer {
    /// Sends a request and returns the message that answers it.
    ///
    /// # Errors
    /// There is no answer.
    fn request(&mut self, message: &Value) -> Result<Value, String>;
    /// Sends a message that has no answer.
    ///
    /// # Errors
    /// The server no longer reads.
    fn notify(&mut self, message: &Value) -> Result<(), String>;
}

/// A server that can be started for each row.
pub trait Target: Sync {
    /// Starts it in a folder, with additional arguments.
    ///
    /// # Errors
    /// It does not start.
    fn start(&self, folder: &Path, arguments: &[&str]) -> Result<Box<dyn Peer>, String>;
    /// The output of its program when run with arguments to its end; `None` if it is not a program.
    ///
    /// # Errors
    /// It cannot be run, fails, or does not end.
    fn print(&self, folder: &Path, arguments: &[&str]) -> Option<Result<String, String>>;
    /// Its name in a report.
    fn name(&self) -> String;
}

/// A command that serves MCP on its standard input and output.
#[derive(Clone, Debug)]
pub struct Program {
    program: PathBuf,
    arguments: Vec<String>,
}

impl Program {
    /// A program with its fixed arguments. It is started in other folders than this process's, so
    /// paths are made absolute: that of the program, unless it is a bare name, and those of files
    /// among the arguments.
    pub fn new(program: impl Into<PathBuf>, arguments: impl IntoIterator<Item = String>) -> Self {
        let program = program.into();
        let bare = program.components().count() == 1;
        let whole = |argument: String| match std::path::absolute(&argument) {
            Ok(path) if path.is_file() => path.display().to_string(),
            _ => argument,
        };
        Self {
            program: match std::path::absolute(&program) {
                Ok(path) if !bare => path,
                _ => program,
            },
            arguments: arguments.into_iter().map(whole).collect(),
        }
    }

    fn spawn(&self, folder: &Path, arguments: &[&str], input: Stdio) -> Result<Child, String> {
        Command::new(&self.program)
            .args(&self.arguments)
            .args(arguments)
            .current_dir(folder)
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.program.display()))
    }
}

impl Target for Program {
    fn start(&self, folder: &Path, arguments: &[&str]) -> Result<Box<dyn Peer>, String> {
        let mut child = self.spawn(folder, arguments, Stdio::piped())?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the program has no pipes".to_owned());
        };
        Ok(Box::new(Pipe::new(input, output, Some(child))))
    }

    fn print(&self, folder: &Path, arguments: &[&str]) -> Option<Result<String, String>> {
        Some(self.printed(folder, arguments))
    }

    fn name(&self) -> String {
        self.program.display().to_string()
    }
}

impl Program {
    fn printed(&self, folder: &Path, arguments: &[&str]) -> Result<String, String> {
        let mut child = self.spawn(folder, arguments, Stdio::null())?;
        let Some(mut output) = child.stdout.take() else {
            return Err("the program has no pipes".to_owned());
        };
        // Read in parallel with the wait: otherwise a program that fills the pipe never ends.
        let reader = thread::spawn(move || {
            let mut text = String::new();
            output.read_to_string(&mut text).map(|_| text)
        });
        let started = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => break,
                Ok(Some(status)) => return Err(format!("ended with {status}")),
                Ok(None) if started.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(5));
                }
                Ok(None) => {
                    // Ended in any case; errors do not matter.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err("does not end".to_owned());
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        match reader.join() {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("its output could not be read".to_owned()),
        }
    }
}

/// An endpoint served over pipes inside this process.
///
/// # Errors
/// The system cannot provide pipes or a thread.
pub fn inside(endpoint: Box<dyn Endpoint>, options: Options) -> io::Result<Box<dyn Peer>> {
    piped(move |input, output| serve(endpoint, options, input, output))
}

/// Structured tools served over pipes inside this process.
///
/// # Errors
/// The system cannot provide pipes or a thread.
pub fn inside_tools(tools: Arc<dyn Tools>, options: Options) -> io::Result<Box<dyn Peer>> {
    piped(move |input, output| serve_tools(tools, options, input, output))
}

fn piped(
    serve: impl FnOnce(PipeReader, PipeWriter) -> io::Result<()> + Send + 'static,
) -> io::Result<Box<dyn Peer>> {
    let (theirs, input) = io::pipe()?;
    let (output, mine) = io::pipe()?;
    thread::Builder::new().spawn(move || {
        // An error closes the pipe, which is noticed at its other end.
        let _ = serve(theirs, mine);
    })?;
    Ok(Box::new(Pipe::new(input, output, None)))
}

struct Pipe {
    input: Option<Box<dyn Write>>,
    lines: mpsc::Receiver<String>,
    child: Option<Child>,
}

impl Pipe {
    fn new(
        input: impl Write + 'static,
        output: impl Read + Send + 'static,
        child: Option<Child>,
    ) -> Self {
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            input: Some(Box::new(input)),
            lines,
            child,
        }
    }
}

impl Peer for Pipe {
    fn request(&mut self, message: &Value) -> Result<Value, String> {
        self.notify(message)?;
        let started = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(started.elapsed());
            let line = self.lines.recv_timeout(left).map_err(|error| match error {
                mpsc::RecvTimeoutError::Timeout => {
                    format!("no answer within {} seconds", PATIENCE.as_secs())
                }
                mpsc::RecvTimeoutError::Disconnected => {
                    "the server ended without an answer".to_owned()
                }
            })?;
            let answer: Value = serde_json::from_str(&line).map_err(|_| {
                format!("standard output has something that is not a message: {line}")
            })?;
            if answer.get("method").is_none() && answer.get("id") == message.get("id") {
                return Ok(answer);
            }
            if answer.get("method").is_none() && answer.get("id").is_none() {
                return Err(format!(
                    "standard output has something that is not a message: {line}"
                ));
            }
            // A request from the server: this client offers nothing, so it refuses.
            if let (Some(id), Some(_)) = (answer.get("id"), answer.get("method")) {
                let none = json!({ "code": -32601, "message": "this client offers nothing" });
                self.notify(&json!({ "jsonrpc": "2.0", "id": id, "error": none }))?;
            }
        }
    }

    fn notify(&mut self, message: &Value) -> Result<(), String> {
        let Some(input) = self.input.as_mut() else {
            return Err("the connection is closed".to_owned());
        };
        let line = format!("{message}\n");
        let written = input
            .write_all(line.as_bytes())
            .and_then(|()| input.flush());
        written.map_err(|error| format!("the server does not listen: {error}"))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // A server ends when its input does; otherwise it is killed.
        self.input.take();
        if let Some(child) = &mut self.child {
            let started = Instant::now();
            while started.elapsed() < Duration::from_secs(2) {
                if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
                    return;
                }
                thread::sleep(Duration::from_millis(2));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
