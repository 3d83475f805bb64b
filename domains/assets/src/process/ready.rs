//! The file that marks the server as ready.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::log;

/// Its path, unless `MCP_READY_FILE` sets another.
pub const READY_FILE: &str = "/tmp/mcp.ready";

/// A file with the id of this process, present while it serves.
#[derive(Clone, Debug)]
pub struct Ready {
    path: Option<PathBuf>,
}

impl Ready {
    /// Writes the file named by `MCP_READY_FILE`; no file if the name is blank. A failure to write
    /// it is only logged.
    #[must_use]
    pub fn announce(name: Option<OsString>) -> Self {
        let path = PathBuf::from(name.unwrap_or_else(|| READY_FILE.into()));
        let blank = path.to_str().is_some_and(|name| name.trim().is_empty());
        let path = (!blank).then_some(path);
        if let Some(path) = &path
            && let Err(problem) = write(path)
        {
            log::line(format_args!(
                "{} cannot be written: {problem}",
                path.display()
            ));
        }
        Self { path }
    }

    /// Removes the file, unless another process has replaced it.
    pub fn withdraw(&self) {
        if let Some(path) = &self.path
            && owner(path) == Some(process::id())
        {
            // The file may be gone already.
            let _ = fs::remove_file(path);
        }
    }
}

/// Replaces the file at a path: a link is replaced, not followed.
fn write(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mcp-ready-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The supervisor of the server may be another user.
        builder.permissions(fs::Permissions::from_mode(0o644));
    }
    let mut file = builder.tempfile_in(folder)?;
    writeln!(file, "{} {}", process::id(), log::stamp())?;
    file.persist(path)?;
    Ok(())
}

/// The id of the process named in a file.
fn owner(path: &Path) -> Option<u32> {
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(64).read_to_string(&mut text).ok()?;
    text.split_whitespace().next()?.parse().ok()
}
