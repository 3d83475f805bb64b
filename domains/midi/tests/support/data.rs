//! Other people's files, where they are at hand.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Prints past the capture of the test runner, which hides what a passing test prints.
pub fn say(text: &str) {
    std::io::stderr()
        .write_all(format!("{text}\n").as_bytes())
        .unwrap();
}

/// The folder of the files, if it is here. In `FCP_DATA`, or beside the project.
pub fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(3)
        .unwrap()
        .join("shared/data");
    let data = std::env::var_os("FCP_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("midi");
    if folder.is_dir() {
        return Some(folder);
    }
    say(&format!(
        "NOTHING WAS CHECKED: the folder {} is missing; FCP_DATA may name the folder above it",
        folder.display()
    ));
    None
}

/// Every file of the folder by its name in it.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for group in std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
    {
        for path in std::fs::read_dir(&group)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path
                .extension()
                .is_some_and(|end| end != "json" && end != "md")
            {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                files.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    files
}
