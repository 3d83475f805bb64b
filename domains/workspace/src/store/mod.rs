//! Snapshots and their contents, in a directory that several servers may share.
//! Nothing here reads a work tree.
//!
//! `snapshots/HEX` holds the bytes whose SHA-256 is the id. `meta/HEX` holds metadata, which does
//! not affect the id. Contents are in packs. Additions take a shared lock, removals an exclusive
//! one.

mod cache;
mod gc;
mod meta;
mod pack;
mod packs;
mod snapshot;

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use data_encoding::HEXLOWER;
use fcp::confined::program_files;
use fcp::threads::{self, lock};

pub use cache::Cache;
pub use gc::{Collected, Keep};
pub use meta::{Meta, stamp};
pub use pack::PackWriter;
pub use snapshot::{Entry, Snapshot};

use crate::identity::Blob;
use crate::reply::{Answer, Failure};
use packs::Packs;
use sha2::{Digest, Sha256};

/// The number of snapshots kept in memory.
const LOADED: usize = 4;

/// The state directory.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    key: Vec<u8>,
    packs: Mutex<Packs>,
    loaded: Mutex<VecDeque<Arc<Snapshot>>>,
}

/// Permission to add. Nothing is removed while it is held.
#[derive(Debug)]
pub struct Adding(#[allow(dead_code, reason = "the lock ends with it")] File);

/// Locks a file of the state directory exclusively, until the lock is dropped.
fn exclusive(path: &Path) -> Answer<File> {
    program_files::exclusive(path).map_err(|problem| {
        Failure::internal(format!(
            "a lock of the state directory cannot be taken: {problem}"
        ))
    })
}

/// The name of the files about a root.
fn name_of(root: &Path) -> String {
    Blob::of(root.as_os_str().as_bytes()).hex()
}

/// The journal of a root in a state directory that an earlier server left, if there is one.
pub fn left_journal(dir: &Path, root: &Path) -> Answer<Option<File>> {
    let path = dir.join("locks").join(name_of(root));
    path.exists().then(|| exclusive(&path)).transpose()
}

/// An error of the store.
fn failed(doing: &str) -> impl Fn(io::Error) -> Failure + '_ {
    move |problem| Failure::internal(format!("{doing} in the state directory failed: {problem}"))
}

impl Store {
    /// Opens a state directory, or creates it if it is missing.
    pub fn open(dir: &Path) -> Answer<Self> {
        let made = failed("making directories");
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700);
        for inner in [
            "",
            "snapshots",
            "meta",
            "packs",
            "cache",
            "locks",
            "scratch",
            "home",
            "tmp",
        ] {
            builder.create(dir.join(inner)).map_err(&made)?;
        }
        let dir = fs::canonicalize(dir).map_err(&made)?;
        Ok(Self {
            key: key(&dir.join("key"))?,
            packs: Mutex::new(Packs::at(dir.join("packs"))),
            loaded: Mutex::default(),
            dir,
        })
    }

    /// The path of the state directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A checksum that only this store can make.
    pub fn seal(&self, text: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(&self.key);
        hash.update(text);
        HEXLOWER.encode(&hash.finalize()[..8])
    }

    /// Starts to add.
    pub fn adding(&self) -> Answer<Adding> {
        let lock = self.lock_file()?;
        lock.lock_shared().map_err(failed("locking"))?;
        // A pack that was removed or changed must not be used any more.
        let mut packs = threads::lock(&self.packs);
        packs.distrust();
        packs.refresh()?;
        drop(packs);
        Ok(Adding(lock))
    }

    fn lock_file(&self) -> Answer<File> {
        program_files::lockable(&self.dir.join("locks/store")).map_err(failed("locking"))
    }

    /// The journal of a root's mutations, while no other server has it.
    pub fn journal(&self, root: &Path) -> Answer<File> {
        exclusive(&self.dir.join("locks").join(name_of(root)))
    }

    /// The journal that an earlier server left, if there is one.
    pub fn left_journal(&self, root: &Path) -> Answer<Option<File>> {
        left_journal(&self.dir, root)
    }

    /// Whether a content was stored before the addition started, or by this process, and is not damaged.
    pub fn has(&self, _: &Adding, blob: &Blob) -> bool {
        let packs = lock(&self.packs);
        if packs.open.iter().any(|pack| pack.has_good(blob)) {
            return true;
        }
        let found = packs.known(blob);
        drop(packs);
        let has_its_hash = |found: &pack::Found| matches!(found.content(blob), Ok(Some(_)));
        found.iter().any(has_its_hash)
    }

    /// The size of a content.
    pub fn size(&self, blob: &Blob) -> Answer<u64> {
        let found = lock(&self.packs).find(blob)?;
        found
            .first()
            .map(|found| found.len)
            .ok_or_else(|| lost(blob))
    }

    /// A content, checked against its hash.
    pub fn content(&self, blob: &Blob) -> Answer<Vec<u8>> {
        let found = lock(&self.packs).find(blob)?;
        for found in &found {
            let content = found.content(blob).map_err(failed("reading a content"))?;
            if let Some(content) = content {
                return Ok(content);
            }
        }
        if found.is_empty() {
            return Err(lost(blob));
        }
        let message = "the store is corrupt: a content does not have its hash; snapshot.create stores it again from a work tree that has it";
        Err(Failure::internal(message).with("blob", blob.to_string()))
    }

    /// Starts a pack.
    pub fn pack(&self) -> PackWriter {
        PackWriter::new(self.dir.join("packs"))
    }

    /// Waits until the contents of a pack are on the disk.
    pub fn settle(&self, pack: &mut PackWriter) -> Answer<()> {
        pack.settle().map_err(failed("writing a pack"))
    }

    /// Completes a pack. Its contents are available from now on.
    pub fn keep(&self, _: &Adding, pack: PackWriter) -> Answer<()> {
        if pack.finish().map_err(failed("writing a pack"))? {
            lock(&self.packs).refresh()?;
        }
        Ok(())
    }

    /// Adds a snapshot whose contents are stored. The first addition determines its origin.
    pub fn add(&self, _: &Adding, snapshot: &Arc<Snapshot>, meta: Meta) -> Answer<()> {
        let hex = snapshot.id.hex();
        let path = self.dir.join("snapshots").join(&hex);
        if !fs::read(&path).is_ok_and(|found| found == snapshot.preimage().as_bytes()) {
            let written = program_files::replace(&path, snapshot.preimage().as_bytes(), true);
            written.map_err(failed("writing a snapshot"))?;
        }
        // Last: what has metadata can be read.
        self.add_meta(&hex, meta)?;
        self.hold(snapshot);
        Ok(())
    }

    /// Keeps a snapshot in memory.
    fn hold(&self, snapshot: &Arc<Snapshot>) {
        let mut loaded = lock(&self.loaded);
        loaded.retain(|known| known.id != snapshot.id);
        loaded.truncate(LOADED - 1);
        loaded.push_front(Arc::clone(snapshot));
    }

    /// A snapshot made from a root.
    pub fn snapshot(&self, id: &str, root: &Path) -> Answer<(Arc<Snapshot>, Meta)> {
        let missing = || {
            let message = format!(
                "there is no snapshot {id} of this repository; make one with snapshot.create"
            );
            Failure::not_found(message)
        };
        let blob: Blob = id.parse().map_err(|()| {
            Failure::invalid(
                "/snapshot_id",
                format!("{id:?} is not a snapshot id: sha256: and 64 hex digits"),
            )
        })?;
        let meta = self.meta(&blob.hex())?.ok_or_else(missing)?;
        if !meta.is_of(root) {
            return Err(missing());
        }
        let loaded = lock(&self.loaded)
            .iter()
            .find(|snapshot| snapshot.id == blob)
            .cloned();
        if let Some(snapshot) = loaded {
            return Ok((snapshot, meta));
        }
        let snapshot = Arc::new(self.load(&blob)?.ok_or_else(missing)?);
        self.hold(&snapshot);
        Ok((snapshot, meta))
    }

    fn load(&self, id: &Blob) -> Answer<Option<Snapshot>> {
        let preimage = match fs::read(self.dir.join("snapshots").join(id.hex())) {
            Ok(preimage) => preimage,
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(problem) => return Err(failed("reading a snapshot")(problem)),
        };
        let corrupt = || {
            Failure::internal(format!(
                "the store is corrupt: snapshot {id} does not have its hash"
            ))
        };
        if Blob::of(&preimage) != *id {
            return Err(corrupt());
        }
        Snapshot::read(*id, preimage).ok_or_else(corrupt).map(Some)
    }

    /// All snapshots with their metadata, the youngest first.
    pub fn youngest(&self) -> Answer<Vec<(Meta, String)>> {
        let mut found = Vec::new();
        for hex in self.all()? {
            if let Some(meta) = self.meta(&hex)? {
                found.push((meta, hex));
            }
        }
        // Those of one second stay in the order of their ids.
        found.sort_by_key(|(meta, _)| Reverse(meta.created_at));
        Ok(found)
    }

    /// The ids of all snapshots, in hex, sorted.
    pub fn all(&self) -> Answer<Vec<String>> {
        let mut all = self.ids("meta")?;
        let snapshots = self.dir.join("snapshots");
        all.retain(|hex| snapshots.join(hex).exists());
        all.sort();
        Ok(all)
    }

    /// The names of ids in a directory.
    fn ids(&self, dir: &str) -> Answer<Vec<String>> {
        let mut all = self.names(dir)?;
        all.retain(|name| Blob::from_hex(name).is_some());
        Ok(all)
    }

    /// The names of files in a directory.
    fn names(&self, dir: &str) -> Answer<Vec<String>> {
        let listing = failed("listing snapshots");
        let mut all = Vec::new();
        for entry in fs::read_dir(self.dir.join(dir)).map_err(&listing)? {
            all.extend(entry.map_err(&listing)?.file_name().into_string().ok());
        }
        Ok(all)
    }
}

fn lost(blob: &Blob) -> Failure {
    Failure::internal("the store is corrupt: a content is missing").with("blob", blob.to_string())
}

/// The key of a state directory, created by its first user.
fn key(path: &Path) -> Answer<Vec<u8>> {
    for _ in 0..2 {
        match fs::read(path) {
            Ok(key) if key.len() == 32 => return Ok(key),
            Ok(_) => {}
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => {}
            Err(problem) => return Err(failed("reading the key")(problem)),
        }
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|problem| Failure::internal(problem.to_string()))?;
        program_files::create(path, &key).map_err(failed("writing the key"))?;
    }
    Err(Failure::internal(
        "the key of the state directory is damaged; remove the file `key`",
    ))
}
