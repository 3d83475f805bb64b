//! Captures a state of the work tree as a snapshot, entirely or not at all.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use fcp::threads::{lock, side_by_side};

use super::Skipped;
use super::candidates;
use crate::files::{Dirs, Kind, Stat, load_found};
use crate::git::{self, Listing, Taken};
use crate::identity::{Blob, Fingerprint};
use crate::reply::{Answer, Code, Failure};
use crate::session::{Guard, Session, Touched};
use crate::store::{self, Adding, Cache, Meta, PackWriter, Snapshot, stamp};

/// The number of files that one thread looks at, at a time.
const FEW: usize = 500;

/// The files to capture.
pub enum What {
    /// Files and directories at paths.
    Paths(Vec<String>),
    /// Files that the lease touched.
    Touched,
}

/// A new snapshot.
pub struct Made {
    /// The snapshot.
    pub snapshot: Arc<Snapshot>,
    /// Its metadata.
    pub meta: Meta,
    /// Its files.
    pub read: Read,
}

/// Files that were looked at.
pub struct Read {
    files: Vec<File>,
    /// The files left out.
    pub skipped: Skipped,
    /// All hashes were known before the fingerprint was taken.
    were_known: bool,
}

impl Made {
    /// Guards of the captured files.
    pub fn touched(&self) -> Touched {
        let guards = self.read.files.iter().map(|file| {
            let guard = Guard::File {
                stat: file.stat,
                taken: file.taken,
                blob: Some(file.blob),
            };
            (file.path.clone(), guard)
        });
        guards.collect()
    }
}

/// A captured file.
struct File {
    path: String,
    stat: Stat,
    taken: i64,
    blob: Blob,
    /// Its hash was not known before.
    was_read: bool,
}

/// Captures files; retries once if the work tree moves meanwhile.
pub fn capture(session: &Session<'_>, what: &What, label: Option<String>) -> Answer<Made> {
    let store = &session.workspace.store;
    let adding = store.adding()?;
    let mut before = Taken {
        fingerprint: session.fingerprint.clone(),
        listing: session.listing.clone(),
    };
    for _ in 0..2 {
        let pack = Mutex::new((store.pack(), HashSet::new()));
        let read = match once(session, what, &before.listing, (&adding, &pack)) {
            Err(failure) if failure.code == Code::RepoChanged => None,
            read => Some(read?),
        };
        let (mut pack, _) = pack.into_inner().unwrap_or_else(PoisonError::into_inner);
        // In parallel: all come after the files were read. The disk needs no processor, and git needs few.
        let (after, made) = thread::scope(|scope| {
            let made = scope.spawn(|| -> Answer<_> {
                let Some(read) = &read else { return Ok(None) };
                store.settle(&mut pack)?;
                keep_hashes(session, &read.files)?;
                Ok(Some(snapshot(before.fingerprint.clone(), &read.files)))
            });
            (git::fingerprint(&session.repository), made.join())
        });
        let after = after?;
        let made = made.map_err(|_| Failure::internal("a thread of the capture ended early"))??;
        if let (Some(mut read), Some(snapshot)) = (read, made)
            && after.fingerprint == before.fingerprint
            // A file whose hash was known before the first fingerprint, and that has the same state after it, was the
            // same while that fingerprint was taken. Other files are looked at last: one that changed and changed back
            // in between moved.
            && (read.were_known || unmoved(session, &read.files)?)
            && settled_since(session, &mut read.files)?
        {
            store.keep(&adding, pack)?;
            let meta = meta(session, &read.files, label);
            store.add(&adding, &snapshot, meta.clone())?;
            return Ok(Made {
                snapshot,
                meta,
                read,
            });
        }
        before = after;
    }
    Err(Failure::changed(
        "files moved while they were captured, twice; ask again when the other writer has ended",
    ))
}

/// The permission to add, and the pack that contents are added to, with those it has.
type Pack<'c> = (&'c Adding, &'c Mutex<(PackWriter, HashSet<Blob>)>);

fn once(session: &Session<'_>, what: &What, listing: &Listing, pack: Pack<'_>) -> Answer<Read> {
    let (files, skipped) = match what {
        What::Paths(paths) => {
            candidates::files(session, paths, listing, |_, failure| Err(whole(failure)))?
        }
        What::Touched => touched(session)?,
    };
    let limits = &session.workspace.limits;
    let count = files.len() as u64;
    limits.files.check("files of the capture", count)?;
    let bytes = files
        .iter()
        .fold(0_u64, |sum, (_, stat)| sum.saturating_add(stat.size));
    limits.capture.check("bytes of the capture", bytes)?;
    let served = &session.workspace.roots[session.at];
    let mut cache = lock(&served.cache);
    let cache = &*cache.get_or_insert_with(|| session.workspace.store.cache(&served.path));
    // In batches, so that files of the same directory stay together.
    let dirs = || Dirs::of(&session.root);
    let files = side_by_side(files.len(), 32, dirs, |dirs, at| {
        one(session, dirs, &files[at], cache, pack)
    })?;
    Ok(Read {
        were_known: cache.noted < listing.since && files.iter().all(|file| !file.was_read),
        files,
        skipped,
    })
}

/// Keeps the hashes of files for the next capture.
fn keep_hashes(session: &Session<'_>, files: &[File]) -> Answer<()> {
    let served = &session.workspace.roots[session.at];
    let mut cache = lock(&served.cache);
    let cache = cache.get_or_insert_with(|| session.workspace.store.cache(&served.path));
    for file in files.iter().filter(|file| file.was_read) {
        cache.note(&file.path, &file.stat, file.taken, file.blob);
    }
    session.workspace.store.keep_cache(&served.path, cache)
}

/// The directory of a path.
fn dir_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

fn touched(session: &Session<'_>) -> Answer<(Vec<(String, Stat)>, Skipped)> {
    let Some(touched) = session.touched() else {
        return Err(Failure::invalid(
            "/paths",
            "give paths, or the lease_id of reads whose files are captured",
        ));
    };
    let (mut files, mut skipped, mut dirs) =
        (Vec::new(), Skipped::default(), Dirs::of(&session.root));
    let mut foreign: HashMap<&str, bool> = HashMap::new();
    for (path, guard) in touched {
        let Guard::File { stat, .. } = guard else {
            continue;
        };
        match stat.kind {
            Kind::Link => candidates::count(&mut skipped.symlinks),
            Kind::Dir | Kind::Special => {}
            Kind::File => {
                let is_foreign = match foreign.entry(dir_of(path)) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        let repository = candidates::repository_of(session, new.key())?;
                        *new.insert(repository.is_some())
                    }
                };
                match dirs.stat(path) {
                    _ if is_foreign => candidates::count(&mut skipped.submodules),
                    Ok(Some(stat)) if stat.kind == Kind::File => files.push((path.clone(), stat)),
                    Ok(_) => return Err(Failure::changed(format!("{path} went away"))),
                    Err(problem) => return Err(Failure::disk(path, "reading", &problem)),
                }
            }
        }
    }
    Ok((files, skipped))
}

/// The error of a file that would be missing in a snapshot.
fn whole(failure: Failure) -> Failure {
    match failure.code {
        Code::TooLarge | Code::PermissionDenied => {
            let message = format!(
                "{}; a snapshot has every file at its paths, so name others",
                failure.message
            );
            failure.with_message(message)
        }
        _ => failure,
    }
}

/// Hashes a file. A content missing in the store goes into the pack.
fn one(
    session: &Session<'_>,
    dirs: &mut Dirs<'_>,
    (path, stat): &(String, Stat),
    cache: &Cache,
    (adding, pack): Pack<'_>,
) -> Answer<File> {
    let store = &session.workspace.store;
    let file = |stat: Stat, taken, blob, was_read| File {
        path: path.clone(),
        stat,
        taken,
        blob,
        was_read,
    };
    if let Some(blob) = cache.get(path, stat)
        && store.has(adding, &blob)
    {
        return Ok(file(*stat, stat.ctime, blob, false));
    }
    let limit = session.workspace.limits.file;
    let loaded = load_found(dirs, path, limit, "captured").map_err(whole)?;
    let blob = Blob::of(&loaded.bytes);
    if !store.has(adding, &blob) {
        let mut pack = lock(pack);
        let (pack, added) = &mut *pack;
        if added.insert(blob) {
            let written = pack.add(&blob, &loaded.bytes);
            written.map_err(|problem| {
                Failure::internal(format!("writing a pack failed: {problem}"))
            })?;
        }
    }
    Ok(file(loaded.stat, loaded.taken, blob, true))
}

fn unmoved(session: &Session<'_>, files: &[File]) -> Answer<bool> {
    let dirs = || Dirs::of(&session.root);
    let same = side_by_side(files.len(), FEW, dirs, |dirs, at| {
        let file = &files[at];
        Ok::<_, Failure>(matches!(dirs.stat(&file.path), Ok(Some(now)) if now == file.stat))
    })?;
    Ok(same.into_iter().all(|same| same))
}

/// Whether files that were read very soon after a change have the same content when the clock would show another
/// change: a write in progress may have changed the times before it changed the content.
fn settled_since(session: &Session<'_>, files: &mut [File]) -> Answer<bool> {
    let is_racy = |file: &&mut File| file.was_read && file.stat.is_racy(file.taken);
    let mut racy: Vec<&mut File> = files.iter_mut().filter(is_racy).collect();
    Stat::settle(racy.iter().map(|file| &file.stat));
    let (limit, mut dirs) = (session.workspace.limits.file, Dirs::of(&session.root));
    for file in &mut racy {
        match load_found(&mut dirs, &file.path, limit, "captured") {
            Ok(loaded) if loaded.stat == file.stat && Blob::of(&loaded.bytes) == file.blob => {
                file.taken = loaded.taken;
            }
            Ok(_) => return Ok(false),
            Err(failure) if failure.code == Code::RepoChanged => return Ok(false),
            Err(failure) => return Err(failure),
        }
    }
    Ok(true)
}

/// The snapshot of files.
fn snapshot(fingerprint: Fingerprint, files: &[File]) -> Arc<Snapshot> {
    let entry = |file: &File| store::Entry {
        path: file.path.as_str().into(),
        blob: file.blob,
    };
    let entries = files.iter().map(entry).collect();
    Arc::new(Snapshot::new(fingerprint, entries))
}

/// Its metadata.
fn meta(session: &Session<'_>, files: &[File], label: Option<String>) -> Meta {
    let executable = files.iter().filter(|file| file.stat.is_executable());
    Meta {
        files: files.len() as u64,
        total_bytes: files.iter().map(|file| file.stat.size).sum(),
        executable: executable.map(|file| file.path.clone()).collect(),
        roots: vec![session.root.path.display().to_string()],
        label,
        created_at: stamp(),
        ..Meta::default()
    }
}
