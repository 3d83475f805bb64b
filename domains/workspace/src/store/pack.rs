//! A pack: many contents in one file that is written once.
//!
//! A record is the hash, the length in eight bytes, and the content. The index next to the pack is
//! sorted; a missing or damaged index is rebuilt from the pack.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use fcp::confined::program_files::{replace, word};

use crate::identity::Blob;

const MAGIC: &[u8] = b"fcp pack 1\n";
/// Size of an index record in bytes: hash, offset, length.
const RECORD: usize = 48;

/// A pack being written. Its file is created with the first content.
#[derive(Debug)]
pub struct PackWriter {
    dir: PathBuf,
    file: Option<(PathBuf, BufWriter<File>)>,
    index: Vec<[u8; RECORD]>,
    at: u64,
    /// The bytes that are on the disk.
    settled: u64,
}

impl PackWriter {
    /// A pack in a directory.
    pub(super) fn new(dir: PathBuf) -> Self {
        Self {
            dir,
            file: None,
            index: Vec::new(),
            at: 0,
            settled: 0,
        }
    }

    /// Adds a content.
    pub fn add(&mut self, blob: &Blob, content: &[u8]) -> io::Result<()> {
        if self.file.is_none() {
            let path = self.dir.join(format!(".{}.new", word()));
            let mut file = BufWriter::with_capacity(1 << 18, File::create_new(&path)?);
            file.write_all(MAGIC)?;
            self.at = MAGIC.len() as u64;
            self.file = Some((path, file));
        }
        let Some((_, file)) = &mut self.file else {
            return Ok(());
        };
        let len = content.len() as u64;
        file.write_all(&blob.0)?;
        file.write_all(&len.to_be_bytes())?;
        file.write_all(content)?;
        self.index.push(record(blob, self.at + 40, len));
        self.at += 40 + len;
        Ok(())
    }

    /// Waits until all contents so far are on the disk.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        if let Some((_, file)) = self.file.as_mut().filter(|_| self.settled < self.at) {
            file.flush()?;
            file.get_ref().sync_data()?;
            self.settled = self.at;
        }
        Ok(())
    }

    /// Completes the pack. Returns whether it has any contents.
    pub(super) fn finish(mut self) -> io::Result<bool> {
        self.settle()?;
        let Some((path, _)) = &self.file else {
            return Ok(false);
        };
        let name = self.dir.join(word());
        write_index(&name.with_extension("idx"), &mut self.index)?;
        fs::rename(path, name.with_extension("pack"))?;
        self.file = None;
        Ok(true)
    }
}

impl Drop for PackWriter {
    fn drop(&mut self) {
        if let Some((path, _)) = self.file.take() {
            // An incomplete pack holds nothing.
            let _ = fs::remove_file(path);
        }
    }
}

fn record(blob: &Blob, offset: u64, len: u64) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..32].copy_from_slice(&blob.0);
    record[32..40].copy_from_slice(&offset.to_be_bytes());
    record[40..].copy_from_slice(&len.to_be_bytes());
    record
}

fn write_index(path: &Path, index: &mut [[u8; RECORD]]) -> io::Result<()> {
    index.sort_unstable();
    let mut bytes = index.concat();
    let sum = Blob::of(&bytes);
    bytes.extend_from_slice(&sum.0);
    replace(path, &bytes, false)
}

/// A complete pack.
#[derive(Debug)]
pub(super) struct Pack {
    pub(super) path: PathBuf,
    file: Arc<File>,
    index: Vec<u8>,
    /// The size and the time of the last change when it was opened.
    seen: (u64, SystemTime),
    /// The contents that had their hash since then, by their place in the index.
    good: Arc<[AtomicBool]>,
}

/// The place of a content.
#[derive(Debug)]
pub(super) struct Found {
    file: Arc<File>,
    offset: u64,
    pub(super) len: u64,
    good: Arc<[AtomicBool]>,
    at: usize,
}

impl Found {
    /// The content, or `None` if it is damaged.
    pub(super) fn content(&self, blob: &Blob) -> io::Result<Option<Vec<u8>>> {
        match self.read() {
            Ok(content) if Blob::of(&content) == *blob => {
                self.good[self.at].store(true, Ordering::Relaxed);
                Ok(Some(content))
            }
            Ok(_) => Ok(None),
            Err(problem) if problem.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        // A pack that was cut off has less than its index says.
        if self.offset.saturating_add(self.len) > self.file.metadata()?.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let len = usize::try_from(self.len).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let mut content = Vec::new();
        content
            .try_reserve_exact(len)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        content.resize(len, 0);
        self.file.read_exact_at(&mut content, self.offset)?;
        Ok(content)
    }
}

impl Pack {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let beside = path.with_extension("idx");
        let index = match fs::read(&beside).ok().and_then(checked) {
            Some(index) => index,
            None => {
                let mut index = scan(&file)?;
                write_index(&beside, &mut index)?;
                index.concat()
            }
        };
        let stat = file.metadata()?;
        let records = index.len() / RECORD;
        Ok(Self {
            path: path.to_owned(),
            file: Arc::new(file),
            seen: (stat.len(), stat.modified()?),
            good: (0..records).map(|_| AtomicBool::new(false)).collect(),
            index,
        })
    }

    /// Whether the file is as it was when it was opened.
    pub(super) fn is_current(&self) -> bool {
        let stat = fs::metadata(&self.path);
        let now = stat.and_then(|stat| Ok((stat.len(), stat.modified()?)));
        now.is_ok_and(|now| now == self.seen)
    }

    fn records(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.index.chunks_exact(RECORD)
    }

    /// The place of a content in the index.
    fn place(&self, blob: &Blob) -> Option<usize> {
        let (records, _) = self.index.as_chunks::<RECORD>();
        records
            .binary_search_by(|record| record[..32].cmp(&blob.0))
            .ok()
    }

    /// Whether a content is known to have its hash.
    pub(super) fn has_good(&self, blob: &Blob) -> bool {
        self.place(blob)
            .is_some_and(|at| self.good[at].load(Ordering::Relaxed))
    }

    pub(super) fn find(&self, blob: &Blob) -> Option<Found> {
        let at = self.place(blob)?;
        let (_, offset, len) = split(&self.index[at * RECORD..][..RECORD]);
        Some(Found {
            file: Arc::clone(&self.file),
            offset,
            len,
            good: Arc::clone(&self.good),
            at,
        })
    }

    /// The hash and size of each content.
    pub(super) fn contents(&self) -> impl Iterator<Item = (Blob, u64)> {
        self.records().map(|record| {
            let (blob, _, len) = split(record);
            (blob, len)
        })
    }
}

fn split(record: &[u8]) -> (Blob, u64, u64) {
    let (mut hash, mut offset, mut len) = ([0; 32], [0; 8], [0; 8]);
    hash.copy_from_slice(&record[..32]);
    offset.copy_from_slice(&record[32..40]);
    len.copy_from_slice(&record[40..RECORD]);
    (
        Blob(hash),
        u64::from_be_bytes(offset),
        u64::from_be_bytes(len),
    )
}

/// The records of an index, if its checksum is correct.
fn checked(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let end = bytes.len().checked_sub(32)?;
    let good = end % RECORD == 0 && Blob::of(&bytes[..end]).0 == bytes[end..];
    bytes.truncate(end);
    good.then_some(bytes)
}

/// The records of a pack without an index.
fn scan(file: &File) -> io::Result<Vec<[u8; RECORD]>> {
    let size = file.metadata()?.len();
    let mut reader = BufReader::new(file);
    let (mut at, mut index) = (MAGIC.len() as u64, Vec::new());
    reader.seek(SeekFrom::Start(at))?;
    while at.saturating_add(40) <= size {
        let (mut hash, mut len) = ([0; 32], [0; 8]);
        reader.read_exact(&mut hash)?;
        reader.read_exact(&mut len)?;
        let len = u64::from_be_bytes(len);
        let end = (at + 40).saturating_add(len);
        if end > size {
            break;
        }
        index.push(record(&Blob(hash), at + 40, len));
        reader.seek(SeekFrom::Start(end))?;
        at = end;
    }
    Ok(index)
}
