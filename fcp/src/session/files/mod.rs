//! Reading and writing files under a root.
//!
//! A path is taken relative to the [`Root`]; an absolute one is accepted if it lies inside. `..`
//! and symbolic links are followed as long as they stay inside, and saving through a link writes to
//! its target. Names are resolved here, but every file is opened through a capability to the root,
//! so a directory that is swapped for a link meanwhile cannot lead out either.
//!
//! A save writes a temporary file next to the old one and renames it into place: whatever fails or
//! kills it, the path holds the complete old or the complete new content. The new file gets the old
//! one's permissions and, if the system permits it, owner and group; further hard links to the old
//! file keep the old content, and extended attributes are not carried over. Saves into one folder
//! exclude each other by a lock on the folder: if two programs save one file, the second finds it
//! changed. A save killed at the wrong moment leaves a file named `.fcp-save.tmp`, which the next
//! save into that folder removes. On a file system without locks, its name is
//! `.NAME.fcp-save-….tmp`, and it stays.

use std::ffi::OsString;
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, FileType, Metadata, OpenOptions};
use rustc_hash::FxHasher;

use crate::work;

mod error;
mod nearest;
mod resolve;
mod save;
#[cfg(test)]
mod tests;

pub use error::{FileError, Result};

/// The bytes of a file that are read or written in the time of one step.
const BYTES_A_STEP: usize = 32;

/// The steps of a save besides its bytes: the disk is waited for.
const STEPS_TO_SAVE: usize = 100_000;

/// The folder that every path stays inside. Clones share it.
#[derive(Clone, Debug)]
pub struct Root {
    dir: Arc<Dir>,
    /// Its absolute path without links; only used to recognise absolute paths that lie inside.
    place: PathBuf,
}

/// A file's state on disk when it was last read or written, to detect changes by others.
///
/// Only a change of content counts: a file that was touched, or replaced by an equal one, is
/// unchanged. Contents are compared by length and then by a hash of the whole file, so a change
/// that keeps length and time is detected too. That costs one read of a file that is about to be
/// written anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Path inside the root, without links.
    place: PathBuf,
    /// The content's length, in bytes.
    len: u64,
    /// The content's hash. Not comparable between releases of the program.
    hash: u64,
}

/// The state in which a save may find its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Any state: any file is replaced, read-only ones too. For `save force`. Folders and special
    /// files are still rejected.
    Anything,
    /// The file as it was last read or written. If it changed or vanished since, the save fails.
    /// For `save`.
    Unchanged(Stamp),
    /// No file; or, with a stamp, the file of that stamp, unchanged. For `save as:`, so that
    /// another file is never replaced by accident.
    New {
        /// The stamp of the document's own file, if it has one.
        or: Option<Stamp>,
    },
}

/// A resolved path.
struct Target {
    /// The folder it lies in.
    dir: Dir,
    /// Its name there.
    name: OsString,
    /// Path inside the root, without links.
    place: PathBuf,
}

impl Root {
    /// The root at `path`, which may be anywhere.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let fail = |error: io::Error| {
            FileError::io(&path.to_string_lossy(), "opened as the root folder", error)
        };
        let place = std::fs::canonicalize(path).map_err(fail)?;
        let dir = Dir::open_ambient_dir(&place, ambient_authority()).map_err(fail)?;
        Ok(Self {
            dir: Arc::new(dir),
            place,
        })
    }

    /// The whole content of a file of at most `limit` bytes, and its stamp.
    pub fn read(&self, path: &str, limit: u64) -> Result<(Vec<u8>, Stamp)> {
        let missing = || FileError::NotFound {
            path: path.to_owned(),
            nearest: self.nearest(path),
        };
        let target = self.resolve(path).map_err(|error| match error {
            FileError::NoFolder { .. } => missing(),
            other => other,
        })?;
        let (file, meta) = target.open(path)?.ok_or_else(missing)?;
        let too_large = |size| FileError::TooLarge {
            path: path.to_owned(),
            size,
            limit,
        };
        if meta.len() > limit {
            return Err(too_large(meta.len()));
        }
        let failed = |error| FileError::io(path, "read", error);
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(usize::try_from(meta.len()).unwrap_or(usize::MAX))
            .map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        if bytes.len() as u64 > limit {
            return Err(too_large(bytes.len() as u64));
        }
        work::spend(bytes.len() / BYTES_A_STEP)?;
        let stamp = Stamp::new(target.place, &bytes);
        Ok((bytes, stamp))
    }

    /// Replaces or creates a file if its present state is as expected. On an error the old file is
    /// unchanged.
    ///
    /// The content is on disk when this returns. Folders are not created.
    pub fn write(&self, path: &str, bytes: &[u8], expected: &Expect) -> Result<Stamp> {
        work::spend(STEPS_TO_SAVE + bytes.len() / BYTES_A_STEP)?;
        save::save(self, path, bytes, expected, &mut |_| Ok(()))
    }

    /// Checks that [`Self::write`] would not reject a path, for content that takes long to make.
    pub fn check_target(&self, path: &str, expected: &Expect) -> Result<()> {
        save::check_target(self, path, expected)
    }

    /// Returns whether a path leads to the file of a stamp, whose content is another one now.
    #[must_use]
    pub fn has_changed(&self, path: &str, stamp: &Stamp) -> bool {
        let is_there = || self.check_target(path, &Expect::Unchanged(stamp.clone()));
        self.is_same(path, stamp) && matches!(is_there(), Err(FileError::Changed { .. }))
    }

    /// Returns whether a path leads to the stamp's file, however it is spelled.
    #[must_use]
    pub fn is_same(&self, path: &str, stamp: &Stamp) -> bool {
        self.resolve(path)
            .is_ok_and(|target| target.place == stamp.place)
    }
}

impl Target {
    /// The metadata of the file, or `None` if there is none. Rejects everything except files.
    fn metadata(&self, path: &str) -> Result<Option<Metadata>> {
        match self.dir.symlink_metadata(&self.name) {
            Ok(meta) => {
                check_type(path, meta.file_type())?;
                Ok(Some(meta))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::io(path, "read", error)),
        }
    }

    /// Opens the file for reading; `None` if there is none. Never waits for the other end of a
    /// pipe.
    fn open(&self, path: &str) -> Result<Option<(File, Metadata)>> {
        // Opening a device may have effects, so its type is checked first; and again afterwards,
        // since it may have been swapped in between.
        if self.metadata(path)?.is_none() {
            return Ok(None);
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt;
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        }
        let opened = self
            .dir
            .open_with(&self.name, &options)
            .and_then(|file| file.metadata().map(|meta| (file, meta)));
        match opened {
            Ok((file, meta)) => {
                check_type(path, meta.file_type())?;
                Ok(Some((file, meta)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::io(path, "read", error)),
        }
    }
}

fn check_type(path: &str, kind: FileType) -> Result<()> {
    let path = path.to_owned();
    if kind.is_file() {
        return Ok(());
    }
    Err(if kind.is_dir() {
        FileError::IsFolder { path }
    } else {
        FileError::Special { path }
    })
}

/// The bytes that are hashed at once. The hash depends on it.
const CHUNK: usize = 64 * 1024;

impl Stamp {
    fn new(place: PathBuf, bytes: &[u8]) -> Self {
        let mut hasher = FxHasher::default();
        bytes.chunks(CHUNK).for_each(|chunk| hasher.write(chunk));
        Self {
            place,
            len: bytes.len() as u64,
            hash: hasher.finish(),
        }
    }

    /// Returns whether the file still has the stamp's content.
    fn holds(&self, mut file: File, meta: &Metadata) -> io::Result<bool> {
        if meta.len() != self.len {
            return Ok(false);
        }
        let mut hasher = FxHasher::default();
        let (mut chunk, mut len) = (Vec::with_capacity(CHUNK), 0);
        while len <= self.len {
            chunk.clear();
            match (&mut file).take(CHUNK as u64).read_to_end(&mut chunk)? {
                0 => break,
                n => len += n as u64,
            }
            hasher.write(&chunk);
        }
        Ok(len == self.len && hasher.finish() == self.hash)
    }
}
