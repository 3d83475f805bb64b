//! The toolset: roots, leases, store and limits.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fcp::endpoint::{Config, Flag, FlagValue, HTTP, HTTP_HOST};
use fcp::prelude::*;
use fcp::tool::{
    Contents, Exceeded, Presented, Resource, Structured, Template, ToolError, Trouble, reply_limit,
};
use fcp::work;
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::files::{Root, open_root, recover};
use crate::git::{self, Environment, Repository};
use crate::lease::Leases;
use crate::store::{Cache, Folder, Meta, Scratch, Snapshot, Store, lock};
use crate::{canon, resources, shown as outgoing};

const fn text(name: &'static str, value: &'static [&'static str], doc: &'static str) -> Flag {
    Flag {
        name,
        takes: FlagValue::Text {
            names: value,
            more: false,
        },
        doc,
    }
}

const STATE: Flag = text(
    "state",
    &["DIR"],
    "The directory for snapshots, outside every root [default: $XDG_STATE_HOME/fcp/workspace].",
);
const NO_STATE: Flag = Flag {
    name: "no-state",
    takes: FlagValue::None,
    doc: "Keep snapshots no longer than the server runs.",
};
const TOOL_NAMES: Flag = text(
    "tool-names",
    &["SPELLING"],
    "The tool names to list: dotted or underscore [default: dotted].",
);
const TEXT: Flag = text(
    "text",
    &["FORM"],
    "The text next to structured content: json or plain [default: json].",
);
const READ_ONLY: Flag = Flag {
    name: "read-only",
    takes: FlagValue::None,
    doc: "Refuse to change the work tree.",
};
const INLINE: Flag = text(
    "max-inline",
    &["BYTES"],
    "The most bytes of content, diff or bundle in a reply [default: 1 MiB].",
);
const FILE: Flag = text(
    "max-file",
    &["BYTES"],
    "The largest file that is read [default: 64 MiB].",
);
const FILES: Flag = text(
    "max-files",
    &["N"],
    "The most files of a capture [default: 200000].",
);
const CAPTURE: Flag = text(
    "max-capture",
    &["BYTES"],
    "The most bytes of a capture [default: 4 GiB].",
);
const PATCH: Flag = text(
    "max-patch",
    &["BYTES"],
    "The longest patch [default: 5 MiB].",
);
const WRITE: Flag = text(
    "max-write",
    &["BYTES"],
    "The most bytes of one write [default: 16 MiB].",
);
const TOUCHED: Flag = text(
    "max-touched",
    &["N"],
    "The most files that a lease touches [default: 200000].",
);

/// The limits, each set by a flag of the program.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum size of content, diff or bundle in a reply, in bytes.
    pub inline: u64,
    /// Maximum size of a file, in bytes.
    pub file: u64,
    /// Maximum number of files in a capture.
    pub files: u64,
    /// Maximum size of a capture, in bytes.
    pub capture: u64,
    /// Maximum size of a patch, in bytes.
    pub patch: u64,
    /// Maximum size of one write, in bytes.
    pub write: u64,
    /// Maximum number of files that a lease touches.
    pub touched: u64,
}

/// A served work tree.
#[derive(Debug)]
pub struct Served {
    /// Its canonical path.
    pub path: PathBuf,
    repository: Mutex<Option<Arc<Repository>>>,
    /// Hashes of its files, read on first use.
    pub cache: Mutex<Option<Cache>>,
}

/// Snapshots and safe writes over git work trees.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) roots: Vec<Served>,
    pub(crate) store: Store,
    pub(crate) limits: Limits,
    pub(crate) leases: Mutex<Leases>,
    pub(crate) read_only: bool,
    environment: Environment,
    /// The state directory, if it is removed with the server.
    _passing: Option<Folder>,
    underscore: bool,
    plain: bool,
    /// Maximum size of an answer, in bytes.
    pub(crate) reply: usize,
}

impl Workspace {
    /// The index of the root named in a call.
    pub(crate) fn served(&self, repo_root: Option<&str>) -> Answer<usize> {
        let Some(named) = repo_root else { return Ok(0) };
        let path = Path::new(named);
        let canonical = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let found = self.roots.iter().position(|root| root.path == canonical);
        found.filter(|_| path.is_absolute()).ok_or_else(|| {
            let known: Vec<_> = self
                .roots
                .iter()
                .map(|root| root.path.display().to_string())
                .collect();
            Failure::invalid(
                "/repo_root",
                format!(
                    "{named} is not a root of this server; there are {}",
                    known.join(", ")
                ),
            )
        })
    }

    /// A snapshot made from a root.
    pub(crate) fn snapshot(&self, id: &str, at: usize) -> Answer<(Arc<Snapshot>, Meta)> {
        self.store.snapshot(id, &self.roots[at].path)
    }

    /// The repository of a root and the capability to access its files, refreshed if anything
    /// changed.
    pub(crate) fn open_root(&self, at: usize) -> Answer<(Arc<Repository>, Root)> {
        let served = &self.roots[at];
        let mut known = lock(&served.repository);
        let repository = match known.take().filter(|known| known.is_current()) {
            Some(repository) => repository,
            None => Arc::new(Repository::find(&served.path, &self.environment)?),
        };
        *known = Some(Arc::clone(&repository));
        drop(known);
        let root = open_root(&served.path, &repository.git_dirs)?;
        Ok((repository, root))
    }

    /// Checks before a change whether the call may make it, and whether its answer can be sent.
    pub(crate) fn answers(&self, answer: &impl Serialize) -> Answer<()> {
        work::spend(0)?;
        let actual = serde_json::to_string(answer).map_or(0, |text| text.len());
        if actual <= self.reply {
            return Ok(());
        }
        Err(Failure::of(Trouble::Limit(Exceeded::Reply {
            limit: self.reply,
            actual,
            shorter: "nothing was changed; send it in parts",
        })))
    }

    /// The file whose lock serializes mutations of one root, even across servers.
    pub(crate) fn commit_lock(&self, at: usize) -> PathBuf {
        let name = crate::hash::Blob::of(self.roots[at].path.as_os_str().as_bytes()).hex();
        self.store.dir().join("locks").join(name)
    }
}

fn number(config: &Config, flag: &Flag, default: u64) -> Result<u64> {
    let Some(given) = config.flags.texts(flag).last() else {
        return Ok(default);
    };
    let number = given.to_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| Diagnostic::new(format!("--{} takes a number", flag.name)))
}

fn word(config: &Config, flag: &Flag, words: [&str; 2]) -> Result<bool> {
    let Some(given) = config.flags.texts(flag).last() else {
        return Ok(false);
    };
    let found = words.iter().position(|word| given == OsStr::new(word));
    let [first, second] = words;
    found
        .map(|at| at == 1)
        .ok_or_else(|| Diagnostic::new(format!("--{} takes {first} or {second}", flag.name)))
}

fn state_dir(config: &Config) -> Result<PathBuf> {
    if let Some(given) = config.flags.texts(&STATE).last() {
        return Ok(given.into());
    }
    let home = env::var_os("XDG_STATE_HOME")
        .filter(|home| Path::new(home).is_absolute())
        .map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".local/state")));
    let home = home.ok_or_else(|| {
        Diagnostic::new("neither HOME nor XDG_STATE_HOME is set; give --state DIR")
    })?;
    Ok(home.join("fcp/workspace"))
}

impl Toolset for Workspace {
    const DOMAIN: &'static str = "workspace";
    const TITLE: &'static str = "Snapshots and workspace";
    const INSTRUCTIONS: &'static str = "Read with snapshot.list, snapshot.file and snapshot.grep; each reply has a \
        lease_id. Send it with the next call: if anything moved, the call fails instead of using old content. \
        snapshot.create keeps a state; with its snapshot_id every tool works on that state and not on the disk. \
        workspace.apply_patch, workspace.edit, workspace.write_file and workspace.delete change the work tree, or a \
        snapshot.";
    const FLAGS: &'static [Flag] = &[
        STATE, NO_STATE, HTTP, HTTP_HOST, TOOL_NAMES, TEXT, READ_ONLY, INLINE, FILE, FILES,
        CAPTURE, PATCH, WRITE, TOUCHED,
    ];
    const SHORTCUTS: &'static [(&'static str, &'static str)] =
        &[("snapshots", "snapshot.catalog"), ("gc", "snapshot.gc")];
    const SEQUENTIAL: bool = true;
    const LARGE: &'static [LargeTools] = crate::large::LARGE;
    const CHECKED: bool = true;
    const EXAMPLE_FILES: &'static [(&'static str, &'static str)] = &[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/objects/.keep", ""),
        (".git/refs/.keep", ""),
        ("src/a.ts", "export const a = 1;\n"),
        ("src/b.ts", "export const b = 2;\n"),
    ];
    const TEMPLATES: &'static [Template] = resources::TEMPLATES;

    fn open(config: &Config) -> Result<Self> {
        let shown = |failure: Failure| Diagnostic::new(failure.message);
        let passing = match config.flags.has(&NO_STATE) {
            true => Some(
                Scratch::at(env::temp_dir())
                    .folder("fcp-workspace")
                    .map_err(shown)?,
            ),
            false => None,
        };
        let dir = match &passing {
            Some(folder) => folder.path().to_owned(),
            None => state_dir(config)?,
        };
        let mut roots = Vec::new();
        for root in config.roots() {
            let path = fs::canonicalize(root).map_err(|problem| {
                Diagnostic::new(format!("--root {}: {problem}", root.display()))
            })?;
            roots.push(Served {
                path,
                repository: Mutex::default(),
                cache: Mutex::default(),
            });
        }
        // Check this before anything is created there.
        let above = dir
            .ancestors()
            .find_map(|dir| fs::canonicalize(dir).ok().map(|real| (dir, real)));
        if let Some((above, real)) = above {
            let whole = real.join(dir.strip_prefix(above).unwrap_or(Path::new("")));
            if let Some(root) = roots.iter().find(|root| whole.starts_with(&root.path)) {
                let (dir, root) = (dir.display(), root.path.display());
                bail!(
                    "the state directory {dir} is inside the root {root}; give another with --state DIR"
                );
            }
        }
        let store = Store::open(&dir).map_err(shown)?;
        let path = env::var_os("PATH").unwrap_or_default();
        let environment = Environment {
            home: store.dir().join("home"),
            path,
        };
        git::check_version(&environment).map_err(shown)?;
        let workspace = Self {
            limits: Limits {
                inline: number(config, &INLINE, 1 << 20)?,
                file: number(config, &FILE, 64 << 20)?,
                files: number(config, &FILES, 200_000)?,
                capture: number(config, &CAPTURE, 4 << 30)?,
                patch: number(config, &PATCH, 5 << 20)?,
                write: number(config, &WRITE, 16 << 20)?,
                touched: number(config, &TOUCHED, 200_000)?,
            },
            underscore: word(config, &TOOL_NAMES, ["dotted", "underscore"])?,
            plain: word(config, &TEXT, ["json", "plain"])?,
            read_only: config.flags.has(&READ_ONLY),
            reply: reply_limit(config),
            leases: Mutex::default(),
            roots,
            store,
            environment,
            _passing: passing,
        };
        for at in 0..workspace.roots.len() {
            // A killed server may have left temporary files next to its targets.
            recover(&workspace.roots[at].path, &workspace.commit_lock(at)).map_err(shown)?;
        }
        Ok(workspace)
    }

    fn text(reply: &impl Serialize) -> serde_json::Result<String> {
        let value = serde_json::to_value(reply)?;
        let mut text = String::new();
        canon::value(&value, &mut text);
        Ok(text)
    }

    fn shorter(tool: &str) -> &'static str {
        match tool {
            "snapshot.list" => "send a smaller limit, and offset",
            "snapshot.file" => "send start_line and max_bytes",
            "snapshot.grep" => "send a smaller max_matches, or paths",
            "snapshot.catalog" => "send a smaller limit",
            "snapshot.changes" | "snapshot.create" | "snapshot.export" => "take fewer paths",
            "workspace.apply_patch" | "workspace.edit" => "send it in parts",
            _ => "name fewer paths",
        }
    }

    fn listed(&self, name: &'static str, aliases: &[&'static str]) -> &'static str {
        let underscored = aliases.iter().find(|alias| !alias.contains('.'));
        underscored
            .filter(|_| self.underscore)
            .copied()
            .unwrap_or(name)
    }

    fn verify(&self, tool: &str, arguments: &str, reply: &Structured) -> Option<String> {
        outgoing::verify(tool, arguments, reply)
    }

    fn present(&self, tool: &str, arguments: &str, reply: &Structured) -> Presented {
        outgoing::present(self.plain, tool, arguments, reply)
    }

    fn resources(&self) -> Vec<Resource> {
        resources::list(self)
    }

    fn read(&self, uri: &str) -> Option<Contents> {
        resources::read(self, uri)
    }
}
