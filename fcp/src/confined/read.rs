//! Reads whole files, each in a single state.

use std::fs::File;
use std::io;

use rustix::buffer::spare_capacity;
use rustix::io::retry_on_intr;

use super::refusal::{Kind as Why, Refusal};
use super::root::{open_at, stat_at};
use super::{Dirs, Kind, Root, Stat, now};

/// A file's content and its metadata.
#[derive(Debug)]
pub struct Loaded {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Its metadata before and after reading, which were equal.
    pub stat: Stat,
    /// The time of the first metadata.
    pub taken: i64,
}

/// Reads a regular file. One that changes meanwhile is read once more.
///
/// # Errors
/// It is not a regular file, or cannot be read.
pub fn load(dirs: &mut Dirs<'_>, path: &str, limit: u64) -> Result<Loaded, Refusal> {
    let disk = |problem: io::Error| Refusal::disk(path, "reading", &problem);
    let (dir, name) = dirs.parent(path).map_err(disk)?;
    for _ in 0..2 {
        let (file, before) = regular(dir, name, path)?;
        if before.size > limit {
            return Err(Refusal::new(
                Why::TooLarge {
                    limit,
                    actual: before.size,
                },
                format!(
                    "{path} has {} bytes, over the limit of {limit}",
                    before.size
                ),
            ));
        }
        let taken = now();
        let bytes = content(&file, before.size).map_err(disk)?;
        if stat(&file).map_err(disk)? == before {
            return Ok(Loaded {
                bytes,
                stat: before,
                taken,
            });
        }
    }
    Err(Refusal::changed(format!(
        "{path} is being written; ask again"
    )))
}

/// Opens a regular file at a place.
///
/// # Errors
/// It is not a regular file, or cannot be read.
pub fn open(root: &Root, path: &str) -> Result<File, Refusal> {
    let (dir, name) = root
        .parent(path)
        .map_err(|problem| Refusal::disk(path, "reading", &problem))?;
    Ok(regular(dir, name, path)?.0)
}

/// Opens a file that is regular before and after it is opened. Returns its metadata, too.
fn regular(dir: impl rustix::fd::AsFd, name: &str, path: &str) -> Result<(File, Stat), Refusal> {
    let disk = |problem: io::Error| Refusal::disk(path, "reading", &problem);
    let check = |kind: Kind| match kind {
        Kind::File => Ok(()),
        Kind::Dir => Err(Refusal::new(
            Why::Invalid,
            format!("{path} is a directory; name a file in it"),
        )),
        Kind::Link => Err(Refusal::denied(format!(
            "{path} became a link while it was used; ask again"
        ))),
        Kind::Special => Err(Refusal::denied(format!("{path} is not a regular file"))),
    };
    match stat_at(&dir, name).map_err(disk)? {
        Some(stat) => check(stat.kind)?,
        None => return Err(Refusal::new(Why::Missing, format!("there is no {path}"))),
    }
    let file = open_at(&dir, name).map_err(disk)?;
    let stat = stat(&file).map_err(disk)?;
    check(stat.kind)?;
    Ok((file, stat))
}

/// Metadata of an open file.
///
/// # Errors
/// The system reports an error.
pub fn stat(file: &File) -> io::Result<Stat> {
    Ok(Stat::of(&rustix::fs::fstat(file)?))
}

/// All bytes of a file, which should have the given size.
pub fn content(file: &File, size: u64) -> io::Result<Vec<u8>> {
    let no_room = |_| io::ErrorKind::OutOfMemory;
    let mut bytes = Vec::new();
    let size = usize::try_from(size).unwrap_or_default();
    bytes
        .try_reserve_exact(size.saturating_add(1))
        .map_err(no_room)?;
    loop {
        bytes.try_reserve(1).map_err(no_room)?;
        let room = bytes.capacity() - bytes.len();
        let read = retry_on_intr(|| rustix::io::read(file, spare_capacity(&mut bytes)))?;
        // A regular file gives less than there is room for only at its end.
        if read == 0 || (read < room && bytes.len() == size) {
            return Ok(bytes);
        }
    }
}
