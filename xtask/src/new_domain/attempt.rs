//! All or nothing: new files in a folder are removed again if the attempt does not succeed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::workspace::Result;

/// An attempt to create files in a folder. It is undone if dropped before it
/// [succeeded](Self::succeeded).
pub struct Attempt {
    folder: PathBuf,
    /// The uppermost folder that was created; `None` if the folder existed and was empty.
    made: Option<PathBuf>,
    /// Files changed by the attempt, with their former contents.
    kept: Vec<(PathBuf, Option<Vec<u8>>)>,
    done: bool,
}

impl Attempt {
    /// Creates a folder and its parents.
    ///
    /// # Errors
    /// The folder cannot be created, or is not empty.
    pub fn new(folder: PathBuf) -> Result<Self> {
        let refusal =
            |problem: &dyn std::fmt::Display| format!("{}: {problem}", folder.display()).into();
        if folder.is_dir() {
            let mut entries = fs::read_dir(&folder).map_err(|problem| refusal(&problem))?;
            if entries.next().is_some() {
                return Err(refusal(&"the folder is taken, something is in it"));
            }
        } else if folder.exists() {
            return Err(refusal(&"there is a file of this name"));
        }
        let missing = folder.ancestors().take_while(|folder| !folder.exists());
        let made = missing.last().map(Path::to_owned);
        fs::create_dir_all(&folder).map_err(|problem| refusal(&problem))?;
        Ok(Self {
            folder,
            made,
            kept: Vec::new(),
            done: false,
        })
    }

    /// Records the content of a file, to be restored on failure.
    pub fn keep(&mut self, file: PathBuf) {
        let held = fs::read(&file).ok();
        self.kept.push((file, held));
    }

    /// Marks the attempt as successful, so that its files stay.
    pub fn succeeded(&mut self) {
        self.done = true;
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        // Errors of the cleanup are ignored; the failure itself is reported.
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
    fn failed_attempts_are_undone() {
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
