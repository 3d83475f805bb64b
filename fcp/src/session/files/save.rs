//! Atomic saves: a path never holds half a file. One save at a time in a folder.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use super::{Expect, FileError, Result, Root, Stamp, Target};
#[cfg(unix)]
use crate::work::is_unwanted;

/// The temporary file of a save that holds its folder's lock. At most one is in use in a folder, so
/// one that is found there belongs to a dead save.
const TEMPORARY: &str = ".fcp-save.tmp";

/// Part of the name of every temporary file.
pub(super) const MARK: &str = ".fcp-save";

/// The longest wait for another save in the folder; a save takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(1);

/// Bytes of the file's own name used in the temporary name, which must stay under 255.
const NAME_SHOWN: usize = 100;

/// The next step of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Create the temporary file.
    Create,
    /// Write the content to it.
    Write,
    /// Flush it to the disk.
    Sync,
    /// Check once more whether the old file changed.
    Check,
    /// Replace the old file.
    Replace,
}

/// Called before every step; an error from it is an error of the step. Tests use it to make saves
/// fail.
pub(super) type Steps<'a> = &'a mut dyn FnMut(Step) -> io::Result<()>;

pub(super) fn save(
    root: &Root,
    path: &str,
    bytes: &[u8],
    expected: &Expect,
    steps: Steps<'_>,
) -> Result<Stamp> {
    let target = root.resolve(path)?;
    let lock = Lock::take(&target.dir).map_err(|error| FileError::io(path, "written", error))?;
    let old = target.metadata(path)?;
    let expected = match expected {
        Expect::New { or: Some(stamp) } if stamp.place == target.place => {
            &Expect::Unchanged(stamp.clone())
        }
        other => other,
    };
    check(&target, path, old.as_ref(), expected)?;

    let failed = |error| FileError::io(path, "written", error);
    steps(Step::Create).map_err(failed)?;
    let mut temp = Temp::new(&target, old.is_some(), &lock).map_err(failed)?;
    steps(Step::Write).map_err(failed)?;
    temp.file.write_all(bytes).map_err(failed)?;
    if let Some(old) = &old {
        temp.take_after(old).map_err(failed)?;
    }
    steps(Step::Sync).map_err(failed)?;
    temp.file.sync_all().map_err(failed)?;

    // Writing took some time. A change since the comparison shows in the file's metadata.
    steps(Step::Check).map_err(failed)?;
    if *expected != Expect::Anything
        && target.metadata(path)?.as_ref().map(Meta::new) != old.as_ref().map(Meta::new)
    {
        check(&target, path, target.metadata(path)?.as_ref(), expected)?;
    }
    steps(Step::Replace).map_err(failed)?;
    let new_only = old.is_none() && *expected != Expect::Anything;
    temp.put(new_only).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists {
            path: path.to_owned(),
        },
        _ => failed(error),
    })?;
    Ok(Stamp::new(target.place, bytes))
}

/// Checks that a save to a path would not be rejected, for content that takes long to make.
pub(super) fn check_target(root: &Root, path: &str, expected: &Expect) -> Result<()> {
    let target = root.resolve(path)?;
    check(&target, path, target.metadata(path)?.as_ref(), expected)
}

/// Cheap evidence that a file may have been written to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meta {
    len: u64,
    modified: Option<SystemTime>,
    /// Device, inode, and the time of the last change of any kind, which a program cannot set back.
    #[cfg(unix)]
    unix: (u64, u64, i64, i64),
}

impl Meta {
    fn new(meta: &Metadata) -> Self {
        #[cfg(unix)]
        use cap_std::fs::MetadataExt;
        Self {
            len: meta.len(),
            modified: meta
                .modified()
                .ok()
                .map(cap_std::time::SystemTime::into_std),
            #[cfg(unix)]
            unix: (meta.dev(), meta.ino(), meta.ctime(), meta.ctime_nsec()),
        }
    }
}

/// Checks that the existing file may be replaced.
fn check(target: &Target, path: &str, old: Option<&Metadata>, expected: &Expect) -> Result<()> {
    if old.is_none() && is_temporary(&target.name) {
        return Err(FileError::BadPath {
            path: path.to_owned(),
            why: "is the name of the temporary file of saves",
        });
    }
    // Nothing that a caller may still do, force included, helps against a closed folder.
    access(target, OsStr::new(".")).map_err(|error| FileError::io(path, "written", error))?;
    let owned = || path.to_owned();
    let stamp = match (expected, old) {
        (Expect::Anything, _) | (Expect::New { .. }, None) => return Ok(()),
        (Expect::New { .. }, Some(_)) => return Err(FileError::Exists { path: owned() }),
        (Expect::Unchanged(_), None) => return Err(FileError::Vanished { path: owned() }),
        (Expect::Unchanged(stamp), Some(_)) => stamp,
    };
    let Some((file, meta)) = target.open(path)? else {
        return Err(FileError::Vanished { path: owned() });
    };
    // Whoever may write to the folder may replace a file in it, writable or not; so this needs a
    // check.
    match access(target, &target.name) {
        // A file that no one may write, or a mount of its own, cannot be replaced either.
        Err(error) if error.kind() != io::ErrorKind::PermissionDenied || is_fixed(&error) => {
            return Err(FileError::io(path, "written", error));
        }
        Err(_) => return Err(FileError::ReadOnly { path: owned() }),
        Ok(()) if meta.permissions().readonly() => {
            return Err(FileError::ReadOnly { path: owned() });
        }
        Ok(()) => {}
    }
    let same = stamp.place == target.place
        && stamp
            .holds(file, &meta)
            .map_err(|error| FileError::io(path, "compared with what was opened", error))?;
    if same {
        Ok(())
    } else {
        Err(FileError::Changed { path: owned() })
    }
}

/// Checks that the system would let this process write to a file of the target's folder, or to `.`, the folder itself.
fn access(target: &Target, name: &OsStr) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::fs::{Access, AtFlags, accessat};
        use rustix::io::Errno;
        match accessat(&target.dir, name, Access::WRITE_OK, AtFlags::EACCESS) {
            Err(errno @ (Errno::ACCESS | Errno::PERM | Errno::ROFS)) => Err(errno.into()),
            _ => Ok(()),
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (target, name);
        Ok(())
    }
}

/// Returns whether a file must not change by any means: it is immutable.
fn is_fixed(error: &io::Error) -> bool {
    #[cfg(unix)]
    return rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::PERM);
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

/// The lock of a folder, which excludes every other save into it by any program of this framework.
/// The system releases it if its holder dies.
enum Lock {
    /// The folder, opened once more: the lock lives as long as this handle.
    Held { _folder: File },
    /// The file system or the platform has no locks.
    None,
}

impl Lock {
    /// Waits for other saves. Fails after [`PATIENCE`], or if the call is cancelled.
    fn take(dir: &Dir) -> io::Result<Self> {
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            use rustix::io::Errno;
            // A folder that is writable but not readable cannot be locked.
            let Ok(folder) = dir.open(".") else {
                return Ok(Self::None);
            };
            let begun = std::time::Instant::now();
            loop {
                match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
                    Ok(()) => return Ok(Self::Held { _folder: folder }),
                    Err(Errno::WOULDBLOCK | Errno::INTR) if is_unwanted() => {
                        return Err(io::Error::other("the call was cancelled"));
                    }
                    Err(Errno::WOULDBLOCK | Errno::INTR) if begun.elapsed() < PATIENCE => {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                    Err(Errno::WOULDBLOCK | Errno::INTR) => {
                        let held = "another program has locked the folder for over a second; \
                                    save again when it has ended";
                        return Err(io::Error::new(io::ErrorKind::ResourceBusy, held));
                    }
                    Err(_) => return Ok(Self::None),
                }
            }
        }
        #[cfg(not(unix))]
        {
            let _ = (dir, PATIENCE);
            Ok(Self::None)
        }
    }
}

/// A temporary file next to the one to write. Removed unless it was put in place.
struct Temp<'a> {
    target: &'a Target,
    file: File,
    name: OsString,
}

impl<'a> Temp<'a> {
    /// Creates an empty file; if it is to replace another, only its owner can read it until it gets
    /// its permissions. Removes the leftover of a dead save in the folder.
    fn new(target: &'a Target, private: bool, lock: &Lock) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            use cap_std::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        #[cfg(not(unix))]
        let _ = private;
        let free = match lock {
            // A file of that name that the user edits is not a leftover.
            Lock::Held { .. } if is_temporary(&target.name) => false,
            Lock::Held { .. } => match target.dir.remove_file(TEMPORARY) {
                Ok(()) => true,
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            },
            Lock::None => false,
        };
        // If it cannot be removed it is not ours: use another name.
        let mut fixed = free.then(|| OsString::from(TEMPORARY));
        loop {
            let name = fixed.take().unwrap_or_else(|| temporary_name(&target.name));
            match target.dir.open_with(&name, &options) {
                Ok(file) => return Ok(Self { target, file, name }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Copies owner, group and permissions of the old file.
    fn take_after(&self, old: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use cap_std::fs::{MetadataExt, PermissionsExt};
            use rustix::fs::{Gid, Uid, fchown};
            let own = self.file.metadata()?;
            let mut mode = old.mode() & 0o7777;
            let (uid, gid) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
            let foreign = own.uid() != old.uid() || own.gid() != old.gid();
            if foreign && fchown(&self.file, Some(uid), Some(gid)).is_err() {
                // The saving user becomes the owner. Rights of the old group must not pass to
                // another one.
                mode &= 0o777;
                if own.gid() != old.gid() && fchown(&self.file, None, Some(gid)).is_err() {
                    mode = (mode & 0o707) | ((mode & 0o007) << 3);
                }
            }
            self.file
                .set_permissions(cap_std::fs::Permissions::from_mode(mode))
        }
        #[cfg(not(unix))]
        self.file.set_permissions(old.permissions())
    }

    /// Gives the file its final name; if `new_only`, that name must be free.
    fn put(self, new_only: bool) -> io::Result<()> {
        let Target { dir, name, .. } = self.target;
        if new_only {
            // A hard link is the portable way to name a file only if the name is free. The
            // temporary name is removed when `self` is dropped.
            match dir.hard_link(&self.name, dir, name) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                Err(_) if dir.symlink_metadata(name).is_err() => {
                    dir.rename(&self.name, dir, name)?;
                }
                Err(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            }
        } else {
            dir.rename(&self.name, dir, name)?;
        }
        // The new file is in place. The folder's own change may not be on disk yet, but that does
        // not make the save a failure, and some file systems cannot report it.
        let target = self.target;
        drop(self);
        let _ = sync(&target.dir);
        Ok(())
    }
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        // Gone already if it was renamed.
        let _ = self.target.dir.remove_file(&self.name);
    }
}

/// Returns whether a file has the name of the temporary one; on case-insensitive file systems too.
fn is_temporary(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(TEMPORARY)
}

fn sync(dir: &Dir) -> io::Result<()> {
    if cfg!(unix) {
        dir.open(".")?.sync_all()?;
    }
    Ok(())
}

/// `.drawing.svg.fcp-save-1f3a-0-5c2e91d0.tmp`
fn temporary_name(name: &OsStr) -> OsString {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = name.to_string_lossy();
    let shown = name
        .get(..name.floor_char_boundary(NAME_SHOWN))
        .unwrap_or("");
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let nanos = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |time| time.subsec_nanos());
    format!(
        ".{shown}{MARK}-{:x}-{count:x}-{nanos:x}.tmp",
        std::process::id()
    )
    .into()
}
