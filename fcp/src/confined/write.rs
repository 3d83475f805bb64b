//! Changes several files: all of them, or none.
//!
//! New contents are written next to their targets. Then each replaces its target by an exchange of
//! the two names, so that the old content is still available: if it is not as planned, or a later
//! step fails, the names are exchanged back. Another writer's content is never lost. Removals come
//! last. After a kill, the [journal](super::journal) tells which contents to put back.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::sync::Arc;

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::journal::{Record, append, failed, recover, temporary};
use super::read::stat;
use super::refusal::Refusal;
use super::root::stat_at;
use super::step::{FOLDER, Step, discard};
use super::{Kind, Root, Stat};

/// A strong hash of a content.
pub type Digest = [u8; 32];

/// Makes a strong hash of a content.
pub type Hash = fn(&[u8]) -> Digest;

/// A change at one place: a file, or a directory as one.
#[derive(Debug)]
pub(super) struct Change<'c> {
    /// The place, without links.
    pub(super) path: &'c str,
    /// The expected old content.
    pub(super) expect: Expect,
    /// The new content; `None` removes the file.
    pub(super) content: Option<&'c [u8]>,
    /// The files of a directory that takes the place of a removed file.
    pub(super) inside: &'c [Inner<'c>],
    /// Whether it is executable afterwards; `None` keeps it as before.
    pub(super) executable: Option<bool>,
}

/// A file of a new directory: its path in it, its content, and whether it is executable.
pub(super) type Inner<'c> = (&'c str, &'c [u8], Option<bool>);

/// The expected old content of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The file does not exist.
    Absent,
    /// A file with this content.
    Content(Digest),
    /// A link to anywhere.
    Link,
    /// A directory with these files, from the top.
    Dir(Vec<super::Walked>),
    /// A directory with exactly these files, from the top, in byte order.
    Files(Vec<(String, Digest)>),
    /// Anything.
    Any,
}

/// A commit in progress. If it is dropped unfinished, its changes are reversed.
pub struct Commit<'r> {
    folders: Folders<'r>,
    journal: File,
    /// The length of the journal before this commit.
    start: u64,
    hash: Hash,
    steps: Vec<Step>,
    /// The directories made.
    dirs: Vec<String>,
    done: bool,
}

/// Open directories. Only some of many stay open; the others are opened again for each use, and one
/// that is not reached any more is an error.
struct Folders<'r> {
    root: &'r Root,
    open: HashMap<String, Arc<OwnedFd>>,
}

/// The most directories that stay open.
const OPEN: usize = 128;

impl Folders<'_> {
    /// The directory of a path, and the name in it.
    fn of<'p>(&mut self, path: &'p str) -> io::Result<(Arc<OwnedFd>, &'p str)> {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        if let Some(open) = self.open.get(dir) {
            return Ok((Arc::clone(open), name));
        }
        let opened = Arc::new(self.root.dir(dir)?);
        if self.open.len() < OPEN {
            self.open.insert(dir.to_owned(), Arc::clone(&opened));
        }
        Ok((opened, name))
    }
}

impl<'r> Commit<'r> {
    /// Begins a commit. The caller must have locked the journal against all others that change this
    /// root.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub fn begin(root: &'r Root, mut journal: File, hash: Hash) -> Result<Self, Refusal> {
        recover(root, &mut journal, hash)?;
        let start = journal.seek(SeekFrom::End(0)).map_err(failed)?;
        append(&mut journal, &Record::Begin).map_err(failed)?;
        Ok(Self {
            folders: Folders {
                root,
                open: HashMap::new(),
            },
            journal,
            start,
            hash,
            steps: Vec::new(),
            dirs: Vec::new(),
            done: false,
        })
    }

    /// Creates the directories of a path, one at a time, from its verified parents.
    pub(super) fn make_dirs(&mut self, path: &str) -> Result<(), Refusal> {
        for dir in super::above(path) {
            let disk = |problem: io::Error| Refusal::disk(dir, "making", &problem);
            if self.folders.root.stat(dir).map_err(disk)?.is_some() {
                continue;
            }
            let (parent, name) = self.folders.of(dir).map_err(disk)?;
            append(&mut self.journal, &Record::Dir(dir.to_owned())).map_err(failed)?;
            match rustix::fs::mkdirat(&parent, name, Mode::from_raw_mode(0o777)) {
                Ok(()) => self.dirs.push(dir.to_owned()),
                Err(Errno::EXIST) => {}
                Err(problem) => return Err(disk(problem.into())),
            }
        }
        Ok(())
    }

    /// Writes the new content of a change next to its target.
    pub(super) fn stage_change(&mut self, change: &Change<'_>) -> Result<(), Refusal> {
        let disk = |problem: io::Error| Refusal::disk(change.path, "writing", &problem);
        let (dir, name) = self.folders.of(change.path).map_err(disk)?;
        let before = stat_at(&dir, name).map_err(disk)?;
        let before = before.filter(|before| before.kind == Kind::File);
        let temporary = temporary();
        let fresh = match change.content {
            Some(content) => Some(Expect::Content((self.hash)(content))),
            None if change.inside.is_empty() => None,
            None => {
                let hash =
                    |(path, content, _): &Inner<'_>| ((*path).to_owned(), (self.hash)(content));
                Some(Expect::Files(change.inside.iter().map(hash).collect()))
            }
        };
        let record = Record::Step {
            path: change.path.to_owned(),
            temporary: temporary.clone(),
            old: (&change.expect).into(),
            new: fresh.as_ref().map(Into::into),
        };
        append(&mut self.journal, &record).map_err(failed)?;
        self.steps.push(Step {
            hash: self.hash,
            path: change.path.to_owned(),
            temporary: temporary.clone(),
            expect: change.expect.clone(),
            mode: before.map(|before| before.mode),
            fresh,
            moved: false,
        });
        match change.content {
            Some(bytes) => put(&dir, &temporary, bytes, before, change.executable),
            None => change
                .inside
                .iter()
                .try_for_each(|(path, bytes, executable)| {
                    let mut dir = Arc::clone(&dir);
                    let whole = format!("{temporary}/{path}");
                    let mut names = whole.split('/').peekable();
                    while let Some(name) = names.next() {
                        if names.peek().is_none() {
                            put(&dir, name, bytes, None, *executable)?;
                            break;
                        }
                        match rustix::fs::mkdirat(&dir, name, Mode::from_raw_mode(0o777)) {
                            Ok(()) | Err(Errno::EXIST) => {}
                            Err(problem) => return Err(problem.into()),
                        }
                        dir = Arc::new(rustix::fs::openat(&dir, name, FOLDER, Mode::empty())?);
                    }
                    // Not every file system can synchronise a directory.
                    let _ = rustix::fs::fsync(&dir);
                    Ok(())
                }),
        }
        .map_err(disk)
    }

    /// Applies all changes. A target that is not as expected stops it, and all are reversed.
    ///
    /// # Errors
    /// The system reports an error, or another process wrote meanwhile. A change that could not be
    /// reversed, because another process wrote the file after it, is named.
    pub fn finish(mut self) -> Result<(), Refusal> {
        let placed = self.place();
        let left = match &placed {
            Ok(()) => Vec::new(),
            Err(_) => self.reverse(),
        };
        placed.map_err(|mut refusal| {
            for (path, original) in left {
                let more = format!(
                    "; {path} was changed by somebody else too and is not put back: what it was before is in {original}"
                );
                refusal.message.push_str(&more);
            }
            refusal
        })
    }

    fn place(&mut self) -> Result<(), Refusal> {
        let folders = &mut self.folders;
        let mut at = |step: &Step| {
            let found = folders.of(&step.path);
            found
                .map(|(dir, _)| dir)
                .map_err(|problem| Refusal::disk(&step.path, "writing", &problem))
        };
        for step in &self.steps {
            step.check_old(&*at(step)?, step.name())?;
        }
        append(&mut self.journal, &Record::Placing).map_err(failed)?;
        // A removed file has no name but its temporary one, and several files are old or new together. One that is
        // replaced is whole either way.
        let removes = self.steps.iter().any(|step| step.fresh.is_none());
        if removes || self.steps.len() > 1 {
            self.journal.sync_data().map_err(failed)?;
        }
        self.steps.sort_by_key(|step| step.fresh.is_none());
        for step in &mut self.steps {
            step.place(&*at(step)?)?;
        }
        let mut synced = HashSet::new();
        for step in &self.steps {
            if !synced.insert(step.path.rsplit_once('/').map_or("", |(dir, _)| dir)) {
                continue;
            }
            // Not every file system can synchronise a directory.
            let _ = at(step).map(|dir| {
                let dir = rustix::fs::openat(&dir, ".", FOLDER, Mode::empty());
                dir.and_then(rustix::fs::fsync)
            });
        }
        append(&mut self.journal, &Record::Placed).map_err(failed)?;
        if removes {
            self.journal.sync_data().map_err(failed)?;
        }
        self.done = true;
        let mut clean = true;
        for step in self
            .steps
            .iter()
            .filter(|step| step.expect != Expect::Absent)
        {
            clean &= at(step).is_ok_and(|dir| discard(&dir, &step.temporary).is_ok());
        }
        // Files that could not be removed stay in the journal, and the next commit tries again.
        if clean {
            let _ = self.journal.set_len(self.start);
        }
        Ok(())
    }
}

impl Drop for Commit<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.reverse();
        }
    }
}

impl Commit<'_> {
    /// Reverses all changes. Returns the files that another process wrote meanwhile, each with the
    /// place where its old content is kept, if it had one.
    fn reverse(&mut self) -> Vec<(String, String)> {
        self.done = true;
        let (mut clean, mut left) = (true, Vec::new());
        for step in self.steps.iter().rev() {
            let done = self.folders.of(&step.path).map_err(|_| Errno::IO);
            match done.and_then(|(dir, _)| step.back(&dir)) {
                Ok(()) => {}
                Err(Errno::EXIST) if step.expect != Expect::Absent => {
                    let place = step.path.rsplit_once('/');
                    let place = place.map(|(dir, _)| format!("{dir}/{}", step.temporary));
                    let place = place.unwrap_or_else(|| step.temporary.clone());
                    left.push((step.path.clone(), place));
                }
                Err(_) => clean = false,
            }
        }
        for made in self.dirs.iter().rev() {
            // A directory that is used meanwhile stays.
            if let Ok((parent, name)) = self.folders.of(made) {
                let _ = rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR);
            }
        }
        // The next commit must not remove what is kept for people.
        if clean {
            let _ = self.journal.set_len(self.start);
        }
        left
    }
}

/// Writes a new file, with the mode of the one before.
fn put(
    dir: &OwnedFd,
    name: &str,
    bytes: &[u8],
    before: Option<Stat>,
    executable: Option<bool>,
) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::openat(dir, name, flags, Mode::from_raw_mode(0o666))?;
    let mut file = File::from(file);
    file.write_all(bytes)?;
    let now = stat(&file)?.mode;
    let mut mode = before.map_or(now, |before| before.mode);
    match executable {
        Some(true) => mode |= (mode & 0o444) >> 2,
        Some(false) => mode &= !0o111,
        None => {}
    }
    if mode != now {
        rustix::fs::fchmod(&file, Mode::from_raw_mode(mode as rustix::fs::RawMode))?;
    }
    file.sync_data()
}

/// Whether this process may empty a directory and all directories below it.
///
/// # Errors
/// A directory cannot be read.
pub fn may_empty(root: &Root, path: &str, files: &[super::Walked]) -> io::Result<bool> {
    let dirs = files.iter().filter(|file| file.stat.kind == Kind::Dir);
    let dirs = dirs
        .map(|dir| format!("{path}/{}", dir.path))
        .chain([path.to_owned()]);
    for dir in dirs {
        let dir = root.dir(&dir)?;
        let access = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
        if rustix::fs::accessat(&dir, ".", access, AtFlags::EACCESS).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::OnceLock;

    use super::*;
    use crate::confined::{Closed, Planned, program_files::lockable};

    static FIRST: OnceLock<std::path::PathBuf> = OnceLock::new();

    /// A hash that, when it sees the old second file for the second time, writes the first as
    /// another process would, and finds another content.
    fn hash(content: &[u8]) -> Digest {
        static SEEN: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let mut hash = [0; 32];
        hash[..content.len()].copy_from_slice(content);
        if content == b"two" && SEEN.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 1 {
            fs::write(FIRST.get().unwrap(), "theirs").unwrap();
            hash[31] = 1;
        }
        hash
    }

    #[test]
    fn a_file_that_is_not_put_back_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("root");
        fs::create_dir(&path).unwrap();
        FIRST.set(path.join("a")).unwrap();
        fs::write(path.join("a"), "one").unwrap();
        fs::write(path.join("b"), "two").unwrap();
        let closed = Closed {
            dirs: &[],
            names: |_| false,
        };
        let root = Root::open(&path, closed).unwrap();
        let journal = lockable(&dir.path().join("journal")).unwrap();
        let mut commit = Commit::begin(&root, journal, hash).unwrap();
        let planned = |before: &[u8]| {
            let mut digest = [0; 32];
            digest[..before.len()].copy_from_slice(before);
            Planned {
                before: Some(digest),
                content: Some(b"ours".to_vec()),
                executable: None,
            }
        };
        let plan = [
            ("a".to_owned(), planned(b"one")),
            ("b".to_owned(), planned(b"two")),
        ];
        commit
            .stage(&plan.into(), false, |content| {
                Ok::<_, Refusal>(content.as_slice().into())
            })
            .unwrap();
        let refusal = commit.finish().unwrap_err();
        let kept = refusal.message.rsplit(' ').next().unwrap();
        assert!(
            refusal
                .message
                .contains("; a was changed by somebody else too"),
            "{refusal:?}"
        );
        assert_eq!(fs::read(path.join(kept)).unwrap(), b"one");
        assert_eq!(fs::read(path.join("a")).unwrap(), b"theirs");
        assert_eq!(fs::read(path.join("b")).unwrap(), b"two");
        assert_eq!(fs::metadata(dir.path().join("journal")).unwrap().len(), 0);
    }
}
