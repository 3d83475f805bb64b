//! An immutable captured state.

use std::borrow::Cow;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use fcp::tool::canonical_string;
use serde::Deserialize;

use crate::files::below;
use crate::identity::{Blob, Fingerprint};

/// A captured file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path.
    pub path: Arc<str>,
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
struct Manifest<'w> {
    #[serde(borrow)]
    entries: Vec<Written<'w>>,
}

#[derive(Deserialize)]
struct Written<'w> {
    blob: &'w str,
    #[serde(borrow)]
    path: Cow<'w, str>,
}

impl Snapshot {
    /// A snapshot of sorted entries.
    pub fn new(fingerprint: Fingerprint, entries: Vec<Entry>) -> Self {
        let mut text = head(&fingerprint);
        entries.iter().for_each(|entry| entry.write(&mut text));
        Self::whole(fingerprint, entries, text)
    }

    /// One of the same state with other contents at sorted paths, or with none there. The text of all other entries is
    /// copied. `None` if an entry is not written as it is here.
    pub fn with(&self, changes: &[(&str, Option<Blob>)]) -> Option<Self> {
        let (mut text, mut entries) = (head(&self.fingerprint), Vec::new());
        let mut left = self.preimage.strip_suffix(TAIL)?.get(text.len()..)?;
        let mut rest = &*self.entries;
        text.reserve(left.len() + 1000);
        entries.reserve(rest.len() + changes.len());
        for (path, blob) in changes {
            let (before, after) = rest.split_at(rest.partition_point(|entry| *entry.path < **path));
            let mut next = String::new();
            let end = match after {
                [] => left.len(),
                [entry, ..] => {
                    entry.write(&mut next);
                    next.remove(0);
                    memchr::memmem::find(left.as_bytes(), next.as_bytes())?
                }
            };
            entries.extend_from_slice(before);
            add(&mut text, &left[..end]);
            (rest, left) = (after, &left[end..]);
            if let [entry, more @ ..] = after
                && *entry.path == **path
            {
                (rest, left) = (more, &left[next.len()..]);
            }
            if let Some(blob) = *blob {
                let path = (*path).into();
                let entry = Entry { path, blob };
                entry.write(&mut text);
                entries.push(entry);
            }
        }
        entries.extend_from_slice(rest);
        add(&mut text, left);
        Some(Self::whole(self.fingerprint.clone(), entries, text))
    }

    fn whole(fingerprint: Fingerprint, entries: Vec<Entry>, mut preimage: String) -> Self {
        preimage.push_str(TAIL);
        Self {
            id: Blob::of(preimage.as_bytes()),
            fingerprint,
            entries,
            preimage,
        }
    }

    /// Parses the hashed bytes.
    pub fn read(id: Blob, preimage: Vec<u8>) -> Option<Self> {
        let preimage = String::from_utf8(preimage).ok()?;
        let (fingerprint, manifest) = preimage.split_once('\n')?;
        let fingerprint = serde_json::from_str(fingerprint).ok()?;
        let manifest: Manifest<'_> = serde_json::from_str(manifest).ok()?;
        let entries = manifest.entries.into_iter().map(|Written { blob, path }| {
            let (blob, path) = (blob.parse().ok()?, path.into());
            Some(Entry { path, blob })
        });
        Some(Self {
            id,
            fingerprint,
            entries: entries.collect::<Option<_>>()?,
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
            .binary_search_by(|entry| (*entry.path).cmp(path))
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
        let start = self.entries.partition_point(|entry| *entry.path < *inner);
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

/// The end of the hashed form, after the entries.
const TAIL: &str = "]}";

/// The start of the hashed form, before the entries. All of it is written by hand, like that of a fingerprint.
fn head(fingerprint: &Fingerprint) -> String {
    fingerprint.canonical() + "\n{\"entries\":["
}

/// Adds entries that may have commas around them.
fn add(text: &mut String, entries: &str) {
    let entries = entries.trim_matches(',');
    if !entries.is_empty() {
        text.push_str(if text.ends_with('[') { "" } else { "," });
        text.push_str(entries);
    }
}

impl Entry {
    /// Adds the hashed form.
    fn write(&self, text: &mut String) {
        add(text, "{\"blob\":\"sha256:");
        HEXLOWER.encode_append(&self.blob.0, text);
        text.push_str("\",\"path\":");
        canonical_string(&self.path, text);
        text.push('}');
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn state() -> Fingerprint {
        let oid = "0".repeat(40);
        Fingerprint {
            head_oid: oid.clone(),
            index_oid: oid,
            status_hash: "e".repeat(64),
        }
    }

    fn of(files: &BTreeMap<String, Blob>) -> Snapshot {
        let entry = |(path, blob): (&String, &Blob)| Entry {
            path: path.as_str().into(),
            blob: *blob,
        };
        Snapshot::new(state(), files.iter().map(entry).collect())
    }

    #[test]
    fn a_changed_snapshot_is_as_if_it_was_made_of_its_files() {
        let names = [
            "a",
            "a,b",
            "b\"]}",
            "c\\",
            "d\n",
            "dir/\u{1}",
            "dir/,",
            "é",
            "\",\"path\":\"a\"}",
            "z",
            "{\"entries\":[",
        ];
        let mut state = 1_u64;
        let mut next = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % most
        };
        let mut files = BTreeMap::new();
        let mut snapshot = of(&files);
        for round in 0..2000 {
            let mut changes = BTreeMap::new();
            for name in names {
                match next(6) {
                    0 => changes.insert(name, None),
                    1 => changes.insert(name, Some(Blob::of(&next(3).to_be_bytes()))),
                    _ => None,
                };
            }
            for (name, blob) in &changes {
                match blob {
                    Some(blob) => files.insert((*name).to_owned(), *blob),
                    None => files.remove(*name),
                };
            }
            let changes: Vec<_> = changes.into_iter().collect();
            let changed = snapshot.with(&changes).unwrap();
            let made = of(&files);
            assert_eq!(changed.preimage(), made.preimage(), "round {round}");
            assert_eq!((changed.id, &changed.entries), (made.id, &made.entries));
            let read = Snapshot::read(made.id, made.preimage().into()).unwrap();
            assert_eq!(read.entries, made.entries);
            // Both kinds can be changed again.
            snapshot = if round % 2 == 0 { read } else { changed };
        }
    }

    #[test]
    fn a_text_in_another_form_is_not_changed() {
        let blob = Blob::of(b"");
        let made = of(&BTreeMap::from([("a".to_owned(), blob)]));
        let spaced = made.preimage().replace(",\"path", ", \"path");
        let read = Snapshot::read(Blob::of(spaced.as_bytes()), spaced.into()).unwrap();
        assert!(read.with(&[("a", None)]).is_none());
    }
}
