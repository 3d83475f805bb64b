//! Changes of several files, on the work tree or a snapshot, planned before anything is written.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use fcp::format::patch::{Reason, Reject};
use fcp::tool::Most;
use fcp::work;
use schemars::JsonSchema;
use serde::Serialize;

use crate::changing::content::Content;
use crate::changing::derive::derive;
use crate::files::{
    Dirs, Kind, Planned, Root, above, below, is_nested, load, may_empty, not_in_git_dir, stat, walk,
};
use crate::identity::Blob;
use crate::reply::{Answer, Code, Failure, Hybrid};
use crate::session::{Guard, Ready, Session, Touched, Workspace};

/// The change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// It changed.
    Modify,
    /// It is new.
    Create,
    /// It is gone.
    Delete,
    /// It has another name.
    Rename,
    /// It has a copy.
    Copy,
}

/// A file that was changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Applied {
    /// Its path.
    pub path: String,
    /// Its change.
    pub op: Op,
    /// Its old path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Its content now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    /// Its bytes now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Places that were changed.
    pub hunks: u64,
}

/// A file that does not fit its changes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Rejected {
    /// Its path.
    pub path: String,
    /// Each change that does not fit.
    pub hunks: Vec<Reject>,
}

/// Extent of the changes made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// All are made.
    Applied,
    /// None is made.
    Rejected,
    /// Those of some files are made.
    Partial,
}

/// Result of several changes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Changed {
    /// Their extent.
    pub status: Status,
    /// Nothing was written, because that was asked for.
    pub dry_run: bool,
    /// Changed files, by path.
    pub applied: Vec<Applied>,
    /// Files that do not fit, by path.
    pub rejects: Vec<Rejected>,
}

/// The same of a snapshot.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangedSnapshot {
    /// The snapshot that was changed; snapshot_id is the result.
    pub base_snapshot_id: String,
    /// The changes.
    #[serde(flatten)]
    pub changed: Changed,
}

/// The state of a file before the changes.
pub enum Found {
    /// There is no file.
    Missing,
    /// A regular file.
    File(Vec<u8>),
    /// A link.
    Link,
    /// A file that must not be read or changed.
    Closed,
}

/// The state that changes are planned for.
pub enum Ground<'g> {
    /// The work tree.
    Worktree(&'g Root, Most),
    /// A snapshot.
    Snapshot(
        &'g Workspace,
        &'g crate::store::Snapshot,
        &'g crate::store::Meta,
    ),
}

impl Ground<'_> {
    /// The file at a resolved path.
    pub fn read(&self, place: &str) -> Answer<Found> {
        match self {
            Self::Snapshot(workspace, snapshot, _) => match snapshot.find(place) {
                Some(entry) => workspace.store.content(&entry.blob).map(Found::File),
                None => Ok(Found::Missing),
            },
            Self::Worktree(root, limit) => match self.kind(place)? {
                None => Ok(Found::Missing),
                Some(Kind::Link) => Ok(Found::Link),
                Some(Kind::Dir | Kind::Special) => Ok(Found::Closed),
                Some(Kind::File) => match load(&mut Dirs::of(root), place, *limit) {
                    Ok(loaded) => Ok(Found::File(loaded.bytes)),
                    Err(failure) if failure.code == Code::PermissionDenied => Ok(Found::Closed),
                    Err(failure) => Err(failure),
                },
            },
        }
    }

    /// The kind of file at a resolved path. Directories of a snapshot are those that have files.
    fn kind(&self, place: &str) -> Answer<Option<Kind>> {
        match self {
            Self::Worktree(root, _) => Ok(stat(root, place)?.map(|stat| stat.kind)),
            Self::Snapshot(_, snapshot, _) => Ok(match snapshot.find(place) {
                Some(_) => Some(Kind::File),
                None => snapshot.below(place).next().map(|_| Kind::Dir),
            }),
        }
    }

    /// The reason why a directory stays if some files are removed, or `None`.
    fn keeps(&self, dir: &str, removes: impl Fn(&str) -> bool) -> Answer<Option<Reason>> {
        let (is_emptied, may_go) = match self {
            Self::Snapshot(_, snapshot, _) => {
                let mut files = snapshot.below(dir);
                (files.all(|entry| removes(&entry.path)), true)
            }
            Self::Worktree(root, _) => {
                let walked = root.dir(dir).and_then(walk).unwrap_or_default();
                work::spend(walked.len())?;
                let mut files = walked.iter().filter(|file| file.stat.kind != Kind::Dir);
                let is_emptied = !walked.is_empty()
                    && files.all(|file| removes(&format!("{dir}/{}", file.path)))
                    && !is_nested(root, dir, &walked);
                (is_emptied, may_empty(root, dir, &walked).unwrap_or(false))
            }
        };
        Ok(match (is_emptied, may_go) {
            (false, _) => Some(Reason::AlreadyExists),
            (true, false) => Some(Reason::PermissionDenied),
            (true, true) => None,
        })
    }

    /// Whether a file is executable.
    pub fn is_executable(&self, place: &str) -> bool {
        match self {
            Self::Snapshot(_, _, meta) => meta.is_executable(place),
            Self::Worktree(root, _) => root
                .stat(place)
                .ok()
                .flatten()
                .is_some_and(|stat| stat.is_executable()),
        }
    }
}

/// Planned changes.
#[derive(Default)]
pub struct Plan {
    files: BTreeMap<String, Planned<Content>>,
    /// Links that the paths lead through.
    pub links: BTreeSet<String>,
    /// Changed files, as the reply lists them.
    pub applied: Vec<Applied>,
    /// Files that do not match their changes.
    pub rejects: Vec<Rejected>,
}

impl Plan {
    /// The resolved path: follows links of directories, but not one at the end.
    pub fn place(&mut self, ground: &Ground<'_>, path: &str) -> Answer<String> {
        match ground {
            Ground::Snapshot(..) => Ok(path.to_owned()),
            Ground::Worktree(root, _) => {
                let place = root.resolve(path, false)?;
                self.links.extend(place.links);
                Ok(place.path)
            }
        }
    }

    /// Plans to write a content.
    pub fn write(
        &mut self,
        place: &str,
        before: Option<&[u8]>,
        content: impl Into<Content>,
        executable: Option<bool>,
    ) {
        self.plan(place, before, Some(content.into()), executable);
    }

    /// Plans to remove a file.
    pub fn remove(&mut self, place: &str, before: &[u8]) {
        self.plan(place, Some(before), None, None);
    }

    fn plan(
        &mut self,
        place: &str,
        before: Option<&[u8]>,
        content: Option<Content>,
        executable: Option<bool>,
    ) {
        let before = before.map(|before| Blob::of(before).0);
        let planned = Planned {
            before,
            content,
            executable,
        };
        self.files.insert(place.to_owned(), planned);
    }

    /// The reason why no file can be created at a place, or `None`. The plan makes room by removals,
    /// and `gone` is another file that goes.
    pub fn blocked(
        &self,
        ground: &Ground<'_>,
        place: &str,
        gone: Option<&str>,
    ) -> Answer<Option<Reason>> {
        let removes = |path: &str| gone == Some(path) || self.writes(path) == Some(false);
        for dir in above(place) {
            work::spend(1)?;
            match ground.kind(dir)? {
                Some(Kind::Dir) => {}
                Some(_) if !removes(dir) => return Ok(Some(Reason::AlreadyExists)),
                _ => return Ok(None),
            }
        }
        match ground.kind(place)? {
            None => Ok(None),
            Some(Kind::Link) => Ok(Some(Reason::UnsupportedMode)),
            Some(Kind::Dir) => {
                let inside = format!("{place}/");
                let next = self.files.range(inside.clone()..).next();
                let mut removed = next.map(|(path, _)| &**path).into_iter().chain(gone);
                match removed.any(|path| path.starts_with(&inside)) {
                    true => ground.keeps(place, removes),
                    false => Ok(Some(Reason::AlreadyExists)),
                }
            }
            Some(_) => Ok(Some(Reason::AlreadyExists)),
        }
    }

    /// Rejects a plan that makes a place a file and a directory.
    fn agrees(&self) -> Answer<()> {
        let writes = |path: &str| self.writes(path) == Some(true);
        for path in self.files.keys().filter(|path| writes(path)) {
            if let Some(file) = above(path).find(|dir| writes(dir)) {
                let both = format!("{file} would be a file, and {path} a file in it");
                return Err(Failure::invalid("/path", both + "; leave out one"));
            }
        }
        Ok(())
    }

    /// Whether a file is written; `None` if it is not even removed.
    fn writes(&self, path: &str) -> Option<bool> {
        self.files
            .get(path)
            .map(|planned| planned.content.is_some())
    }

    /// Rejects changes in git directories.
    pub fn check(&self, root: &Root) -> Answer<()> {
        let planned = |path: &str| {
            let near = self.files.range(path.to_owned()..);
            let mut near = near.take_while(|(own, _)| own.starts_with(path));
            near.any(|(own, planned)| planned.content.is_some() && below(own, path))
        };
        not_in_git_dir(root, self.files.keys().map(String::as_str), planned)
    }

    /// Writes the plan, entirely or not at all. Returns fresh guards.
    pub fn commit(&self, session: &Session<'_>, make_dirs: bool) -> Answer<Touched> {
        self.check(&session.root)?;
        let mut commit = session.commit()?;
        commit.stage(&self.files, make_dirs, |content| {
            content.read(session.workspace)
        })?;
        commit.finish()?;
        let guards = self.files.iter().map(|(path, planned)| {
            let guard = match &planned.content {
                Some(content) => session.guard(path, content.blob()),
                None => Guard::Absent,
            };
            (path.clone(), guard)
        });
        let mut touched = Touched::new();
        session.through(&mut touched, &self.links);
        touched.extend(guards);
        Ok(touched)
    }

    /// Records a change for the reply, with the planned content.
    pub fn note(&mut self, place: &str, op: Op, from: Option<&str>, hunks: usize) {
        let content = self
            .files
            .get(place)
            .and_then(|planned| planned.content.as_ref());
        self.applied.push(Applied {
            path: place.to_owned(),
            op,
            from: from.map(str::to_owned),
            blob: content.map(|content| content.blob().to_string()),
            size: content.and_then(|content| match content {
                Content::Here(bytes) => Some(bytes.len() as u64),
                Content::Stored(_) => None,
            }),
            hunks: hunks as u64,
        });
    }

    /// Records a file that does not match.
    pub fn reject(&mut self, path: &str, hunks: Vec<Reject>) {
        self.rejects.push(Rejected {
            path: path.to_owned(),
            hunks,
        });
    }

    /// Executes the plan on the state that it was planned for.
    pub fn carry_out(
        mut self,
        ready: Ready<'_>,
        workspace: &Workspace,
        all: bool,
        dry_run: bool,
        source: &[u8],
    ) -> Answer<Hybrid<ChangedSnapshot, Changed>> {
        self.agrees()?;
        self.applied.sort_by(|a, b| a.path.cmp(&b.path));
        self.rejects.sort_by(|a, b| a.path.cmp(&b.path));
        let rejected = !self.rejects.is_empty() && (all || self.applied.is_empty());
        let status = match (rejected, self.rejects.is_empty()) {
            (true, _) => Status::Rejected,
            (_, true) => Status::Applied,
            _ => Status::Partial,
        };
        if rejected {
            self.files.clear();
            self.applied.clear();
        }
        let changed = Changed {
            status,
            dry_run,
            applied: mem::take(&mut self.applied),
            rejects: mem::take(&mut self.rejects),
        };
        workspace.answers(&changed)?;
        let idle = dry_run || self.files.is_empty();
        match ready {
            Ready::Worktree(session) if idle => {
                self.check(&session.root)?;
                session.end(Touched::new(), changed)
            }
            Ready::Worktree(session) => {
                let touched = self.commit(&session, true)?;
                session.written(touched, changed).map(Hybrid::Worktree)
            }
            Ready::Snapshot(base, meta, root) => {
                let mut edits = BTreeMap::new();
                for (path, planned) in self.files {
                    let content = match planned.content {
                        Some(Content::Stored(blob)) => Some(workspace.store.content(&blob)?),
                        Some(Content::Here(bytes)) => Some(bytes),
                        None => None,
                    };
                    edits.insert(path, (content, planned.executable));
                }
                let patch = Some(Blob::of(source));
                let id = derive(workspace, root, &base, &meta, edits, patch, dry_run)?;
                let body = ChangedSnapshot {
                    base_snapshot_id: base.id.to_string(),
                    changed,
                };
                Ok(Hybrid::captured(&id, body))
            }
        }
    }
}

/// The state that a ready call plans its changes for.
pub fn ground<'g>(ready: &'g Ready<'_>, workspace: &'g Workspace) -> Ground<'g> {
    match ready {
        Ready::Worktree(session) => Ground::Worktree(&session.root, workspace.limits.file),
        Ready::Snapshot(snapshot, meta, _) => Ground::Snapshot(workspace, snapshot, meta),
    }
}
