//! The program at the end of two pipes, and a backend that accepts everything.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::workspace::Result;

/// Calls of a tool in the raw dialect, as lines.
pub fn raw(tool: &str, arguments: &str, many: usize) -> Vec<String> {
    lines(&format!(r#""method":"{tool}","params":{arguments}"#), many)
}

/// The calls as MCP.
pub fn mcp(tool: &str, arguments: &str, many: usize) -> Vec<String> {
    let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
    lines(&format!(r#""method":"tools/call","params":{params}"#), many)
}

fn lines(rest: &str, many: usize) -> Vec<String> {
    let line = |id| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{rest}}}\n");
    (1..=many).map(line).collect()
}

/// A running server. It ends when dropped.
pub struct Pipe {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Pipe {
    /// Starts a server in a folder. Returns also the time until it reports that it is ready.
    pub fn start(program: &Path, folder: &Path, backend: Option<&str>) -> Result<(Self, Duration)> {
        let start = Instant::now();
        let mut child = Command::new(program)
            .current_dir(folder)
            .env_remove("SYN_SCHEMAS_DIR")
            .env_remove("SYN_EXAMPLES_DIR")
            .env("MCP_READY_FILE", "")
            .env("SYN_BACKEND_URL", backend.unwrap_or_default())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err("the server has no pipes".into());
        };
        let mut stderr = BufReader::new(stderr);
        let mut line = String::new();
        while !line.contains("mcp:ready") {
            line.clear();
            if stderr.read_line(&mut line)? == 0 {
                return Err("the server ended before it was ready".into());
            }
        }
        let time = start.elapsed();
        thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let stdout = BufReader::with_capacity(1 << 20, stdout);
        let pipe = Self {
            child,
            stdin,
            stdout,
        };
        Ok((pipe, time))
    }

    /// Performs the MCP handshake.
    pub fn shake_hands(&mut self) -> Result<()> {
        let hello = concat!(
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
            r#""capabilities":{},"clientInfo":{"name":"xtask","version":"0"}}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "\n",
        );
        self.stdin.write_all(hello.as_bytes())?;
        self.hear().map(drop)
    }

    /// The next reply, which must not be an error.
    fn hear(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stdout.read_line(&mut line)? == 0 {
            return Err("the server ended".into());
        }
        sound(&line)?;
        Ok(line)
    }

    /// Sends all lines and reads the replies in parallel.
    pub fn pipelined(&mut self, lines: &[String]) -> Result<Duration> {
        let all = lines.concat();
        let start = Instant::now();
        let stdin = &mut self.stdin;
        let stdout = &mut self.stdout;
        let mut last = String::new();
        thread::scope(|scope| {
            let sent = scope.spawn(move || stdin.write_all(all.as_bytes()));
            for _ in lines {
                last.clear();
                if stdout.read_line(&mut last)? == 0 {
                    return Err("the server ended".into());
                }
            }
            sent.join().map_err(|_| "the writer failed")??;
            Ok::<(), Box<dyn std::error::Error>>(())
        })?;
        let time = start.elapsed();
        sound(&last)?;
        Ok(time)
    }

    /// Sends lines, at most `many` of them without a reply at a time.
    pub fn in_flight(&mut self, lines: &[String], many: usize) -> Result<Duration> {
        let start = Instant::now();
        let (first, rest) = lines.split_at(many.min(lines.len()));
        self.stdin.write_all(first.concat().as_bytes())?;
        for line in rest {
            self.hear()?;
            self.stdin.write_all(line.as_bytes())?;
        }
        for _ in first {
            self.hear()?;
        }
        Ok(start.elapsed())
    }

    /// Sends a line of this many bytes, and returns the reply.
    pub fn flood(&mut self, bytes: usize) -> Result<String> {
        let block = vec![b'x'; 1 << 20];
        let mut left = bytes;
        while left > 0 {
            let part = block.get(..left).unwrap_or(&block);
            self.stdin.write_all(part)?;
            left -= part.len();
        }
        self.stdin.write_all(b"\n")?;
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        Ok(line)
    }

    /// The server's memory, in bytes.
    pub fn resident(&self) -> Result<u64> {
        self.memory("VmRSS:")
    }

    /// The server's peak memory, in bytes.
    pub fn peak(&self) -> Result<u64> {
        self.memory("VmHWM:")
    }

    fn memory(&self, what: &str) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(what));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        let kibibytes: u64 = kibibytes.ok_or("the system does not report it")?.parse()?;
        Ok(kibibytes * 1024)
    }
}

/// Rejects an error reply, since its time would be meaningless.
fn sound(line: &str) -> Result<()> {
    let head = line.get(..200).unwrap_or(line);
    if head.contains(r#""error":"#) || head.contains(r#""ok":false"#) {
        return Err(format!("the server answers {head}").into());
    }
    Ok(())
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A local backend. It stores nothing but reports success.
pub struct Backend(String);

impl Backend {
    /// Starts the backend on a free port. It ends with the process.
    pub fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || take(stream));
            }
        });
        Ok(Self(address))
    }

    /// The address of the backend.
    pub fn address(&self) -> &str {
        &self.0
    }
}

/// Answers requests until the client disconnects.
fn take(stream: TcpStream) -> std::io::Result<()> {
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        writer.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{\"id\":\"a\"}")?;
    }
}
