//! Files that a program keeps for itself in a directory of its own, and shares with other processes
//! of the same program.

use std::env;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::root::open_at;

/// The file in a temporary directory that its process keeps locked.
const LOCK: &str = ".lock";

/// The directory in which a program keeps state for its user, by the rules of XDG:
/// `$XDG_STATE_HOME`, else `~/.local/state`. `None` if neither is known.
#[must_use]
pub fn state_dir(program: &str) -> Option<PathBuf> {
    let home = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = home.filter(|home| home.is_absolute());
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".local/state")));
    Some(home?.join(program))
}

/// A temporary directory, removed with this value. If its process was killed, [`sweep`](Self::sweep) removes it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Locked as long as the process lives.
    _lock: File,
}

impl Folder {
    /// Makes a directory inside another. `purpose` begins its name.
    ///
    /// # Errors
    /// The system reports an error.
    pub fn within(dir: &Path, purpose: &str) -> io::Result<Self> {
        let path = dir.join(format!("{purpose}-{}", word()));
        fs::create_dir(&path)?;
        // The lock has its name only when it is locked, so that no sweep takes a new directory for a dead one.
        let new = beside(&path.join(LOCK));
        let lock = exclusive(&new)?;
        fs::rename(&new, path.join(LOCK))?;
        Ok(Self { path, _lock: lock })
    }

    /// Removes the directories for a purpose whose processes were killed. Errors are ignored: a leftover does no harm.
    pub fn sweep(dir: &Path, purpose: &str) {
        Self::sweep_settled(dir, purpose, |_| true);
    }

    /// Removes the directories for a purpose whose processes were killed, if nothing in them is needed any more.
    pub fn sweep_settled(dir: &Path, purpose: &str, is_settled: impl Fn(&Path) -> bool) {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let own = name
                .to_str()
                .and_then(|name| name.strip_prefix(purpose)?.strip_prefix('-'));
            let is_own = own.is_some_and(|word| {
                word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit())
            });
            if !is_own || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            // Held until the directory is gone, so that none is removed of which another process has taken the lock.
            if let Some(_lock) = abandoned(&entry.path())
                && is_settled(&entry.path())
            {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover directory does no harm.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The lock of a temporary directory, taken, or `None` if its process lives. Others may write in the same directory: a
/// link or a pipe is not our lock.
fn abandoned(folder: &Path) -> Option<File> {
    let dir = File::open(folder).ok()?;
    let lock = open_at(dir, LOCK).ok()?;
    let is_file = lock.metadata().is_ok_and(|lock| lock.is_file());
    (is_file && lock.try_lock().is_ok()).then_some(lock)
}

/// Writes a file that others see entirely or not at all, in place of an existing one. `sync` waits
/// until the content is on the disk.
///
/// # Errors
/// The system reports an error; the file is as before.
pub fn replace(path: &Path, bytes: &[u8], sync: bool) -> io::Result<()> {
    let beside = beside(path);
    let written = File::create_new(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        if sync { file.sync_data() } else { Ok(()) }
    });
    let done = written.and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    done
}

/// Writes a file that others see entirely or not at all, unless there is one already.
///
/// # Errors
/// The system reports an error.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    fs::write(&beside, bytes)?;
    let linked = fs::hard_link(&beside, path);
    fs::remove_file(&beside)?;
    match linked {
        Err(problem) if problem.kind() != io::ErrorKind::AlreadyExists => Err(problem),
        _ => Ok(()),
    }
}

/// Opens a file to be locked, and makes it if there is none.
///
/// # Errors
/// The system reports an error.
pub fn lockable(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).read(true).write(true);
    options.open(path)
}

/// Locks a file, until it is closed: one process at a time.
///
/// # Errors
/// The system reports an error.
pub fn exclusive(path: &Path) -> io::Result<File> {
    let file = lockable(path)?;
    file.lock()?;
    Ok(file)
}

/// Makes a new directory with a name in another, or with `-2`, `-3` … after it if that is taken.
///
/// # Errors
/// The system reports an error.
pub fn new_dir(within: &Path, name: &str) -> io::Result<PathBuf> {
    for number in 1_u64.. {
        let dir = match number {
            1 => within.join(name),
            _ => within.join(format!("{name}-{number}")),
        };
        match fs::create_dir(&dir) {
            Err(problem) if problem.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| dir),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The real path of a place that may not exist yet: links on the way to it are followed.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    let mut above = path.ancestors();
    let real = above.find_map(|above| {
        let rest = path.strip_prefix(above).ok()?;
        Some(fs::canonicalize(above).ok()?.join(rest))
    });
    real.unwrap_or_else(|| path.to_owned())
}

/// An unused word for a file name.
#[must_use]
pub fn word() -> String {
    let half = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", half(), half())
}

fn beside(path: &Path) -> PathBuf {
    path.with_file_name(format!(".{}", word()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_whole_and_nothing_is_left_beside() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("key");
        create(&path, b"one").unwrap();
        create(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        replace(&path, b"three", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert!(replace(&dir.path().join("none/key"), b"", false).is_err());
        assert_eq!(
            real_path(&dir.path().join("none/key")).file_name(),
            path.file_name()
        );
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_goes_with_its_value_and_a_lock_with_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::within(dir.path(), "index").unwrap();
        fs::write(folder.path().join("x"), "x").unwrap();
        drop(folder);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
        let path = dir.path().join("lock");
        let held = exclusive(&path).unwrap();
        assert!(lockable(&path).unwrap().try_lock().is_err());
        drop(held);
        assert!(exclusive(&path).is_ok());
        for name in ["copy", "copy-2", "copy-3"] {
            assert_eq!(new_dir(dir.path(), "copy").unwrap(), dir.path().join(name));
        }
        assert!(new_dir(&path, "copy").is_err());
    }

    #[test]
    fn directories_of_dead_processes_are_swept() {
        let dir = tempfile::tempdir().unwrap();
        let alive = Folder::within(dir.path(), "work").unwrap();
        let dead = dir.path().join(format!("work-{}", word()));
        let young = dir.path().join(format!("work-{}", word()));
        let other = dir.path().join("work-in-progress");
        for folder in [&dead, &young, &other] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(other.join(LOCK), "").unwrap();
        let strange = dir.path().join(format!("work-{}", word()));
        fs::create_dir_all(strange.join(LOCK)).unwrap();
        Folder::sweep(dir.path(), "work");
        assert!(alive.path().exists() && young.exists() && other.exists());
        assert!(strange.exists() && !dead.exists());
    }

    #[test]
    fn the_lock_of_a_directory_is_held_until_it_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let dead = dir.path().join(format!("work-{}", word()));
        fs::create_dir(&dead).unwrap();
        let lock = File::create(dead.join(LOCK)).unwrap();
        for at in 0..20_000 {
            File::create(dead.join(at.to_string())).unwrap();
        }
        std::thread::scope(|scope| {
            let sweep = scope.spawn(|| Folder::sweep(dir.path(), "work"));
            while !sweep.is_finished()
                && fs::read_dir(&dead).is_ok_and(|left| left.count() > 20_000)
            {}
            // Removal has begun.
            while dead.exists() {
                assert!(lock.try_lock().is_err() || !dead.exists());
            }
        });
    }
}
