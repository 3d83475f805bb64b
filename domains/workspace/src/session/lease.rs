//! Leases: the repository state that work-tree reads are tied to, and the files that were read.

use std::collections::{BTreeMap, HashMap};
use std::io;

use fcp::tool::Most;

use crate::files::{Dirs, Kind, Loaded, Root, Stat, load, now};
use crate::identity::{Blob, Fingerprint};

/// The maximum number of leases per root.
const HELD: usize = 1024;

/// The maximum number of files that all leases of a root guard together. The last lease may guard more.
const GUARDED: usize = 200_000;

/// The former state of a touched file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// There was no file.
    Absent,
    /// A directory: touched but not guarded.
    Dir,
    /// There was a file.
    File {
        /// Its metadata.
        stat: Stat,
        /// The time they were taken.
        taken: i64,
        /// Its content, if it was read.
        blob: Option<Blob>,
    },
}

impl Guard {
    /// The guard of a file that was listed.
    pub fn listed(stat: Stat) -> Self {
        match stat.kind {
            Kind::Dir => Self::Dir,
            _ => Self::File {
                stat,
                taken: now(),
                blob: None,
            },
        }
    }

    /// The guard of a file that was read.
    pub fn read(loaded: &Loaded, blob: Blob) -> Self {
        Self::File {
            stat: loaded.stat,
            taken: loaded.taken,
            blob: Some(blob),
        }
    }

    /// A rank by what it notices of the file.
    const fn strength(&self) -> u8 {
        match self {
            Self::Dir => 0,
            Self::File { blob: None, .. } => 1,
            Self::Absent | Self::File { .. } => 2,
        }
    }

    /// Whether the file has moved. A guard with unchanged content takes over new metadata.
    fn moved(&mut self, path: &str, dirs: &mut Dirs<'_>, limit: Most) -> io::Result<bool> {
        let Self::File { stat, taken, blob } = self else {
            return match self {
                Self::Absent => Ok(dirs.stat(path)?.is_some()),
                _ => Ok(false),
            };
        };
        let Some(now) = dirs.stat(path)? else {
            return Ok(true);
        };
        if now.kind != stat.kind {
            return Ok(true);
        }
        if now.kind == Kind::Link {
            // Another target is another link.
            return Ok(!now.same_content(stat));
        }
        let Some(known) = blob else {
            return Ok((now.size, now.mtime) != (stat.size, stat.mtime));
        };
        if now.same_content(stat) && !stat.is_racy(*taken) {
            return Ok(false);
        }
        if now.size != stat.size {
            return Ok(true);
        }
        let Ok(loaded) = load(dirs, path, limit) else {
            return Ok(true);
        };
        if Blob::of(&loaded.bytes) != *known {
            return Ok(true);
        }
        *stat = loaded.stat;
        *taken = loaded.taken;
        Ok(false)
    }
}

/// Touched files by path.
pub type Touched = BTreeMap<String, Guard>;

/// A state of the repository, and the files read from it.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The index of its root.
    pub root: usize,
    /// The state.
    pub fingerprint: Fingerprint,
    /// The files that were read.
    pub touched: Touched,
    /// Whether a mutation has replaced it.
    pub superseded: bool,
}

impl Lease {
    /// Adds what a read touched. The guard of an earlier read stays if it notices more.
    pub fn touch(&mut self, touched: Touched) {
        for (path, guard) in touched {
            match self.touched.get(&path) {
                Some(known) if known.strength() > guard.strength() => {}
                _ => drop(self.touched.insert(path, guard)),
            }
        }
    }

    /// The touched paths that have moved, in order.
    pub fn moved(&mut self, root: &Root, limit: Most) -> Vec<String> {
        let mut dirs = Dirs::of(root);
        let mut moved = Vec::new();
        for (path, guard) in &mut self.touched {
            // A path that cannot be checked any more counts as moved.
            if guard.moved(path, &mut dirs, limit).unwrap_or(true) {
                moved.push(path.clone());
            }
        }
        moved
    }
}

/// The leases of all roots.
#[derive(Debug, Default)]
pub struct Leases {
    held: HashMap<String, (u64, Lease)>,
    clock: u64,
}

impl Leases {
    /// A lease, marked as used now.
    pub fn get(&mut self, id: &str) -> Option<&mut Lease> {
        self.clock += 1;
        let (used, lease) = self.held.get_mut(id)?;
        *used = self.clock;
        Some(lease)
    }

    /// Stores a lease. Drops the least recently used ones if there are too many, or if they guard too many files.
    pub fn hold(&mut self, id: String, lease: Lease) {
        self.clock += 1;
        let root = lease.root;
        self.held.insert(id, (self.clock, lease));
        let mut own: Vec<(u64, usize, &String)> = (self.held.iter())
            .filter(|(_, (_, lease))| lease.root == root)
            .map(|(id, (used, lease))| (*used, lease.touched.len(), id))
            .collect();
        own.sort_unstable_by_key(|(used, ..)| std::cmp::Reverse(*used));
        let mut guarded = 0;
        let kept = own.iter().take(HELD).take_while(|(_, files, _)| {
            guarded += files;
            guarded <= GUARDED
        });
        let kept = kept.count().max(1);
        let dropped = own.split_off(kept.min(own.len()));
        let dropped: Vec<String> = dropped.into_iter().map(|(.., id)| id.clone()).collect();
        for id in dropped {
            self.held.remove(&id);
        }
    }

    /// Drops a lease.
    pub fn release(&mut self, id: &str) {
        self.held.remove(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_that_guard_many_files_leave_room_for_few_others() {
        let fingerprint = Fingerprint {
            head_oid: String::new(),
            index_oid: String::new(),
            status_hash: String::new(),
        };
        let files = |count: usize| (0..count).map(|n| (n.to_string(), Guard::Absent));
        let mut leases = Leases::default();
        let mut hold = |id: &str, root: usize, count: usize| {
            let lease = Lease {
                root,
                fingerprint: fingerprint.clone(),
                touched: files(count).collect(),
                superseded: false,
            };
            leases.hold(id.to_owned(), lease);
        };
        hold("other root", 1, GUARDED);
        hold("first", 0, GUARDED / 2);
        hold("second", 0, 1);
        hold("third", 0, GUARDED / 2);
        let mut held: Vec<&str> = leases.held.keys().map(String::as_str).collect();
        held.sort_unstable();
        assert_eq!(held, ["other root", "second", "third"]);
        leases.hold(
            "all".to_owned(),
            Lease {
                root: 0,
                fingerprint,
                touched: files(GUARDED + 1).collect(),
                superseded: false,
            },
        );
        assert!(leases.get("all").is_some() && leases.get("third").is_none());
    }
}
