//! Lists the work tree and snapshots.

use std::collections::BTreeMap;
use std::io;

use schemars::JsonSchema;
use serde::Serialize;

use crate::capture::{Names, is_repository};
use crate::files::{Dirs, Kind, Place, Stat, not_nested, reading};
use crate::reply::{Answer, Failure};
use crate::session::Session;
use crate::store::{Meta, Snapshot};

/// Kinds of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryType {
    /// A regular file.
    File,
    /// A directory with files in it.
    Dir,
    /// A link.
    Symlink,
    /// A repository of its own.
    Submodule,
}

/// A file or directory.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// Its path.
    pub path: String,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: EntryType,
    /// Bytes of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// It may be executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executable: Option<bool>,
    /// Its content, in a snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
}

/// A page of a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct List {
    /// The path that was listed.
    pub path: String,
    /// Entries in byte order of their paths.
    pub entries: Vec<Listed>,
    /// Their number on all pages.
    pub total: u64,
    /// There are more pages.
    pub truncated: bool,
    /// The offset of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
}

/// The path down to `depth` levels below the top, and whether it was cut.
pub fn level<'p>(path: &'p str, top: &str, depth: usize) -> (&'p str, bool) {
    let start = if top.is_empty() { 0 } else { top.len() + 1 };
    let inner = path.get(start..).unwrap_or_default();
    match inner.match_indices('/').nth(depth.saturating_sub(1)) {
        Some((at, _)) => (&path[..start + at], true),
        None => (path, false),
    }
}

/// A path in a reply: the root is `.`.
pub fn shown(path: &str) -> String {
    match path {
        "" => ".".to_owned(),
        path => path.to_owned(),
    }
}

pub fn dir(path: &str) -> Listed {
    Listed {
        path: shown(path),
        kind: EntryType::Dir,
        size: None,
        executable: None,
        blob: None,
    }
}

pub fn captured(snapshot: &Snapshot, meta: &Meta, top: &str, depth: usize) -> Vec<Listed> {
    let file = |entry: &crate::store::Entry| Listed {
        kind: EntryType::File,
        executable: meta.is_executable(&entry.path).then_some(true),
        blob: Some(entry.blob.to_string()),
        ..dir(&entry.path)
    };
    if let Some(entry) = snapshot.find(top) {
        return vec![file(entry)];
    }
    let inner = format!("{top}/");
    let inner = inner.trim_start_matches('/');
    let mut found = BTreeMap::new();
    let mut at = snapshot
        .entries
        .partition_point(|entry| &*entry.path < inner);
    while let Some(entry) = snapshot
        .entries
        .get(at)
        .filter(|entry| entry.path.starts_with(inner))
    {
        if depth == 0 {
            found.insert(top.to_owned(), dir(top));
            break;
        }
        let (shown, cut) = level(&entry.path, top, depth);
        for above in crate::files::above(shown)
            .filter(|above| above.len() >= inner.len() && !above.is_empty())
        {
            found.entry(above.to_owned()).or_insert_with(|| dir(above));
        }
        if cut {
            found.entry(shown.to_owned()).or_insert_with(|| dir(shown));
            // Skip all entries in this directory.
            let end = format!("{shown}0");
            at += snapshot.entries[at..]
                .partition_point(|entry| *entry.path < *end)
                .max(1);
        } else {
            found.insert(entry.path.to_string(), file(entry));
            at += 1;
        }
    }
    found.into_values().collect()
}

pub fn live(
    session: &Session<'_>,
    path: &str,
    depth: usize,
) -> Answer<(Place, Vec<(Listed, Stat)>)> {
    let place = session.root.resolve(path, true)?;
    not_nested(&session.root, &place.path)?;
    let top = place.path.clone();
    let Some(stat) = place.stat else {
        return Err(Failure::not_found(format!("there is no {path}")));
    };
    let entry = |path: &str, stat: &Stat, inside: bool| {
        let kind = match stat.kind {
            Kind::File => EntryType::File,
            Kind::Link => EntryType::Symlink,
            Kind::Dir if inside => EntryType::Dir,
            Kind::Dir => EntryType::Submodule,
            Kind::Special => return None,
        };
        let file = kind == EntryType::File;
        Some(Listed {
            kind,
            size: file.then_some(stat.size),
            executable: (file && stat.is_executable()).then_some(true),
            ..dir(path)
        })
    };
    if depth == 0 || stat.kind != Kind::Dir {
        let listed = entry(&top, &stat, true).map(|listed| (listed, stat));
        return Ok((place, listed.into_iter().collect()));
    }
    let names = Names::of(session, std::slice::from_ref(&top), &session.listing)?;
    let (mut dirs, mut found) = (Dirs::of(&session.root), BTreeMap::new());
    for name in &names.paths {
        let (shown, cut) = level(name, &top, depth);
        if name == &top || (cut && found.contains_key(shown)) {
            continue;
        }
        // A tracked file may be missing. A directory is listed because of a file in it, also if the
        // system does not show the file.
        let stat = match dirs.stat(name) {
            Err(problem) if problem.kind() == io::ErrorKind::PermissionDenied => None,
            stat => match stat.map_err(reading(name))? {
                Some(stat) => Some(stat),
                None => continue,
            },
        };
        let inside = |above: &&str| above.len() > top.len();
        for above in crate::files::above(name)
            .filter(inside)
            .filter(|above| above.len() <= shown.len())
        {
            if !found.contains_key(above)
                && let Ok(Some(stat)) = dirs.stat(above)
            {
                found.insert(above.to_owned(), (dir(above), stat));
            }
        }
        let Some(stat) = stat else { continue };
        let replaces = stat.kind == Kind::Dir && !is_repository(session, name)?;
        if !cut
            && !replaces
            && let Some(listed) = entry(name, &stat, false)
        {
            found.insert(name.clone(), (listed, stat));
        }
    }
    Ok((place, found.into_values().collect()))
}
