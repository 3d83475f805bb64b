//! The domain's program, over MCP and real pipes.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use serde_json::json;

use super::edits::{self, BATCH, Effort, Subject};
use super::song::{self, Folder};
use super::table::{Rounds, Table, thousands};
use crate::{server::Server, workspace::Result};

struct Outside(Server);

impl Subject for Outside {
    fn run(&mut self, ops: &[String]) -> Result<Duration> {
        let (said, time) = self.0.call("midi", json!({ "ops": ops }))?;
        edits::sound(&said)?;
        Ok(time)
    }

    fn act(&mut self, action: &str) -> Result<Duration> {
        let (said, time) = self.0.call("midi_session", json!({ "action": action }))?;
        edits::sound(&said)?;
        Ok(time)
    }

    fn processor(&self) -> Option<Duration> {
        self.0.processor()
    }
}

/// Times edits on an empty song and on the large one. The medians of the large call.
pub fn edits(
    table: &mut Table,
    effort: &Effort,
    folder: &Folder,
    program: &Path,
    notes: u32,
) -> Result<[f64; 2]> {
    let mut at = |notes| {
        let mut subject = Outside(Server::start(program, folder.path())?);
        edits::measure(&mut subject, table, effort, "MCP over stdio", notes)
    };
    Ok([at(0)?, at(notes)?])
}

/// Times how soon an agent sees the tools.
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

/// Asks the system how much memory the server holds.
pub fn memory(table: &mut Table, folder: &Folder, program: &Path, notes: u32) -> Result<()> {
    let mut server = Server::start(program, folder.path())?;
    server.tools()?;
    let mut row = |server: &Server, what: &str| {
        // Where the system does not tell, there is no row.
        if let Some(bytes) = server.memory() {
            let mebibytes = bytes as f64 / f64::from(1 << 20);
            table.one(what, mebibytes, "MiB", "VmRSS of the server");
        }
    };
    row(&server, "memory, no document");
    drop(server);
    for notes in [0, notes] {
        let mut subject = Outside(Server::start(program, folder.path())?);
        edits::prepare(&mut subject, notes)?;
        let at = thousands(f64::from(notes));
        row(&subject.0, &format!("memory, {at} notes"));
        subject.run(&song::ops(BATCH))?;
        row(&subject.0, &format!("memory, {at} notes and 1,000 by ops"));
    }
    Ok(())
}
