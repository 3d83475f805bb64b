//! Steps of a commit: each replaces, creates or removes one file or directory.

use std::io;

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::listing::walk;
use super::read::content;
use super::refusal::Refusal;
use super::root::{open_at, stat_at};
use super::{Digest, Expect, Hash, Kind, Walked};

/// Flags for a directory whose entries are read.
pub const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A planned step. The new content is next to its target.
pub struct Step {
    pub hash: Hash,
    pub path: String,
    pub temporary: String,
    pub expect: Expect,
    /// The new content, which the temporary file has; `None` if the file is removed.
    pub fresh: Option<Expect>,
    /// Whether the names were exchanged, or the target was moved.
    pub moved: bool,
}

impl Step {
    /// The target's name in its directory.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Compares a file in the target's directory with the expected content of the target.
    pub fn check(&self, dir: &OwnedFd, name: &str, expect: &Expect) -> Result<(), Refusal> {
        let moved = || {
            Refusal::changed(format!(
                "{} was changed by somebody else meanwhile; read it again",
                self.path
            ))
        };
        let disk = |problem: io::Error| Refusal::disk(&self.path, "reading", &problem);
        let now = stat_at(dir, name).map_err(disk)?;
        let good = match (expect, &now) {
            (Expect::Any, _) | (Expect::Absent, None) => true,
            (Expect::Content(blob), Some(now)) if now.kind == Kind::File => {
                let file = open_at(dir, name).map_err(disk)?;
                (self.hash)(&content(&file, now.size).map_err(disk)?) == *blob
            }
            (Expect::Link, Some(now)) => now.kind == Kind::Link,
            (Expect::Dir(known), Some(now)) if now.kind == Kind::Dir => {
                let dir = rustix::fs::openat(dir, name, FOLDER, Mode::empty());
                let dir = dir.map_err(|problem| disk(problem.into()))?;
                walk(&dir).map_err(disk)? == *known
            }
            (Expect::Files(known), Some(now)) if now.kind == Kind::Dir => {
                let dir = rustix::fs::openat(dir, name, FOLDER, Mode::empty());
                let dir = dir.map_err(|problem| disk(problem.into()))?;
                self.has_files(&dir, known).map_err(disk)?
            }
            _ => false,
        };
        if good { Ok(()) } else { Err(moved()) }
    }

    /// Whether a directory has exactly these files.
    fn has_files(&self, dir: &OwnedFd, known: &[(String, Digest)]) -> io::Result<bool> {
        let mut found = walk(dir)?;
        found.retain(|file| file.stat.kind != Kind::Dir);
        found.sort_by(|a, b| a.path.cmp(&b.path));
        let is_known =
            |file: &Walked, name: &str| file.path == name && file.stat.kind == Kind::File;
        if found.len() != known.len()
            || !found
                .iter()
                .zip(known)
                .all(|(file, (name, _))| is_known(file, name))
        {
            return Ok(false);
        }
        for (file, (_, hash)) in found.iter().zip(known) {
            let (inner, name) = file.path.rsplit_once('/').unwrap_or((".", &file.path));
            let mut open = dir.try_clone()?;
            for part in inner.split('/') {
                open = rustix::fs::openat(&open, part, FOLDER, Mode::empty())?;
            }
            let open = open_at(&open, name)?;
            if (self.hash)(&content(&open, file.stat.size)?) != *hash {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn place(&mut self, dir: &OwnedFd) -> Result<(), Refusal> {
        let disk = |path: &str, problem: Errno| match problem {
            Errno::EXIST | Errno::NOENT => Refusal::changed(format!(
                "{path} was changed by somebody else meanwhile; read it again"
            )),
            problem => Refusal::disk(path, "writing", &problem.into()),
        };
        let (from, to) = (self.temporary.clone(), self.name().to_owned());
        let (from, to) = (&*from, &*to);
        match (self.fresh.is_some(), &self.expect) {
            (true, Expect::Absent) => {
                rename(dir, from, to, RenameFlags::NOREPLACE)
                    .map_err(|problem| disk(&self.path, problem))?;
                self.moved = true;
            }
            (true, _) => {
                rename(dir, from, to, RenameFlags::EXCHANGE)
                    .map_err(|problem| disk(&self.path, problem))?;
                self.moved = true;
                self.check(dir, &self.temporary, &self.expect)?;
            }
            (false, _) => {
                rename(dir, to, from, RenameFlags::NOREPLACE)
                    .map_err(|problem| disk(&self.path, problem))?;
                self.moved = true;
                self.check(dir, &self.temporary, &self.expect)?;
            }
        }
        Ok(())
    }

    /// Reverses [`place`](Self::place), unless another process wrote the target since.
    pub fn back(&self, dir: &OwnedFd) -> rustix::io::Result<()> {
        let (temporary, name) = (&*self.temporary, self.name());
        let Some(own) = &self.fresh else {
            return match self.moved {
                true => rename(dir, temporary, name, RenameFlags::NOREPLACE),
                false => Ok(()),
            };
        };
        if self.moved {
            let how = if self.expect == Expect::Absent {
                RenameFlags::NOREPLACE
            } else {
                RenameFlags::EXCHANGE
            };
            rename(dir, name, temporary, how)?;
            if self.check(dir, temporary, own).is_err() {
                return rename(dir, temporary, name, how);
            }
        }
        discard(dir, temporary).map_err(|_| Errno::IO)
    }
}

/// Renames within a directory.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn rename(dir: &OwnedFd, from: &str, to: &str, how: RenameFlags) -> rustix::io::Result<()> {
    rustix::fs::renameat_with(dir, from, dir, to, how)
}

/// Removes a file, or a directory with its contents.
pub fn discard(dir: &OwnedFd, name: &str) -> io::Result<()> {
    let Some(stat) = stat_at(dir, name)? else {
        return Ok(());
    };
    if stat.kind != Kind::Dir {
        return Ok(rustix::fs::unlinkat(dir, name, AtFlags::empty())?);
    }
    let inner = rustix::fs::openat(dir, name, FOLDER, Mode::empty())?;
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
