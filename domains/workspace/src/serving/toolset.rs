//! The toolset: its flags, and the start of the server.

use std::env;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fcp::confined::program_files::{self, Folder};
use fcp::endpoint::{Config, Flag, HTTP, HTTP_HOST};
use fcp::prelude::*;
use fcp::tool::{
    Contents, Presented, Resource, Structured, TOOL_NAMES, Template, canonical, reply_limit,
};
use serde::Serialize;

use super::{large, resources, shown};
use crate::files::{open_root, recover};
use crate::git::{self, Environment};
use crate::reply::{Answer, Failure, Limits};
use crate::session::{Served, Workspace};
use crate::store::{Store, left_journal};

const STATE: Flag = Flag::text(
    "state",
    &["DIR"],
    "The directory for snapshots, outside every root [default: $XDG_STATE_HOME/fcp/workspace].",
);
/// The beginning of the names of directories for snapshots that a server does not keep.
const PASSING: &str = "fcp-workspace";

const NO_STATE: Flag = Flag::switch("no-state", "Keep snapshots no longer than the server runs.");
const TEXT: Flag = Flag::text(
    "text",
    &["FORM"],
    "The text next to structured content: json or plain [default: json].",
);
const READ_ONLY: Flag = Flag::switch("read-only", "Refuse to change the work tree.");

fn state_dir(config: &Config) -> Result<PathBuf> {
    match config.flags.texts(&STATE).last() {
        Some(given) => Ok(given.into()),
        None => program_files::state_dir("fcp/workspace").ok_or_else(|| {
            Diagnostic::new("neither HOME nor XDG_STATE_HOME is set; give --state DIR")
        }),
    }
}

/// Completes or reverses what a killed server left half done.
fn settle(root: &Served, left: Answer<Option<File>>) -> Answer<()> {
    match left? {
        Some(mut journal) => recover(&open_root(&root.path, &[])?, &mut journal),
        None => Ok(()),
    }
}

/// Whether a killed server left nothing half done in any root. `own` is a directory like its state directory, of this
/// server: one of another user may tell anything.
fn is_settled(dead: &Path, own: &Path, workspace: &Workspace) -> bool {
    let owner = |dir: &Path| fs::symlink_metadata(dir).map(|stat| stat.uid()).ok();
    if owner(dead) != owner(own) {
        return false;
    }
    for root in workspace.roots.iter().filter(|_| !workspace.read_only) {
        // If it fails, the journal stays, and so does the directory.
        let _ = settle(root, left_journal(dead, &root.path));
    }
    let journals = fs::read_dir(dead.join("locks")).into_iter().flatten();
    let sizes = journals.map(|journal| Ok(journal?.metadata()?.len()));
    sizes
        .collect::<std::io::Result<Vec<u64>>>()
        .is_ok_and(|sizes| sizes.iter().all(|size| *size == 0))
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
        Limits::RANGED,
        Limits::SEARCHED,
        Limits::FILES,
        Limits::CAPTURE,
        Limits::PATCH,
        Limits::WRITE,
        Limits::TOUCHED,
    ];
    const SHORTCUTS: &'static [(&'static str, &'static str)] =
        &[("snapshots", "snapshot.catalog"), ("gc", "snapshot.gc")];
    const SEQUENTIAL: bool = true;
    const LARGE: &'static [LargeTools] = large::LARGE;
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
        let failed = |failure: Failure| Diagnostic::new(failure.message);
        let passing = match config.flags.has(&NO_STATE) {
            true => Some(git::temporary(&env::temp_dir(), PASSING).map_err(failed)?),
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
        let real = program_files::real_path(&dir);
        if let Some(root) = roots.iter().find(|root| real.starts_with(&root.path)) {
            let (dir, root) = (dir.display(), root.path.display());
            bail!(
                "the state directory {dir} is inside the root {root}; give another with --state DIR"
            );
        }
        let store = Store::open(&dir).map_err(failed)?;
        let path = env::var_os("PATH").unwrap_or_default();
        let (home, tmp) = (store.dir().join("home"), store.dir().join("tmp"));
        let environment = Environment::new(home, tmp, path);
        git::check_version(&environment).map_err(failed)?;
        let workspace = Self {
            limits: Limits::of(config)?,
            plain: config.flags.choice(&TEXT, &["json", "plain"])? == 1,
            read_only: config.flags.has(&READ_ONLY),
            reply: reply_limit(config),
            leases: Mutex::default(),
            objects: Mutex::default(),
            roots,
            store,
            environment,
            _passing: passing,
        };
        // A killed server may have left a write half done. One that only reads leaves it to another.
        for root in workspace.roots.iter().filter(|_| !workspace.read_only) {
            let left = workspace.store.left_journal(&root.path);
            settle(root, left).map_err(failed)?;
        }
        if let Some(own) = &workspace._passing {
            Folder::sweep_settled(&env::temp_dir(), PASSING, |dead| {
                is_settled(dead, own.path(), &workspace)
            });
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

    fn verify(&self, tool: &str, arguments: &str, reply: &Structured) -> Option<String> {
        shown::verify(tool, arguments, reply)
    }

    fn present(&self, tool: &str, arguments: &str, reply: &Structured) -> Presented {
        shown::present(self.plain, tool, arguments, reply)
    }

    fn resources(&self) -> Vec<Resource> {
        resources::list(self)
    }

    fn read(&self, uri: &str) -> Option<Contents> {
        resources::read(self, uri)
    }
}
