//! Child processes, with an environment made from scratch and a time limit.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::reply::{Answer, Failure};

/// The time limit of git.
const PATIENCE: Duration = Duration::from_secs(30);

/// Settings that equal git's defaults, so that no configuration affects the output.
const PINS: [(&str, &str); 9] = [
    ("status.showUntrackedFiles", "normal"),
    ("status.renames", "true"),
    ("diff.renames", "true"),
    ("diff.renameLimit", "1000"),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.attributesFile", "/dev/null"),
    ("protocol.allow", "never"),
];

/// The environment of every child.
#[derive(Clone, Debug)]
pub struct Environment {
    /// A directory that stays empty, as the home.
    pub home: PathBuf,
    /// A directory for temporary files of one call.
    pub tmp: PathBuf,
    /// The search path of programs.
    pub path: OsString,
    /// Git.
    pub program: PathBuf,
}

/// A running child.
pub struct Running {
    child: Child,
    out: Receiver<Vec<u8>>,
    err: Receiver<Vec<u8>>,
    what: String,
    deadline: Instant,
}

/// The result of a child that ended.
pub struct Ended {
    /// Whether it succeeded.
    pub success: bool,
    /// Its standard output.
    pub out: Vec<u8>,
    /// Its standard error.
    pub err: String,
}

impl Environment {
    /// The environment of children, with git from a search path. A program that is named by its path
    /// is started without a copy of this process, and without a search each time.
    pub fn new(home: PathBuf, tmp: PathBuf, path: OsString) -> Self {
        let name = Path::new("git");
        let is_program = |file: &PathBuf| {
            file.is_absolute()
                && fs::metadata(file).is_ok_and(|is| is.is_file() && is.mode() & 0o111 != 0)
        };
        let mut found = env::split_paths(&path).map(|dir| dir.join(name));
        let program = found.find(is_program).unwrap_or_else(|| name.to_owned());
        Self {
            home,
            tmp,
            path,
            program,
        }
    }

    /// A git command in a work tree. `config` comes after the pins.
    pub fn git(&self, root: &Path, config: &[(String, String)]) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear();
        command
            .env("PATH", &self.path)
            .env("LC_ALL", "C")
            .env("HOME", &self.home)
            .env("XDG_CONFIG_HOME", &self.home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_LITERAL_PATHSPECS", "1");
        let pins = PINS
            .iter()
            .map(|(key, value)| (OsString::from(key), OsString::from(value)));
        let safe = (
            OsString::from("safe.directory"),
            root.as_os_str().to_owned(),
        );
        let more = config
            .iter()
            .map(|(key, value)| (OsString::from(key), OsString::from(value)));
        let mut count = 0;
        for (key, value) in pins.chain([safe]).chain(more) {
            command.env(format!("GIT_CONFIG_KEY_{count}"), key);
            command.env(format!("GIT_CONFIG_VALUE_{count}"), value);
            count += 1;
        }
        command.env("GIT_CONFIG_COUNT", count.to_string());
        command.arg("-C").arg(root);
        command
    }
}

/// Starts a command.
pub fn start(mut command: Command, input: Option<Vec<u8>>) -> Answer<Running> {
    let what = command
        .get_args()
        .skip(2)
        .take(2)
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ");
    command
        .stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|problem| Failure::internal(format!("git cannot be started: {problem}")))?;
    let out = gather(child.stdout.take());
    let err = gather(child.stderr.take());
    if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
        // If the child ends early, its status reports it.
        thread::spawn(move || drop(pipe.write_all(&input)));
    }
    let deadline = Instant::now() + PATIENCE;
    Ok(Running {
        child,
        out,
        err,
        what,
        deadline,
    })
}

fn gather(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut all = Vec::new();
        if let Some(mut pipe) = pipe {
            // After an error, the output is what was read before.
            let _ = pipe.read_to_end(&mut all);
        }
        let _ = send.send(all);
    });
    receive
}

impl Running {
    /// Waits for the child to end.
    pub fn end(mut self) -> Answer<Ended> {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let out = self.out.recv_timeout(left(self.deadline));
        let err = self.err.recv_timeout(left(self.deadline));
        let (Ok(out), Ok(err)) = (out, err) else {
            let _ = self.child.kill();
            let _ = self.child.wait();
            let message = format!("git {} took over {} s", self.what, PATIENCE.as_secs());
            return Err(Failure::internal(message));
        };
        let status = self.child.wait().map_err(|problem| {
            Failure::internal(format!("git {} was lost: {problem}", self.what))
        })?;
        Ok(Ended {
            success: status.success(),
            out,
            err: String::from_utf8_lossy(&err).trim().to_owned(),
        })
    }

    /// The output of the child, which must succeed.
    pub fn output(self) -> Answer<Vec<u8>> {
        let what = self.what.clone();
        let ended = self.end()?;
        if ended.success {
            return Ok(ended.out);
        }
        // Configuration may hold credentials; show only the first line of the error, without URLs.
        let reason = ended.err.lines().next().unwrap_or_default();
        let reason = if reason.contains("://") {
            "its message holds an address"
        } else {
            reason
        };
        Err(Failure::internal(format!("git {what} failed: {reason}")))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Kills a child that is not awaited; one that ended is only reaped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
