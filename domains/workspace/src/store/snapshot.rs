//! An immutable captured state.

use fcp::tool::canonical_string;
use serde::Deserialize;

use crate::files::below;
use crate::identity::{Blob, Fingerprint};

/// A captured file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path.
    pub path: String,
    /// Its content.
    pub blob: Blob,
}

/// A fingerprint and a manifest, with the id derived from them.
#[derive(Debug)]
pub struct Snapshot {
    /// Its id.
    pub id: Blob,
    /// The state of the repository at the capture.
    pub fingerprint: Fingerprint,
    /// The captured files, in byte order of their paths.
    pub entries: Vec<Entry>,
    preimage: String,
}

#[derive(Deserialize)]
struct Manifest {
    entries: Vec<Written>,
}

#[derive(Deserialize)]
struct Written {
    blob: String,
    path: String,
}

impl Snapshot {
    /// A snapshot of sorted entries.
    pub fn new(fingerprint: Fingerprint, entries: Vec<Entry>) -> Self {
        let preimage = format!("{}\n{}", fingerprint.canonical(), manifest(&entries));
        let id = Blob::of(preimage.as_bytes());
        Self {
            id,
            fingerprint,
            entries,
            preimage,
        }
    }

    /// Parses the hashed bytes.
    pub fn read(preimage: Vec<u8>) -> Option<Self> {
        let preimage = String::from_utf8(preimage).ok()?;
        let (fingerprint, manifest) = preimage.split_once('\n')?;
        let fingerprint = serde_json::from_str(fingerprint).ok()?;
        let manifest: Manifest = serde_json::from_str(manifest).ok()?;
        let entries = manifest.entries.into_iter().map(|entry| {
            let blob = entry.blob.parse().ok()?;
            Some(Entry {
                path: entry.path,
                blob,
            })
        });
        let entries = entries.collect::<Option<_>>()?;
        let id = Blob::of(preimage.as_bytes());
        Some(Self {
            id,
            fingerprint,
            entries,
            preimage,
        })
    }

    /// The hashed bytes.
    pub fn preimage(&self) -> &str {
        &self.preimage
    }

    /// The hashed form of the manifest.
    pub fn manifest(&self) -> &str {
        self.preimage
            .split_once('\n')
            .map_or("", |(_, manifest)| manifest)
    }

    /// A captured file.
    pub fn find(&self, path: &str) -> Option<&Entry> {
        let at = self
            .entries
            .binary_search_by(|entry| entry.path.as_str().cmp(path))
            .ok()?;
        self.entries.get(at)
    }

    /// The captured files at and below a path.
    pub fn below(&self, top: &str) -> impl Iterator<Item = &Entry> {
        // Other paths may sort between a directory and its contents: `src`, `src-x.ts`, `src/a.ts`.
        let inner = if top.is_empty() {
            String::new()
        } else {
            format!("{top}/")
        };
        let start = self
            .entries
            .partition_point(|entry| entry.path.as_str() < inner.as_str());
        let inside = self.entries[start..]
            .iter()
            .take_while(move |entry| entry.path.starts_with(&inner));
        self.find(top).into_iter().chain(inside)
    }

    /// The captured files at and below any of several paths.
    pub fn below_any(&self, tops: &[String]) -> Vec<&Entry> {
        match tops {
            [top] => self.below(top).collect(),
            _ => self
                .entries
                .iter()
                .filter(|entry| tops.iter().any(|top| below(&entry.path, top)))
                .collect(),
        }
    }
}

/// The hashed form of a manifest, written by hand like that of a fingerprint.
fn manifest(entries: &[Entry]) -> String {
    let mut out = String::from("{\"entries\":[");
    for (at, Entry { path, blob }) in entries.iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        out.push_str("{\"blob\":\"");
        out.push_str(&blob.to_string());
        out.push_str("\",\"path\":");
        canonical_string(path, &mut out);
        out.push('}');
    }
    out.push_str("]}");
    out
}
