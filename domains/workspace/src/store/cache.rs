//! Hashes of unchanged files, kept from one capture to the next.

use std::collections::HashMap;
use std::path::Path;
use std::{fs, io};

use fcp::confined::own::replace;

use super::{Store, failed, name_of};
use crate::files::Stat;
use crate::identity::Blob;
use crate::reply::Answer;

/// The metadata and hash of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    size: u64,
    mtime: i64,
    ctime: i64,
    ino: u64,
    blob: Blob,
}

/// Hashes by path.
#[derive(Debug, Default)]
pub struct Cache {
    files: HashMap<String, Known>,
    changed: bool,
}

impl Cache {
    /// The hash of a file that has not changed since it was recorded.
    pub fn get(&self, path: &str, stat: &Stat) -> Option<Blob> {
        let known = self.files.get(path)?;
        let now = (stat.size, stat.mtime, stat.ctime, stat.ino);
        ((known.size, known.mtime, known.ctime, known.ino) == now).then_some(known.blob)
    }

    /// Records a hash, unless the clock's resolution may hide a later change.
    pub fn note(&mut self, path: &str, stat: &Stat, taken: i64, blob: Blob) {
        if stat.is_racy(taken) {
            self.changed |= self.files.remove(path).is_some();
            return;
        }
        let known = Known {
            size: stat.size,
            mtime: stat.mtime,
            ctime: stat.ctime,
            ino: stat.ino,
            blob,
        };
        self.files.insert(path.to_owned(), known);
        self.changed = true;
    }
}

impl Store {
    /// The cache of a root, or an empty one.
    pub fn cache(&self, root: &Path) -> Cache {
        let files = fs::read(self.cache_path(root))
            .ok()
            .and_then(|bytes| read(&bytes));
        Cache {
            files: files.unwrap_or_default(),
            changed: false,
        }
    }

    /// Saves the cache of a root if it has changed.
    pub fn keep_cache(&self, root: &Path, cache: &mut Cache) -> Answer<()> {
        if !std::mem::take(&mut cache.changed) {
            return Ok(());
        }
        let written: io::Result<()> = replace(&self.cache_path(root), &write(&cache.files), false);
        written.map_err(failed("writing the cache"))
    }

    fn cache_path(&self, root: &Path) -> std::path::PathBuf {
        self.dir.join("cache").join(name_of(root))
    }
}

fn write(files: &HashMap<String, Known>) -> Vec<u8> {
    let mut out = Vec::new();
    for (path, known) in files {
        out.extend_from_slice(&known.size.to_be_bytes());
        out.extend_from_slice(&known.mtime.to_be_bytes());
        out.extend_from_slice(&known.ctime.to_be_bytes());
        out.extend_from_slice(&known.ino.to_be_bytes());
        out.extend_from_slice(&known.blob.0);
        out.extend_from_slice(path.as_bytes());
        out.push(0);
    }
    let sum = Blob::of(&out);
    out.extend_from_slice(&sum.0);
    out
}

fn read(bytes: &[u8]) -> Option<HashMap<String, Known>> {
    let (mut rest, sum) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
    if Blob::of(rest).0 != sum {
        return None;
    }
    let mut files = HashMap::new();
    while !rest.is_empty() {
        let (head, more) = rest.split_at_checked(64)?;
        let number = |at: usize| Some(u64::from_be_bytes(head.get(at..at + 8)?.try_into().ok()?));
        let known = Known {
            size: number(0)?,
            mtime: number(8)?.cast_signed(),
            ctime: number(16)?.cast_signed(),
            ino: number(24)?,
            blob: Blob(head.get(32..)?.try_into().ok()?),
        };
        let end = memchr::memchr(0, more)?;
        files.insert(std::str::from_utf8(&more[..end]).ok()?.to_owned(), known);
        rest = &more[end + 1..];
    }
    Some(files)
}
