//! Where the files lie that are measured.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process,
};

/// A folder that is gone with this value.
pub struct Folder(PathBuf);

impl Folder {
    /// A new one, among the system's temporary ones.
    pub fn new() -> io::Result<Self> {
        let path = env::temp_dir().join(format!("fcp-bench-{}", process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is the system's to clean up.
        let _ = fs::remove_dir_all(&self.0);
    }
}
