//! All packs of a store known to this process.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::failed;
use super::pack::{Found, Pack};
use crate::identity::Blob;
use crate::reply::Answer;

#[derive(Debug)]
pub(super) struct Packs {
    dir: PathBuf,
    seen: Option<std::time::SystemTime>,
    pub(super) open: Vec<Pack>,
}

impl Packs {
    pub(super) const fn at(dir: PathBuf) -> Self {
        Self {
            dir,
            seen: None,
            open: Vec::new(),
        }
    }

    /// The places of a content in the open packs. There are several if one was damaged, and the content stored again.
    pub(super) fn known(&self, blob: &Blob) -> Vec<Found> {
        let packs = self.open.iter().rev();
        packs.filter_map(|pack| pack.find(blob)).collect()
    }

    /// Closes packs that others changed in place, so that they are opened and checked again.
    pub(super) fn distrust(&mut self) {
        let before = self.open.len();
        self.open.retain(Pack::is_current);
        if self.open.len() != before {
            self.seen = None;
        }
    }

    /// The places of a content. Others may have added packs, so a miss refreshes once.
    pub(super) fn find(&mut self, blob: &Blob) -> Answer<Vec<Found>> {
        let found = self.known(blob);
        match found.is_empty() && self.refresh()? {
            true => Ok(self.known(blob)),
            false => Ok(found),
        }
    }

    /// Opens new packs and closes removed ones. Returns whether anything changed.
    pub(super) fn refresh(&mut self) -> Answer<bool> {
        let listing = failed("listing packs");
        let changed = fs::metadata(&self.dir)
            .and_then(|stat| stat.modified())
            .map_err(&listing)?;
        if self.seen == Some(changed) {
            return Ok(false);
        }
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(&listing)? {
            let path = entry.map_err(&listing)?.path();
            if path.extension().is_some_and(|ending| ending == "pack") {
                paths.push(path);
            }
        }
        let before = self.open.len();
        self.open.retain(|pack| paths.contains(&pack.path));
        let mut moved = self.open.len() != before;
        for path in paths {
            if self.open.iter().any(|pack| pack.path == path) {
                continue;
            }
            match Pack::open(&path) {
                Ok(pack) => self.open.push(pack),
                // Removed since the listing.
                Err(problem) if problem.kind() == io::ErrorKind::NotFound => {}
                Err(problem) => return Err(failed("opening a pack")(problem)),
            }
            moved = true;
        }
        // Within the clock's resolution another pack may still be added.
        let settled = changed.elapsed().is_ok_and(|age| age.as_millis() > 20);
        self.seen = settled.then_some(changed);
        Ok(moved)
    }
}
