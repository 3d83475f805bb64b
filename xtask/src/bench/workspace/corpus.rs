//! A reproducible repository: sources of some kilobytes each, in directories.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::workspace::Result;

/// Creates a repository of about `count` files, all committed but two. Returns the files.
pub fn lay(root: &Path, count: usize) -> Result<Vec<PathBuf>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut files = Vec::with_capacity(count + 2);
    for at in 0..count {
        // Two dozen files in each folder: git's time follows the folders as well as the files.
        let path = root.join(format!("p{}/m{}/file_{at}.rs", at % 23, at / 552));
        write(&path, &source(&mut state, at))?;
        files.push(path);
    }
    for arguments in [
        &["init", "-q"][..],
        &["add", "."],
        &[
            "-c",
            "user.name=Bench",
            "-c",
            "user.email=bench@example.com",
            "-c",
            "gc.auto=0",
            "commit",
            "-q",
            "-m",
            "corpus",
        ],
    ] {
        let status = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(arguments)
            .status()?;
        if !status.success() {
            return Err(format!("git {arguments:?} failed").into());
        }
    }
    for name in ["new_one.rs", "new_two.rs"] {
        let path = root.join(name);
        write(&path, &source(&mut state, count))?;
        files.push(path);
    }
    files.sort();
    // Files as new as the clock's resolution are read again, which must not be measured.
    std::thread::sleep(std::time::Duration::from_millis(50));
    Ok(files)
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write(path, text)?)
}

/// About three kilobytes of source lines.
fn source(state: &mut u64, at: usize) -> String {
    let mut next = || {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    };
    let lines = 40 + next() % 60;
    let mut text = format!("//! Module {at}.\n");
    for line in 0..lines {
        let value = next() % 100_000;
        text.push_str(&format!("    let value_{line} = compute({value}, {at});\n"));
    }
    if at.is_multiple_of(97) {
        text.push_str(&format!("    needle_{}();\n", at % 31));
    }
    text
}
