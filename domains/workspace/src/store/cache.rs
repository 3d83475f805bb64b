//! Hashes of unchanged files, kept from one capture to the next.

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use fcp::confined::program_files::replace;

use super::{Store, failed, name_of};
use crate::files::Stat;
use crate::identity::Blob;
use crate::reply::Answer;

/// The metadata and hash of a file.
type Known = ([u64; 4], Blob);

/// The metadata that show a change.
fn state(stat: &Stat) -> [u64; 4] {
    let times = [stat.mtime, stat.ctime].map(i64::cast_unsigned);
    [stat.size, times[0], times[1], stat.ino]
}

/// Hashes by path.
#[derive(Debug)]
pub struct Cache {
    files: HashMap<String, Known>,
    changed: bool,
    /// When it last learned of a hash.
    pub noted: Instant,
}

impl Cache {
    /// The hash of a file that has not changed since it was recorded.
    pub fn get(&self, path: &str, stat: &Stat) -> Option<Blob> {
        let (known, blob) = self.files.get(path)?;
        (*known == state(stat)).then_some(*blob)
    }

    /// Records a hash, unless the clock's resolution may hide a later change.
    pub fn note(&mut self, path: &str, stat: &Stat, taken: i64, blob: Blob) {
        if stat.is_racy(taken) {
            self.changed |= self.files.remove(path).is_some();
            return;
        }
        self.files.insert(path.to_owned(), (state(stat), blob));
        self.changed = true;
        self.noted = Instant::now();
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
            noted: Instant::now(),
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
    for (path, (state, blob)) in files {
        out.extend(state.iter().flat_map(|number| number.to_be_bytes()));
        out.extend_from_slice(&blob.0);
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
        let (numbers, _) = head.as_chunks();
        let numbers = [0, 1, 2, 3].map(|at| u64::from_be_bytes(numbers[at]));
        let blob = Blob(head[32..].try_into().ok()?);
        let end = memchr::memchr(0, more)?;
        let path = std::str::from_utf8(&more[..end]).ok()?.to_owned();
        files.insert(path, (numbers, blob));
        rest = &more[end + 1..];
    }
    Some(files)
}
