//! The toolset: roots, leases, store and limits.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fcp::confined::own::Folder;
use fcp::endpoint::{Config, Flag, HTTP, HTTP_HOST};
use fcp::prelude::*;
use fcp::threads::lock;
use fcp::tool::{
    Contents, Exceeded, Presented, Resource, Structured, Template, ToolError, Trouble, canonical,
    limits, reply_limit,
};
use fcp::work;
use serde::Serialize;

use crate::failure::{Answer, Failure};
use crate::files::{Root, open_root, recover};
use crate::git::{self, Environment, Repository};
use crate::lease::Leases;
use crate::store::{Cache, Meta, Snapshot, Store};
use crate::{resources, shown as outgoing};

const STATE: Flag = Flag::text(
    "state",
    &["DIR"],
    "The directory for snapshots, outside every root [default: $XDG_STATE_HOME/fcp/workspace].",
);
const NO_STATE: Flag = Flag::switch("no-state", "Keep snapshots no longer than the server runs.");
const TOOL_NAMES: Flag = Flag::text(
    "tool-names",
    &["SPELLING"],
    "The tool names to list: dotted or underscore [default: dotted].",
);
const TEXT: Flag = Flag::text(
    "text",
    &["FORM"],
    "The text next to structured content: json or plain [default: json].",
);
const READ_ONLY: Flag = Flag::switch("read-only", "Refuse to change the work tree.");

limits! {
    /// The limits, each set by a flag of the program.
    pub struct Limits {
        /// The most bytes of content, diff or bundle in a reply [default: 1 MiB].
        inline: INLINE = "max-inline" "BYTES" 1 << 20;
        /// The largest file that is read [default: 64 MiB].
        file: FILE = "max-file" "BYTES" 64 << 20;
        /// The most files of a capture [default: 200000].
        files: FILES = "max-files" "N" 200_000;
        /// The most bytes of a capture [default: 4 GiB].
        capture: CAPTURE = "max-capture" "BYTES" 4 << 30;
        /// The longest patch [default: 5 MiB].
        patch: PATCH = "max-patch" "BYTES" 5 << 20;
        /// The most bytes of one write [default: 16 MiB].
        write: WRITE = "max-write" "BYTES" 16 << 20;
        /// The most files that a lease touches [default: 200000].
        touched: TOUCHED = "max-touched" "N" 200_000;
    }
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
        STATE,
        NO_STATE,
        HTTP,
        HTTP_HOST,
        TOOL_NAMES,
        TEXT,
        READ_ONLY,
        Limits::INLINE,
        Limits::FILE,
        Limits::FILES,
        Limits::CAPTURE,
        Limits::PATCH,
        Limits::WRITE,
        Limits::TOUCHED,
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
            true => Some(git::temporary(&env::temp_dir(), "fcp-workspace").map_err(shown)?),
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
            tmp: store.dir().join("tmp"),
            path,
        };
        git::check_version(&environment).map_err(shown)?;
        let workspace = Self {
            limits: Limits::of(config)?,
            underscore: config
                .flags
                .choice(&TOOL_NAMES, &["dotted", "underscore"])?
                == 1,
            plain: config.flags.choice(&TEXT, &["json", "plain"])? == 1,
            read_only: config.flags.has(&READ_ONLY),
            reply: reply_limit(config),
            leases: Mutex::default(),
            roots,
            store,
            environment,
            _passing: passing,
        };
        for root in &workspace.roots {
            // A killed server may have left temporary files next to its targets.
            let recovered = workspace.store.left_journal(&root.path).and_then(|left| {
                left.map_or(Ok(()), |mut journal| recover(&root.path, &mut journal))
            });
            recovered.map_err(shown)?;
        }
        Ok(workspace)
    }

    fn text(reply: &impl Serialize) -> serde_json::Result<String> {
        canonical(reply)
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
