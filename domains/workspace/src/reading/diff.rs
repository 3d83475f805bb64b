//! Differences of many files, a batch at a time.

use std::collections::{BTreeMap, BTreeSet};

use fcp::format::patch::{Side, compare};
use fcp::tool::Most;
use fcp::work;
use schemars::JsonSchema;
use serde::Serialize;

use crate::capture::{Names, Skipped};
use crate::files::{Dirs, Kind, Stat, load_found, not_nested, reading};
use crate::git::{Tree, objects, tree};
use crate::identity::Blob;
use crate::reply::{self, Answer, Failure, Hybrid};
use crate::session::{Guard, Session, Touched, Workspace};
use crate::store::Snapshot;

/// The number of files compared at a time.
const BATCH: usize = 2048;

/// The bytes compared at a time, if there is more than one file.
const BATCH_BYTES: u64 = 16 << 20;

/// Splits off the first files, so many that their contents may be in memory at once.
pub fn batch<T>(files: &[T], size: impl Fn(&T) -> Answer<u64>) -> Answer<(&[T], &[T])> {
    let (mut count, mut bytes) = (0, 0_u64);
    for file in files.iter().take(BATCH) {
        bytes = bytes.saturating_add(size(file)?);
        if count > 0 && bytes > BATCH_BYTES {
            break;
        }
        count += 1;
    }
    Ok(files.split_at(count))
}

/// Size of the difference.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct DiffStats {
    /// Files.
    pub files: u64,
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
    /// Binary files.
    pub binary: u64,
}

/// A unified diff.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiffReply {
    /// The base: a commit or a snapshot; empty if there was no commit.
    pub base: String,
    /// The diff, which workspace.apply_patch takes; base64: if it is not UTF-8.
    pub diff: String,
    /// Size of the difference.
    pub stats: DiffStats,
    /// Files are left out: the diff would be too long, or some may not be compared.
    pub truncated: bool,
    /// The first file that is left out: `from` of the next call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_path: Option<String>,
    /// Files of a directory that may not be compared, by reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skipped>,
}

/// The content of a file on one side, and whether it is executable.
pub type Content = (Vec<u8>, bool);

pub fn live(
    session: Session<'_>,
    workspace: &Workspace,
    top: &str,
    base: Option<&str>,
    (from, context): (&str, u32),
) -> Answer<Hybrid<DiffReply>> {
    let head = session.fingerprint.head_oid.clone();
    let base_at = |top: &str| Base::of(workspace, session.at, base, &head, top);
    // A link in the place of a file or directory of the base is the removal of its files.
    let as_it_is = session.root.resolve(top, false)?;
    let is_replaced = as_it_is.stat.is_some_and(|stat| stat.kind == Kind::Link)
        && !base_at(&as_it_is.path)?.paths(&as_it_is.path).is_empty();
    let place = match is_replaced {
        true => as_it_is,
        false => session.root.resolve(top, true)?,
    };
    not_nested(&session.root, &place.path)?;
    let mut touched = Touched::new();
    session.through(&mut touched, &place.links);
    let top = place.path;
    let base = base_at(&top)?;
    let mut paths: BTreeSet<String> = base.paths(&top).into_iter().collect();
    match place.stat.map(|stat| stat.kind) {
        Some(Kind::Dir) => {
            let (files, _) = Names::of(&session, std::slice::from_ref(&top), &session.listing)?
                .files(&session, Skipped::leave_out)?;
            paths.extend(files.into_iter().map(|(path, _)| path));
        }
        Some(Kind::File) => drop(paths.insert(top.clone())),
        Some(Kind::Special) => {
            return Err(Failure::denied(format!("{top} is not a regular file")));
        }
        Some(Kind::Link) | None => {}
    }
    is_anywhere(&top, &paths)?;
    let mut dirs = Dirs::of(&session.root);
    if !base.is_snapshot() {
        // A sparse checkout has not removed what it leaves out.
        let left_out = &session.repository.left_out;
        let is_left_out = |path: &String| left_out.contains(&session.root.path.join(path));
        paths.retain(|path| !is_left_out(path) || !matches!(dirs.stat(path), Ok(None)));
    }
    let guards = std::cell::RefCell::new(BTreeMap::<String, Guard>::new());
    let read = |paths: &[String]| -> Answer<Vec<Option<Content>>> {
        // A directory that is a link now holds none of its files.
        let mut dirs = Dirs::of(&session.root);
        let read = |path: &String| {
            let stat = dirs.stat(path).map_err(reading(path))?;
            if stat.is_none_or(|stat: Stat| stat.kind != Kind::File) {
                let guard = stat.map_or(Guard::Absent, Guard::listed);
                guards.borrow_mut().insert(path.clone(), guard);
                return Ok(None);
            }
            let limit = workspace.limits.file;
            let loaded = load_found(&mut dirs, path, limit, "compared")?;
            guards
                .borrow_mut()
                .insert(path.clone(), Guard::read(&loaded, Blob::of(&loaded.bytes)));
            let executable = match session.repository.has_modes {
                true => loaded.stat.is_executable(),
                false => base.is_executable(path),
            };
            Ok(Some((loaded.bytes, executable)))
        };
        paths.iter().map(read).collect()
    };
    let sizes = std::cell::RefCell::new(Dirs::of(&session.root));
    // Reading reports what is wrong with a file.
    let size = |path: &String| match sizes.borrow_mut().stat(path) {
        Ok(Some(stat)) => Ok(stat.size),
        _ => Ok(0),
    };
    let (reply, named) = differ(
        workspace,
        &top,
        &base,
        &paths,
        (from, context),
        !base.is_snapshot(),
        (size, read),
    )?;
    let mut guards = guards.into_inner();
    guards.retain(|path, _| named.contains(path) || *path == top);
    touched.extend(guards);
    if !touched.contains_key(&top) && !top.is_empty() {
        touched.insert(top, Guard::Dir);
    }
    session.end(touched, reply)
}

/// Rejects a path without files on either side.
pub fn is_anywhere(top: &str, paths: &BTreeSet<String>) -> Answer<()> {
    match paths.is_empty() && !top.is_empty() {
        true => Err(Failure::not_found(format!("neither side has {top}"))),
        false => Ok(()),
    }
}

/// The base of a comparison.
pub enum Base<'w> {
    Commit(std::sync::Arc<crate::git::Repository>, String, Tree),
    Snapshot(&'w Workspace, std::sync::Arc<Snapshot>),
}

impl<'w> Base<'w> {
    pub fn of(
        workspace: &'w Workspace,
        at: usize,
        id: Option<&str>,
        head: &str,
        top: &str,
    ) -> Answer<Self> {
        match id {
            Some(id) => {
                let (snapshot, _) = workspace.snapshot(id, at)?;
                Ok(Self::Snapshot(workspace, snapshot))
            }
            None => {
                let (repository, _) = workspace.open_root(at)?;
                let tree = tree(&repository, head, top)?;
                Ok(Self::Commit(repository, head.to_owned(), tree))
            }
        }
    }

    pub const fn is_snapshot(&self) -> bool {
        matches!(self, Self::Snapshot(..))
    }

    /// Whether a file is executable in the base. Snapshots have no modes.
    pub fn is_executable(&self, path: &str) -> bool {
        match self {
            Self::Commit(_, _, tree) => tree.get(path).is_some_and(|file| file.executable),
            Self::Snapshot(..) => false,
        }
    }

    pub fn name(&self) -> String {
        match self {
            Self::Commit(_, head, _) => head.clone(),
            Self::Snapshot(_, snapshot) => snapshot.id.to_string(),
        }
    }

    pub fn paths(&self, top: &str) -> Vec<String> {
        match self {
            Self::Commit(_, _, tree) => tree
                .keys()
                .filter(|path| crate::files::below(path, top))
                .cloned()
                .collect(),
            Self::Snapshot(_, snapshot) => snapshot
                .below(top)
                .map(|entry| entry.path.to_string())
                .collect(),
        }
    }

    /// The length of a file, or 0 if there is none.
    fn size(&self, path: &str) -> Answer<u64> {
        match self {
            Self::Snapshot(workspace, snapshot) => captured_size(workspace, snapshot, path),
            Self::Commit(_, _, tree) => Ok(tree.get(path).map_or(0, |file| file.size)),
        }
    }

    pub fn read(&self, paths: &[String], limit: Most) -> Answer<Vec<Option<Content>>> {
        match self {
            Self::Snapshot(workspace, snapshot) => captured(workspace, snapshot, paths),
            Self::Commit(repository, _, tree) => {
                let found: Vec<_> = paths.iter().map(|path| tree.get(path)).collect();
                for file in found.iter().flatten() {
                    limit.check(&file.oid, file.size)?;
                }
                let oids: Vec<&str> = found.iter().flatten().map(|file| &*file.oid).collect();
                let mut contents = objects(repository, &oids, limit)?.into_iter();
                let found = found.into_iter().map(|file| {
                    let file = file?;
                    Some((contents.next()?, file.executable))
                });
                Ok(found.collect())
            }
        }
    }
}

/// The contents of captured files. Snapshots have no modes.
pub fn captured(
    workspace: &Workspace,
    snapshot: &Snapshot,
    paths: &[String],
) -> Answer<Vec<Option<Content>>> {
    let read = |path: &String| match snapshot.find(path) {
        Some(entry) => Ok(Some((workspace.store.content(&entry.blob)?, false))),
        None => Ok(None),
    };
    paths.iter().map(read).collect()
}

/// The length of a captured file, or 0 if there is none.
pub fn captured_size(workspace: &Workspace, snapshot: &Snapshot, path: &str) -> Answer<u64> {
    match snapshot.find(path) {
        Some(entry) => workspace.store.size(&entry.blob),
        None => Ok(0),
    }
}

/// Compares files in order until the diff is too long. Returns the files it names.
pub fn differ(
    workspace: &Workspace,
    top: &str,
    base: &Base<'_>,
    paths: &BTreeSet<String>,
    (from, context): (&str, u32),
    modes: bool,
    (size, read): (
        impl Fn(&String) -> Answer<u64>,
        impl Fn(&[String]) -> Answer<Vec<Option<Content>>>,
    ),
) -> Answer<(DiffReply, BTreeSet<String>)> {
    let limit = workspace.limits.inline;
    let paths: Vec<String> = paths.range(from.to_owned()..).cloned().collect();
    let (mut text, mut stats, mut named, mut next) =
        (Vec::new(), DiffStats::default(), BTreeSet::new(), None);
    let (mut skipped, mut after_header) = (Skipped::default(), false);
    let both = |paths: &[String]| Ok((base.read(paths, workspace.limits.file)?, read(paths)?));
    let sizes = |path: &String| Ok(base.size(path)?.saturating_add(size(path)?));
    let mut rest = paths.as_slice();
    'all: while !rest.is_empty() {
        let (files, more) = batch(rest, sizes)?;
        rest = more;
        let (before, after) = match both(files) {
            Err(failure) if *files != [top] => {
                // One by one, to leave out the file that may not be compared.
                let mut contents = (Vec::new(), Vec::new());
                skipped.clone().leave_out(failure)?;
                for path in files {
                    let (before, after) = match both(std::slice::from_ref(path)) {
                        Err(failure) => {
                            skipped.leave_out(failure)?;
                            (vec![None], vec![None])
                        }
                        both => both?,
                    };
                    contents.0.extend(before);
                    contents.1.extend(after);
                }
                contents
            }
            contents => contents?,
        };
        for ((path, before), after) in files.iter().zip(before).zip(after) {
            // Snapshots have no modes, so if a side is one, both sides omit them.
            let [old, new] = [&before, &after].map(|found| {
                found.as_ref().map(|(content, executable)| Side {
                    content,
                    executable: modes && *executable,
                })
            });
            let Some(mut file) = compare(path, old, new, context) else {
                continue;
            };
            if after_header && file.text.starts_with(b"--- ") {
                // Git would take these lines for the file before.
                file.text.splice(0..0, file.line.bytes());
            }
            work::spend(0)?;
            if text.len() + file.text.len() > limit.size() {
                if text.is_empty() {
                    let failure = Failure::from(limit.over(path, file.text.len() as u64));
                    let Some(after) = paths.iter().find(|other| *other > path) else {
                        return Err(failure);
                    };
                    let message = format!("{}; or go on after it: from {after}", failure.message);
                    let failure = failure.with("next_path", after.as_str());
                    return Err(failure.with_message(message));
                }
                next = Some(path.clone());
                break 'all;
            }
            after_header = file.added + file.removed == 0;
            text.extend_from_slice(&file.text);
            stats.files += 1;
            stats.added += file.added;
            stats.removed += file.removed;
            stats.binary += u64::from(file.binary);
            named.insert(path.clone());
        }
    }
    let reply = DiffReply {
        base: base.name(),
        diff: reply::content(&text, true).0,
        stats,
        truncated: next.is_some() || skipped.is_partial(),
        next_path: next,
        skipped: skipped.is_partial().then_some(skipped),
    };
    Ok((reply, named))
}
