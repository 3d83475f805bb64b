//! Git, in an environment made from scratch and with limits.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use fcp::child::{self, Ended};

use crate::reply::{Answer, Failure};

/// The time limit of git.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most bytes that git may answer: the names of some ten million files.
const MOST: u64 = 1 << 30;

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
#[derive(Clone, Debug, Default)]
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

/// A running git.
pub struct Running {
    child: child::Running,
    /// Its subcommand, for errors.
    what: String,
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
pub fn start(command: Command, input: Vec<u8>) -> Answer<Running> {
    let words = command.get_args().skip(2).take(2);
    let what = words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ");
    let child = child::start(command, input, PATIENCE, MOST);
    let child =
        child.map_err(|problem| Failure::internal(format!("git cannot be started: {problem}")))?;
    Ok(Running { child, what })
}

impl Running {
    /// Waits for git to end.
    pub fn end(self) -> Answer<Ended> {
        let ended = self.child.end();
        ended.map_err(|error| Failure::internal(format!("git {} {error}", self.what)))
    }

    /// The output of git, which must succeed.
    pub fn output(self) -> Answer<Vec<u8>> {
        let what = self.what.clone();
        let ended = self.end()?;
        if ended.status.success() {
            return Ok(ended.out);
        }
        // Configuration may hold credentials; show only the first line of the error, without URLs.
        let reason = ended.complaints.trim().lines().next().unwrap_or_default();
        let reason = match reason.contains("://") {
            true => "its message holds an address",
            false => reason,
        };
        Err(Failure::internal(format!("git {what} failed: {reason}")))
    }
}
