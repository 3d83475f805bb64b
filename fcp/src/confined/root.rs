//! The root of a work tree, as a capability.
//!
//! Links inside the repository are resolved here, component by component, to a path without links.
//! That path is then opened without following any links, so a directory that is replaced by a link
//! between the two steps is an error.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::refusal::{Kind as Why, Refusal};
use super::{Kind, Stat};

/// The largest number of links in a path.
const LINKS: usize = 40;

/// An open root.
#[derive(Debug)]
pub struct Root {
    /// Its canonical path.
    pub path: PathBuf,
    dir: OwnedFd,
    /// Directories below the root that no path may lead to.
    closed: Vec<String>,
    is_closed: fn(&str) -> bool,
}

/// The parts of a root that no path may lead to.
#[derive(Clone, Copy, Debug)]
pub struct Closed<'c> {
    /// Directories, as absolute paths.
    pub dirs: &'c [PathBuf],
    /// Names that are closed anywhere in a path.
    pub names: fn(&str) -> bool,
}

/// A path without links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path from the root.
    pub path: String,
    /// The file's metadata, or `None` if it does not exist.
    pub stat: Option<Stat>,
    /// The links that the path leads through, as paths without links themselves.
    pub links: Vec<String>,
}

impl Root {
    /// Opens a directory as a root.
    ///
    /// # Errors
    /// The system cannot open it.
    pub fn open(path: &Path, closed_names: Closed<'_>) -> Result<Self, Refusal> {
        let flags = directory();
        let dir = rustix::fs::open(path, flags, Mode::empty()).map_err(|problem| {
            Refusal::new(
                Why::Failed,
                format!("{} cannot be opened: {problem}", path.display()),
            )
        })?;
        let inside = closed_names
            .dirs
            .iter()
            .filter_map(|dir| dir.strip_prefix(path).ok());
        let closed = inside
            .filter_map(|dir| dir.to_str().map(str::to_owned))
            .collect();
        Ok(Self {
            path: path.to_owned(),
            dir,
            closed,
            is_closed: closed_names.names,
        })
    }

    /// Finds the place of a normalised path. If the last name is a link, it is followed only with
    /// `follow`.
    ///
    /// # Errors
    /// The system reports an error, or the path leads out of the root, through too many links, or to
    /// a closed part.
    pub fn resolve(&self, path: &str, follow: bool) -> Result<Place, Refusal> {
        let place = match beneath(&self.dir, path, OFlags::PATH | OFlags::NOFOLLOW) {
            Ok(found) => {
                let stat =
                    stat_of(&found).map_err(|problem| Refusal::disk(path, "reading", &problem))?;
                if stat.kind == Kind::Link && follow {
                    self.follow(path, follow)?
                } else {
                    Place {
                        path: path.to_owned(),
                        stat: Some(stat),
                        links: Vec::new(),
                    }
                }
            }
            Err(Errno::NOENT | Errno::LOOP | Errno::XDEV | Errno::NOTDIR | Errno::AGAIN) => {
                self.follow(path, follow)?
            }
            Err(problem) => return Err(Refusal::disk(path, "reading", &problem.into())),
        };
        if self.is_closed(&place.path) {
            return Err(Refusal::denied(format!(
                "{path} leads to files that are closed to all tools"
            )));
        }
        Ok(place)
    }

    /// Whether no path may lead to a place without links.
    #[must_use]
    pub fn is_closed(&self, path: &str) -> bool {
        let inside = |dir: &String| super::below(path, dir);
        path.split('/').any(self.is_closed) || self.closed.iter().any(inside)
    }

    /// Whether a closed directory is at or below a place without links.
    #[must_use]
    pub fn closes_below(&self, path: &str) -> bool {
        self.closed.iter().any(|dir| super::below(dir, path))
    }

    /// Resolves links one by one.
    fn follow(&self, path: &str, follow: bool) -> Result<Place, Refusal> {
        let out = || Refusal::denied(format!("{path} leads out of the repository through a link"));
        let mut names: VecDeque<(String, bool)> = path
            .split('/')
            .map(|name| (name.to_owned(), false))
            .collect();
        let (mut stack, mut links, mut missing) = (Vec::<String>::new(), Vec::new(), false);
        while let Some((name, linked)) = names.pop_front() {
            match &*name {
                "" | "." => continue,
                ".." => {
                    stack.pop().ok_or_else(out)?;
                    continue;
                }
                name if (self.is_closed)(name) => {
                    return Err(Refusal::denied(format!(
                        "{path} leads to files that are closed to all tools"
                    )));
                }
                _ => {}
            }
            if missing {
                stack.push(name);
                continue;
            }
            let here = stack.join("/");
            let disk = |problem: Errno| Refusal::disk(path, "reading", &problem.into());
            let dir = match beneath(&self.dir, &here, directory()) {
                // There is nothing below a file.
                Err(Errno::NOTDIR) => Err(Errno::NOENT),
                dir => Ok(dir.map_err(disk)?),
            };
            match dir.and_then(|dir| rustix::fs::readlinkat(&dir, &*name, Vec::new())) {
                Ok(_) if names.is_empty() && !follow => stack.push(name),
                Ok(target) => {
                    links.push(match here.is_empty() {
                        true => name.clone(),
                        false => format!("{here}/{name}"),
                    });
                    if links.len() > LINKS {
                        return Err(Refusal::denied(format!(
                            "{path} leads through links in a circle"
                        )));
                    }
                    let target = target.to_str().map_err(|_| out())?;
                    let target = if target.starts_with('/') {
                        stack.clear();
                        let inside = Path::new(target)
                            .strip_prefix(&self.path)
                            .map_err(|_| out())?;
                        inside.to_str().ok_or_else(out)?
                    } else {
                        target
                    };
                    for name in target.split('/').rev() {
                        names.push_front((name.to_owned(), true));
                    }
                }
                Err(Errno::INVAL) => stack.push(name),
                Err(Errno::NOENT) if linked => {
                    return Err(Refusal::denied(format!(
                        "{path} is a link to a file that is not there"
                    )));
                }
                Err(Errno::NOENT) => {
                    missing = true;
                    stack.push(name);
                }
                Err(problem) => return Err(disk(problem)),
            }
        }
        let path = stack.join("/");
        let stat = match missing {
            true => None,
            false => self
                .stat(&path)
                .map_err(|problem| Refusal::disk(&path, "reading", &problem))?,
        };
        Ok(Place { path, stat, links })
    }

    /// Metadata of a place, or `None` if the file does not exist. No link is followed.
    ///
    /// # Errors
    /// The system reports an error, or the path leads through a link.
    pub fn stat(&self, path: &str) -> io::Result<Option<Stat>> {
        match beneath(&self.dir, path, OFlags::PATH | OFlags::NOFOLLOW) {
            Ok(found) => Ok(Some(stat_of(&found)?)),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(problem) => Err(problem.into()),
        }
    }

    /// Opens a directory for access to its entries.
    ///
    /// # Errors
    /// The system reports an error, or the path leads through a link.
    pub fn dir(&self, path: &str) -> io::Result<OwnedFd> {
        Ok(beneath(&self.dir, path, directory())?)
    }

    /// Opens the directory of a file; returns it with the file's name.
    ///
    /// # Errors
    /// The system reports an error, or the path leads through a link.
    pub fn parent<'p>(&self, path: &'p str) -> io::Result<(OwnedFd, &'p str)> {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok((self.dir(dir)?, name))
    }
}

/// Flags for a directory that is opened only for access to its entries.
fn directory() -> OFlags {
    #[cfg(target_os = "linux")]
    let kind = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let kind = OFlags::RDONLY;
    kind | OFlags::DIRECTORY | OFlags::CLOEXEC
}

/// Opens a path below a directory without following any links.
#[cfg(target_os = "linux")]
fn beneath(dir: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    let path = if path.is_empty() { "." } else { path };
    let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    rustix::fs::openat2(dir, path, flags | OFlags::CLOEXEC, Mode::empty(), how)
}

/// Opens a path below a directory without following any links.
#[cfg(not(target_os = "linux"))]
fn beneath(dir: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let mut names = path.split('/').peekable();
    let mut held = None;
    while let Some(name) = names.next() {
        let name = if name.is_empty() { "." } else { name };
        let flags = if names.peek().is_some() {
            directory()
        } else {
            flags
        };
        let at = held.as_ref().unwrap_or(dir);
        held = Some(rustix::fs::openat(
            at,
            name,
            flags | OFlags::NOFOLLOW | OFlags::CLOEXEC,
            Mode::empty(),
        )?);
    }
    held.ok_or(Errno::NOENT)
}

fn stat_of(file: &OwnedFd) -> io::Result<Stat> {
    Ok(Stat::of(&rustix::fs::fstat(file)?))
}

/// Metadata of a name in a directory, or `None` if the file does not exist.
pub fn stat_at(dir: impl AsFd, name: &str) -> io::Result<Option<Stat>> {
    match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(raw) => Ok(Some(Stat::of(&raw))),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(problem) => Err(problem.into()),
    }
}

/// Opens a regular file in a directory. A FIFO or device does not block.
pub fn open_at(dir: impl AsFd, name: &str) -> io::Result<File> {
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(File::from(rustix::fs::openat(
        dir,
        name,
        flags,
        Mode::empty(),
    )?))
}
