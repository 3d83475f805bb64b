//! Changes several files: all of them, or none.
//!
//! New contents are written next to their targets. Then each replaces its target by an exchange of
//! the two names, so that the old content is still available: if it is not as planned, or a later
//! step fails, the names are exchanged back. Another writer's content is never lost.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::listing::walk;
use super::read::{content, stat};
use super::refusal::{Kind as Why, Refusal};
use super::root::{open_at, stat_at};
use super::{Kind, Root};

/// A strong hash of a content.
pub type Digest = [u8; 32];

/// Makes a strong hash of a content.
pub type Hash = fn(&[u8]) -> Digest;

/// A change of one file.
#[derive(Debug)]
pub struct Change<'c> {
    /// The place, without links.
    pub path: &'c str,
    /// The expected old content.
    pub expect: Expect,
    /// The new content; `None` removes the file.
    pub content: Option<&'c [u8]>,
    /// Whether it is executable afterwards; `None` keeps it as before.
    pub executable: Option<bool>,
}

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
    /// Anything.
    Any,
}

/// A commit in progress. If it is dropped unfinished, its changes are reversed.
pub struct Commit<'r> {
    root: &'r Root,
    journal: File,
    hash: Hash,
    steps: Vec<Step>,
    dirs: Vec<(OwnedFd, String)>,
    done: bool,
}

struct Step {
    hash: Hash,
    dir: OwnedFd,
    name: String,
    path: String,
    temporary: String,
    expect: Expect,
    /// The hash of the new content, if there is one. The content is in the temporary file.
    fresh: Option<Digest>,
    /// Whether the names were exchanged, or the target was moved.
    moved: bool,
}

/// The prefix of temporary file names.
const START: &str = ".fcp-";

/// Removes the temporary files of a killed process, which its journal lists. The journal must be
/// locked.
///
/// # Errors
/// The journal cannot be used.
pub fn recover(root: &Root, journal: &mut File) -> Result<(), Refusal> {
    clean(root, journal)
}

fn clean(root: &Root, journal: &mut File) -> Result<(), Refusal> {
    let failed = |problem: io::Error| {
        Refusal::new(
            Why::Failed,
            format!("the journal of the last write cannot be used: {problem}"),
        )
    };
    let mut text = String::new();
    journal.seek(SeekFrom::Start(0)).map_err(failed)?;
    journal.read_to_string(&mut text).map_err(failed)?;
    for path in text.lines() {
        let name = path.rsplit('/').next().unwrap_or_default();
        let Some(word) = name.strip_prefix(START).filter(|word| word.len() == 32) else {
            continue;
        };
        if word.bytes().all(|byte| byte.is_ascii_hexdigit())
            && let Ok((dir, name)) = root.parent(path)
        {
            // A file that does not exist or is inaccessible is not ours.
            let _ = discard(&dir, name);
        }
    }
    journal.set_len(0).map_err(failed)?;
    journal.seek(SeekFrom::Start(0)).map_err(failed)?;
    Ok(())
}

impl<'r> Commit<'r> {
    /// Begins a commit. The caller must have locked the journal against all others that change this
    /// root.
    ///
    /// # Errors
    /// The journal cannot be used.
    pub fn begin(root: &'r Root, mut journal: File, hash: Hash) -> Result<Self, Refusal> {
        clean(root, &mut journal)?;
        Ok(Self {
            root,
            journal,
            hash,
            steps: Vec::new(),
            dirs: Vec::new(),
            done: false,
        })
    }

    /// Creates the directories of a path, one at a time, from its verified parents.
    ///
    /// # Errors
    /// The system reports an error, or another process wrote meanwhile.
    pub fn make_dirs(&mut self, path: &str) -> Result<(), Refusal> {
        for dir in super::above(path) {
            let disk = |problem: io::Error| Refusal::disk(dir, "making", &problem);
            if self.root.stat(dir).map_err(disk)?.is_some() {
                continue;
            }
            let (parent, name) = self.root.parent(dir).map_err(disk)?;
            match rustix::fs::mkdirat(&parent, name, Mode::from_raw_mode(0o777)) {
                Ok(()) => self.dirs.push((parent, name.to_owned())),
                Err(Errno::EXIST) => {}
                Err(problem) => return Err(disk(problem.into())),
            }
        }
        Ok(())
    }

    /// Writes the new content of a change next to its target.
    ///
    /// # Errors
    /// The system reports an error, or another process wrote meanwhile.
    pub fn stage(&mut self, change: &Change<'_>) -> Result<(), Refusal> {
        let disk = |problem: io::Error| Refusal::disk(change.path, "writing", &problem);
        let (dir, name) = self.root.parent(change.path).map_err(disk)?;
        let before = stat_at(&dir, name).map_err(disk)?;
        let temporary = format!("{START}{}", word());
        let folder = change
            .path
            .rsplit_once('/')
            .map_or(String::new(), |(dir, _)| format!("{dir}/"));
        writeln!(self.journal, "{folder}{temporary}").map_err(disk)?;
        self.steps.push(Step {
            hash: self.hash,
            name: name.to_owned(),
            path: change.path.to_owned(),
            temporary: temporary.clone(),
            expect: change.expect.clone(),
            fresh: change.content.map(self.hash),
            moved: false,
            dir: dir.try_clone().map_err(disk)?,
        });
        let Some(bytes) = change.content else {
            return Ok(());
        };
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&dir, &*temporary, flags, Mode::from_raw_mode(0o666));
        let mut file = File::from(file.map_err(|problem| disk(problem.into()))?);
        file.write_all(bytes).map_err(disk)?;
        let now = stat(&file).map_err(disk)?.mode;
        let mut mode = before
            .filter(|before| before.kind == Kind::File)
            .map_or(now, |before| before.mode);
        match change.executable {
            Some(true) => mode |= (mode & 0o444) >> 2,
            Some(false) => mode &= !0o111,
            None => {}
        }
        if mode != now {
            let mode = Mode::from_raw_mode(mode as rustix::fs::RawMode);
            rustix::fs::fchmod(&file, mode).map_err(|problem| disk(problem.into()))?;
        }
        file.sync_data().map_err(disk)
    }

    /// Applies all changes. A target that is not as expected stops it.
    ///
    /// # Errors
    /// The system reports an error, or another process wrote meanwhile.
    pub fn finish(mut self) -> Result<(), Refusal> {
        for step in &self.steps {
            step.check(&step.name, &step.expect)?;
        }
        for step in &mut self.steps {
            step.place()?;
        }
        for step in &self.steps {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            // Not every file system can synchronise a directory.
            if let Ok(dir) = rustix::fs::openat(&step.dir, ".", flags, Mode::empty()) {
                let _ = rustix::fs::fsync(&dir);
            }
        }
        self.done = true;
        let mut clean = true;
        for step in &self.steps {
            clean &= step.expect == Expect::Absent || discard(&step.dir, &step.temporary).is_ok();
        }
        // Files that could not be removed stay in the journal, and the next commit tries again.
        if clean {
            let _ = self.journal.set_len(0);
        }
        Ok(())
    }
}

impl Step {
    /// Compares a file in the target's directory with the expected content of the target.
    fn check(&self, name: &str, expect: &Expect) -> Result<(), Refusal> {
        let moved = || {
            Refusal::changed(format!(
                "{} was changed by somebody else meanwhile; read it again",
                self.path
            ))
        };
        let disk = |problem: io::Error| Refusal::disk(&self.path, "reading", &problem);
        let now = stat_at(&self.dir, name).map_err(disk)?;
        let good = match (expect, &now) {
            (Expect::Any, _) | (Expect::Absent, None) => true,
            (Expect::Content(blob), Some(now)) if now.kind == Kind::File => {
                let file = open_at(&self.dir, name).map_err(disk)?;
                (self.hash)(&content(&file, now.size).map_err(disk)?) == *blob
            }
            (Expect::Link, Some(now)) => now.kind == Kind::Link,
            (Expect::Dir(known), Some(now)) if now.kind == Kind::Dir => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let dir = rustix::fs::openat(&self.dir, name, flags, Mode::empty());
                let dir = dir.map_err(|problem| disk(problem.into()))?;
                walk(&dir).map_err(disk)? == *known
            }
            _ => false,
        };
        if good { Ok(()) } else { Err(moved()) }
    }

    fn place(&mut self) -> Result<(), Refusal> {
        let disk = |path: &str, problem: Errno| match problem {
            Errno::EXIST | Errno::NOENT => Refusal::changed(format!(
                "{path} was changed by somebody else meanwhile; read it again"
            )),
            problem => Refusal::disk(path, "writing", &problem.into()),
        };
        let (from, to) = (&*self.temporary, &*self.name);
        match (self.fresh.is_some(), &self.expect) {
            (true, Expect::Absent) => {
                rename(&self.dir, from, to, RenameFlags::NOREPLACE)
                    .map_err(|problem| disk(&self.path, problem))?;
                self.moved = true;
            }
            (true, _) => {
                rename(&self.dir, from, to, RenameFlags::EXCHANGE)
                    .map_err(|problem| disk(&self.path, problem))?;
                self.moved = true;
                self.check(&self.temporary, &self.expect)?;
            }
            (false, _) => {
                rename(&self.dir, to, from, RenameFlags::NOREPLACE)
                    .map_err(|problem| disk(&self.path, problem))?;
                self.moved = true;
                self.check(&self.temporary, &self.expect)?;
            }
        }
        Ok(())
    }

    /// Reverses [`place`](Self::place), unless another process wrote the target since.
    fn back(&self) -> rustix::io::Result<()> {
        let (temporary, name) = (&*self.temporary, &*self.name);
        let Some(own) = self.fresh else {
            return match self.moved {
                true => rename(&self.dir, temporary, name, RenameFlags::NOREPLACE),
                false => Ok(()),
            };
        };
        if self.moved {
            let how = if self.expect == Expect::Absent {
                RenameFlags::NOREPLACE
            } else {
                RenameFlags::EXCHANGE
            };
            rename(&self.dir, name, temporary, how)?;
            if self.check(temporary, &Expect::Content(own)).is_err() {
                return rename(&self.dir, temporary, name, how);
            }
        }
        discard(&self.dir, temporary).map_err(|_| Errno::IO)
    }
}

impl Drop for Commit<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let mut clean = true;
        for step in self.steps.iter().rev() {
            clean &= step.back().is_ok();
        }
        for (parent, name) in self.dirs.iter().rev() {
            // A directory that is used meanwhile stays.
            let _ = rustix::fs::unlinkat(parent, &**name, AtFlags::REMOVEDIR);
        }
        if clean {
            let _ = self.journal.set_len(0);
        }
    }
}

/// Renames within a directory.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename(dir: &OwnedFd, from: &str, to: &str, how: RenameFlags) -> rustix::io::Result<()> {
    rustix::fs::renameat_with(dir, from, dir, to, how)
}

/// An unused word for a file name.
fn word() -> String {
    use std::hash::{BuildHasher, RandomState};
    let half = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", half(), half())
}

/// Removes a file, or a directory with its contents.
fn discard(dir: &OwnedFd, name: &str) -> io::Result<()> {
    let Some(stat) = stat_at(dir, name)? else {
        return Ok(());
    };
    if stat.kind != Kind::Dir {
        return Ok(rustix::fs::unlinkat(dir, name, AtFlags::empty())?);
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let inner = rustix::fs::openat(dir, name, flags, Mode::empty())?;
    for entry in rustix::fs::Dir::read_from(&inner)? {
        let entry = entry?;
        let name = entry
            .file_name()
            .to_str()
            .map_err(|_| io::ErrorKind::InvalidData)?;
        if !matches!(name, "." | "..") {
            discard(&inner, name)?;
        }
    }
    Ok(rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)?)
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
