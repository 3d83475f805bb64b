//! The file that says that the server is ready.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::log;

/// Where it is, unless `MCP_READY_FILE` says where.
pub const READY_FILE: &str = "/tmp/mcp.ready";

/// A file with the number of this process, as long as it serves.
#[derive(Clone, Debug)]
pub struct Ready {
    path: Option<PathBuf>,
}

impl Ready {
    /// Writes the file that `MCP_READY_FILE` names; no file if the name is blank. That it cannot be written is told and
    /// no more.
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

    /// Removes the file, unless another process has written its own there.
    pub fn withdraw(&self) {
        if let Some(path) = &self.path
            && owner(path) == Some(process::id())
        {
            // If it is gone already, so much the better.
            let _ = fs::remove_file(path);
        }
    }
}

/// Puts a new file in the place of what is there: a link is replaced and not followed.
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
        // Whoever watches over the server may be another user.
        builder.permissions(fs::Permissions::from_mode(0o644));
    }
    let mut file = builder.tempfile_in(folder)?;
    writeln!(file, "{} {}", process::id(), log::stamp())?;
    file.persist(path)?;
    Ok(())
}

/// The number of the process that a file names.
fn owner(path: &Path) -> Option<u32> {
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    let file = File::open(path).ok()?;
    file.take(64).read_to_string(&mut text).ok()?;
    text.split_whitespace().next()?.parse().ok()
}
