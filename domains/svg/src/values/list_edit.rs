//! Edits of a list of transforms.

use fcp::prelude::*;

/// A change of a list of transforms.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListEdit {
    /// Puts another list in its place.
    Set,
    /// Puts an item before the one of a number.
    Insert,
    /// Puts an item in the place of the one of a number.
    Replace,
    /// Removes the item of a number.
    Remove,
    /// Removes them all.
    Clear,
    /// Folds them into the geometry, if the picture stays.
    Bake,
}
