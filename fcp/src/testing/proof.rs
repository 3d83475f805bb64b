//! The report of a save, checked against the files on disk.

use std::fs;
use std::path::Path;

/// The most bytes of a file for a comparison byte by byte.
const MOST: usize = 20_000;

/// The last line of the reply to `save`: the equal bytes, and the lengths of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Equal bytes.
    pub same: usize,
    /// Bytes of the old file that are not in the new one.
    pub gone: usize,
    /// Bytes of the new file that are not in the old one.
    pub new: usize,
    /// The length of the old file.
    pub had: usize,
    /// The length of the new file.
    pub has: usize,
}

impl Proof {
    /// Reads the reply to a save.
    ///
    /// # Panics
    /// It is longer than 20 lines, or does not end with the count of equal bytes.
    #[must_use]
    pub fn of(answer: &str) -> Self {
        let lines: Vec<&str> = answer.lines().collect();
        assert!(lines.len() <= 20, "{} lines: {answer}", lines.len());
        let last = lines.iter().rfind(|line| line.ends_with(')'));
        let last = last.unwrap_or_else(|| panic!("no last line: {answer}"));
        let (line, sizes) = last.split_once(" (").unwrap_or((last, ""));
        let numbers = |text: &str| -> Vec<usize> {
            let words = text.split_whitespace();
            let words = words.filter_map(|word| word.replace(',', "").parse().ok());
            words.collect()
        };
        let sizes = numbers(sizes.trim_end_matches(')'));
        let [had, has] = sizes.as_slice() else {
            panic!("no sizes: {last}")
        };
        let counts = numbers(line);
        let (same, gone, new) = match counts.as_slice() {
            [same] if line.starts_with("  nothing changed: all ") => (*same, 0, 0),
            [same, _, gone, new] if line.starts_with("  nothing else changed: ") => {
                (*same, *gone, *new)
            }
            _ => panic!("no counts: {last}"),
        };
        Self {
            same,
            gone,
            new,
            had: *had,
            has: *has,
        }
    }

    /// Checks the numbers against two short files.
    ///
    /// # Panics
    /// They do not agree.
    pub fn holds(&self, before: &Path, after: &Path) {
        let read = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{error}"));
        let (old, new) = (read(before), read(after));
        assert_eq!((self.had, self.has), (old.len(), new.len()), "the sizes");
        assert_eq!(self.same + self.gone, old.len(), "all of the old file");
        assert_eq!(self.same + self.new, new.len(), "all of the new file");
        assert_eq!(
            self.gone + self.new == 0,
            old == new,
            "whether anything changed"
        );
        assert!(old.len().max(new.len()) <= MOST, "files for this are short");
        let most = common(&old, &new);
        assert!(
            self.same <= most,
            "{} bytes cannot be the same: {most} at most",
            self.same
        );
    }
}

/// The length of the longest common subsequence.
fn common(one: &[u8], other: &[u8]) -> usize {
    let mut row = vec![0_usize; other.len() + 1];
    for byte in one {
        let mut diagonal = 0;
        for (ix, own) in other.iter().enumerate() {
            let above = row[ix + 1];
            row[ix + 1] = match byte == own {
                true => diagonal + 1,
                false => above.max(row[ix]),
            };
            diagonal = above;
        }
    }
    row[other.len()]
}
