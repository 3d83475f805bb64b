//! The claim of a document about what a save would change, as judges hold it against the two files.

use std::ops::Range;

use crate::account::Owner;

/// Everything that a save would change of a file, as the document accounts for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The file as it was opened.
    pub before: Vec<u8>,
    /// The file that a save would write.
    pub after: Vec<u8>,
    /// The changes that ops account for.
    pub claims: Vec<Claim>,
    /// The changed bytes that no op accounts for, one line each.
    pub faults: Vec<String>,
    /// The bytes in `before` of the rows that ops changed.
    pub stirred_before: Vec<Range<usize>>,
    /// The bytes in `after` of the rows that ops changed, whether the bytes differ or not: events that moved with their bytes
    /// as they were.
    pub stirred: Vec<Range<usize>>,
}

/// A changed row or piece of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose bytes they are.
    pub owner: Owner,
    /// Its kind and name.
    pub name: String,
    /// Its changed bytes in the file as opened.
    pub before: Vec<Range<usize>>,
    /// Its changed bytes in the file that a save would write.
    pub after: Vec<Range<usize>>,
}
