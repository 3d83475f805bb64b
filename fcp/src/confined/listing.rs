//! Many files at once: directories that are opened only once, and walks.

use std::io;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Dir, Mode, OFlags};

use super::root::stat_at;
use super::{Kind, Root, Stat};

/// Opens files in sorted order, and keeps the directory of the last one open.
#[derive(Debug)]
pub struct Dirs<'r> {
    root: &'r Root,
    open: Option<(String, OwnedFd)>,
}

impl<'r> Dirs<'r> {
    /// Starts with no open directory.
    pub const fn of(root: &'r Root) -> Self {
        Self { root, open: None }
    }

    /// The directory of a file, and its name there. `None` if there is no such directory.
    ///
    /// # Errors
    /// The system reports an error.
    pub fn at<'p>(&mut self, path: &'p str) -> io::Result<Option<(&OwnedFd, &'p str)>> {
        match self.parent(path) {
            Ok(found) => Ok(Some(found)),
            Err(problem) if is_missing(&problem) => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// The directory of a file, and its name there.
    ///
    /// # Errors
    /// The system reports an error, or the path leads through a link.
    pub fn parent<'p>(&mut self, path: &'p str) -> io::Result<(&OwnedFd, &'p str)> {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let open = match self.open.take().filter(|(open, _)| open == dir) {
            Some(open) => open,
            None => (dir.to_owned(), self.root.dir(dir)?),
        };
        Ok((&self.open.insert(open).1, name))
    }

    /// Metadata of a file, or `None` if there is none.
    ///
    /// # Errors
    /// The system reports an error.
    pub fn stat(&mut self, path: &str) -> io::Result<Option<Stat>> {
        match self.at(path)? {
            Some((dir, name)) => stat_at(dir, name),
            None => Ok(None),
        }
    }
}

/// Whether a directory does not exist, or is now behind a link.
fn is_missing(problem: &io::Error) -> bool {
    use rustix::io::Errno;
    let errno = problem.raw_os_error().map(Errno::from_raw_os_error);
    matches!(
        errno,
        Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV)
    )
}

/// A file found by a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Its path from the top of the walk.
    pub path: String,
    /// Its metadata.
    pub stat: Stat,
}

/// All files below a directory, directories before their contents, each directory in byte order. A
/// name that is not UTF-8 is an error.
///
/// # Errors
/// The system reports an error.
pub fn walk(top: impl AsFd) -> io::Result<Vec<Walked>> {
    let mut found = Vec::new();
    let mut open = vec![String::new()];
    while let Some(here) = open.pop() {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut dir = None;
        for name in here.split('/') {
            let name = if name.is_empty() { "." } else { name };
            let at = dir.as_ref().map_or(top.as_fd(), OwnedFd::as_fd);
            dir = Some(rustix::fs::openat(at, name, flags, Mode::empty())?);
        }
        let Some(dir) = dir else { continue };
        let mut names = Vec::new();
        for entry in Dir::read_from(&dir)? {
            let entry = entry?;
            let name = entry
                .file_name()
                .to_str()
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "a name is not UTF-8"))?;
            if !matches!(name, "." | "..") {
                names.push(name.to_owned());
            }
        }
        names.sort();
        for name in names {
            let Some(stat) = stat_at(&dir, &name)? else {
                continue;
            };
            let path = if here.is_empty() {
                name
            } else {
                format!("{here}/{name}")
            };
            if stat.kind == Kind::Dir {
                open.push(path.clone());
            }
            found.push(Walked { path, stat });
        }
    }
    Ok(found)
}
