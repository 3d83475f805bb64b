//! A work tree, the files of its repository, and the settings that would start programs.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use super::run::{Environment, Running, start};
use crate::identity::Blob;
use crate::reply::{Answer, Failure};

/// The oldest supported git: it knows all the options used.
const OLDEST: (u32, u32) = (2, 38);

/// A work tree, from its top directory.
#[derive(Clone, Debug, Default)]
pub struct Repository {
    /// The top of the work tree.
    pub root: PathBuf,
    /// Its git directory.
    pub git_dir: PathBuf,
    /// The git directory shared by work trees.
    pub common_dir: PathBuf,
    /// The directory of objects.
    pub objects: PathBuf,
    /// The index file.
    pub index: PathBuf,
    /// The git directories of the work tree and of its submodules, wherever they are.
    pub git_dirs: Vec<PathBuf>,
    /// The submodules in the index.
    pub submodules: HashSet<PathBuf>,
    /// The files in the index that a sparse checkout leaves out.
    pub left_out: HashSet<PathBuf>,
    /// Whether the permission bits of files are what they are for git: `core.fileMode`.
    pub has_modes: bool,
    /// The names in the index, each with a NUL at its end.
    names: Arc<[u8]>,
    /// Settings that keep git from starting programs and checking owners.
    quiet: Vec<(String, String)>,
    pub environment: Environment,
    /// Trees of the most recent indexes.
    pub trees: Arc<Mutex<Trees>>,
    /// The state of all files that determine this value.
    seen: BTreeMap<PathBuf, Option<Seen>>,
    /// Whether the configuration includes other files, so that it is read every time.
    includes: bool,
}

/// Trees of indexes by the hash of the index, newest first; `None` is for a missing index.
pub type Trees = Vec<(Option<Blob>, String)>;

/// Identity of a file at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    ino: u64,
    size: u64,
    mtime: (i64, i64),
    ctime: (i64, i64),
}

impl Seen {
    /// The identity of a file, or `None` if there is no file.
    pub fn of(path: &Path) -> Option<Self> {
        let stat = fs::symlink_metadata(path).ok()?;
        // Directories change with every lock taken in them.
        let file = !stat.is_dir();
        let times = |seconds, nanos| if file { (seconds, nanos) } else { (0, 0) };
        Some(Self {
            ino: stat.ino(),
            size: if file { stat.size() } else { 0 },
            mtime: times(stat.mtime(), stat.mtime_nsec()),
            ctime: times(stat.ctime(), stat.ctime_nsec()),
        })
    }
}

/// Asks `git rev-parse` for paths, with a line before each, as a path may hold line ends.
fn ask_parts(command: &mut Command, parts: &[&[&str]]) {
    command.args(["rev-parse", "--path-format=absolute"]);
    for part in parts {
        command.arg("--is-bare-repository").args(*part);
    }
}

/// The paths in its answer.
fn parts_of<const N: usize>(out: &[u8]) -> Option<[PathBuf; N]> {
    let out = out.strip_suffix(b"\n")?;
    let (line, mut rest) = out.split_at_checked(memchr::memchr(b'\n', out)? + 1)?;
    let line = [b"\n", line].concat();
    let mut parts = Vec::new();
    while let Some(at) = memchr::memmem::find(rest, &line) {
        parts.push(PathBuf::from(OsStr::from_bytes(&rest[..at])));
        rest = &rest[at + line.len()..];
    }
    parts.push(PathBuf::from(OsStr::from_bytes(rest)));
    parts.try_into().ok()
}

/// Rejects a missing or outdated git.
pub fn check_version(environment: &Environment) -> Answer<()> {
    let mut command = Command::new(&environment.program);
    command
        .env_clear()
        .env("PATH", &environment.path)
        .arg("--version");
    let text = start(command, Vec::new())?.output()?;
    let text = String::from_utf8_lossy(&text);
    let mut numbers = text
        .trim()
        .trim_start_matches("git version ")
        .split('.')
        .map(|part| part.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) if (major, minor) >= OLDEST => Ok(()),
        _ => Err(Failure::internal(format!(
            "{} is older than 2.38",
            text.trim()
        ))),
    }
}

impl Repository {
    /// Finds the repository of a directory, which must be the top of a work tree.
    pub fn find(root: &Path, environment: &Environment) -> Answer<Self> {
        let mut command = environment.git(root, &[]);
        let parts: [&[&str]; 4] = [
            &["--git-dir"],
            &["--git-common-dir"],
            &["--git-path", "objects"],
            &["--git-path", "index"],
        ];
        ask_parts(&mut command, &parts);
        let parts = start(command, Vec::new())?;
        let mut command = environment.git(root, &[]);
        command.args(["rev-parse", "--path-format=absolute", "--show-toplevel"]);
        let top = start(command, Vec::new())?;
        let wrong = |what: String| Err(Failure::invalid("/repo_root", what));
        let shown = root.display();
        let ended = parts.end()?;
        if !ended.status.success() {
            return wrong(format!(
                "{shown} is not a git repository: {}",
                ended.complaints.trim()
            ));
        }
        if ended.out.starts_with(b"true\n") {
            return wrong(format!(
                "{shown} is a bare repository; serve a work tree of it"
            ));
        }
        let parts = parts_of(&ended.out).filter(|_| str::from_utf8(&ended.out).is_ok());
        let Some([git_dir, common_dir, objects, index]) = parts else {
            return wrong(format!(
                "the repository of {shown} has a path that is not UTF-8"
            ));
        };
        let top = top.end()?;
        let top = String::from_utf8_lossy(&top.out).into_owned();
        let top = top.strip_suffix('\n').unwrap_or(&top);
        if fs::canonicalize(top).ok().as_deref() != Some(root) {
            return wrong(format!(
                "{shown} is inside a repository whose top is {top}; serve that"
            ));
        }
        let mut found = Self {
            root: root.to_owned(),
            git_dir,
            common_dir,
            objects,
            index,
            has_modes: true,
            environment: environment.clone(),
            ..Self::default()
        };
        for file in [root.join(".git"), found.objects.clone()] {
            let seen = Seen::of(&file);
            if seen.is_some() {
                found.seen.insert(file, seen);
            }
        }
        let paths = [&found.index, &found.git_dir, &found.common_dir].map(PathBuf::clone);
        found.silence(root.to_owned(), 0, Some(paths))?;
        Ok(found)
    }

    /// Whether all files that determine this value are unchanged.
    pub fn is_current(&self) -> bool {
        !self.includes
            && self.git_dir.join("HEAD").symlink_metadata().is_ok()
            && self.seen.iter().all(|(path, seen)| Seen::of(path) == *seen)
    }

    /// The names in an index, if it is the one they were read from.
    pub fn tracked(&self, index: Option<Seen>) -> Option<Arc<[u8]>> {
        (self.seen.get(&self.index) == Some(&index)).then(|| Arc::clone(&self.names))
    }

    /// A git command in the work tree.
    pub fn git(&self) -> Command {
        self.environment.git(&self.root, &self.quiet)
    }

    /// Starts git in the work tree.
    pub fn run(&self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Answer<Running> {
        let mut command = self.git();
        command.args(arguments);
        start(command, Vec::new())
    }

    /// Disables the filters configured by a work tree and by its submodules. `paths` are those of
    /// its index, its git directory and the one that it shares, if they are known.
    fn silence(&mut self, tree: PathBuf, depth: usize, paths: Option<[PathBuf; 3]>) -> Answer<()> {
        if depth > 20 {
            return Err(Failure::invalid(
                "/repo_root",
                "submodules are nested over 20 deep",
            ));
        }
        if depth > 0 {
            let safe = tree.to_str().unwrap_or_default().to_owned();
            self.quiet.push(("safe.directory".to_owned(), safe));
        }
        let git = || self.environment.git(&tree, &self.quiet);
        let paths = match paths {
            Some(paths) => Some(paths),
            None => {
                let mut command = git();
                let parts: [&[&str]; 3] = [
                    &["--git-path", "index"],
                    &["--git-dir"],
                    &["--git-common-dir"],
                ];
                ask_parts(&mut command, &parts);
                parts_of(&start(command, Vec::new())?.end()?.out)
            }
        };
        // Before they are read, so that a later change makes this value outdated.
        if let Some([index, git_dir, common_dir]) = &paths {
            let files = [
                index.clone(),
                git_dir.join("config.worktree"),
                git_dir.join("config"),
                common_dir.join("config"),
            ];
            for file in files {
                let seen = Seen::of(&file);
                self.seen.insert(file, seen);
            }
        }
        let run = |arguments: &[&str]| {
            let mut command = git();
            command.args(arguments);
            start(command, Vec::new())
        };
        let config = run(&[
            "config",
            "-z",
            "--includes",
            "--get-regexp",
            r"^(filter\.|include\.|includeif\.|core\.filemode$)",
        ])?;
        let index = run(&["ls-files", "-s", "-t", "-z"])?;
        let (config, index) = (config.end()?, index.end()?);
        for dir in paths.into_iter().flat_map(|[_, git, common]| [git, common]) {
            let real = fs::canonicalize(&dir).map_err(|problem| {
                Failure::disk(&dir.display().to_string(), "reading", &problem)
            })?;
            self.git_dirs.push(real);
        }
        for entry in config
            .out
            .split(|byte| *byte == 0)
            .filter(|entry| !entry.is_empty())
        {
            let key = entry
                .split(|byte| *byte == b'\n')
                .next()
                .unwrap_or_default();
            let key = String::from_utf8(key.to_vec()).map_err(|_| {
                Failure::invalid(
                    "/repo_root",
                    "a filter in the configuration has a name that is not UTF-8",
                )
            })?;
            if key.to_ascii_lowercase().starts_with("include") {
                self.includes = true;
            }
            if depth == 0 && key == "core.filemode" {
                // A setting without a value is true; one with an empty value is not.
                let value = entry.get(key.len() + 1..).unwrap_or(b"true");
                let value = value.to_ascii_lowercase();
                self.has_modes = !matches!(&*value, b"false" | b"no" | b"off" | b"0" | b"");
            }
            let Some((name, _)) = key
                .strip_prefix("filter.")
                .and_then(|rest| rest.rsplit_once('.'))
            else {
                continue;
            };
            for (variable, value) in [
                ("clean", ""),
                ("smudge", ""),
                ("process", ""),
                ("required", "false"),
            ] {
                self.quiet
                    .push((format!("filter.{name}.{variable}"), value.to_owned()));
            }
        }
        let mut names = Vec::new();
        for entry in index.out.split(|byte| *byte == 0) {
            let Some(tab) = memchr::memchr(b'\t', entry) else {
                continue;
            };
            if depth == 0 {
                names.extend_from_slice(&entry[tab + 1..]);
                names.push(0);
            }
            if !entry.starts_with(b"S") && !entry[1..].starts_with(b" 160000 ") {
                continue;
            }
            let inner = tree.join(OsStr::from_bytes(&entry[tab + 1..]));
            if !entry[1..].starts_with(b" 160000 ") {
                self.left_out.insert(inner);
                continue;
            }
            self.submodules.insert(inner.clone());
            let link = inner.join(".git");
            let seen = Seen::of(&link);
            self.seen.insert(link, seen);
            if seen.is_some() {
                self.silence(inner, depth + 1, None)?;
            }
        }
        if depth == 0 {
            self.names = names.into();
        }
        Ok(())
    }
}
