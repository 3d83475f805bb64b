//! The target of ops: a domain's endpoint in this process, or its program over MCP and real pipes.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use fcp::endpoint::{Answer, Endpoint};
use serde_json::json;

use super::folder::Folder;
use super::table::{Rounds, Table};
use crate::{server::Server, workspace::Result};

/// Numbers of repetitions.
pub struct Effort {
    /// For edits and files.
    pub rounds: usize,
    /// For starts of the program.
    pub starts: usize,
}

/// A target of ops.
pub trait Subject {
    /// Sends ops in one call; returns the time until the answer.
    fn run(&mut self, ops: &[String]) -> Result<Duration>;
    /// Sends a query; returns the time until the answer.
    fn ask(&mut self, query: &str) -> Result<Duration>;
    /// Calls a session action; returns the time until the answer.
    fn act(&mut self, action: &str) -> Result<Duration>;
    /// The processor time used so far, if it has a process of its own.
    fn processor(&self) -> Option<Duration>;
}

/// In this process.
pub struct Inside(pub Box<dyn Endpoint>);

impl Subject for Inside {
    fn run(&mut self, ops: &[String]) -> Result<Duration> {
        timed(|| self.0.run(ops, None))
    }

    fn ask(&mut self, query: &str) -> Result<Duration> {
        timed(|| self.0.query(query))
    }

    fn act(&mut self, action: &str) -> Result<Duration> {
        timed(|| self.0.act(action))
    }

    fn processor(&self) -> Option<Duration> {
        None
    }
}

/// In a process of its own.
pub struct Outside {
    server: Server,
    domain: &'static str,
}

impl Outside {
    /// Starts a domain's program.
    pub fn start(program: &Path, folder: &Folder, domain: &'static str) -> Result<Self> {
        let server = Server::start(program, folder.path())?;
        Ok(Self { server, domain })
    }

    /// Its memory in bytes, if the system reports it.
    pub fn bytes(&self) -> Option<u64> {
        self.server.memory()
    }

    /// Sends ops in one call; returns the time until the answer, and their total size in bytes.
    pub fn talk(&mut self, ops: &[String]) -> Result<(Duration, usize)> {
        let (answer, time) = self.server.call(self.domain, json!({ "ops": ops }))?;
        sound(&answer)?;
        let sent: usize = ops.iter().map(String::len).sum();
        Ok((time, sent + answer.len()))
    }

    /// Sends ops of which one must fail; returns the time until the answer.
    pub fn fail(&mut self, ops: &[String]) -> Result<Duration> {
        let start = Instant::now();
        let answer = self.server.call(self.domain, json!({ "ops": ops }));
        let time = start.elapsed();
        match answer.map(|(answer, _)| sound(&answer)) {
            Ok(Ok(())) => Err("what was to fail did not".into()),
            _ => Ok(time),
        }
    }

    /// Adds a row with its memory.
    pub fn memory(&self, table: &mut Table, what: &str) {
        // If the system does not report it, there is no row.
        if let Some(bytes) = self.bytes() {
            let mebibytes = bytes as f64 / f64::from(1 << 20);
            table.one(what, mebibytes, "MiB", "VmRSS of the server");
        }
    }

    fn call(&mut self, tool: &str, arguments: serde_json::Value) -> Result<Duration> {
        let tool = format!("{}{tool}", self.domain);
        let (answer, time) = self.server.call(&tool, arguments)?;
        sound(&answer)?;
        Ok(time)
    }
}

impl Subject for Outside {
    fn run(&mut self, ops: &[String]) -> Result<Duration> {
        self.call("", json!({ "ops": ops }))
    }

    fn ask(&mut self, query: &str) -> Result<Duration> {
        self.call("_query", json!({ "q": query }))
    }

    fn act(&mut self, action: &str) -> Result<Duration> {
        self.call("_session", json!({ "action": action }))
    }

    fn processor(&self) -> Option<Duration> {
        self.server.processor()
    }
}

/// Times the start, until an agent sees the tools.
pub fn starts(table: &mut Table, effort: &Effort, folder: &Folder, program: &Path) -> Result<()> {
    let mut times = Vec::new();
    for _ in 0..effort.starts {
        let start = Instant::now();
        let mut server = Server::start(program, folder.path())?;
        server.tools()?;
        times.push(start.elapsed());
    }
    table.add(
        "start",
        &Rounds::milliseconds(&times),
        "ms",
        "from spawning to the first reply to tools/list",
    );
    Ok(())
}

/// The memory of a program without a document.
pub fn idle(
    table: &mut Table,
    folder: &Folder,
    program: &Path,
    domain: &'static str,
) -> Result<()> {
    let mut subject = Outside::start(program, folder, domain)?;
    subject.server.tools()?;
    subject.memory(table, "memory, no document");
    Ok(())
}

fn timed(call: impl FnOnce() -> Answer) -> Result<Duration> {
    let start = Instant::now();
    let answer = call();
    let time = start.elapsed();
    sound(&answer.text)?;
    Ok(time)
}

/// Rejects an answer with an error, since its time would be meaningless.
fn sound(answer: &str) -> Result<()> {
    match answer.lines().find(|line| line.starts_with('!')) {
        Some(error) => Err(format!("what was to be timed failed: {error}").into()),
        None => Ok(()),
    }
}
