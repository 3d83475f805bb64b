//! Resolves arguments to a mode: a snapshot, or the work tree under a lease.

use std::collections::HashSet;
use std::fs::File;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use fcp::threads::lock;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Workspace;
use super::lease::{Guard, Lease, Touched};
use crate::files::{Commit, Kind, Root, Stat, begin, recover};
use crate::git::{self, Listing, Repository, Taken};
use crate::identity::{Blob, Fingerprint};
use crate::reply::{Answer, Code, Failure, Hybrid, True, UntilDirtyHint, Worktree, WorktreeMode};
use crate::store::{Meta, Snapshot};

/// The maximum number of paths in an error.
const SHOWN: usize = 100;

/// The state that a call works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The files on disk.
    Worktree,
    /// A captured state.
    Snapshot,
}

/// Changes that do not make a lease stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StaleScope {
    /// Nothing.
    #[default]
    Repo,
    /// All that the lease has not touched.
    Touched,
}

/// The place that a call reads or writes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct At {
    /// The repository, as an absolute path; the first one served if left out.
    pub repo_root: Option<String>,
    /// The work tree or a snapshot; a snapshot if snapshot_id is given.
    pub mode: Option<Mode>,
    /// The snapshot.
    pub snapshot_id: Option<String>,
    /// The lease of the last reply.
    pub lease_id: Option<String>,
    /// Whether changes elsewhere in the repository make the lease stale.
    pub stale_scope: Option<StaleScope>,
}

/// The resolved mode of a call.
#[allow(clippy::large_enum_variant, reason = "there is one per call")]
pub enum Ready<'w> {
    /// The work tree.
    Worktree(Session<'w>),
    /// A snapshot.
    Snapshot(Arc<Snapshot>, Meta, usize),
}

/// The work tree during one call.
pub struct Session<'w> {
    /// The toolset.
    pub workspace: &'w Workspace,
    /// The index of the root.
    pub at: usize,
    /// The capability to access its files.
    pub root: Root,
    /// Its repository.
    pub repository: Arc<Repository>,
    /// Its state at the start of the call.
    pub fingerprint: Fingerprint,
    /// The names of its files at that time.
    pub listing: Listing,
    /// The lock under which a mutation plans and writes, so that no other server comes between.
    journal: Option<File>,
    lease: Option<(String, Lease)>,
    rebased: bool,
}

impl At {
    /// Resolves the mode for a read.
    pub fn ready<'w>(&self, workspace: &'w Workspace) -> Answer<Ready<'w>> {
        self.resolve(workspace, false)
    }

    fn resolve<'w>(&self, workspace: &'w Workspace, writes: bool) -> Answer<Ready<'w>> {
        let at = workspace.served(self.repo_root.as_deref())?;
        let mode = self.mode.unwrap_or(match self.snapshot_id {
            Some(_) => Mode::Snapshot,
            None => Mode::Worktree,
        });
        match (mode, &self.snapshot_id) {
            (Mode::Snapshot, Some(id)) => {
                let (snapshot, meta) = workspace.snapshot(id, at)?;
                Ok(Ready::Snapshot(snapshot, meta, at))
            }
            (Mode::Snapshot, None) => Err(Failure::invalid(
                "/snapshot_id",
                "mode snapshot needs a snapshot_id; snapshot.create makes one",
            )),
            (Mode::Worktree, Some(_)) => Err(Failure::invalid(
                "/snapshot_id",
                "mode worktree takes no snapshot_id; leave out one of the two",
            )),
            (Mode::Worktree, None) => {
                let scope = self.stale_scope.unwrap_or_default();
                let lease = self.lease_id.as_deref();
                Session::begin(workspace, at, lease, scope, writes).map(Ready::Worktree)
            }
        }
    }

    /// Resolves the mode for a mutation, which a read-only server rejects.
    pub fn writable<'w>(&self, workspace: &'w Workspace) -> Answer<Ready<'w>> {
        let snapshot = self.mode == Some(Mode::Snapshot)
            || (self.mode.is_none() && self.snapshot_id.is_some());
        if workspace.read_only && !snapshot {
            return Err(read_only());
        }
        self.resolve(workspace, true)
    }
}

/// The error of a read-only server.
pub fn read_only() -> Failure {
    Failure::denied(
        "this server was started with --read-only; edit a snapshot instead, by its snapshot_id",
    )
}

impl<'w> Session<'w> {
    /// Takes the state of the repository and checks the lease against it. A call that `writes` waits
    /// for other servers first.
    pub fn begin(
        workspace: &'w Workspace,
        at: usize,
        lease_id: Option<&str>,
        scope: StaleScope,
        writes: bool,
    ) -> Answer<Self> {
        let journal = writes.then(|| workspace.store.journal(&workspace.roots[at].path));
        let mut journal = journal.transpose()?;
        let (repository, root) = workspace.open_root(at)?;
        if let Some(journal) = &mut journal {
            // No change may be planned on a half-written state.
            recover(&root, journal)?;
        }
        let Taken {
            fingerprint,
            listing,
        } = git::fingerprint(&repository)?;
        let mut session = Self {
            workspace,
            at,
            root,
            repository,
            fingerprint,
            listing,
            journal,
            lease: None,
            rebased: false,
        };
        if let Some(id) = lease_id {
            session.validate(id, scope)?;
        }
        Ok(session)
    }

    /// A lease of this root, whether or not its files moved.
    pub fn held(&self, id: &str) -> Answer<Lease> {
        if !self.workspace.issued(id) {
            let message = format!("no lease {id:?} was issued here; ask again without lease_id");
            return Err(Failure::not_found(message));
        }
        let held = lock(&self.workspace.leases).get(id).cloned();
        let Some(lease) = held else {
            let message = format!("lease {id} is not held any more; ask again without lease_id");
            return Err(self.stale(id, message, "not_held", &[]));
        };
        if lease.root != self.at {
            let message = format!("lease {id} is of another repo_root");
            return Err(Failure::invalid("/lease_id", message));
        }
        Ok(lease)
    }

    fn validate(&mut self, id: &str, scope: StaleScope) -> Answer<()> {
        let limit = self.workspace.limits.file;
        let mut lease = self.held(id)?;
        let moved = lease.moved(&self.root, limit);
        if lease.superseded {
            let message = format!(
                "lease {id} was superseded by a later write; use the newer lease or ask again without one"
            );
            return Err(self.stale(id, message, "superseded", &moved));
        }
        let same = lease.fingerprint == self.fingerprint;
        if !same && (scope == StaleScope::Repo || !moved.is_empty()) {
            let message = match moved.len() {
                0 => format!(
                    "the repository moved since lease {id}, and nothing that it touched did; ask again without lease_id, or \
                     with stale_scope: \"touched\""
                ),
                n => format!(
                    "the repository moved since lease {id}, and {n} files that it touched with it; read them again"
                ),
            };
            return Err(self.stale(id, message, "fingerprint", &moved));
        }
        if !moved.is_empty() {
            let message = format!(
                "{} changed since lease {id} read it; ask again without lease_id, or take workspace.lease refresh",
                moved.first().map_or("a file", String::as_str)
            );
            let shown = &moved[..moved.len().min(SHOWN)];
            return Err(Failure::changed(message)
                .with("paths", shown)
                .with("fingerprint", value(&self.fingerprint)));
        }
        self.rebased = !same;
        self.lease = Some((id.to_owned(), lease));
        Ok(())
    }

    /// The error of a stale lease.
    pub fn stale(&self, id: &str, message: String, reason: &str, moved: &[String]) -> Failure {
        Failure::new(Code::StaleLease, message)
            .with("fingerprint", value(&self.fingerprint))
            .with("lease_id", id)
            .with("reason", reason)
            .with("changed_paths", &moved[..moved.len().min(SHOWN)])
    }

    /// Starts to change files.
    pub fn commit(&self) -> Answer<Commit<'_>> {
        let locked = self.journal.as_ref().map(File::try_clone);
        match locked {
            Some(Ok(journal)) => begin(&self.root, journal),
            _ => Err(Failure::internal("the lock of this repository is not held")),
        }
    }

    /// The files that the lease touched.
    pub fn touched(&self) -> Option<&Touched> {
        self.lease.as_ref().map(|(_, lease)| &lease.touched)
    }

    /// Ends a read, with the files it touched.
    pub fn end<I, W>(self, touched: Touched, body: W) -> Answer<Hybrid<I, W>> {
        self.answer(touched, body).map(Hybrid::Worktree)
    }

    /// Takes over the state of a capture, which may be later than that of the call. A lease is not of that state.
    pub fn captured(&mut self, fingerprint: &Fingerprint) -> Answer<()> {
        if self.fingerprint == *fingerprint {
            return Ok(());
        }
        if self.lease.is_some() {
            let message = "the repository moved while it was captured; ask again without lease_id, or take workspace.lease refresh";
            return Err(Failure::changed(message).with("fingerprint", value(fingerprint)));
        }
        self.fingerprint.clone_from(fingerprint);
        Ok(())
    }

    /// Ends a read of a tool without a snapshot mode.
    pub fn answer<W>(mut self, touched: Touched, body: W) -> Answer<Worktree<W>> {
        let (old, mut lease) = match self.lease.take() {
            Some((id, lease)) => (Some(id), lease),
            None => (None, self.fresh()),
        };
        lease.touch(touched);
        let count = lease.touched.len() as u64;
        let limit = self.workspace.limits.touched;
        limit.check("the files that the lease touches", count)?;
        lease.fingerprint = self.fingerprint.clone();
        let id = match old.filter(|_| !self.rebased) {
            Some(id) => id,
            None => self.workspace.new_lease_id()?,
        };
        Ok(self.signed(id, lease, body))
    }

    /// Ends a mutation that wrote files: issues a new lease on the new state.
    pub fn written<W>(mut self, affected: Touched, body: W) -> Answer<Worktree<W>> {
        let taken = git::fingerprint(&self.repository)?;
        self.fingerprint = taken.fingerprint;
        let mut lease = match self.lease.take() {
            Some((old, lease)) => {
                if let Some(old) = lock(&self.workspace.leases).get(&old) {
                    old.superseded = true;
                }
                lease
            }
            None => self.fresh(),
        };
        // Directories that were made for the written files were none before, or nothing.
        let is_written = |guard: &Guard| matches!(guard, Guard::File { .. });
        let written = affected.iter().filter(|(_, guard)| is_written(guard));
        let above = written.flat_map(|(path, _)| crate::files::above(path));
        let dirs: HashSet<String> = above.map(str::to_owned).collect();
        lease.touched.extend(affected);
        for (path, guard) in &mut lease.touched {
            if dirs.contains(path) {
                *guard = Guard::Dir;
            }
        }
        lease.fingerprint = self.fingerprint.clone();
        let id = self.workspace.new_lease_id()?;
        Ok(self.signed(id, lease, body))
    }

    /// A reply with a lease id that leaves all leases unchanged.
    pub fn with_id<W>(self, lease_id: String, body: W) -> Worktree<W> {
        Worktree {
            cache_hint: UntilDirtyHint,
            mode: WorktreeMode,
            lease_id,
            fingerprint: self.fingerprint,
            rebased: self.rebased.then_some(True),
            body,
        }
    }

    fn fresh(&self) -> Lease {
        Lease {
            root: self.at,
            fingerprint: self.fingerprint.clone(),
            touched: Touched::new(),
            superseded: false,
        }
    }

    fn signed<W>(self, id: String, lease: Lease, body: W) -> Worktree<W> {
        lock(&self.workspace.leases).hold(id.clone(), lease);
        self.with_id(id, body)
    }

    /// A fresh guard of a file that was written. If another process has replaced it since, the guard is of what was
    /// written, and the next call finds that it moved.
    pub fn guard(&self, path: &str, blob: Blob) -> Guard {
        let now = self.root.stat(path).ok().flatten();
        let now = now.filter(|stat| stat.kind == Kind::File);
        let stat = now.unwrap_or_default();
        Guard::File {
            stat,
            taken: stat.ctime,
            blob: Some(blob),
        }
    }

    /// A guard of a link that a path led through.
    fn link(&self, path: &str) -> Guard {
        match self.root.stat(path) {
            Ok(Some(stat)) => Guard::listed(stat),
            _ => Guard::Absent,
        }
    }

    /// Marks the directories above a path as touched.
    pub fn parents(touched: &mut Touched, path: &str) {
        for dir in crate::files::above(path) {
            touched.insert(dir.to_owned(), Guard::Dir);
        }
    }

    /// Marks the links that a path led through as touched: they are guarded by what they are.
    pub fn through<'l>(&self, touched: &mut Touched, links: impl IntoIterator<Item = &'l String>) {
        for link in links {
            touched.insert(link.clone(), self.link(link));
        }
    }

    /// Marks a listed file as touched.
    pub fn list(touched: &mut Touched, path: &str, stat: Stat) {
        touched.insert(path.to_owned(), Guard::listed(stat));
        Self::parents(touched, path);
    }
}

fn value(of: &Fingerprint) -> serde_json::Value {
    serde_json::json!(of)
}

impl Workspace {
    /// A new lease id that this store recognizes as its own.
    pub(crate) fn new_lease_id(&self) -> Answer<String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|problem| Failure::internal(problem.to_string()))?;
        let word = format!("L{}", HEXLOWER.encode(&bytes));
        Ok(format!("{word}{}", self.store.seal(&word)))
    }

    /// Whether this store issued a lease id.
    pub(crate) fn issued(&self, id: &str) -> bool {
        id.len() == 49
            && id
                .split_at_checked(33)
                .is_some_and(|(word, seal)| self.store.seal(word) == seal)
    }
}
