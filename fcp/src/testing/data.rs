//! Other people's files, where they are at hand.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Prints past the capture of the test runner, which hides what a passing test prints.
pub fn say(text: &str) {
    // A closed standard error has nobody to tell.
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A folder of files that the project does not carry, if it is here: in the folder that `FCP_DATA` names, or in
/// `shared/data` beside the project. Where it is not, says loudly that the test checked nothing.
#[must_use]
pub fn data(folder: &str) -> Option<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let above = package.iter().flat_map(|package| package.ancestors());
    let beside = above.map(|above| above.join("shared/data"));
    let named = std::env::var_os("FCP_DATA").map(PathBuf::from);
    let mut places = named
        .into_iter()
        .chain(beside)
        .map(|data| data.join(folder));
    let found = places.find(|place| place.is_dir());
    if found.is_none() {
        say(&format!(
            "NOTHING WAS CHECKED: there is no shared/data/{folder} beside the project; FCP_DATA may name the folder above {folder}"
        ));
    }
    found
}

/// Every file below a folder whose name ends so, in order. Folders that cannot be read hold none.
#[must_use]
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ends = |end: &std::ffi::OsStr| extensions.iter().any(|own| end == *own);
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(ends) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Every file of others in a folder of [`data`] whose name ends so; none, said loudly, where it is not here.
#[must_use]
pub fn others(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    data(folder).map_or_else(Vec::new, |found| files(&found, extensions))
}
