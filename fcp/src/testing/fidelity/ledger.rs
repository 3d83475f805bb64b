//! A document's claim about the changes of a save, which judges compare with the two files.

use std::ops::Range;

use crate::account::Owner;

/// All changes that a save would make to a file, as the document accounts for them.
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
    /// The bytes in `before` of rows that ops changed.
    pub stirred_before: Vec<Range<usize>>,
    /// The bytes in `after` of rows that ops changed, whether or not the bytes differ: events may
    /// move with unchanged bytes.
    pub stirred: Vec<Range<usize>>,
}

/// A changed row or piece of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The owner of the bytes.
    pub owner: Owner,
    /// Its kind and name.
    pub name: String,
    /// Its changed bytes in the file as opened.
    pub before: Vec<Range<usize>>,
    /// Its changed bytes in the file that a save would write.
    pub after: Vec<Range<usize>>,
}
