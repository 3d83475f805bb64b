//! Workspace: each tool on a repository of many files, next to git, ripgrep, tar and plain hashing.
//!
//! S is `git status --porcelain=v1 -z`; R is `rg -nF`, or `git grep -nF` without `rg`; T is tar
//! into a pipe; H reads and hashes the files in a loop on one thread; W writes their bytes to one
//! file and synchronizes it.

mod corpus;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::folder::Folder;
use super::subject::Effort;
use super::table::{Rounds, Table};
use crate::{server::Server, workspace::Result};

/// A text that occurs in few files of the corpus.
const NEEDLE: &str = "needle_17";

/// A measured repository, and the figures that goals are based on, in milliseconds.
struct Bench<'b> {
    table: &'b mut Table,
    rounds: usize,
    root: PathBuf,
    state: PathBuf,
    files: Vec<PathBuf>,
    status: f64,
    search: f64,
    archive: f64,
    hash: f64,
    write: f64,
}

/// Measures, and prints the table.
pub fn measure(program: &Path, effort: &Effort, quick: bool) -> Result<()> {
    let folder = Folder::new()?;
    let mut table = Table::default();
    let sizes: &[usize] = if quick { &[5_000] } else { &[5_000, 50_000] };
    for &count in sizes {
        let root = folder.path().join(format!("r{count}"));
        let files = corpus::lay(&root, count)?;
        let mut bench = Bench {
            table: &mut table,
            rounds: effort.rounds.min(9),
            state: folder.path().join(format!("s{count}")),
            root,
            files,
            status: 0.0,
            search: 0.0,
            archive: 0.0,
            hash: 0.0,
            write: 0.0,
        };
        bench.yardsticks(folder.path())?;
        bench.creates(program)?;
        bench.tools(program)?;
        bench.starts(program, effort)?;
    }
    table.print();
    Ok(())
}

impl Bench<'_> {
    fn name(&self, what: &str) -> String {
        format!("{what}, {} files", self.files.len())
    }

    /// Adds a row of several rounds; returns the median in milliseconds.
    fn row(
        &mut self,
        what: &str,
        how: &str,
        mut once: impl FnMut() -> Result<Duration>,
    ) -> Result<f64> {
        once()?;
        let times: Result<Vec<Duration>> = (0..self.rounds).map(|_| once()).collect();
        let rounds = Rounds::milliseconds(&times?);
        self.table.add(&self.name(what), &rounds, "ms", how);
        Ok(rounds.median())
    }

    /// The figures of other programs on the same tree.
    fn yardsticks(&mut self, folder: &Path) -> Result<()> {
        let root = self.root.clone();
        let git = root.clone();
        self.status = self.row("S", "git status --porcelain=v1 -z", || {
            silent(
                Command::new("git")
                    .arg("-C")
                    .arg(&git)
                    .args(["status", "--porcelain=v1", "-z"]),
            )
        })?;
        let ripgrep = Command::new("rg").arg("--version").output().is_ok();
        let (how, words) = match ripgrep {
            true => ("rg -nF", &["rg", "-nF", NEEDLE][..]),
            false => (
                "git grep -nF; ripgrep is not here",
                &["git", "grep", "--untracked", "-nF", NEEDLE][..],
            ),
        };
        let tree = root.clone();
        self.search = self.row("R", how, || {
            let [tool, flags @ ..] = words else {
                return Err("there is no tool".into());
            };
            // Without a terminal or a path, rg reads standard input.
            let mut search = Command::new(tool);
            search.args(flags).current_dir(&tree);
            if ripgrep {
                search.arg(".");
            }
            silent(&mut search)
        })?;
        let tree = root.display().to_string();
        self.archive = self.row("T", "tar -cf - | cat > /dev/null", || {
            let line = format!("tar -C '{tree}' --exclude .git -cf - . | cat > /dev/null");
            silent(Command::new("sh").args(["-c", &line]))
        })?;
        let files = self.files.clone();
        self.hash = self.row("H", "each file read and hashed, one thread", || {
            let start = Instant::now();
            for file in &files {
                std::hint::black_box(Sha256::digest(fs::read(file)?));
            }
            Ok(start.elapsed())
        })?;
        let files = self.files.clone();
        let target = folder.join("w");
        self.write = self.row("W", "the same bytes written and synchronised", || {
            let mut all = Vec::new();
            for file in &files {
                all.extend(fs::read(file)?);
            }
            let start = Instant::now();
            let mut file = fs::File::create(&target)?;
            file.write_all(&all)?;
            file.sync_data()?;
            Ok(start.elapsed())
        })?;
        Ok(())
    }

    fn serve(&self, program: &Path) -> Result<Server> {
        let state = self.state.display().to_string();
        Server::with(program, &self.root, &["--state", &state])
    }

    /// Captures into an empty store, and of an unchanged tree.
    fn creates(&mut self, program: &Path) -> Result<()> {
        let cold = 2.6 * self.status + 1.5 * self.hash + self.write + 30.0;
        let (root, state) = (self.root.clone(), self.state.clone());
        let fixed = if self.files.len() < 10_000 {
            " and 150"
        } else {
            ""
        };
        let how = format!("an empty store; goal {cold:.0}{fixed}");
        self.row("create, cold", &how, || {
            let _ = fs::remove_dir_all(&state);
            let flags = ["--state", &state.display().to_string()];
            let mut server = Server::with(program, &root, &flags)?;
            let made = server.call("snapshot.create", json!({ "paths": ["."] }))?;
            Ok(made.1)
        })?;
        let mut server = self.serve(program)?;
        let idle = server.memory();
        self.memory("memory, idle", idle, "goal 12");
        let warm = 2.6 * self.status + 15.0;
        let fixed = if self.files.len() < 10_000 {
            " and 40"
        } else {
            ""
        };
        let how = format!("an unchanged tree; goal {warm:.0}{fixed}");
        self.row("create, warm", &how, || {
            Ok(server.call("snapshot.create", json!({ "paths": ["."] }))?.1)
        })?;
        drop(server);
        let _ = fs::remove_dir_all(&self.state);
        let mut server = self.serve(program)?;
        server.call("snapshot.create", json!({ "paths": ["."] }))?;
        self.memory("memory, create, peak", server.peak(), &over(idle, 64));
        drop(server);
        self.large(program, idle)
    }

    /// A range of a file of 200 MB.
    fn large(&mut self, program: &Path, idle: Option<u64>) -> Result<()> {
        let path = self.root.join("large.txt");
        let line = "a line of a large file, which has more of them than anybody reads\n";
        fs::write(&path, line.repeat(200_000_000 / line.len()))?;
        let mut server = self.serve(program)?;
        let range = json!({ "path": "large.txt", "start_line": 1_000_000, "end_line": 1_000_199 });
        let how = "200 lines of 200 MB; reads and hashes all of it";
        self.row("file, range", how, || {
            Ok(server.call("snapshot.file", range.clone())?.1)
        })?;
        self.memory("memory, range, peak", server.peak(), &over(idle, 24));
        Ok(fs::remove_file(path)?)
    }

    /// Adds a row of memory, if the system reports it.
    fn memory(&mut self, what: &str, bytes: Option<u64>, how: &str) {
        if let Some(bytes) = bytes {
            let name = self.name(what);
            self.table.one(&name, mebibytes(bytes), "MiB", how);
        }
    }

    /// All tools, in both modes.
    fn tools(&mut self, program: &Path) -> Result<()> {
        let mut server = self.serve(program)?;
        let (made, _) = server.call("snapshot.create", json!({ "paths": ["."] }))?;
        let made: Value = serde_json::from_str(&made)?;
        let id = made["snapshot_id"].clone();
        let captured = |mut arguments: Value| {
            arguments["snapshot_id"] = id.clone();
            arguments
        };
        let (s, r) = (self.status, self.search);
        let file = self.files.first().ok_or("there are no files")?;
        let path = file
            .strip_prefix(&self.root)?
            .to_string_lossy()
            .into_owned();
        let first = fs::read_to_string(file)?;
        let first = first.lines().next().unwrap_or_default().to_owned();
        let patch = |from: &str, to: &str| json!({ "patch": format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{from}\n+{to}\n") });
        let live = 1.3 * s + 8.0;
        for (what, tool, arguments, goal) in [
            ("list, work tree", "snapshot.list", json!({}), live),
            (
                "file, work tree",
                "snapshot.file",
                json!({ "path": path }),
                live,
            ),
            (
                "grep, work tree",
                "snapshot.grep",
                json!({ "pattern": NEEDLE, "regex": false, "max_files": 200_000 }),
                1.3 * s + 1.5 * r + 15.0,
            ),
            ("list, snapshot", "snapshot.list", captured(json!({})), 2.0),
            (
                "file, snapshot",
                "snapshot.file",
                captured(json!({ "path": path })),
                2.0,
            ),
            ("info", "snapshot.info", captured(json!({})), 2.0),
            (
                "grep, snapshot",
                "snapshot.grep",
                captured(json!({ "pattern": NEEDLE, "regex": false, "max_files": 200_000 })),
                1.2 * r + 10.0,
            ),
            (
                "changes",
                "snapshot.changes",
                captured(json!({})),
                f64::INFINITY,
            ),
            (
                "export tar",
                "snapshot.export",
                captured(json!({})),
                self.archive,
            ),
            (
                "apply_patch, snapshot",
                "workspace.apply_patch",
                captured(patch(&first, "patched")),
                5.0,
            ),
        ] {
            let how = match goal {
                goal if goal.is_finite() => format!("goal {goal:.0}"),
                _ => "no goal".to_owned(),
            };
            self.row(what, &how, || Ok(server.call(tool, arguments.clone())?.1))?;
        }
        let mut turn = false;
        let how = format!("one line, there and back; goal {:.0}", 2.6 * s + 10.0);
        self.row("apply_patch, work tree", &how, || {
            turn = !turn;
            let sent = match turn {
                true => patch(&first, "patched"),
                false => patch("patched", &first),
            };
            Ok(server.call("workspace.apply_patch", sent)?.1)
        })?;
        self.memory("memory, all tools, peak", server.peak(), "no goal");
        Ok(())
    }

    fn starts(&mut self, program: &Path, effort: &Effort) -> Result<()> {
        let mut server = self.serve(program)?;
        let (made, _) = server.call("snapshot.create", json!({ "paths": ["."] }))?;
        let made: Value = serde_json::from_str(&made)?;
        for number in 0..100 {
            let edit = json!({ "snapshot_id": made["snapshot_id"], "path": "x", "content": number.to_string() });
            server.call("workspace.write_file", edit)?;
        }
        drop(server);
        let mut times = Vec::new();
        for _ in 0..effort.starts {
            let start = Instant::now();
            drop(self.serve(program)?);
            times.push(start.elapsed());
        }
        let name = self.name("start");
        let how = "from spawning to the reply to initialize, 100 snapshots stored; goal 15";
        self.table
            .add(&name, &Rounds::milliseconds(&times), "ms", how);
        Ok(())
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// The goal of `more` MiB above an idle server.
fn over(idle: Option<u64>, more: u32) -> String {
    idle.map_or_else(
        || format!("goal idle + {more}"),
        |idle| format!("goal {:.0}", mebibytes(idle) + f64::from(more)),
    )
}

/// Runs a command and discards its output.
fn silent(command: &mut Command) -> Result<Duration> {
    let start = Instant::now();
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    let time = start.elapsed();
    match status.code() {
        // A search without a match exits with 1.
        Some(0 | 1) => Ok(time),
        _ => Err(format!("{command:?} failed").into()),
    }
}
