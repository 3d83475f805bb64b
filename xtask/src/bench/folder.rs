//! The folder of the measured files.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process,
};

/// A folder that is removed when dropped.
pub struct Folder(PathBuf);

impl Folder {
    /// A new folder in the system's temporary folder.
    pub fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("fcp-bench-{}", process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If it cannot be removed, the system cleans up.
        let _ = fs::remove_dir_all(&self.0);
    }
}
