//! Temporary files of one call, and atomic replacement of files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Answer, Failure};
use crate::hash::hex;

/// A directory for temporary files of one call.
#[derive(Debug)]
pub struct Scratch {
    dir: PathBuf,
}

/// A directory that is removed when dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

/// An unguessable word.
pub fn random() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

impl Scratch {
    /// Uses an existing directory.
    pub fn at(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// A new directory. `name` is its purpose.
    pub fn folder(&self, name: &str) -> Answer<Folder> {
        let made = random().and_then(|word| {
            let path = self.dir.join(format!("{name}-{word}"));
            fs::create_dir(&path)?;
            Ok(Folder(path))
        });
        made.map_err(super::failed("making a temporary directory"))
    }
}

impl Folder {
    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover directory does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Writes a file atomically, replacing an existing one.
pub fn replace(path: &Path, bytes: &[u8], sync: bool) -> io::Result<()> {
    let beside = path.with_file_name(format!(".{}", random()?));
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

/// Writes a file atomically, unless it exists.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_file_name(format!(".{}", random()?));
    fs::write(&beside, bytes)?;
    let linked = fs::hard_link(&beside, path);
    fs::remove_file(&beside)?;
    match linked {
        Err(problem) if problem.kind() != io::ErrorKind::AlreadyExists => Err(problem),
        _ => Ok(()),
    }
}

/// Locks a file of the state directory exclusively, until the lock is dropped.
pub fn exclusive(path: &Path) -> Answer<File> {
    let opened = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(path);
    let locked = opened.and_then(|file| {
        file.lock()?;
        Ok(file)
    });
    locked.map_err(|problem| {
        Failure::internal(format!(
            "a lock of the state directory cannot be taken: {problem}"
        ))
    })
}
