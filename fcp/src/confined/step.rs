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
    /// The expected permission bits of a replaced file, if they are kept.
    pub mode: Option<u32>,
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

    fn changed(&self) -> Refusal {
        Refusal::changed(format!(
            "{} was changed by somebody else meanwhile; read it again",
            self.path
        ))
    }

    /// Compares a file in the target's directory with the target as it was: its content, and its permission bits, which
    /// the new file has.
    pub fn check_old(&self, dir: &OwnedFd, name: &str) -> Result<(), Refusal> {
        self.check(dir, name, &self.expect)?;
        let disk = |problem: io::Error| Refusal::disk(&self.path, "reading", &problem);
        let now = stat_at(dir, name).map_err(disk)?;
        let is_kept = |mode: u32| now.is_none_or(|now| now.mode == mode);
        match self.fresh.is_none() || self.mode.is_none_or(is_kept) {
            true => Ok(()),
            false => Err(self.changed()),
        }
    }

    /// Compares a file in the target's directory with a content.
    pub fn check(&self, dir: &OwnedFd, name: &str, expect: &Expect) -> Result<(), Refusal> {
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
        if good { Ok(()) } else { Err(self.changed()) }
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
                self.check_old(dir, &self.temporary)?;
            }
            (false, _) => {
                rename(dir, to, from, RenameFlags::NOREPLACE)
                    .map_err(|problem| disk(&self.path, problem))?;
                self.moved = true;
                self.check_old(dir, &self.temporary)?;
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
                rename(dir, temporary, name, how)?;
                return Err(Errno::EXIST);
            }
        }
        discard(dir, temporary).map_err(|_| Errno::IO)
    }

    /// Reverses a step of a killed process, which may have been placed. A content that has no other name gets its name
    /// back; one that another process replaced since is not needed.
    pub fn reverse(&self, dir: &OwnedFd) -> io::Result<()> {
        let (temporary, name) = (&*self.temporary, self.name());
        let is_fresh = |name: &str| {
            let fresh = self.fresh.as_ref();
            fresh.is_some_and(|fresh| self.check(dir, name, fresh).is_ok())
        };
        let target = stat_at(dir, name)?;
        if stat_at(dir, temporary)?.is_none() {
            if self.expect == Expect::Absent && target.is_some() && is_fresh(name) {
                rename(dir, name, temporary, RenameFlags::NOREPLACE)?;
                return match is_fresh(temporary) {
                    true => discard(dir, temporary),
                    false => Ok(rename(dir, temporary, name, RenameFlags::NOREPLACE)?),
                };
            }
            return Ok(());
        }
        if is_fresh(temporary) {
            return discard(dir, temporary);
        }
        if target.is_none() {
            return Ok(rename(dir, temporary, name, RenameFlags::NOREPLACE)?);
        }
        if is_fresh(name) {
            rename(dir, name, temporary, RenameFlags::EXCHANGE)?;
            return match is_fresh(temporary) {
                true => discard(dir, temporary),
                false => Ok(rename(dir, temporary, name, RenameFlags::EXCHANGE)?),
            };
        }
        match self.check(dir, temporary, &self.expect) {
            Ok(()) => discard(dir, temporary),
            // It is of a third writer, and stays for people to find.
            Err(_) => Ok(()),
        }
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
