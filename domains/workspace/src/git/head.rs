//! The files of a commit.

use std::collections::BTreeMap;

use fcp::tool::Most;

use super::repository::Repository;
use super::run::start;
use crate::reply::{Answer, Failure};

/// A regular file in a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Its object id.
    pub oid: String,
    /// Its length in bytes; 0 if the object is gone.
    pub size: u64,
    /// Whether it is executable.
    pub executable: bool,
}

/// Regular files of a commit by path, without names that are not UTF-8.
pub type Tree = BTreeMap<String, Committed>;

/// The files of a commit at and below a path. An empty `head` means no commit and no files.
pub fn tree(repository: &Repository, head: &str, path: &str) -> Answer<Tree> {
    if head.is_empty() {
        return Ok(Tree::new());
    }
    let mut arguments = vec!["ls-tree", "-r", "-l", "-z", "--full-tree", head];
    if !path.is_empty() {
        arguments.extend(["--", path]);
    }
    let ended = repository.run(arguments)?.end()?;
    if !ended.status.success() {
        return Err(Failure::not_found(format!(
            "the commit {head} of the snapshot is not in the repository any more"
        )));
    }
    let mut files = Tree::new();
    for entry in ended.out.split(|byte| *byte == 0) {
        let Some(tab) = entry.iter().position(|byte| *byte == b'\t') else {
            continue;
        };
        let (about, name) = (String::from_utf8_lossy(&entry[..tab]), &entry[tab + 1..]);
        let mut words = about.split_ascii_whitespace();
        let (mode, oid) = (
            words.next().unwrap_or_default(),
            words.nth(1).unwrap_or_default(),
        );
        let size = words.next().and_then(|size| size.parse().ok());
        let executable = match mode {
            "100644" => false,
            "100755" => true,
            _ => continue,
        };
        if let Ok(name) = std::str::from_utf8(name) {
            let committed = Committed {
                oid: oid.to_owned(),
                size: size.unwrap_or(0),
                executable,
            };
            files.insert(name.to_owned(), committed);
        }
    }
    Ok(files)
}

/// The contents of objects, in order.
pub fn objects(repository: &Repository, oids: &[&str], limit: Most) -> Answer<Vec<Vec<u8>>> {
    if oids.is_empty() {
        return Ok(Vec::new());
    }
    let mut command = repository.git();
    command.args(["cat-file", "--batch"]);
    let input = oids.join("\n") + "\n";
    let out = start(command, input.into_bytes())?.output()?;
    let (mut all, mut rest) = (Vec::with_capacity(oids.len()), out.as_slice());
    for oid in oids {
        let lost = || Failure::not_found(format!("the git object {oid} is gone"));
        let end = memchr::memchr(b'\n', rest).ok_or_else(lost)?;
        let size = String::from_utf8_lossy(&rest[..end]);
        let size: u64 = size
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .ok_or_else(lost)?;
        limit.check(oid, size)?;
        let size = usize::try_from(size).map_err(|_| lost())?;
        let content = rest.get(end + 1..end + 1 + size).ok_or_else(lost)?;
        all.push(content.to_vec());
        rest = rest.get(end + 2 + size..).unwrap_or_default();
    }
    Ok(all)
}
