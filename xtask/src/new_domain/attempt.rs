//! All or nothing: what is begun in a folder is gone if it does not come to its end.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::workspace::Result;

/// Something that is being made in a folder. Dropped before it [succeeded](Self::succeeded), it takes itself back.
pub struct Attempt {
    folder: PathBuf,
    /// The folder was there, and empty; else the uppermost folder that was not there.
    made: Option<PathBuf>,
    /// Files that are changed on the way, with what they held.
    kept: Vec<(PathBuf, Option<Vec<u8>>)>,
    done: bool,
}

impl Attempt {
    /// Makes a folder, and those above it.
    ///
    /// # Errors
    /// It cannot be made, or something is in it.
    pub fn new(folder: PathBuf) -> Result<Self> {
        let told =
            |problem: &dyn std::fmt::Display| format!("{}: {problem}", folder.display()).into();
        if folder.is_dir() {
            let mut entries = fs::read_dir(&folder).map_err(|problem| told(&problem))?;
            if entries.next().is_some() {
                return Err(told(&"the folder is taken, something is in it"));
            }
        } else if folder.exists() {
            return Err(told(&"there is a file of this name"));
        }
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        let made = missing.last().map(Path::to_owned);
        fs::create_dir_all(&folder).map_err(|problem| told(&problem))?;
        Ok(Self {
            folder,
            made,
            kept: Vec::new(),
            done: false,
        })
    }

    /// Remembers what a file holds, to be put back.
    pub fn keep(&mut self, file: PathBuf) {
        let held = fs::read(&file).ok();
        self.kept.push((file, held));
    }

    /// It came to its end; what was made stays.
    pub fn succeeded(&mut self) {
        self.done = true;
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        // What cannot be taken back cannot be told here either; the failure itself is told.
        let _ = fs::remove_dir_all(self.made.as_ref().unwrap_or(&self.folder));
        if self.made.is_none() {
            let _ = fs::create_dir(&self.folder);
        }
        for (file, held) in &self.kept {
            let _ = match held {
                Some(held) => fs::write(file, held),
                None => fs::remove_file(file),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_taken_back() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir(at("empty")).unwrap();
        fs::write(at("lock"), "before").unwrap();
        for (folder, stays) in [("a/b/c", false), ("empty", true)] {
            for succeeds in [false, true] {
                let mut attempt = Attempt::new(at(folder)).unwrap();
                attempt.keep(at("lock"));
                attempt.keep(at("page"));
                for file in ["lock", "page", &format!("{folder}/one")] {
                    fs::write(at(file), "after").unwrap();
                }
                if succeeds {
                    attempt.succeeded();
                }
                drop(attempt);
                assert_eq!(at(folder).join("one").exists(), succeeds);
                assert_eq!(at(folder).exists(), succeeds || stays);
                assert_eq!(at("a").exists(), succeeds || stays);
                assert_eq!(at("page").exists(), succeeds);
                let lock = fs::read_to_string(at("lock")).unwrap();
                assert_eq!(lock == "after", succeeds);
            }
            assert!(Attempt::new(at(folder)).is_err());
            fs::write(at("lock"), "before").unwrap();
            fs::remove_file(at("page")).unwrap();
        }
        assert!(Attempt::new(at("lock")).is_err());
    }
}
