//! The state that all calls share: roots, store, leases, limits.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use fcp::confined::program_files::Folder;
use fcp::threads::lock;
use fcp::tool::{ToolError, check_answer};
use serde::Serialize;

use super::Leases;
use crate::files::{Root, open_root};
use crate::git::{Environment, Repository};
use crate::identity::Blob;
use crate::reply::{Answer, Failure, Limits};
use crate::store::{Cache, Meta, Snapshot, Store};

/// A served work tree.
#[derive(Debug)]
pub struct Served {
    /// Its canonical path.
    pub path: PathBuf,
    pub repository: Mutex<Option<Arc<Repository>>>,
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
    /// Hashes of the contents of git objects, by object id.
    pub(crate) objects: Mutex<HashMap<String, Blob>>,
    pub(crate) read_only: bool,
    pub(crate) environment: Environment,
    /// The state directory, if it is removed with the server.
    pub(crate) _passing: Option<Folder>,
    pub(crate) plain: bool,
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
        check_answer(answer, self.reply).map_err(Failure::of)
    }
}
