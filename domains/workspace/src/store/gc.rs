//! Removes expired snapshots, and contents that are in no snapshot.

use std::collections::HashSet;
use std::fs;

use fcp::threads::lock;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, failed, stamp};
use crate::identity::Blob;
use crate::reply::Answer;

/// The maximum number of packs before they are merged.
const PACKS: usize = 64;

/// The snapshots to keep.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Snapshots younger than this.
    pub days: u64,
    /// The youngest snapshots, up to this many bytes of contents.
    pub bytes: u64,
}

/// Result of a collection.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Collected {
    /// The snapshots that went, sorted.
    pub removed: Vec<String>,
    /// The number of snapshots that stay.
    pub kept: u64,
    /// The bytes of contents that went.
    pub freed_bytes: u64,
    /// The packs of contents that there are.
    pub packs: u64,
}

impl Store {
    /// Removes snapshots and contents, or reports what it would remove.
    pub fn collect(&self, keep: Keep, dry_run: bool) -> Answer<Collected> {
        let store = self.lock_file()?;
        store.lock().map_err(failed("locking"))?;
        let oldest = stamp().saturating_sub(keep.days.saturating_mul(24 * 60 * 60));
        let (mut live, mut bytes, mut collected) = (HashSet::new(), 0_u64, Collected::default());
        for (meta, hex) in self.youngest()? {
            let Some(id) = Blob::from_hex(&hex) else {
                continue;
            };
            let Some(snapshot) = self.load(&id)? else {
                continue;
            };
            let mut own = 0_u64;
            for entry in &snapshot.entries {
                if !live.contains(&entry.blob) {
                    own = own.saturating_add(self.size(&entry.blob)?);
                }
            }
            let asked = meta.pinned || meta.label.is_some();
            let fits = meta.created_at >= oldest && bytes.saturating_add(own) <= keep.bytes;
            if asked || fits {
                bytes = bytes.saturating_add(own);
                collected.kept += 1;
                live.extend(snapshot.entries.iter().map(|entry| entry.blob));
            } else {
                collected.removed.push(format!("sha256:{hex}"));
            }
        }
        collected.removed.sort();
        self.sweep(&live, &mut collected, dry_run)?;
        drop(store);
        Ok(collected)
    }

    /// Removes what killed servers left: nobody adds meanwhile.
    fn tidy(&self) -> Answer<()> {
        let removing = failed("removing");
        let (snapshots, about) = (self.ids("snapshots")?, self.ids("meta")?);
        let [whole, known]: [HashSet<&String>; 2] =
            [&snapshots, &about].map(|ids| ids.iter().collect());
        let alone = snapshots.iter().filter(|id| !known.contains(id));
        let mut left: Vec<_> = alone
            .map(|id| self.dir.join("snapshots").join(id))
            .collect();
        let lost = about.iter().filter(|id| !whole.contains(id));
        left.extend(lost.map(|id| self.dir.join("meta").join(id)));
        for dir in ["snapshots", "meta", "packs"] {
            let names = self.names(dir)?;
            let begun = names.iter().filter(|name| name.starts_with('.'));
            left.extend(begun.map(|name| self.dir.join(dir).join(name)));
        }
        let indexes = self.names("packs")?;
        let indexes = indexes.iter().filter(|name| name.ends_with(".idx"));
        let indexes = indexes.map(|name| self.dir.join("packs").join(name));
        left.extend(indexes.filter(|path| !path.with_extension("pack").exists()));
        for path in left {
            fs::remove_file(path).map_err(&removing)?;
        }
        Ok(())
    }

    /// Removes snapshots, and then contents that are in no snapshot.
    fn sweep(&self, live: &HashSet<Blob>, collected: &mut Collected, dry_run: bool) -> Answer<()> {
        let removing = failed("removing");
        let old: Vec<(std::path::PathBuf, Vec<(Blob, u64)>)> = {
            let mut packs = lock(&self.packs);
            packs.refresh()?;
            packs
                .open
                .iter()
                .map(|pack| (pack.path.clone(), pack.contents().collect()))
                .collect()
        };
        let dead = |contents: &[(Blob, u64)]| -> u64 {
            contents
                .iter()
                .filter(|(blob, _)| !live.contains(blob))
                .map(|(_, len)| len)
                .sum()
        };
        collected.packs = old.len() as u64;
        collected.freed_bytes = old.iter().map(|(_, contents)| dead(contents)).sum();
        if dry_run {
            return Ok(());
        }
        self.tidy()?;
        lock(&self.loaded).clear();
        for id in &collected.removed {
            let hex = id.trim_start_matches("sha256:");
            // A snapshot without metadata does not exist.
            for place in ["meta", "snapshots"] {
                fs::remove_file(self.dir.join(place).join(hex)).map_err(&removing)?;
            }
        }
        let merge = old.len() > PACKS;
        let (mut pack, mut moved) = (self.pack(), HashSet::new());
        let gone: Vec<_> = old
            .iter()
            .filter(|(_, contents)| merge || contents.iter().any(|(blob, _)| !live.contains(blob)))
            .collect();
        for (blob, _) in gone.iter().flat_map(|(_, contents)| contents) {
            if live.contains(blob) && moved.insert(*blob) {
                pack.add(blob, &self.content(blob)?)
                    .map_err(failed("writing a pack"))?;
            }
        }
        pack.finish().map_err(failed("writing a pack"))?;
        for (path, _) in &gone {
            fs::remove_file(path).map_err(&removing)?;
            fs::remove_file(path.with_extension("idx")).map_err(&removing)?;
        }
        let mut packs = lock(&self.packs);
        packs.refresh()?;
        collected.packs = packs.open.len() as u64;
        Ok(())
    }
}
