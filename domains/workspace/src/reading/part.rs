//! Reads files and parts of files in one pass.

use std::fs;
use std::io::{self, Read, Seek};

use fcp::confined;
use fcp::tool::Most;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files::{Stat, above, now, open};
use crate::identity::Blob;
use crate::reply::{self, Answer, Failure, Limits};
use crate::session::{Guard, Session};
use crate::text::{Eol, Text};

/// The default size of a range, in bytes.
pub const RANGE: u64 = 262_144;
/// The maximum distance from a cut back to the end of a line, in bytes.
pub const REACH: usize = 65_536;

/// The part of a file that a reply has.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Range {
    /// Its first byte, from 0.
    pub start_byte: u64,
    /// The byte after it.
    pub end_byte: u64,
    /// The line to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_start_line: Option<u64>,
    /// The byte to go on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_start_byte: Option<u64>,
}

/// A file, or a part of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct File {
    /// Its path.
    pub path: String,
    /// Its text, or base64: and its bytes.
    pub content: String,
    /// Which of the two: utf-8 or base64.
    pub encoding: &'static str,
    /// Whether it is text.
    pub kind: Text,
    /// Its line ends.
    pub eol: Eol,
    /// Its bytes.
    pub size: u64,
    /// The hash of all of it.
    pub blob: String,
    /// Its lines.
    pub total_lines: u64,
    /// The reply ends before the part that was asked for.
    pub truncated: bool,
    /// Which part it is, if a part was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// The path without links, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolved: Option<String>,
}

/// The part of a file that is wanted.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Part {
    /// The first line, from 1.
    #[schemars(range(min = 1))]
    pub start_line: Option<u64>,
    /// The last line.
    #[schemars(range(min = 1))]
    pub end_line: Option<u64>,
    /// The first byte, from 0.
    pub start_byte: Option<u64>,
    /// The most bytes [default with a range: 262144].
    #[schemars(range(min = 1))]
    pub max_bytes: Option<u64>,
}

pub fn uncaptured(snapshot: &crate::store::Snapshot, path: &str) -> Failure {
    if snapshot.below(path).next().is_some() {
        return Failure::invalid(
            "/path",
            format!("{path} is a directory; list it with snapshot.list"),
        );
    }
    let file = above(path).find(|above| snapshot.find(above).is_some());
    match file {
        Some(file) => Failure::not_found(format!(
            "{file} is a file in the snapshot, so there is no {path}"
        )),
        None => Failure::not_found(format!("{path} is not in the snapshot")),
    }
}

/// Reads a whole file; retries once if it changes meanwhile.
pub fn live(
    session: &Session<'_>,
    part: &Part,
    place: &str,
    path: String,
    resolved: Option<String>,
) -> Answer<(File, Guard)> {
    let disk = |problem: io::Error| Failure::disk(place, "reading", &problem);
    for _ in 0..2 {
        let mut file = open(&session.root, place)?;
        let taken = now();
        let before = confined::stat(&file).map_err(disk)?;
        part.fits(place, before.size, &session.workspace.limits)?;
        let mut scan = Scan::new(part);
        read_through(&mut file, |piece| scan.feed(piece)).map_err(disk)?;
        if confined::stat(&file).map_err(disk)? != before {
            continue;
        }
        let hash = scan.hash.clone();
        let taken = match before.is_racy(taken) {
            true => settled(&mut file, &before, hash).map_err(disk)?,
            false => Some(taken),
        };
        let Some(taken) = taken else { continue };
        let (file, blob) = scan.end(path, resolved);
        return Ok((
            file,
            Guard::File {
                stat: before,
                taken,
                blob: Some(blob),
            },
        ));
    }
    Err(Failure::changed(format!(
        "{place} is being written; ask again"
    )))
}

fn read_through(file: &mut fs::File, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; 1 << 18];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(()),
            read => each(&piece[..read]),
        }
    }
}

/// Reads a file again that was read very soon after a change: a write in progress may have changed its times before it
/// changed its content. The time of the second reading, or `None` if the content is not the same.
fn settled(file: &mut fs::File, stat: &Stat, hash: Sha256) -> io::Result<Option<i64>> {
    Stat::settle([stat]);
    let (taken, mut again) = (now(), Sha256::new());
    file.rewind()?;
    read_through(file, |piece| again.update(piece))?;
    let same = again.finalize() == hash.finalize() && confined::stat(file)? == *stat;
    Ok(same.then_some(taken))
}

impl Part {
    pub fn is_whole(&self) -> bool {
        self.start_line.is_none()
            && self.end_line.is_none()
            && self.start_byte.is_none()
            && self.max_bytes.is_none()
    }

    pub fn check(&self, inline: Most) -> Answer<()> {
        if self.start_byte.is_some() && (self.start_line.is_some() || self.end_line.is_some()) {
            return Err(Failure::invalid(
                "/start_byte",
                "a part is of lines or of bytes; leave out one of the two",
            ));
        }
        if let (Some(start), Some(end)) = (self.start_line, self.end_line)
            && end < start
        {
            return Err(Failure::invalid(
                "/end_line",
                format!("end_line {end} is before start_line {start}"),
            ));
        }
        Ok(inline.check("max_bytes", self.max_bytes.unwrap_or_default())?)
    }

    pub fn fits(&self, path: &str, size: u64, limits: &Limits) -> Answer<()> {
        if self.is_whole()
            && let Err(over) = limits.inline.check(path, size)
        {
            let message = format!("{over}; or read a part: start_line, end_line");
            return Err(Failure::from(over).with_message(message));
        }
        Ok(limits.ranged.check(path, size)?)
    }

    pub fn most(&self) -> usize {
        let most = self
            .max_bytes
            .unwrap_or(if self.is_whole() { u64::MAX } else { RANGE });
        usize::try_from(most).unwrap_or(usize::MAX)
    }
}

/// One pass over a file that keeps only the requested part.
#[derive(Default)]
pub struct Scan {
    pub part: Part,
    pub hash: Sha256,
    /// Number of bytes and of line endings so far.
    pub size: u64,
    pub lines: u64,
    pub head: Vec<u8>,
    pub kept: Vec<u8>,
    pub start: Option<u64>,
    /// Whether the part was longer than the kept bytes.
    pub cut: bool,
    pub last: u8,
    pub lf: bool,
    pub crlf: bool,
}

impl Scan {
    pub fn new(part: &Part) -> Self {
        Self {
            part: part.clone(),
            ..Self::default()
        }
    }

    pub fn feed(&mut self, piece: &[u8]) {
        self.hash.update(piece);
        let room = 8000_usize.saturating_sub(self.head.len()).min(piece.len());
        self.head.extend_from_slice(&piece[..room]);
        for line in piece.split_inclusive(|byte| *byte == b'\n') {
            self.keep(line);
            self.size += line.len() as u64;
            if line.ends_with(b"\n") {
                self.lines += 1;
                let before = if line.len() > 1 {
                    line[line.len() - 2]
                } else {
                    self.last
                };
                if before == b'\r' {
                    self.crlf = true;
                } else {
                    self.lf = true;
                }
            }
            self.last = line.last().copied().unwrap_or(self.last);
        }
    }

    /// Keeps the requested bytes of a piece of one line.
    pub fn keep(&mut self, line: &[u8]) {
        let (first, last) = (
            self.part.start_line.unwrap_or(1),
            self.part.end_line.unwrap_or(u64::MAX),
        );
        if !(first..=last).contains(&(self.lines + 1)) {
            return;
        }
        let skip = self.part.start_byte.unwrap_or(0).saturating_sub(self.size);
        let Some(wanted) = usize::try_from(skip)
            .ok()
            .and_then(|skip| line.get(skip..))
            .filter(|rest| !rest.is_empty())
        else {
            return;
        };
        self.start.get_or_insert(self.size + skip);
        let room = self.part.most().saturating_sub(self.kept.len());
        self.cut |= wanted.len() > room;
        self.kept
            .extend_from_slice(&wanted[..wanted.len().min(room)]);
    }

    pub fn end(mut self, path: String, resolved: Option<String>) -> (File, Blob) {
        let part = &self.part;
        let kind = Text::of(&self.head);
        let text = kind == Text::Text;
        let mut at_line = false;
        if self.cut && text {
            let reach = self.kept.len().saturating_sub(REACH);
            match memchr::memrchr(b'\n', &self.kept[reach..]) {
                Some(at) => {
                    self.kept.truncate(reach + at + 1);
                    at_line = true;
                }
                None => {
                    let valid = std::str::from_utf8(&self.kept)
                        .map_or_else(|error| error.valid_up_to(), str::len);
                    if valid > 0 && self.kept.len() - valid < 4 {
                        self.kept.truncate(valid);
                    }
                }
            }
        }
        let start = self
            .start
            .unwrap_or_else(|| part.start_byte.unwrap_or(self.size).min(self.size));
        let end = start + self.kept.len() as u64;
        let next = (at_line && part.start_byte.is_none()).then(|| {
            part.start_line.unwrap_or(1) + memchr::memchr_iter(b'\n', &self.kept).count() as u64
        });
        let range = (!part.is_whole()).then_some(Range {
            start_byte: start,
            end_byte: end,
            next_start_line: next.filter(|_| self.cut),
            next_start_byte: self.cut.then_some(end),
        });
        let (content, encoding) = reply::content(&self.kept, text);
        let blob = Blob(self.hash.finalize().into());
        let open = self.size > 0 && self.last != b'\n';
        let file = File {
            path,
            content,
            encoding,
            kind,
            eol: match (self.lf, self.crlf) {
                (true, true) => Eol::Mixed,
                (true, false) => Eol::Lf,
                (false, true) => Eol::Crlf,
                (false, false) => Eol::None,
            },
            size: self.size,
            blob: blob.to_string(),
            total_lines: self.lines + u64::from(open),
            truncated: self.cut,
            range,
            resolved,
        };
        (file, blob)
    }
}
