//! The journal of a commit: all that a later process needs to settle it after a kill.
//!
//! Each commit appends a section. It lists the temporary files before they are made, and has a mark before the first
//! target is replaced and another after the last. Before the first mark the temporary files hold new contents alone.
//! Between the marks one may hold the only copy of an old content, so it gets its name back. After the second mark the
//! old contents are not needed any more.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use rustix::fd::OwnedFd;
use rustix::fs::AtFlags;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::refusal::{Kind as Why, Refusal};
use super::root::stat_at;
use super::step::{Step, discard};
use super::{Digest, Expect, Hash, Root};

/// The prefix of temporary file names.
const START: &str = ".fcp-";

/// A new name for a temporary file.
pub fn temporary() -> String {
    format!("{START}{}", super::program_files::word())
}

/// Whether a name has exactly the form of a temporary file's.
#[must_use]
pub fn is_temporary(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.strip_prefix(START)
        .is_some_and(|word| word.len() == 32 && word.bytes().all(is_digit))
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// A commit begins.
    Begin,
    /// A directory that it makes.
    Dir(String),
    /// A planned step.
    Step {
        path: String,
        temporary: String,
        old: Content,
        /// `None` if the file is removed.
        new: Option<Content>,
    },
    /// Targets are replaced from now on.
    Placing,
    /// All targets are replaced.
    Placed,
}

/// A content, as far as the journal keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    Absent,
    File(Digest),
    Files(Vec<(String, Digest)>),
    Link,
    Any,
    /// A directory, which is never compared.
    Dir,
}

impl From<&Expect> for Content {
    fn from(of: &Expect) -> Self {
        match of {
            Expect::Absent => Self::Absent,
            Expect::Content(hash) => Self::File(*hash),
            Expect::Files(files) => Self::Files(files.clone()),
            Expect::Link => Self::Link,
            Expect::Any => Self::Any,
            Expect::Dir(_) => Self::Dir,
        }
    }
}

impl From<Content> for Expect {
    fn from(of: Content) -> Self {
        match of {
            Content::Absent => Self::Absent,
            Content::File(hash) => Self::Content(hash),
            Content::Files(files) => Self::Files(files),
            Content::Link => Self::Link,
            Content::Any => Self::Any,
            // An empty directory loses nothing when it is taken for the old one.
            Content::Dir => Self::Dir(Vec::new()),
        }
    }
}

/// Appends a line.
pub fn append(journal: &mut File, record: &Record) -> io::Result<()> {
    let line = serde_json::to_string(record)? + "\n";
    journal.write_all(line.as_bytes())
}

/// The error of a journal that cannot be used.
pub fn failed(problem: io::Error) -> Refusal {
    let message = format!("the journal of the last write cannot be used: {problem}");
    Refusal::new(Why::Failed, message)
}

/// The lines of one commit.
struct Section {
    lines: Vec<String>,
    dirs: Vec<String>,
    steps: Vec<Step>,
    is_placing: bool,
    is_placed: bool,
}

/// The sections of a journal. A line that was cut off by a kill had no effect yet.
fn sections(text: &str, hash: Hash) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for line in text.lines() {
        let Ok(record) = serde_json::from_str(line) else {
            continue;
        };
        if matches!(record, Record::Begin) || all.is_empty() {
            all.push(Section {
                lines: Vec::new(),
                dirs: Vec::new(),
                steps: Vec::new(),
                is_placing: false,
                is_placed: false,
            });
        }
        let Some(section) = all.last_mut() else {
            continue;
        };
        section.lines.push(line.to_owned());
        match record {
            Record::Begin => {}
            Record::Dir(path) => section.dirs.push(path),
            Record::Step {
                path,
                temporary,
                old,
                new,
            } if is_temporary(&temporary) => section.steps.push(Step {
                hash,
                path,
                temporary,
                expect: old.into(),
                mode: None,
                fresh: new.map(Expect::from),
                moved: false,
            }),
            Record::Step { .. } => {}
            Record::Placing => section.is_placing = true,
            Record::Placed => section.is_placed = true,
        }
    }
    all
}

/// Settles the commits of killed processes: one that had replaced all targets is completed, any other is reversed. The
/// journal must be locked.
///
/// # Errors
/// The journal cannot be used.
pub fn recover(root: &Root, journal: &mut File, hash: Hash) -> Result<(), Refusal> {
    let mut bytes = Vec::new();
    journal.seek(SeekFrom::Start(0)).map_err(failed)?;
    journal.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.is_empty() {
        return Ok(());
    }
    let mut kept = String::new();
    for section in sections(&String::from_utf8_lossy(&bytes), hash)
        .iter()
        .rev()
    {
        if !section.settle(root) {
            kept.insert_str(0, &(section.lines.join("\n") + "\n"));
        }
    }
    journal.seek(SeekFrom::Start(0)).map_err(failed)?;
    journal.write_all(kept.as_bytes()).map_err(failed)?;
    journal.set_len(kept.len() as u64).map_err(failed)
}

impl Section {
    /// Settles the commit. Returns whether nothing is left to do.
    fn settle(&self, root: &Root) -> bool {
        let mut settled = true;
        let mut each = |steps: &mut dyn Iterator<Item = &Step>,
                        settle: fn(&Step, &OwnedFd) -> io::Result<()>| {
            for step in steps {
                settled &= match root.parent(&step.path) {
                    Ok((dir, _)) => settle(step, &dir).is_ok(),
                    // A directory that went, went with all in it.
                    Err(problem) => is_gone(&problem),
                };
            }
        };
        if self.is_placed || (self.is_placing && self.is_whole(root)) {
            each(&mut self.steps.iter(), |step, dir| {
                discard(dir, &step.temporary)
            });
            return settled;
        }
        if self.is_placing {
            each(&mut self.steps.iter().rev(), Step::reverse);
        } else {
            each(&mut self.steps.iter(), |step, dir| {
                discard(dir, &step.temporary)
            });
        }
        for made in self.dirs.iter().rev() {
            // A directory that is used meanwhile stays.
            if let Ok((parent, name)) = root.parent(made) {
                let _ = rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR);
            }
        }
        settled
    }

    /// Whether all targets are replaced, though the mark is missing. A removal without the mark is not taken for done:
    /// its content has no other name.
    fn is_whole(&self, root: &Root) -> bool {
        self.steps.iter().all(|step| {
            step.fresh.is_some()
                && root.parent(&step.path).is_ok_and(|(dir, name)| {
                    let is_there = |name: &str| stat_at(&dir, name).is_ok_and(|it| it.is_some());
                    !is_there(&step.temporary)
                        || (is_there(name)
                            && step.check(&dir, &step.temporary, &step.expect).is_ok())
                })
        })
    }
}

/// Whether there is no such directory any more.
fn is_gone(problem: &io::Error) -> bool {
    let errno = problem.raw_os_error().map(Errno::from_raw_os_error);
    matches!(
        errno,
        Some(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::XDEV)
    )
}
