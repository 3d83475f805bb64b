//! Metadata of files, as far as it shows that a file changed.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::FileType;

/// Kinds of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    #[default]
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A FIFO, socket or device.
    Special,
}

/// Metadata of a file. If two are equal, the content is the same, except for changes within the
/// resolution of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Its kind.
    pub kind: Kind,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change of the content.
    pub mtime: i64,
    /// The time of the last change of content or metadata.
    pub ctime: i64,
    /// The inode.
    pub ino: u64,
    /// The permission bits.
    pub mode: u32,
}

/// The time in which a clock may hide a second change, in nanoseconds.
const RACY: i64 = 20_000_000;

impl Stat {
    /// Converts the system's metadata.
    #[allow(
        clippy::unnecessary_cast,
        clippy::useless_conversion,
        reason = "the widths differ between systems"
    )]
    pub fn of(raw: &rustix::fs::Stat) -> Self {
        let nanos =
            |seconds: i64, rest: i64| seconds.wrapping_mul(1_000_000_000).wrapping_add(rest);
        Self {
            kind: match FileType::from_raw_mode(raw.st_mode) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Dir,
                FileType::Symlink => Kind::Link,
                _ => Kind::Special,
            },
            size: u64::try_from(raw.st_size).unwrap_or_default(),
            mtime: nanos(raw.st_mtime as i64, raw.st_mtime_nsec as i64),
            ctime: nanos(raw.st_ctime as i64, raw.st_ctime_nsec as i64),
            ino: raw.st_ino as u64,
            mode: u32::from(raw.st_mode) & 0o7777,
        }
    }

    /// Whether anyone may execute it.
    pub fn is_executable(&self) -> bool {
        self.mode & 0o111 != 0
    }

    /// Whether it was read, at `taken`, so soon after a change that the clock may hide another.
    pub fn is_racy(&self, taken: i64) -> bool {
        taken.saturating_sub(self.ctime.max(self.mtime)) < RACY
    }

    /// Waits until the clock would show a further change of any of these files. Times in the future are not waited for.
    pub fn settle<'s>(files: impl IntoIterator<Item = &'s Self>) {
        let start = now();
        let times = files.into_iter().map(|stat| stat.ctime);
        let last = times
            .filter(|time| *time < start.saturating_add(RACY))
            .max();
        let wait = last.map_or(0, |last| last.saturating_add(RACY).saturating_sub(start));
        std::thread::sleep(Duration::from_nanos(
            u64::try_from(wait).unwrap_or_default(),
        ));
    }

    /// Whether two have the same content; permissions are ignored.
    pub fn same_content(&self, other: &Self) -> bool {
        Self { mode: 0, ..*self } == Self { mode: 0, ..*other }
    }
}

/// The time, in nanoseconds.
pub fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
