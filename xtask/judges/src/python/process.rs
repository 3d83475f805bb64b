//! The process that reads files in Python, with one line of JSON per file.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The program's source.
const SCRIPT: &str = concat!(
    include_str!("drawing.py"),
    "\n",
    include_str!("song.py"),
    "\n",
    include_str!("judge.py")
);

/// A running process. It ends when dropped.
pub struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts the process. `python` must have the packages of
    /// [`REQUIREMENTS`](super::REQUIREMENTS).
    ///
    /// # Errors
    /// There is no such program.
    pub fn start(python: &Path) -> Result<Self, String> {
        let failed = |problem: String| format!("{}: {problem}", python.display());
        let mut child = Command::new(python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("no pipes".to_owned()));
        };
        let stdout = BufReader::new(stdout);
        Ok(Self {
            child,
            stdin,
            stdout,
        })
    }

    /// The facts of a file, read by a library.
    ///
    /// # Errors
    /// The library rejects the file, or the process ended.
    pub fn ask(&mut self, library: &str, bytes: &[u8]) -> Result<Vec<Value>, String> {
        self.send(library, bytes, &Value::Null)
    }

    /// The differences between the tables of a drawing and those computed by the libraries.
    ///
    /// # Errors
    /// The libraries reject the file, or the process ended.
    pub fn differences(&mut self, bytes: &[u8], tables: &Value) -> Result<Vec<String>, String> {
        let facts = self.send("drawing", bytes, tables)?;
        let facts = facts.iter().filter_map(Value::as_str);
        Ok(facts.map(str::to_owned).collect())
    }

    /// The rows of notes and events of a song, computed from `mido`'s reading.
    ///
    /// # Errors
    /// The library rejects the file, or the process ended.
    pub fn song(&mut self, bytes: &[u8]) -> Result<[Value; 2], String> {
        let tables = self.send("song", bytes, &Value::Null)?;
        tables.try_into().map_err(|_| "no two tables".to_owned())
    }

    fn send(&mut self, library: &str, bytes: &[u8], tables: &Value) -> Result<Vec<Value>, String> {
        let mut data = String::with_capacity(bytes.len() * 2);
        for byte in bytes {
            let _ = write!(data, "{byte:02x}");
        }
        let request = json!({ "judge": library, "data": data, "tables": tables });
        let mut line = String::new();
        let answered = writeln!(self.stdin, "{request}")
            .and_then(|()| self.stdin.flush())
            .and_then(|()| self.stdout.read_line(&mut line));
        answered.map_err(|error| error.to_string())?;
        let mut answer: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        match answer["facts"].take() {
            Value::Array(facts) => Ok(facts),
            _ => Err(answer["refused"].as_str().unwrap_or("no answer").to_owned()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Errors are ignored: the process is over either way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
