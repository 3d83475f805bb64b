//! Resolves a path as the caller wrote it to a folder and a name in it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf, is_separator};

use cap_std::fs::Dir;

use super::{FileError, Result, Root, Target};

/// The most links followed in one path before it is taken for a loop.
const MOST_LINKS: usize = 40;

/// A part of a path that is still to be walked.
enum Step {
    Up,
    Into(OsString),
}

/// The end of a walk: a path inside the root without links and `..`, of which only the last part
/// may be missing.
struct Walk {
    place: PathBuf,
}

impl Root {
    /// The target of a path to a file. The file need not exist, but its folder must.
    pub(super) fn resolve(&self, path: &str) -> Result<Target> {
        if path.is_empty() {
            return Err(FileError::NoPath);
        }
        let bad = |why| FileError::BadPath {
            path: path.to_owned(),
            why,
        };
        if path.contains('\0') {
            return Err(bad("holds a NUL character"));
        }
        if path.ends_with(is_separator) || path.ends_with("/.") {
            return Err(bad("names a folder, not a file"));
        }
        let Walk { place } = self.walk(path)?;
        let Some(name) = place.file_name() else {
            return Err(FileError::IsFolder {
                path: path.to_owned(),
            });
        };
        let dir = match place
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            None => self.dir.try_clone(),
            Some(parent) => self.dir.open_dir(parent),
        };
        let dir = dir.map_err(|error| FileError::io(path, "reached", error))?;
        let name = name.to_owned();
        Ok(Target { dir, name, place })
    }

    /// The folder at a path, if there is one; the root for an empty path.
    pub(super) fn folder(&self, path: &str) -> Option<Dir> {
        let place = match path {
            "" => PathBuf::new(),
            _ => self.walk(path).ok()?.place,
        };
        if place.as_os_str().is_empty() {
            return self.dir.try_clone().ok();
        }
        self.dir.open_dir(place).ok()
    }

    /// Checks that a path leads to a folder.
    pub fn is_folder(&self, path: &str) -> Result<()> {
        if path.is_empty() {
            return Err(FileError::NoPath);
        }
        let missing = || FileError::MissingFolder {
            path: path.to_owned(),
            nearest: self.nearest_folder(path),
        };
        let place = match self.walk(path) {
            Ok(walk) => walk.place,
            Err(FileError::NoFolder { .. }) => return Err(missing()),
            Err(other) => return Err(other),
        };
        if !place.as_os_str().is_empty() && self.dir.open_dir(&place).is_err() {
            return Err(missing());
        }
        Ok(())
    }

    fn walk(&self, path: &str) -> Result<Walk> {
        let leaves = |link| FileError::LeavesRoot {
            path: path.to_owned(),
            link,
        };
        let mut place = PathBuf::new();
        let mut steps = VecDeque::new();
        let mut links = 0;
        let inside = self.inside(Path::new(path)).ok_or_else(|| leaves(false))?;
        prepend(&mut steps, &inside);
        while let Some(step) = steps.pop_front() {
            let name = match step {
                Step::Into(name) => name,
                Step::Up if place.pop() => continue,
                Step::Up => return Err(leaves(links > 0)),
            };
            place.push(name);
            let meta = match self.dir.symlink_metadata(&place) {
                Ok(meta) => meta,
                Err(error) if error.kind() == io::ErrorKind::NotFound && steps.is_empty() => break,
                Err(error) => return Err(self.unreachable(path, &place, steps.is_empty(), error)),
            };
            if meta.is_symlink() {
                links += 1;
                if links > MOST_LINKS {
                    let error = io::Error::other("too many links");
                    return Err(FileError::io(path, "reached", error));
                }
                let to = self
                    .dir
                    .read_link_contents(&place)
                    .map_err(|error| FileError::io(path, "reached", error))?;
                place.pop();
                if to.is_absolute() {
                    place.clear();
                }
                let to = self.inside(&to).ok_or_else(|| leaves(true))?;
                prepend(&mut steps, &to);
            } else if !meta.is_dir() && !steps.is_empty() {
                let error = io::ErrorKind::NotADirectory.into();
                return Err(self.unreachable(path, &place, false, error));
            }
        }
        Ok(Walk { place })
    }

    /// A path relative to the root (or to the place of a link). `None` if it is absolute and
    /// outside.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let prefixed = matches!(path.components().next(), Some(Component::Prefix(_)));
        if path.is_relative() && !path.has_root() && !prefixed {
            return Some(path.to_owned());
        }
        // The nearest existing ancestor determines the place, whatever links and dots the path has.
        // The last name itself is kept: it may be a link, or not exist.
        let mut at = match path.file_name() {
            Some(_) if std::fs::canonicalize(path).ok().as_ref() == Some(&self.place) => path,
            Some(_) => path.parent()?,
            None => path,
        };
        loop {
            if let Ok(real) = std::fs::canonicalize(at) {
                let inside = real.strip_prefix(&self.place).ok()?;
                let rest = path.strip_prefix(at).ok()?;
                return Some(inside.join(rest));
            }
            at = at.parent()?;
        }
    }

    fn unreachable(&self, path: &str, place: &Path, last: bool, error: io::Error) -> FileError {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if !last => {
                FileError::NoFolder {
                    path: path.to_owned(),
                    folder: place.to_string_lossy().into_owned(),
                }
            }
            _ => FileError::io(path, "reached", error),
        }
    }
}

fn prepend(steps: &mut VecDeque<Step>, path: &Path) {
    for part in path.components().rev() {
        match part {
            Component::Normal(name) => steps.push_front(Step::Into(name.to_owned())),
            Component::ParentDir => steps.push_front(Step::Up),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
}
